"""`hlta trends`: what it prints and writes, as a person reads it, and what it refuses."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from hlta import HLTA
from hlta.cli.trend_report import trend_lines
from hlta.reading.corpus_reader import read_with_words
from hlta.topics.turning_points import turning_points
from tests.command import run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import Corpus, TopicTree


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of the texts, each with a month and a group."""
    file = tmp_path_factory.mktemp("dated") / "dated.jsonl"
    rows = (
        {"text": text, "date": f"201{k % 3}-0{1 + k % 2}", "group": f"group {k % 2}"}
        for k, text in enumerate(TEXTS)
    )
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def read(fitted: Path, dated: Path) -> tuple[TopicTree, Corpus]:
    """The topics, and the texts as their model reads them."""
    model = HLTA.load(fitted)
    return model.topics_, read_with_words(dated, model.tree_.words, model.text_options_)


@pytest.mark.parametrize("option", [(), ("--depth", "99")])
def test_what_surely_changed_comes_before_a_table(
    fitted: Path, dated: Path, tmp_path: Path, option: tuple[str, ...]
) -> None:
    turned = tmp_path / "turned.jsonl"
    rows = (
        {"text": "deep neural network data" if k < 40 else "social media friends", "date": date}
        for k, date in enumerate(["2010"] * 40 + ["2012"] * 40)
    )
    turned.write_text("\n".join(map(json.dumps, rows)))
    for file, first_line in (
        (dated, "No topic surely changed: there may be too few documents to tell."),
        (turned, "What surely changed, with 95% intervals in parentheses"),
    ):
        topics, corpus = read(fitted, file)
        shown = list(topics) if option else topics.roots
        shares = topics.over_time(corpus, topics=shown, unit="year")
        done = run("trends", fitted, file, "--unit", "year", *option)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == "\n".join(trend_lines(shares.to_dicts())) + "\n"
        assert done.stdout.splitlines()[0] == first_line


def test_groups_and_both_are_json(fitted: Path, dated: Path) -> None:
    topics, corpus = read(fitted, dated)
    found = json.loads(run("trends", fitted, dated, "--by", "group", "--json").stdout)
    assert found == topics.by_group(corpus, topics=topics.roots).to_dicts()
    asked = ("--by", "both", "--depth", 99, "--unit", "month", "--json")
    found = json.loads(run("trends", fitted, dated, *asked).stdout)
    assert found == topics.over_time(corpus, unit="month", by_group=True).to_dicts()
    shown = run("trends", fitted, dated, "--by", "both", "--unit", "year").stdout
    assert "\n2010 group 0 " in shown


def test_a_text_may_be_in_several_groups(fitted: Path, tmp_path: Path) -> None:
    file = tmp_path / "groups.jsonl"
    groups = [["a", "b"], "b", [], ["c", "a", "c"], None] * 6
    rows = ({"text": text, "group": group} for text, group in zip(TEXTS, groups, strict=True))
    file.write_text("\n".join(map(json.dumps, rows)))
    found = json.loads(run("trends", fitted, file, "--by", "group", "--json").stdout)
    shares = HLTA.load(fitted).transform(TEXTS)
    ids = [topic.id for topic in HLTA.load(fitted).topics_]
    assert {row["group"]: row["documents"] for row in found} == {"a": 12, "b": 12, "c": 6}
    for row in found:
        members = [row["group"] in (group or []) for group in groups]
        of_group = shares[members, ids.index(row["topic"])]
        assert row["share"] == pytest.approx(of_group.mean())
        assert row["on_topic"] == (of_group >= 0.2).sum()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "year"], "--by year: use one of"),
        (["--by", "group", "--unit", "year"], "--unit applies to periods"),
        (["--unit", "week"], "--unit week: use one of"),
        (["--unit", "day"], "--unit day: too many dates only give the month"),
        (["--json", "-o", "out.csv"], "--output writes CSV, and --json prints JSON"),
        (["--date", "day"], "there is no column 'day'"),
    ],
)
def test_mistakes_are_a_line(fitted: Path, dated: Path, arguments: list[str], message: str) -> None:
    done = run("trends", fitted, dated, *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr


def test_documents_without_dates_are_refused(fitted: Path, texts_file: Path) -> None:
    done = run("trends", fitted, texts_file)
    assert (done.exit_code, "give documents with dates" in done.stderr) == (1, True)


def test_a_csv_file_has_the_intervals(fitted: Path, dated: Path, tmp_path: Path) -> None:
    target = tmp_path / "trends.csv"
    done = run("trends", fitted, dated, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in rows)
    assert sum(int(row["on_topic"]) for row in rows) >= len(TEXTS)


# ---- shares as a person reads them ---------------------------------------------------------------


TITLES = ("small change", "a title for two columns", "large change")
HEAD = "What surely changed, with 95% intervals in parentheses"


def rows(
    parts: dict[str, tuple[int, list[float]]], name: str = "period", width: float = 0.05
) -> list[dict[str, Any]]:
    """A row per part and topic, whose interval goes so far to both sides; 0 is of no document."""
    return [
        {
            name: part,
            "topic": f"Z1-{k}",
            "title": title,
            "share": share,
            "low": max(0.0, share - width),
            "high": min(1.0, share + width),
            "on_topic": int(np.ceil(share * count)),
            "documents": count,
        }
        for part, (count, shares) in parts.items()
        for k, (title, share) in enumerate(zip(TITLES, shares, strict=True))
    ]


def test_the_topics_that_surely_changed_come_first_and_the_table_has_what_fits() -> None:
    parts = {"2019": (40, [0.21, 0.3, 0.1]), "2020": (50, [0.2, 0.1, 0.9])}
    parts |= {"2021": (1200, [0.22, 0.3, 0.5]), "2022": (60, [0.2, 0.6, 0.5])}
    head, first, second, _, *table, note = trend_lines(rows(parts, width=0.03), width=57)
    assert head == HEAD
    assert first == (
        "  large change: rose from 10.0% (7.0% to 13.0%) in 2019 to 90.0% (87.0% to 93.0%) in 2020, "
        "then fell to 50.0% (47.0% to 53.0%) in 2021"
    )
    assert second.startswith("  a title for two columns: fell from 30.0%")
    assert [line.split() for line in table[1:3]] == [
        ["2019", "40", "10.0%", "30.0%"],
        ["2020", "50", "90.0%", "10.0%"],
    ]
    assert "1 further topic" in note


NO_CHANGE = "No topic surely changed: there may be too few documents to tell."


@pytest.mark.parametrize(
    ("parts", "first"),
    [
        ({"2020": (9, [0.2, 0.25, 0.1]), "2021": (9, [0.22, 0.2, 0.12])}, NO_CHANGE),
        ({"2020": (9, [0.2] * 3), "2021": (9, [0.31] * 3)}, HEAD),
        # Intervals must be farther apart where there are many.
        ({str(2020 + k): (9, [0.2 if k < 30 else 0.32] * 3) for k in range(60)}, NO_CHANGE),
    ],
)
def test_what_may_be_chance_is_not_said(
    parts: dict[str, tuple[int, list[float]]], first: str
) -> None:
    assert next(trend_lines(rows(parts, width=0.04), width=57)) == first


def test_a_share_of_no_document_is_neither_a_peak_nor_said_as_a_figure() -> None:
    noise = {"2020": (90, [0.3, 0.0, 0.3]), "2021": (90, [0.9, 0.9, 0.3])}
    shares = rows(noise, width=0.01)
    shares[3]["on_topic"] = 0  # as if the high share were left over of words that fit nothing
    (said,) = (line for line in trend_lines(shares, width=57) if "rose" in line)
    assert said.startswith("  a title for two columns: rose from none in 2020 to 90.0% (89.0%")


def test_many_turns_are_put_together() -> None:
    parts = {str(2000 + k): (9, [0.1 + 0.5 * (k % 2)] * 3) for k in range(8)}
    _, said, *_ = trend_lines(rows(parts, width=0.01), width=57)
    assert said.startswith("  small change: went up and down between 10.0% (9.0% to 11.0%) in 2000")


def test_groups_are_compared_by_the_surest_of_the_highest_and_lowest_shares() -> None:
    parts = {"a": (9, [0.2, 0.1, 0.3]), "b": (8, [0.4, 0.1, 0.9]), "c": (7, [0.1, 0.1, 0.5])}
    shares = rows({**parts, "unsure": (1, [1.0, 1.0, 1.0])}, "group", width=0.03)
    for row in shares[9:]:
        row["low"] = 0.05  # one document has a wide interval
    said = list(trend_lines(shares, width=200))
    assert said[1] == "  large change: 90.0% (87.0% to 93.0%) in b, 30.0% (27.0% to 33.0%) in a"
    assert said[2].startswith("  small change: 40.0% (37.0% to 43.0%) in b, 10.0%")


def test_the_table_has_the_last_periods_and_the_largest_groups() -> None:
    many = {f"{k:03}": (900 - k, [0.1] * 3) for k in range(60)}
    *_, period, note = trend_lines(rows(many), width=200)
    assert (period.split()[0], "10 periods;" in note) == ("059", True)
    *_, group, note = trend_lines(rows(many, "group"), width=200)
    assert (group.split()[0], "10 groups;" in note) == ("049", True)


def test_titles_in_wide_letters_keep_the_columns_aligned() -> None:
    wide = [
        row | {"title": "机器学习 神经网络 深度学习"}
        for row in rows({"2020": (9, [0.1] * 3), "2021": (9, [0.2] * 3)})
    ]
    lines = list(trend_lines(wide, width=40))
    head = next(k for k, line in enumerate(lines) if "…" in line)
    assert cell_len(lines[head]) == cell_len(lines[head + 1]) <= 40


SERIES = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 0.4), st.booleans()), min_size=1, max_size=12
)


@given(SERIES)
def test_from_turn_to_turn_a_share_surely_rises_and_falls_by_turns(
    series: list[tuple[float, float, bool]],
) -> None:
    low = [max(0.0, share - half) for share, half, _ in series]
    high = [share + half for share, half, _ in series]
    turns = turning_points(low, high, empty=[none for *_, none in series])
    assert turns == sorted(set(turns))
    assert len(turns) != 1
    rises = [low[b] > high[a] for a, b in pairwise(turns)]
    falls = [high[b] < low[a] for a, b in pairwise(turns)]
    assert rises == [not fell for fell in falls]
    assert all(a != b for a, b in pairwise(rises))
    for place, rose in zip(turns[1:], rises, strict=True):
        assert not (rose and series[place][2])  # no peak without a document


@pytest.mark.parametrize(
    ("shares", "turns"),
    [
        ([0.1, 0.1, 0.1], []),
        ([0.1, 0.5, 0.9], [0, 2]),
        ([0.9, 0.5, 0.1], [0, 2]),
        ([0.3, 0.1, 0.9, 0.1, 0.3], [0, 1, 2, 3, 4]),
        ([0.5, 0.52, 0.1, 0.11, 0.9], [1, 2, 4]),
    ],
)
def test_turning_points_by_hand(shares: list[float], turns: list[int]) -> None:
    low, high = [value - 0.05 for value in shares], [value + 0.05 for value in shares]
    assert turning_points(low, high, empty=[False] * len(shares)) == turns
