"""Getting around in the page: the tree, the front page, the pictures, the history, search."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.pages import (
    FIRST_TOPIC,
    box_of,
    document_shown,
    documents_counted,
    expand,
    holding,
    reload,
    rest,
    scroll_to_row,
    texts,
    topic_shown,
    tree_rows,
)

ALL_ROWS = "dispatchEvent(new Event('beforeprint'))"  # not only those in sight


# ---- the tree ----------------------------------------------------------------------------------


def test_it_opens_with_all_root_topics(page: Any, demo: Any) -> None:
    model, corpus = demo
    assert page.title() == "Demo"
    assert f"{len(corpus):,} documents" in page.inner_text("header")
    plain = [root for root in model.topics_.roots if not root.is_vague]
    shown = tree_rows(page)
    first_words = [re.split("[:,] ", row)[0] for row in shown[: len(plain)]]
    assert first_words == [root.title.split(", ")[0] for root in plain]
    root = plain[0]
    both = f"{root.main_documents:,} documents mainly, {root.documents:,} in part"
    assert f"{both}, mean share" in shown[0]
    assert page.is_visible("#picture canvas")


def test_the_tree_shows_every_topic_once_and_small_ones_when_asked(page: Any, demo: Any) -> None:
    topics = demo[0].topics_
    expand(page)
    page.evaluate(ALL_ROWS)
    folds = page.query_selector_all(".row.vague")
    named = [fold.text_content() for fold in folds]
    assert all(re.search(r"^\d+ (small|vague|small or vague) topics?$", name) for name in named)
    assert any("small" in name for name in named)
    kept = {row.split(": ")[0] for row in tree_rows(page)}
    assert {topic.title for topic in topics if topic.documents >= 10 and not topic.is_vague} <= kept
    for k in range(len(folds)):
        page.eval_on_selector(f".row.vague >> nth={k}", "e => e.click()")
    expand(page)
    page.evaluate(ALL_ROWS)
    assert len(tree_rows(page)) == len(topics) + len(folds)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(tree_rows(page)) < len(topics)


def test_the_tree_gives_its_room_to_the_map_and_stays_so(page: Any) -> None:
    def expanded() -> str:
        """Whether the tree is open, as a screen reader tells it."""
        shown: str = page.get_attribute(".fold", "aria-expanded")
        return shown

    before = box_of(page, "#picture")["width"]
    page.click(".fold")
    assert expanded() == "false"
    assert not page.is_visible("#tree")
    assert box_of(page, "#picture")["width"] > before + 200
    reload(page)
    assert expanded() == "false"
    page.click(".fold")
    assert expanded() == "true"
    page.click(FIRST_TOPIC)
    page.wait_for_selector("[role=treeitem][aria-selected=true]")
    page.focus("#details")
    page.keyboard.press("t")
    assert expanded() == "false"
    page.keyboard.press("t")
    assert expanded() == "true"
    page.focus(".search input")
    page.keyboard.type("t")
    page.focus("#tree [role=treeitem][tabindex='0']")
    page.keyboard.type("t")  # looks for a topic
    assert expanded() == "true"


def test_t_tags_a_document_and_leaves_the_tree(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#with=text:model")
    page.focus(".result .title")
    page.keyboard.press("t")
    assert page.is_checked(".result input >> nth=0")
    page.click(".result .title >> nth=0")
    page.wait_for_selector(".reader-way")
    page.keyboard.press("t")
    assert page.inner_text(".reader-way [aria-keyshortcuts=t]") == "Tag"  # its tag is taken away
    assert page.get_attribute(".fold", "aria-expanded") == "true"


# ---- the portrait ------------------------------------------------------------------------------


def parts(page: Any) -> list[str]:
    """The parts of the portrait."""
    return [name.split()[0] for name in texts(page, ".portrait h3")]


def test_everything_has_a_portrait(page: Any, demo: Any) -> None:
    corpus = demo[1]
    assert page.inner_text("#details h2").startswith(f"{len(corpus):,} documents from ")
    assert parts(page) == ["When", "Where", "Typical"]
    groups = Counter(corpus.groups)
    for row in page.query_selector_all("[aria-label=Where] li"):
        name, count = (row.query_selector(part).inner_text() for part in (".name", ".p"))
        assert int(count.replace(",", "")) == groups[name]
    years = Counter(date[:4] for date in corpus.dates)
    for label in page.eval_on_selector_all(".when .bar", "all => all.map(e => e.ariaLabel)"):
        year, documents = label.split(": ")
        assert int(documents.split()[0].replace(",", "")) == years[year]


def test_the_portrait_of_a_set_tells_what_sets_it_apart(page: Any, demo: Any) -> None:
    model, corpus = demo
    page.fill(FIELD, "galaxy")
    page.keyboard.press("Enter")
    inside = holding(corpus, "galaxy")
    assert parts(page) == ["Words", "When", "Where", "Topics", "Typical"]
    share = inside.mean()
    assert page.inner_text("#details .facts").startswith(f"{100 * share:.1f}% of all documents")
    present = corpus.documents.to_csr()[:, :].toarray() > 0
    shown = texts(page, ".keywords button > span")
    assert 3 <= len(shown) <= 8
    for text in shown:
        found = re.fullmatch(r"(.+) ([\d.]+)×", text)
        assert found is not None
        word, times = found.groups()
        column = present[:, corpus.words.index(word)]
        assert float(times) == pytest.approx(column[inside].mean() / column.mean(), rel=0.06)
        assert column[inside].mean() > column.mean()
    on = model.transform(corpus) >= 0.2
    title_of = {topic.title: on[:, k] for k, topic in enumerate(model.topics_)}
    for name, figure in zip(
        texts(page, "[aria-label=Topics] .name"),
        texts(page, "[aria-label=Topics] .p"),
        strict=True,
    ):
        expected = 100 * title_of[name][inside].mean()
        assert float(figure.strip("<%")) == pytest.approx(expected, abs=0.51)
    groups = np.array(corpus.groups)
    for row in page.query_selector_all("[aria-label=Where] li"):
        name, figure = (row.query_selector(part).inner_text() for part in (".name", ".p"))
        expected = 100 * inside[groups == name].mean()
        assert float(figure.split("%")[0]) == pytest.approx(expected, abs=0.51)
        assert expected > 100 * share


def test_every_word_year_group_and_topic_narrows_further(page: Any) -> None:
    page.fill(FIELD, "galaxy")
    page.keyboard.press("Enter")
    for part in ("[aria-label=Topics] .name", ".keywords button", ".when .bar:not(.few)"):
        before = page.locator(".chip").count()
        page.locator(part).first.click(force=True)
        assert page.locator(".chip").count() == before + 1, part
    heading = page.inner_text("#details h2")
    assert heading.count(" and ") >= 3
    assert heading.startswith("“galaxy” and ")


def test_searched_words_do_not_set_documents_apart(page: Any) -> None:
    searched = {"neural", "network", "networks", "neural-networks", "neural-network"}
    for query in ('"neural networks"', "neural networks", "network neural"):
        page.fill(FIELD, query)
        page.keyboard.press("Enter")
        words = [word.split()[0] for word in texts(page, ".keywords span")]
        assert words
        assert not searched & set(words)
        page.click(".working .clear")


def test_a_group_is_not_said_to_be_frequent_in_itself(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#with=group%3Acs.LG")
    assert parts(page) == ["Words", "When", "Topics"]
    page = visit(page_file, "#with=date%3A2001..2010")
    assert "When" not in parts(page)


def test_figures_are_explained_to_mouse_and_keyboard(page: Any) -> None:
    page.click(FIRST_TOPIC)
    figures, expected = "#details .explained", "the part of its words that is about it."
    page.hover(figures)
    assert expected in page.inner_text(".tip")
    page.hover("#details h2")
    assert page.query_selector(".tip") is None
    page.focus(figures)
    assert expected in page.inner_text(".tip")
    page.keyboard.press("Escape")
    assert page.query_selector(".tip") is None


# ---- history -----------------------------------------------------------------------------------


def test_the_history_leads_to_the_same_place_of_a_list(page: Any) -> None:
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    page.click(".of-topic summary")
    page.locator(".of-topic input[type=range]").fill("30")
    page.click(".of-topic summary")  # which closes its menu
    page.select_option(".documents select", "oldest")
    there = documents_counted(page)
    scroll_to_row(page, 12)
    place = page.eval_on_selector("#details", "e => e.scrollTop")
    assert place > 300
    page.click("[data-at='12'] .title")
    document = document_shown(page)
    assert page.eval_on_selector("#details", "e => e.scrollTop") == 0
    page.go_back()
    assert topic_shown(page) == topic
    assert documents_counted(page) == there
    assert page.input_value(".documents select") == "oldest"
    assert page.eval_on_selector("#details", "e => e.scrollTop") == place
    page.go_forward()
    assert document_shown(page) == document


def test_a_row_stays_the_same_while_the_list_scrolls(page: Any) -> None:
    """One that is replaced between press and release of the mouse is not clicked."""
    page.click(FIRST_TOPIC)
    scroll_to_row(page, 12)
    row = page.query_selector(".results [data-at='12']")
    for other in (14, 18, 10):
        scroll_to_row(page, other)
        assert row.evaluate("row => row === document.querySelector(`.results [data-at='12']`)")
    rest(page)
    drawn = page.eval_on_selector_all(".results > li", "rows => rows.map(row => +row.dataset.at)")
    assert drawn == list(range(drawn[0], drawn[-1] + 1))
    assert drawn[0] <= 8
    assert drawn[-1] >= 12
    scroll_to_row(page, 60)
    assert not row.evaluate("row => row.isConnected")


# ---- search --------------------------------------------------------------------------------------


FIELD = ".search input"


def test_a_key_begins_a_search_and_enter_opens_a_hit(page: Any, demo: Any) -> None:
    word = demo[0].topics_.roots[1].words[0]
    page.keyboard.press("/")
    page.keyboard.type(word[:-1])
    page.wait_for_selector(".hits [role=option]")
    hits = page.inner_text(".hits")
    assert word in hits
    for kind in ("Documents", "Topics", "Words"):
        assert kind in hits
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute(FIELD, "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    page.keyboard.press("Enter")
    assert word in page.inner_text("#details")


def test_a_query_is_kept_as_a_chip_and_can_be_turned_round(page: Any, demo: Any) -> None:
    page.fill(FIELD, "galaxy")
    page.keyboard.press("Enter")
    found = int(holding(demo[1], "galaxy").sum())
    page.click(".chip summary")
    page.focus(".chip >> text=Leave these out")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.chip summary') !== null")
    assert page.inner_text(".chip summary").startswith("not “galaxy”")
    assert documents_counted(page).startswith(f"{len(demo[1]) - found:,} documents")
    page.go_back()
    assert documents_counted(page).startswith(f"{found:,} documents")
    page.click(".chip .remove")
    assert page.query_selector(".documents") is None
