"""Trends and groups: what a person reads in them, and what a person does with them."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus
from hlta.cli.trend_report import trend_lines
from tests.pages import box_of, go_to, page_in, percent, rest, rows, saved, texts, topic_shown
from tests.synthetic import planted

WORDS = [f"word{k}" for k in range(24)]
MONTHS = [f"{2020 + k // 12}-{1 + k % 12:02}" for k in range(18)]
# The title of the chart ends so.
ENDS = "title => document.querySelector('#picture h2')?.textContent.endsWith(title)"
GAP = 5  # a month without documents


@pytest.fixture(scope="module")
def dated() -> tuple[HLTA, Corpus]:
    """Documents of 18 months, one of them without any and one with few, and of four years alone;
    in 60 groups, and in none."""
    X = planted(24, 2).sample(2000, seed=1)
    months = [k for k in range(18) if k != GAP]
    dates = [MONTHS[months[k % 17]] if k % 17 or k < 170 else "" for k in range(1996)]
    groups = ["" if k % 5 == 0 else f"group {k % 61:02}" for k in range(2000)]
    texts = [f"text {k % 3}" for k in range(2000)]
    corpus = Corpus(X, WORDS, dates=[*dates, *["2010"] * 4], groups=groups, texts=texts)
    return HLTA(samples=1).fit(corpus), corpus


@pytest.fixture(scope="module")
def dated_file(dated: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_in(tmp_path_factory.mktemp("dated"), dated, "Dated")


def figures(page: Any) -> list[list[str]]:
    """The table below the chart."""
    page.click("#picture details summary")
    return rows(page, "#picture tbody tr")


# ---- over time ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:left out")
def test_shares_and_intervals_are_those_of_python(visit: Any, dated_file: Path, dated: Any) -> None:
    model, corpus = dated
    topic = model.topics_.roots[0]
    found = model.topics_.over_time(corpus, topics=[topic])
    expected = {row["period"]: row for row in found.iter_rows(named=True)}
    page = visit(dated_file, f"#topic={topic.id}&view=changes")
    missing = sum(date in ("", "2010") for date in corpus.dates or ())
    assert f"{missing} documents are left out" in page.inner_text("#picture .note")
    first = page.query_selector(".line")
    assert first.query_selector(".band").get_attribute("d").count("M") == 2  # broken at the gap
    assert len(first.query_selector_all("circle")) == 17
    assert first.evaluate("line => getComputedStyle(line).maskImage") == "none"  # no fading ends
    table = figures(page)
    assert [row[0] for row in table] == MONTHS  # four years alone do not make it a series of years
    for period, documents, found, interval, *_ in table:
        if period == MONTHS[GAP]:
            assert (documents, found) == ("0", "–")
            continue
        row = expected[period]
        assert documents == str(row["documents"])
        assert found == percent(row["share"])
        assert interval == f"{percent(row['low'])} to {percent(row['high'])}"


@pytest.fixture(scope="module")
def turning(tmp_path_factory: pytest.TempPathFactory) -> tuple[HLTA, Corpus, Path]:
    """Documents of six years and three groups, in which topics come and go; one year has few."""
    X = planted(24, 2).sample(1500, seed=3)
    model = HLTA(samples=1).fit(Corpus(X, WORDS))
    order = np.argsort(model.transform(Corpus(X, WORDS))[:, 0], kind="stable")
    random = np.random.default_rng(1)
    ranks = np.argsort(order) / len(order)
    likely = np.array([[3, 1, 1, 0.02, 1, 3], [0.5, 3, 3, 0.02, 3, 0.5]])
    years, groups = [], []
    for rank in ranks:
        weights = rank * likely[0] + (1 - rank) * likely[1]
        years.append(str(2001 + random.choice(6, p=weights / weights.sum())))
        chances = [0.2 + 0.5 * rank, 0.5 - 0.4 * rank, 0.3 - 0.1 * rank]
        groups.append("abc"[random.choice(3, p=chances)])
    corpus = Corpus(X, WORDS, dates=years, groups=groups)
    file = page_in(tmp_path_factory.mktemp("turning"), (model, corpus), "Turning")
    return model, corpus, file


def plain(line: str) -> str:
    """A line of `hlta trends` as the page tells it: without intervals, figures rounded."""
    title, said = line.strip().split(": ")
    said = re.sub(r" \(.*?\)", "", said)
    frequent = r"more frequent in (\w+), (.*?), than in (\w+), (.*)"
    said = re.sub(frequent, r"is more frequent in \1 (\2) than in \3 (\4)", said)
    said = re.sub(r"[0-9.]+%", lambda found: percent(float(found[0][:-1]) / 100), said)
    return f"“{title}” {said.replace('%', '% of the words', 1)}"


def test_titles_say_what_trends_says(visit: Any, turning: Any) -> None:
    model, corpus, file = turning
    topics = model.topics_
    roots = [root for root in topics.roots if not root.is_vague]
    table = topics.over_time(corpus, topics=roots).to_dicts()
    _, first, *_ = trend_lines(table, width=80)
    assert "then" in first
    page = visit(file, "#view=changes")
    assert page.inner_text("#picture h2") == plain(first)
    names, says = (texts(page, f".multiples .{part}") for part in ("name", "says"))
    assert sorted(names) == sorted(root.title for root in roots)
    assert plain(first).startswith(f"“{names[0]}” ")
    assert plain(first).endswith(says[0][1:-1])
    shares = {(row["topic"], row["period"]): percent(row["share"]) for row in table}
    for name, said in zip(names, says, strict=True):
        (root,) = (root.id for root in roots if root.title == name)
        for figure, year in re.findall(r"([\d.]+%)(?: of the words)? in (\d{4})(?![–\d])", said):
            assert shares[root, year] == figure
    page.click(".multiples .name >> nth=-1")
    assert topic_shown(page) == root
    for topic in topics:
        go_to(page, f"topic={topic.id}&view=differences")
        page.wait_for_selector(f"#details[data-topic='{topic.id}']")
        rest(page)
        _, said, *_ = trend_lines(topics.by_group(corpus, topics=[topic]).to_dicts(), width=80)
        shown = page.query_selector(".found-by-group")
        assert (shown.inner_text() if shown else "") == (f"{plain(said)}." if said else "")


def test_small_charts_are_of_what_is_chosen(visit: Any, turning: Any) -> None:
    model, corpus, file = turning
    chosen = corpus.take([k for k, group in enumerate(corpus.groups) if group == "a"])
    roots = [root for root in model.topics_.roots if not root.is_vague]
    on = {
        (row["title"], row["period"]): percent(row["on_topic"] / row["documents"])
        for row in model.topics_.over_time(chosen, topics=roots).iter_rows(named=True)
        if row["documents"]
    }
    page = visit(file, "#with=group:a&view=changes")
    assert texts(page, "#picture h3")[0].startswith("Topics among the documents in a")
    how = f"How many of the {len(chosen)} documents in a are on each topic, by year."
    assert how in texts(page, "#picture .note")[1]
    found = zip(texts(page, ".multiples .name"), texts(page, ".multiples .ends"), strict=True)
    ends = [
        (name, end) for name, shown in found for end in re.findall(r"(20\d\d) ([\d.]+%)", shown)
    ]
    assert len(ends) == 2 * len(roots)
    for name, (year, figure) in ends:
        assert figure == on[name, year]


def test_a_group_has_no_figures_where_it_has_no_documents(
    visit: Any, dated_file: Path, dated: Any
) -> None:
    both = zip(dated[1].dates, dated[1].groups, strict=True)
    present = {date for date, group in both if group == "group 01" and date in MONTHS}
    assert 1 < len(present) < len(MONTHS) - 1
    page = visit(dated_file, "#with=group:group 01&view=changes")
    assert len(page.query_selector_all("#picture .line circle")) == len(present)
    assert {row[0] for row in figures(page) if row[2] != "–"} == present


def test_words_then_and_now_are_compared(visit: Any, turning: Any) -> None:
    model, _, file = turning
    topic = next(root for root in model.topics_.roots if not root.is_vague)
    page = visit(file, f"#topic={topic.id}&view=changes")
    page.click("text=/that came and went/")
    assert page.inner_text("[role=tab][aria-selected=true]") == "Differences"
    names = texts(page, ".side-name")
    assert [name.split(" and ")[0] for name in names] == [topic.title] * 2
    assert re.search(r"20\d\d–2006$", names[0])  # the later half first
    assert re.search(r"2001–20\d\d$|2001$", names[1])
    sizes = [int(text.split()[0]) for text in texts(page, ".side .count")]
    assert sum(sizes) == topic.documents
    assert page.is_visible("text=How many of a set’s documents have a word")
    page.fill("[name=side-0]", "2002-Q1")  # no period of this chart, but a date
    page.press("[name=side-0]", "Enter")
    assert texts(page, ".side-name")[0] == "2002-01 to 2002-03"
    page.fill("[name=side-0]", "date:1700..1800")
    page.press("[name=side-0]", "Enter")
    assert page.inner_text("#picture h2") == "No document is in 1700 to 1800"
    assert page.query_selector("#picture svg") is None


def test_nothing_is_said_of_documents_by_what_defines_them(visit: Any, turning: Any) -> None:
    page = visit(turning[2])
    for address, title in (
        ("with=group:a&view=changes", "The documents in a, by year"),
        ("with=date:2002..2005&view=changes", ", by year, with 2002–2005 chosen"),
        (
            "with=word:word1&or=date:2002&view=changes",
            "The documents with the word “word1” or in 2002, by year",
        ),
    ):
        go_to(page, address)
        page.wait_for_function(ENDS, arg=title)
    for address in ("with=group:a", "with=group:a&or=word:word1"):
        go_to(page, f"{address}&view=differences")
        page.wait_for_selector(".sortable")
        assert page.query_selector(".found-by-group") is None


def test_dates_and_lines_are_chosen_by_mouse_and_keyboard(
    visit: Any, dated_file: Path, dated: Any
) -> None:
    page = visit(dated_file, "#view=changes")
    box = box_of(page, "#picture svg")
    marks = page.eval_on_selector_all(
        ".line >> nth=0 >> circle", "all => all.map(e => Number(e.getAttribute('cx')))"
    )
    y = box["y"] + box["height"] - 40
    page.mouse.move(box["x"] + marks[2], y)
    page.mouse.down()
    page.mouse.move(box["x"] + marks[3], y, steps=4)
    page.mouse.move(box["x"] + marks[4], y, steps=4)
    page.mouse.up()
    assert f"with=date%3A{MONTHS[2]}..{MONTHS[4]}" in page.url
    page.click("text=All dates")
    assert "date%3A" not in page.url
    page.focus("select[name=From]")
    for first in MONTHS[1:3]:  # it keeps the focus, though the chart is drawn anew
        page.keyboard.press("ArrowDown")
        assert f"date%3A{first}..{MONTHS[-1]}" in page.url
    page.focus(".line[data-topic]")
    page.keyboard.press("Enter")
    assert topic_shown(page) == dated[0].topics_.roots[0].id


# ---- by group ----------------------------------------------------------------------------------


def test_columns_of_groups_sort_the_table_and_it_is_copied(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=differences", permissions=["clipboard-read", "clipboard-write"])
    heads = texts(page, ".sortable thead button")
    at = len(heads) - 1
    assert (heads[:2], heads[at], at) == (["topic", "all"], "no group", 2 + 12)
    for order in (True, False):
        page.click(f".sortable thead button >> nth={at}")
        column = [row[at] for row in rows(page, ".sortable tbody tr")]
        shares = [float(one.strip("<%")) for one in column]
        assert shares == sorted(shares, reverse=order)
        head = page.get_attribute(f".sortable thead th >> nth={at}", "aria-sort")
        assert head == ("descending" if order else "ascending")
    page.click("text=Copy table")
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert [line.split("\t")[at] for line in copied.splitlines()[1:]] == column
    page.click("text=All 62 groups")
    assert len(texts(page, ".sortable thead button")) == 2 + 62


# ---- saved and printed ---------------------------------------------------------------------------


def test_a_saved_picture_names_its_source_and_what_is_chosen(
    visit: Any, dated_file: Path, dated: Any
) -> None:
    topic = dated[0].topics_.roots[0]
    chosen = f"#topic={topic.id}&with=group:group 01&with=text:text"
    for view, named in (
        ("map", f", those on “{topic.title}” and in group 01 and with “text”, are selected"),
        ("changes", "documents in group 01 and with “text”, how many are on the topic"),
        ("differences", "group 01 and “text”"),
    ):
        page = visit(dated_file, f"{chosen}&view={view}")
        page.wait_for_selector("#picture h2, #picture canvas")
        page.click(".menu summary")
        _, data = saved(page, partial(page.click, "text=Picture as SVG"))
        shown = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", data.decode()))
        assert named in re.sub(r"\s+", " ", shown)
        assert "Source: Dated" in shown
        if view != "map":
            assert page.inner_text("#picture .note").split(".")[0].split()[1] in shown
        assert "chosen" not in shown
        assert "vague" not in shown
