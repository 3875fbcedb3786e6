"""Getting around in the page: the tree, the front page, the pictures, the history, search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import (
    FIRST_TOPIC,
    column,
    document_shown,
    documents_counted,
    scroll_to_row,
    texts,
    topic_shown,
    tree_rows,
)

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import Topic, TopicTree


# ---- the tree ----------------------------------------------------------------------------------


def test_it_opens_with_all_root_topics(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file)
    assert page.title() == "Demo"
    assert f"{len(corpus):,} documents" in page.inner_text("header")
    assert len(page.query_selector_all(".card")) == min(12, max(8, len(model.topics_.roots)))
    root, first = model.topics_.roots[0], tree_rows(page)[0]
    assert first.startswith(root.title)
    both = f"{root.main_documents:,} documents mainly, {root.documents:,} in part"
    assert f"{both}, mean share" in first
    assert page.is_visible("#picture canvas")


def test_the_tree_shows_its_roots_or_every_topic_once(
    visit: Any, page_file: Path, demo: Any
) -> None:
    page = visit(page_file)
    page.click("text=Collapse all")
    assert len(tree_rows(page)) == len(demo[0].topics_.roots)
    page.click("text=Expand all")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # all rows, not those in sight
    families = page.query_selector_all(".row.vague")
    for k in range(len(families)):
        page.click(f".row.vague >> nth={k}")
    assert len(tree_rows(page)) == len(demo[0].topics_) + len(families)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(tree_rows(page)) < len(demo[0].topics_)


# ---- the front page ----------------------------------------------------------------------------


@pytest.fixture
def front(visit: Any, page_file: Path) -> Any:
    return visit(page_file)


def test_cards_have_the_figures_of_topics(front: Any, demo: Any) -> None:
    model, corpus = demo
    shares, main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))
    shown = front.eval_on_selector_all(".card", "all => all.map(card => card.dataset.topic)")
    assert len(shown) >= 8
    for topic in (model.topics_[name] for name in shown):
        k = column(model, topic.id)
        mainly, on = int(main[:, k].sum()), int((shares[:, k] >= 0.2).sum())
        assert (mainly, on) == (topic.main_documents, topic.documents)
        card = front.text_content(f".card[data-topic='{topic.id}'] .figures")
        size = f"{topic.size:.1%}" if topic.size < 0.0995 else f"{topic.size:.0%}"
        assert card == f"{mainly:,} documents mainly, {on:,} in part · mean share {size}"


def test_figures_are_explained_to_mouse_and_keyboard(front: Any) -> None:
    figures, told = ".card .explained >> nth=0", "the part of its words that is about it."
    front.hover(figures)
    assert told in front.inner_text(".tip")
    front.hover(".lead")
    assert front.query_selector(".tip") is None
    front.focus(figures)
    assert told in front.inner_text(".tip")
    front.keyboard.press("Escape")
    assert front.query_selector(".tip") is None


# ---- the pictures ------------------------------------------------------------------------------


def last_child(topics: TopicTree) -> Topic:
    """The last topic below the last root that has any."""
    return next(root.children[-1] for root in reversed(topics.roots) if root.children)


def test_the_diagram_scrolls_to_the_topic_that_is_selected(
    visit: Any, page_file: Path, demo: Any
) -> None:
    topic = last_child(demo[0].topics_)
    page = visit(page_file, f"#topic={topic.id}")
    page.click("text=Expand all")
    inside = """id => {
        const node = document.querySelector(`#picture g[data-topic='${id}'] circle`);
        const [a, b] = [node, node.closest('.picture')].map(e => e.getBoundingClientRect());
        return a.top >= b.top && a.bottom <= b.bottom && a.left >= b.left && a.right <= b.right;
    }"""
    for _ in range(2):
        page.click("text=Tree diagram")
        assert page.evaluate(inside, topic.id)
        page.click("role=tab[name='Map']")


# ---- history -----------------------------------------------------------------------------------


def test_the_history_goes_back_and_forward_to_the_same_place_of_a_list(
    visit: Any, page_file: Path
) -> None:
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    page.click(".of-topic summary")
    page.locator(".of-topic input[type=range]").fill("30")
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


# ---- search --------------------------------------------------------------------------------------


FIELD = ".search input"


@pytest.fixture
def page(visit: Any, page_file: Path) -> Any:
    return visit(page_file)


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


def having(corpus: Any, word: str) -> int:
    """How many documents have a word in title, text or vocabulary."""
    pattern = re.compile(rf"(?<![^\W_]){word}(?![^\W_])", re.IGNORECASE)
    columns = [k for k, known in enumerate(corpus.words) if re.fullmatch(word, known)]
    known = corpus.documents.to_csr()[:, columns].sum(axis=1)
    return sum(
        bool(pattern.search(title) or pattern.search(text) or known[k])
        for k, (title, text) in enumerate(zip(corpus.titles, corpus.texts, strict=True))
    )


def test_all_documents_with_a_word_are_found_and_counted(page: Any, demo: Any) -> None:
    for word in ("Telescope", "galaxy", "schrodinger"):
        page.fill(FIELD, word)
        page.keyboard.press("Enter")
        expected = having(demo[1], "schr[oö]dinger" if word[0] == "s" else word.lower())
        assert documents_counted(page).startswith(f"{expected:,} document")
        assert f"{expected:,} of {len(demo[1]):,}" in page.inner_text(".told")
        page.click(".working >> text=Clear")


def test_a_query_is_kept_as_a_chip_and_can_be_turned_round(page: Any, demo: Any) -> None:
    page.fill(FIELD, "galaxy")
    page.keyboard.press("Enter")
    found = having(demo[1], "galaxy")
    page.click(".chip summary")
    page.click(".chip >> text=Leave these out")
    assert page.inner_text(".chip summary").startswith("not “galaxy”")
    assert documents_counted(page).startswith(f"{len(demo[1]) - found:,} documents")
    page.go_back()
    assert documents_counted(page).startswith(f"{found:,} documents")
    page.click(".chip .remove")
    assert page.query_selector(".documents") is None


def test_an_address_brings_the_working_set_back(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, "#with=text:galaxy&or=text:telescope&without=nonsense&order=newest")
    either = sum(
        bool(
            re.search(r"(?<![^\W_])(galaxy|telescope)(?![^\W_])", f"{title} {text}", re.IGNORECASE)
        )
        for title, text in zip(demo[1].titles, demo[1].texts, strict=True)
    )
    assert int(documents_counted(page).split()[0]) >= either > 0
    assert "1 part of the address could not be read" in page.inner_text(".told")
    dates = [text[:10] for text in texts(page, ".result > .soft")]
    assert dates == sorted(dates, reverse=True)
