"""Getting around in the page: the tree, the front page, the pictures, the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import (
    FIRST_TOPIC,
    column,
    document_shown,
    documents_counted,
    scroll_to_row,
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


def test_a_link_to_a_topic_that_is_not_there_says_so(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#topic=Z9-999")
    assert page.inner_text("#details .notice").startswith("This page has no topic Z9-999.")
    page.click(FIRST_TOPIC)
    assert page.query_selector("#details > .notice") is None
    page.go_back()
    assert "Z9-999" in page.inner_text("#details .notice")
