"""Getting around in the page: the tree, the pictures, the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    branches,
    document_shown,
    documents_counted,
    rest,
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


def test_collapsed_the_tree_shows_the_roots(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file)
    page.click("text=Collapse all")
    assert len(tree_rows(page)) == len(demo[0].topics_.roots)


def test_expanded_the_tree_shows_every_topic_once_printed(
    visit: Any, page_file: Path, demo: Any
) -> None:
    page = visit(page_file)
    page.click("text=Expand all")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # all rows, not those in sight
    families = page.query_selector_all(".row.vague")
    for k in range(len(families)):
        page.click(f".row.vague >> nth={k}")
    assert len(tree_rows(page)) == len(demo[0].topics_) + len(families)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(tree_rows(page)) < len(demo[0].topics_)


def test_a_slider_expands_the_tree_by_level(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file)
    levels = [topic.level for topic in demo[0].topics_]
    page.locator("#tree input[type=range]").fill("1")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen = [topic for topic in demo[0].topics_ if topic.level >= max(levels) - 1]
    families = {topic.parent for topic in seen if topic.is_vague}
    assert len(tree_rows(page)) == sum(not topic.is_vague for topic in seen) + len(families)


# ---- the pictures ------------------------------------------------------------------------------


def test_an_area_is_selected_everywhere(visit: Any, page_file: Path, demo: Any) -> None:
    root = demo[0].topics_.roots[0]
    page = visit(page_file, "#view=areas")
    page.click(f"#picture g[data-topic='{root.id}']")
    assert topic_shown(page) == root.id
    selected = page.get_attribute("[role=treeitem][aria-selected=true]", "aria-label")
    assert selected.startswith(root.title)


def test_areas_zoom_in_and_tells_the_path(visit: Any, page_file: Path, demo: Any) -> None:
    root = branches(demo[0].topics_)[0]
    page = visit(page_file, "#view=areas")
    page.click(f"#picture g[data-topic='{root.id}']")
    rest(page, 500)  # the zoom
    corner = {"x": 4, "y": 4}  # the words are in the middle
    page.click(f"#picture g[data-topic='{root.children[0].id}'] rect", position=corner)
    here = page.inner_text(".frame-bar .path [aria-current]")
    assert here == root.children[0].title


def test_a_topic_of_the_diagram_is_selected(visit: Any, page_file: Path, demo: Any) -> None:
    below = ((root, child) for root in branches(demo[0].topics_) for child in root.children[1:])
    root, child = next((root, child) for root, child in below if not child.is_vague)
    page = visit(page_file, f"#topic={root.id}&view=diagram")
    page.click("text=Expand all")
    page.click(f"#picture g[data-topic='{child.id}'] text")
    assert topic_shown(page) == child.id


def test_edges_of_the_diagram_differ_in_width(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, f"#topic={demo[0].topics_.roots[0].id}&view=diagram")
    widths = page.eval_on_selector_all(
        "#picture path", "all => all.map(e => Number(e.getAttribute('stroke-width')))"
    )
    assert len(set(widths)) > 3


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


def test_a_collapsed_diagram_marks_the_root_above_the_selection(
    visit: Any, page_file: Path, demo: Any
) -> None:
    topic = last_child(demo[0].topics_)
    assert topic.parent is not None
    page = visit(page_file, f"#topic={topic.id}&view=diagram")
    page.click("text=Collapse all")
    root = f"#picture g[data-topic='{topic.parent.id}'] text"
    assert page.get_attribute(root, "font-weight") == "700"


# ---- history -----------------------------------------------------------------------------------


@pytest.fixture
def at_a_document(visit: Any, page_file: Path) -> tuple[Any, str, int]:
    """A page, the topic that was chosen in it, and the document that was chosen then."""
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    page.click(FIRST_DOCUMENT)
    return page, topic, document_shown(page)


def test_the_history_goes_back_and_forward(at_a_document: tuple[Any, str, int]) -> None:
    page, topic, document = at_a_document
    page.go_back()
    assert topic_shown(page) == topic
    page.go_back()
    assert page.is_visible("#details .lead")
    page.go_forward()
    page.go_forward()
    assert document_shown(page) == document


def test_a_document_leads_back_to_its_topic(at_a_document: tuple[Any, str, int]) -> None:
    page, topic, _ = at_a_document
    page.click("#details .back")
    assert topic_shown(page) == topic


def test_a_list_keeps_its_place(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    page.click(".of-topic summary")
    page.locator(".of-topic input[type=range]").fill("80")
    page.select_option(".documents select", "oldest")
    there = documents_counted(page)
    page.click(".documents .title >> nth=3")
    page.go_back()
    assert documents_counted(page) == there
    assert page.input_value(".documents select") == "oldest"


def test_back_leads_to_the_same_place_of_a_list(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    for back in ("#details .back", ""):
        scroll_to_row(page, 12)
        place = page.eval_on_selector("#details", "e => e.scrollTop")
        assert place > 300
        page.click("[data-at='12'] .title")
        assert page.eval_on_selector("#details", "e => e.scrollTop") == 0
        if back:
            page.click(back)
        else:
            page.go_back()
        assert page.eval_on_selector("#details", "e => e.scrollTop") == place


def test_a_link_to_a_topic_that_is_not_there_says_so(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#topic=Z9-999")
    assert page.inner_text("#details .notice").startswith("This page has no topic Z9-999.")
    page.click(FIRST_TOPIC)
    assert page.query_selector("#details > .notice") is None
    page.go_back()
    assert "Z9-999" in page.inner_text("#details .notice")
