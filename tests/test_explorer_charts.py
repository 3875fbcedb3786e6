"""Trends and groups: what a person reads in them, and what a person does with them."""

from __future__ import annotations

import calendar
import re
from typing import TYPE_CHECKING, Any

import pytest

from hlta import HLTA, Corpus
from tests.pages import box_of, rows, saved, texts, topic_shown
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

WORDS = [f"word{k}" for k in range(24)]
MONTHS = [f"{2020 + k // 12}-{1 + k % 12:02}" for k in range(18)]
GAP = 5  # a month without documents


@pytest.fixture(scope="module")
def dated() -> tuple[HLTA, Corpus]:
    """Documents of 18 months, one of them without any and one with few, and of four years alone;
    in 60 groups, and in none."""
    X = planted(24, 2).sample(1000, seed=1)
    months = [k for k in range(18) if k != GAP]
    dates = [MONTHS[months[k % 17]] if k % 17 or k < 170 else "" for k in range(996)]
    groups = ["" if k % 5 == 0 else f"group {k % 61:02}" for k in range(1000)]
    corpus = Corpus(
        X,
        WORDS,
        dates=[*dates, *["2010"] * 4],
        groups=groups,
        texts=[f"text {k % 3}" for k in range(1000)],
    )
    return HLTA(samples=1).fit(corpus), corpus


@pytest.fixture(scope="module")
def dated_file(dated: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("dated") / "index.html"
    dated[0].topics_.to_html(file, corpus=dated[1], title="Dated")
    return file


def share(value: float) -> str:
    """A share as the page writes it."""
    if value == 0:
        return "0%"
    return "<0.1%" if value < 0.001 else f"{100 * value:.{1 if value < 0.0995 else 0}f}%"


def figures(page: Any) -> list[list[str]]:
    """The table below the chart."""
    page.click("#picture details summary")
    return rows(page, "#picture tbody tr")


# ---- over time ---------------------------------------------------------------------------------


def test_shares_and_intervals_are_those_of_python(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    model, corpus = dated
    topic = model.topics_.roots[0]
    expected = {
        row["period"]: row
        for row in model.topics_.over_time(corpus, topics=[topic]).iter_rows(named=True)
    }
    page = visit(dated_file, f"#topic={topic.id}&view=time")
    note = page.inner_text("#picture .note")
    assert note.startswith("The mean share of the words of each month’s documents.")
    table = figures(page)
    assert [row[0] for row in table] == MONTHS  # four years alone do not make it a series of years
    for period, documents, found, interval, *_ in table:
        if period == MONTHS[GAP]:
            assert (documents, found) == ("0", "–")
            continue
        row = expected[period]
        assert documents == str(row["documents"])
        assert found == share(row["share"])
        assert interval == f"{share(row['low'])} to {share(row['high'])}"


def test_lines_are_broken_where_there_are_no_documents(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=time")
    first = page.query_selector(".line")
    bands = first.query_selector(".band").get_attribute("d")
    assert bands.count("M") == 2  # before the gap and after it
    assert len(first.query_selector_all("circle")) == 17


def test_what_is_left_out_is_told(visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]) -> None:
    missing = sum(date in ("", "2010") for date in dated[1].dates or ())
    page = visit(dated_file, "#view=time")
    assert f"{missing} documents are left out" in page.inner_text("#picture .note")


def test_dragging_narrows_to_dates(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=time")
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


def test_dates_can_be_chosen_by_keyboard(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=time")
    page.focus("select[name=From]")
    page.keyboard.press("ArrowDown")
    assert f"date%3A{MONTHS[1]}..{MONTHS[-1]}" in page.url
    assert page.evaluate("document.activeElement.name") == "From"  # the chart was drawn anew
    page.keyboard.press("ArrowDown")
    assert f"date%3A{MONTHS[2]}..{MONTHS[-1]}" in page.url


@pytest.mark.parametrize("first", [2, 9])
def test_the_title_tells_of_the_dates_that_are_chosen(
    visit: Any, dated_file: Path, first: int
) -> None:
    chosen = MONTHS[first : first + 4]
    page = visit(dated_file, f"#view=time&with=date:{chosen[0]}..{chosen[-1]}")
    told = re.findall(r"([A-Z][a-z]+) (\d{4})", page.inner_text("#picture h2"))
    assert told
    months = {f"{year}-{list(calendar.month_name).index(month):02}" for month, year in told}
    assert months <= set(chosen)


def test_a_search_is_set_against_the_rest(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    model, corpus = dated
    topic = model.topics_.roots[0]
    page = visit(dated_file, f"#topic={topic.id}&view=time&with=text:%22text+1%22")
    names = texts(page, "#picture thead th")
    assert names[2::2] == [f"“{topic.title}”", "all other documents"]
    p = model.transform(corpus, topics=[topic])[:, 0]
    for period, _, found, *_ in figures(page):
        chosen = [
            p[k] >= 0.2
            for k, (date, text) in enumerate(
                zip(corpus.dates or (), corpus.texts or (), strict=True)
            )
            if date == period and text == "text 1"
        ]
        assert found == (share(sum(chosen) / len(chosen)) if chosen else "–")


def test_enter_on_a_line_selects_its_topic(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    page = visit(dated_file, "#view=time")
    page.focus(".line[data-topic]")
    page.keyboard.press("Enter")
    assert topic_shown(page) == dated[0].topics_.roots[0].id


# ---- by group ----------------------------------------------------------------------------------


def test_cells_have_counts_and_choose_group_and_topic(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    model, corpus = dated
    topic = model.topics_.roots[0]
    p = model.transform(corpus, topics=[topic])[:, 0] >= 0.2
    inside = [group == "" for group in corpus.groups or ()]
    both = int(p[inside].sum())
    page = visit(dated_file, "#view=groups")
    label = f"“{topic.title}”, no group: {both} of {sum(inside)} documents"
    page.click(f'#picture [role=button][aria-label^="{label}"]')
    assert topic_shown(page) == topic.id
    assert "with=group%3A" in page.url


def test_a_heat_map_is_walked_with_arrows(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=groups")
    page.focus("#picture svg [tabindex='0']")
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name.startswith("group ")
    page.keyboard.press("Enter")
    assert f"group%3A{name.split(':')[0].replace(' ', '+')}" in page.url


def test_many_groups_are_told_plainly_and_all_in_the_table(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=groups")
    names = set(texts(page, "#picture svg .name"))
    assert {"no group", "21 other groups"} <= names
    assert "40 largest of 61 groups" in page.inner_text("#picture .note")
    table = figures(page)
    assert len(table) == 62
    page.fill("[aria-label='Find a group in the table']", "group 07")
    assert page.locator("#picture tbody tr:visible").count() == 1


def test_groups_without_chosen_documents_have_no_row(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    # The 16 or 17 documents of each group come from all three texts; dates of one month do not.
    groups = dated[1].groups or ()
    month = [groups[k] for k, date in enumerate(dated[1].dates or ()) if date == MONTHS[0]]
    page = visit(dated_file, f"#view=groups&with=date%3A{MONTHS[0]}")
    named = [
        label.split(":")
        for label in page.eval_on_selector_all(
            "#picture svg > [aria-label^='group ']", "all => all.map(e => e.ariaLabel)"
        )
    ]
    assert {name for name, told in named} <= set(month)
    assert all(told != " 0 documents" for _, told in named)
    assert "if such documents are in them" in page.inner_text("#picture .note")


def test_another_group_takes_the_place_of_the_first(visit: Any, dated_file: Path) -> None:
    page = visit(dated_file, "#view=groups")
    for name in ("group 01", "group 02"):
        page.click(f'#picture [role=button][aria-label^="{name}: "]')
    assert page.url.count("group%3A") == 1
    assert "group%3Agroup+02" in page.url


def test_a_topic_has_an_interval_in_each_group(
    visit: Any, dated_file: Path, dated: tuple[HLTA, Corpus]
) -> None:
    model, corpus = dated
    topic = model.topics_.roots[0]
    expected = {
        row["group"]: row
        for row in model.topics_.by_group(corpus, topics=[topic]).iter_rows(named=True)
    }
    page = visit(dated_file, f"#topic={topic.id}&view=groups")
    for group, documents, found, interval, *_ in figures(page):
        if group == "no group":
            continue
        row = expected[group]
        assert documents == str(row["documents"])
        assert found == share(row["share"])
        ends = [float(end.rstrip("%")) / 100.0 for end in interval.split(" to ")]
        assert ends == pytest.approx([row["low"], row["high"]], abs=0.0051)  # as rounded


# ---- saved and printed ---------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["time", "groups"])
def test_a_saved_chart_has_title_note_and_source(visit: Any, dated_file: Path, view: str) -> None:
    page = visit(dated_file, f"#view={view}", accept_downloads=True)
    page.click(".menu summary")
    _, data = saved(page, lambda: page.click("text=Picture as SVG"))
    text = data.decode()
    title = page.inner_text("#picture h2")
    assert title.split()[0] in text
    assert "Source: Dated" in text
    assert page.inner_text("#picture .note").split(".")[0].split()[1] in text


@pytest.mark.parametrize("view", ["time", "groups"])
def test_on_a_phone_marks_are_large_enough(visit: Any, dated_file: Path, view: str) -> None:
    page = visit(
        dated_file, f"#view={view}", viewport={"width": 390, "height": 844}, has_touch=True
    )
    page.click(".switches >> text=Pictures")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    marks = "select" if view == "time" else "#picture svg .tone"
    heights = page.eval_on_selector_all(
        marks, "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert min(heights) >= 42
