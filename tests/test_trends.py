"""`hlta trends`: what it prints, as a person reads it; documents divided by dates and groups."""

import json
import re
from collections.abc import Iterable
from itertools import combinations, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from scipy.stats import binom, chi2

from hlta import HLTA, Corpus, TopicTree
from hlta.cli.tables import _shares
from hlta.cli.trend_report import trend_lines
from hlta.documents.fields import value_list
from hlta.errors import DocumentsError
from hlta.reading.corpus_reader import read_with_words
from hlta.topics.divisions import Division, ShareSums, by_group, by_period, cross, wilson, with_none
from hlta.topics.segments import FEW, gain, required_gain, segments
from hlta.topics.topic import as_percent
from tests.command import mistake, rows_in, run
from tests.page_code import answers, needs_node
from tests.scanning import TEXTS
from tests.there import there

HEAD = (
    "What surely changed: mean shares of topics, with 95% intervals and numbers of documents in "
    "parentheses"
)
NO_CHANGE = "No topic surely changed: there may be too few documents to tell."
ABOUT = {"a": "deep neural network data", "b": "social media friends"}


def lines_in(file: Path, rows: Iterable[dict[str, str]]) -> Path:
    """A file with a JSON object a line."""
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of the texts, each with a month and a group."""
    rows = (
        {"text": text, "date": f"201{k % 3}-0{1 + k % 2}", "group": f"group {k % 2}"}
        for k, text in enumerate(TEXTS)
    )
    return lines_in(tmp_path_factory.mktemp("dated") / "dated.jsonl", rows)


def read(fitted: Path, dated: Path) -> tuple[TopicTree, Corpus]:
    """The topics, and the texts as their model reads them."""
    model = HLTA.load(fitted)
    return model.topics_, read_with_words(dated, model.tree_.words, model.text_options_)


def test_sure_changes_come_before_a_table(fitted: Path, dated: Path, tmp_path: Path) -> None:
    turned = lines_in(
        tmp_path / "turned.jsonl",
        ({"text": ABOUT["ab"[k > 39]], "date": ("2010", "2012")[k > 39]} for k in range(80)),
    )
    for file, first_line in ((dated, NO_CHANGE), (turned, HEAD)):
        topics, corpus = read(fitted, file)
        shares = topics.over_time(corpus, topics=topics.roots, unit="year")
        done = run("trends", fitted, file, "--unit", "year")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == "\n".join(trend_lines(shares.to_dicts())) + "\n"
        assert done.stdout.splitlines()[0] == first_line


def test_tables_of_all_kinds_are_json_or_csv(fitted: Path, dated: Path, tmp_path: Path) -> None:
    topics, corpus = read(fitted, dated)
    part = corpus.take(np.array([group == "group 1" for group in there(corpus.groups)]))
    for asked, expected in (
        (("--by", "group"), topics.by_group(corpus, topics=topics.roots)),
        (
            ("--by", "both", "--depth", 99, "--unit", "month"),
            topics.over_time(corpus, unit="month", by_group=True),
        ),
        (
            ("--search", 'group:"group 1"', "--unit", "year"),
            topics.over_time(part, topics=topics.roots, unit="year"),
        ),
    ):
        assert (
            json.loads(run("trends", fitted, dated, *asked, "--json").stdout) == expected.to_dicts()
        )
    shown = run("trends", fitted, dated, "--by", "both", "--unit", "year").stdout
    assert "\n2010 group 0 " in shown
    done = run("trends", fitted, dated, "-o", tmp_path / "trends.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {tmp_path}/trends.csv\n")
    rows = rows_in(tmp_path / "trends.csv")
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in rows)
    assert sum(int(row["on_topic"]) for row in rows) >= len(TEXTS)


def test_vague_topics_are_in_tables_alone(fitted: Path, dated: Path) -> None:
    topics, corpus = read(fitted, dated)
    topics.roots[0].is_vague = True
    vague = topics.roots[0].id
    every, shown = (
        _shares(topics, corpus, "period", "year", 1, whole=whole) for whole in (True, False)
    )
    assert len({row["topic"] for row in shown}) > 1
    assert shown == [row for row in every if row["topic"] != vague]


def test_repeats_of_a_text_are_no_evidence(fitted: Path) -> None:
    """Each counts, but the interval is that of the texts without them."""
    topics = HLTA.load(fitted).topics_
    texts = [
        f"{text} in report {'again ' * k} and another of the same" for k, text in enumerate(TEXTS)
    ]
    once, twice = (
        topics.over_time(Corpus.from_texts(texts * n, dates=["2010", "2011", "2012"] * 10 * n))
        for n in (1, 2)
    )
    for name in ("share", "low", "high"):
        assert twice[name].to_list() == pytest.approx(once[name].to_list())
    assert (twice["documents"] == 2 * once["documents"]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "country"], "no document has a column 'country'; name one"),
        (["--by", "desk", "--unit", "year"], "--unit applies to periods, but --by is desk"),
        (["--search", "nothingness"], "finds no document"),
        (["--unit", "hour"], "--unit hour: use one of"),
        (["--unit", "week"], "too many dates only give the month; use --unit month"),
        (["--json", "-o", "out.csv"], "--output writes a table, and --json prints JSON"),
    ],
)
def test_mistakes_are_a_line(fitted: Path, dated: Path, arguments: list[str], message: str) -> None:
    assert message in mistake("trends", fitted, dated, *arguments)


# ---- shares as a person reads them ---------------------------------------------------------------


TITLES = ("small change", "a title for two columns", "large change")

Parts = dict[str, tuple[int, list[float]]]  # of parts, the documents and the share of each topic


def rows(parts: Parts, name: str = "period", worth: float = 1.0) -> list[dict[str, Any]]:
    """A row per part and topic, with Wilson's interval of so many times the documents."""
    columns = (name, "topic", "title", "share", "low", "high", "on_topic", "documents")
    found = (
        (part, f"Z1-{k}", title, share, float(low), float(high), int(np.ceil(share * count)), count)
        for part, (count, shares) in parts.items()
        for k, (title, share) in enumerate(zip(TITLES, shares, strict=False))
        for low, high in [wilson(np.array(share), np.array(count * worth))]
    )
    return [dict(zip(columns, row, strict=True)) for row in found]


def test_the_surest_changes_come_first_and_the_table_has_what_fits() -> None:
    parts = {"2019": (400, [0.21, 0.3, 0.1]), "2020": (500, [0.2, 0.1, 0.9])}
    parts |= {"2021": (1200, [0.22, 0.3, 0.5]), "2022": (600, [0.2, 0.6, 0.5])}
    parts |= {"2023": (29, [1.0] * 3)}
    head, first, second, _, *table, note = trend_lines(rows(parts), width=57)
    assert head == HEAD
    assert first == (
        "  large change: rose from 10.0% (7.4% to 13.3%, n = 400) in 2019 to 90.0% (87.1% to 92.3%, "
        "n = 500) in 2020, then fell to 50.8% (48.5% to 53.1%, n = 1,829) in 2021–2023"
    )
    assert second.startswith("  a title for two columns: fell from 30.0%")
    assert table[1].split() == ["2019", "400", "10.0%", "30.0%"]
    assert "1 further topic" in note


@pytest.mark.parametrize(
    ("parts", "first"),
    [
        ({"2020": (90, [0.2, 0.25, 0.1]), "2021": (90, [0.22, 0.2, 0.12])}, NO_CHANGE),
        ({"2020": (29, [0.0] * 3), "2021": (29, [1.0] * 3)}, NO_CHANGE),
        # Differences must be larger where there are many, unless they last.
        ({str(2020 + k): (300, [0.3 if k == 30 else 0.2] * 3) for k in range(60)}, NO_CHANGE),
        ({str(2020 + k): (300, [0.2 if k < 30 else 0.25] * 3) for k in range(60)}, HEAD),
        ({str(2020 + k): (300, [0.2 if k < 30 else 0.21] * 3) for k in range(60)}, NO_CHANGE),
        # The figures would be the same.
        ({"2020": (10**8, [0.3] * 3), "2021": (10**8, [0.3004] * 3)}, NO_CHANGE),
    ],
)
def test_what_may_be_chance_or_is_too_small_to_see_is_not_said(parts: Parts, first: str) -> None:
    assert next(trend_lines(rows(parts), width=57)) == first


def test_no_peak_is_without_documents_and_many_turns_are_put_together() -> None:
    shares = rows({"2020": (900, [0.3, 0.0, 0.3]), "2021": (900, [0.9, 0.9, 0.3])})
    shares[3]["on_topic"] = 0  # as if the high share were left over of words that fit nothing
    (said,) = (line for line in trend_lines(shares, width=57) if "rose" in line)
    assert said.startswith("  a title for two columns: rose from <0.1% (<0.1% to 0.4%, n = 900)")
    parts = {str(2000 + k): (900, [0.1 + 0.5 * (k % 2)] * 3) for k in range(8)}
    _, said, *_ = trend_lines(rows(parts), width=57)
    assert said.startswith("  small change: went up and down between 10.0% (8.2% to 12.1%")


def in_cells(cells: dict[tuple[str, str], tuple[int, list[float]]]) -> list[dict[str, Any]]:
    """A row per period, group and topic."""
    return [
        {"period": period, "group": group, **row}
        for (period, group), part in cells.items()
        for row in rows({"": part}, "part")
    ]


def test_changes_of_the_mix_of_groups_are_told_from_those_within_groups() -> None:
    few, many = 100, 900
    cells = {  # the second topic rises in both groups, the first with the share of the second group
        ("2020", "a"): (many, [0.1, 0.2]),
        ("2020", "b"): (few, [0.6, 0.1]),
        ("2021", "a"): (few, [0.1, 0.7]),
        ("2021", "b"): (many, [0.6, 0.5]),
    }
    shares = rows({"2020": (1000, [0.15, 0.19]), "2021": (1000, [0.55, 0.52])})
    mixed, risen = (row["title"] for row in shares[:2])
    found = list(trend_lines(shares, 200, in_cells(cells), "country"))
    assert {line.split(":")[0].strip() for line in found[1:3]} == {mixed, risen}
    assert found[3] == (
        f"Within the groups of country, 1 of these 2 changes is sure, too: {risen}. The others may only "
        "reflect a changing mix of groups (--by both and --search show each group)."
    )
    for topic, said in enumerate(
        ("none of these changes is sure: they may", "all of these changes")
    ):
        own = [row for row in shares if row["topic"] == f"Z1-{topic}"]
        assert said in list(trend_lines(own, 200, in_cells(cells), "country"))[2]
    alone = {key: part for key, part in cells.items() if key in {("2020", "a"), ("2021", "b")}}
    assert "none of these" in list(trend_lines(shares, 200, in_cells(alone), "country"))[3]
    unchanged = rows({"2020": (90, [0.2, 0.3]), "2021": (90, [0.2, 0.3])})
    assert not any("Within" in line for line in trend_lines(unchanged, 200, in_cells(cells), "x"))


def test_a_change_of_the_mix_is_rarely_called_one_within_groups() -> None:
    rng = np.random.default_rng(0)
    sizes = {("2020", "a"): 400, ("2020", "b"): 100, ("2021", "a"): 150, ("2021", "b"): 600}
    chance, said = {"a": 0.1, "b": 0.5}, []
    for _ in range(400):
        on = {key: int(rng.binomial(n, chance[key[1]])) for key, n in sizes.items()}
        cells = in_cells({key: (n, [on[key] / n]) for key, n in sizes.items()})
        years: Parts = {}
        for year in ("2020", "2021"):
            both = [key for key in sizes if key[0] == year]
            n = sum(sizes[key] for key in both)
            years[year] = (n, [sum(on[key] for key in both) / n])
        said.append(list(trend_lines(rows(years), 200, cells, "kind"))[2])
    assert all("Within the groups of kind" in line for line in said)
    assert sum("all of these" in line for line in said) <= binom.ppf(0.99, len(said), 0.025)


def test_changes_of_the_mix_of_groups_are_told_by_the_command(fitted: Path, tmp_path: Path) -> None:
    rows = (
        {"text": ABOUT[group], "date": "2010" if k < 45 else "2012", "group": group}
        for k, group in enumerate("a" * 40 + "b" * 5 + "a" * 5 + "b" * 40)
    )
    mixed = lines_in(tmp_path / "mixed.jsonl", rows)
    said = run("trends", fitted, mixed, "--unit", "year").stdout
    assert "Within groups, none of these changes is sure" in said


def test_groups_are_compared_by_the_surest_of_the_highest_and_lowest_shares() -> None:
    parts = {"a": (900, [0.2, 0.1, 0.3]), "b": (800, [0.4, 0.1, 0.9]), "c": (700, [0.1, 0.1, 0.5])}
    shares = rows({**parts, "unsure": (30, [0.5, 0.5, 0.5])}, "group")
    _, first, second, *_ = trend_lines(shares, width=200)
    assert first == (
        "  large change: more frequent in b, 90.0% (87.7% to 91.9%, n = 800), than in a, "
        "30.0% (27.1% to 33.1%, n = 900)"
    )
    assert re.match("  small change: more frequent in b, 40.0%.* in c, 10.0%", second)
    few = {"a": (FEW, [0.2]), "b": (FEW - 1, [0.9]), "c": (3, [0.9])}
    head, small, *_ = trend_lines(rows(few, "group"), width=57)
    assert head == f"Nothing was compared: fewer than two groups have {FEW} documents or more."
    assert small == f"Not compared: 2 groups of fewer than {FEW} documents"


SAID = re.compile(r"(?:(<0\.1%|[\d.]+%) \(.*?, n = ([\d,]+)\)) in (\d+)(?:–(\d+))?")
SHARE = st.sampled_from([0.0, 0.001, 0.02, 0.1, 0.3, 0.31, 0.8, 1.0])
SERIES = st.lists(st.tuples(st.integers(1, 3000), SHARE), min_size=1, max_size=9)


@given(SERIES, st.sampled_from(["rise", "noise"]))
def test_sentences_say_what_the_series_does(series: list[tuple[int, float]], order: str) -> None:
    """Its figures are those of periods of documents enough, in order, and each step is sure."""
    if order == "rise":
        series = sorted(series, key=itemgetter(1))
    shares = {str(2000 + k): (n, [round(n * share) / n]) for k, (n, share) in enumerate(series)}
    lines = list(trend_lines(rows(shares), width=57))
    if lines[0] == NO_CHANGE:
        large = [values[0] for n, values in shares.values() if n > 1000]
        assert not large or max(large) - min(large) < 0.2
        return
    said = SAID.findall(lines[1])
    found = [(figure, n, range(int(a), int(b or a) + 1)) for figure, n, a, b in said]
    years = [period for *_, period in found]
    if "went up and down" in lines[1]:
        years.sort(key=itemgetter(0))
    assert all(one[-1] < other[0] for one, other in pairwise(years))
    together = {period: pooled(shares, period) for period in years}
    for figure, n, period in found:
        count, share = together[period]
        assert (figure, n) == (as_percent(share), f"{count:,}")
        assert count >= 30
    values = [together[period][1] for *_, period in found]
    verbs = re.findall("rose|fell", lines[1])
    assert verbs == ["rose" if b > a else "fell" for a, b in pairwise(values)] or not verbs
    for (n, a), (m, b) in pairwise(together.values()):
        both = (n * a + m * b) / (n + m)
        counts, sizes = np.round([n * a, m * b]), np.array([n, m])
        apart, alike = (binom.logpmf(counts, sizes, share).sum() for share in ([a, b], both))
        assert 2 * (apart - alike) > chi2.isf(0.05, 1) - 1e-9


def pooled(shares: Parts, period: range) -> tuple[int, float]:
    """The documents of some years, and the share of the first topic in them."""
    parts = [shares[str(year)] for year in period]
    count = sum(n for n, _ in parts)
    return count, sum(n * share for n, (share, *_) in parts) / count


def test_periods_without_a_change_are_told_as_one() -> None:
    """However few documents each of them has; months have room around the dash."""
    months = {
        f"20{10 + k // 12}-{1 + k % 12:02}": (9, [(1 + 4 * (k > 11)) / 9] * 3) for k in range(24)
    }
    _, said, *_ = trend_lines(rows(months), width=57)
    assert re.findall(r"in (20\S+ – \S+)", said) == ["2010-01 – 2010-12", "2011-01 – 2011-12"]


FEW_PERIODS = st.lists(
    st.tuples(st.integers(1, 90), st.sampled_from([0.0, 0.1, 0.3, 0.9, 1.0])),
    min_size=1,
    max_size=8,
)


@given(FEW_PERIODS, st.floats(1.0, 4.0))
def test_segments_are_the_likeliest_of_all(periods: list[tuple[int, float]], worth: float) -> None:
    documents, share = np.array(periods, dtype=np.float64).T
    penalty = required_gain(len(periods) - 1)

    def value(begins: list[int]) -> float:
        """Of a way to divide the periods; nothing changes within a segment."""
        parts = [slice(*ends) for ends in pairwise((*begins, len(periods)))]
        if any(documents[part].sum() < FEW for part in parts):
            return -np.inf
        inside = sum(gain(share[part], worth * documents[part]) for part in parts)
        return -inside - penalty * (len(parts) - 1)

    places = range(1, len(periods))
    ways = [[0, *some] for count in range(len(periods)) for some in combinations(places, count)]
    found = segments(share, documents, worth, penalty)
    best = max(map(value, ways))
    assert value(found) == pytest.approx(best) if found else best == -np.inf


@pytest.mark.parametrize("rate", [0.0002, 0.002, 0.05, 0.5])
@pytest.mark.parametrize("skewed", [False, True])
def test_chance_is_called_a_change_in_less_than_5_of_100_reports(rate: float, skewed: bool) -> None:
    """Of rare topics as well, with a few large periods and many small ones."""
    random = np.random.default_rng(7)
    sizes = np.array([6000, 3000, 400] + [30] * 27)
    reports, said = 200, 0
    for _ in range(reports):
        on = random.random(sizes.sum()) < rate
        shares = on * (random.beta(0.8, 2.0, len(on)) if skewed else 1.0)
        mean = shares.mean()
        worth = max(1.0, mean * (1.0 - mean) / max(shares.var(), 1e-12))
        parts = np.split(shares, np.cumsum(sizes)[:-1])
        series = {str(k): (len(part), [float(part.mean())]) for k, part in enumerate(parts)}
        said += next(trend_lines(rows(series, worth=worth), width=57)) != NO_CHANGE
    assert said <= 0.05 * reports


SCRIPT = """
import { readFileSync } from "node:fs";
import { changesOf } from "SOURCE/pictures/findings";

const said = JSON.parse(readFileSync(0, "utf8")).map(({ lines, names }) => {
  const found = changesOf(lines, names).filter((one) => one);
  return found.sort((one, other) => other.evidence - one.evidence).map(({ sentence }) => sentence);
});
console.log(JSON.stringify(said));
"""


@needs_node
def test_the_page_says_the_same(tmp_path: Path) -> None:
    """Of random series, the same topics change in the same periods; figures are rounded otherwise."""
    random = np.random.default_rng(5)
    given, expected = [], []
    for _ in range(400):
        names = [str(2000 + k) for k in range(random.integers(2, 25))]
        sizes = random.choice([3, FEW - 1, FEW, 90, 900], len(names))
        levels = random.choice([0.002, 0.2, 0.25, 0.6], (4, len(TITLES)))
        level = levels[np.sort(random.integers(4, size=len(names)))]
        share = random.beta(sizes[:, None] * level + 0.1, sizes[:, None] * (1.0 - level) + 0.1)
        worth = sizes[:, None] * random.uniform(1.0, 3.0, len(TITLES))
        on = random.integers(3, size=share.shape)  # so some peaks are none
        table = np.array([*wilson(share, worth), worth, on, on]).reshape(5, -1).T.tolist()
        parts = zip(names, zip(sizes.tolist(), share.tolist(), strict=True), strict=True)
        report = [
            row
            | dict(zip(("low", "high", "effectiveSize", "on", "on_topic"), figures, strict=True))
            for row, figures in zip(rows(dict(parts)), table, strict=True)
        ]
        lines = list(trend_lines(report, width=57))
        said = (line.strip().replace(": ", " ", 1) for line in lines[1 : lines.index("")])
        expected.append([re.sub(r"\S+% \(.*?\)", "%", line) for line in said])
        series = (report[k :: len(TITLES)] for k in range(len(TITLES)))
        points = ([row | {"period": k} for k, row in enumerate(one)] for one in series)
        topics = [{"name": n, "points": p} for n, p in zip(TITLES, points, strict=True)]
        given.append({"lines": topics, "names": names})
    page = answers(SCRIPT, given, tmp_path)
    assert [[re.sub(r"\S+%", "%", sentence) for sentence in one] for one in page] == expected
    assert sum(map(len, expected)) > len(expected)


@pytest.mark.parametrize(("name", "last"), [("period", "059"), ("group", "049")])
def test_the_table_has_the_last_periods_and_the_largest_groups(name: str, last: str) -> None:
    many = {f"{k:03}": (900 - k, [0.1] * 3) for k in range(60)}
    *_, line, note = trend_lines(rows(many, name), width=200)
    assert (line.split()[0], f"10 {name}s;" in note) == (last, True)


def test_titles_in_wide_letters_keep_the_columns_aligned() -> None:
    plain = rows({"2020": (9, [0.1] * 3), "2021": (9, [0.2] * 3)})
    wide = [row | {"title": "机器学习 神经网络 深度学习"} for row in plain]
    lines = list(trend_lines(wide, width=40))
    head = next(k for k, line in enumerate(lines) if "…" in line)
    assert cell_len(lines[head]) == cell_len(lines[head + 1]) <= 40


# ---- documents divided by dates and groups -------------------------------------------------------


def parts_of(division: Division, count: int) -> list[list[str]]:
    """The names of the parts that each document is in."""
    assert (np.diff(division.rows) >= 0).all()
    found: list[list[str]] = [[] for _ in range(count)]
    for row, part in zip(division.rows.tolist(), division.parts.tolist(), strict=True):
        found[row].append(division.names[part])
    return found


def numbers_of(division: Division, count: int) -> list[int]:
    """The part of each document, -1 without one."""
    number = np.full(count, -1)
    number[division.rows] = division.parts
    assert len(set(division.rows.tolist())) == len(division.rows)
    return number.tolist()


@pytest.mark.parametrize(
    ("dates", "unit", "names", "numbers"),
    [
        (["1999", "2001", ""], "year", ["1999", "2000", "2001"], [0, 2, -1]),
        (["2020-11", "2021-02-03"], "year", None, [0, 1]),
        (["1920-11", "2021-02-03"], "decade", None, [0, 10]),
        (["1955-11", "2021-02-03"], "year", None, [0, 66]),
        (["2019.0", "2020.0"], "year", None, [0, 1]),
        (["2021-02", "2021-11"], "quarter", ["2021-Q1", "2021-Q2", "2021-Q3", "2021-Q4"], [0, 3]),
        (["2021-02", "2021-03"], "month", None, [0, 1]),
        (["03/04/2024", "25/04/2024"], "week", None, [0, 3]),  # the other tells which is the day
        (["03/04/2024", "03/05/2024", "03/13/2024"], "week", None, [0, 0, 1]),
    ],
)
def test_periods(dates: list[str], unit: str, names: list[str] | None, numbers: list[int]) -> None:
    division = there(by_period(dates))
    assert division.unit == unit
    if names is not None:
        assert list(division.names) == names
    assert numbers_of(division, len(dates)) == numbers
    assert division.counts.sum() == sum(number >= 0 for number in numbers)


def test_periods_finer_than_years_have_enough_documents_in_the_mean() -> None:
    days = [f"2024-{month:02}-{day:02}" for month in range(1, 4) for day in range(1, 29)]
    chosen = [there(by_period(days * times)) for times in (1, 16, 105)]
    units = [("month", 3), ("week", 13), ("day", 88)]
    assert [(one.unit, len(one.names)) for one in chosen] == units
    assert all(len(one.rows) >= 100 * len(one.names) for one in chosen[1:])
    assert there(by_period([*days * 105, "2025"])).unit == "day"
    assert there(by_period([*days * 105, "2025-12-31"])).unit == "month"


def test_a_unit_that_does_not_fit_hides_no_finer_one_and_a_single_period_is_none() -> None:
    days = [f"2024-{month:02}-{day:02}" for month in range(1, 4) for day in range(1, 29)]
    assert there(by_period([*days * 105, "1900"])).unit == "day"  # years would be 125
    week = ["2024-01-29", "2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"]
    units = [there(by_period(week * times)).unit for times in (20, 99, 100)]
    assert units == ["month", "month", "day"]


def test_a_few_coarse_dates_do_not_make_others_coarse_and_a_unit_they_lack_is_refused() -> None:
    months = [f"2020-{1 + k % 12:02}" for k in range(39)]
    division = there(by_period([*months, "2020"]))
    assert (division.unit, len(division.names)) == ("quarter", 4)
    assert numbers_of(division, 40) == [k % 12 // 3 for k in range(39)] + [-1]
    assert by_period([*months, *["2020"] * 3]) is None  # too many: the year is all that is known
    wanted = there(by_period([*months, "2019"], "month"))
    assert wanted.names[0] == "2020-01"
    with pytest.raises(DocumentsError, match="only give the year; use unit='year', or write"):
        by_period(["2019", "2020-05"], "month")


@pytest.mark.parametrize(
    ("dates", "warning", "numbers"),
    [
        (["03/04/2024", "05/06/2025"], "2 dates like '03/04/2024' .* month first", [0, 1]),
        (["25/11/2024", "11/25/2025", "03/04/2025"], "'03/04/2025' could have", [0, 1, 1]),
        (["2020-02-31", "2021"], "'2020-02-31' could only be read as a year", [0, 1]),
        (
            ["20-1-13", "2020", "2021", "never", "21-2-14", ""],
            "3 dates, 2 of them like '20-1-13', could not be read",
            [-1, 0, 1, -1, -1, -1],
        ),
    ],
)
def test_unread_parts_of_dates_are_told(dates: list[str], warning: str, numbers: list[int]) -> None:
    with pytest.warns(UserWarning, match=warning):
        division = by_period(dates)
    assert numbers_of(there(division), len(dates)) == numbers


def test_groups_on_several_lines_each_have_the_document() -> None:
    groups = ["a\nb", "b", "", " b \n\nc\nb", "a"]
    assert value_list(groups[3]) == ["b", "c"]
    division = there(by_group(groups))
    assert division.unit == "group"
    assert division.names == ("b", "a", "c")  # by size, then by name
    assert parts_of(division, len(groups)) == [["a", "b"], ["b"], [], ["b", "c"], ["a"]]
    assert division.counts.tolist() == [3, 2, 1]
    values = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])
    for begin in (0, 1, 3):
        sums = division.sums(0, values[:begin]) + division.sums(begin, values[begin:])
        assert sums.tolist() == [[11.0], [17.0], [8.0]]
    every = with_none(division, groups)
    assert parts_of(every, 5) == [["a", "b"], ["b"], [""], ["b", "c"], ["a"]]
    assert with_none(division, [group or "x" for group in groups]) is division


def test_periods_and_groups_are_crossed() -> None:
    years = there(by_period(["2001", "2002", "2002", "", "2001"]))
    both = cross(years, there(by_group(["a\nb", "b", "", "a", "b"])), "/")
    assert both.names == ("2001/b", "2001/a", "2002/b", "2002/a")
    parts = [sorted(of_document) for of_document in parts_of(both, 5)]
    assert parts == [["2001/a", "2001/b"], ["2002/b"], [], [], ["2001/b"]]
    assert both.counts.tolist() == [2, 1, 1, 0]


@pytest.mark.filterwarnings("ignore:.*could not be read as dates")
def test_one_part_divides_nothing() -> None:
    for dates in (None, [], ["", "n.d."], ["2020", "2020"], ["0000", "99999", "\0"]):
        assert by_period(dates) is None
    for groups in (None, ["a", "a"], ["", "a"], ["a\na", " a "]):
        assert by_group(groups) is None


def test_shares_that_are_all_the_same_have_evidence_that_json_can_hold() -> None:
    one = Division("group", ("a", "b"), np.array([0, 0]), np.array([0, 1]))
    sums = ShareSums([one], 2)
    sums.add(np.array([[0.3, 0.2]]))
    (shares,) = sums.shares(1.0)
    assert np.isfinite(shares.effective_size.round(2)).all()
