"""Vague topics on the page: set aside, and a click away."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import page_in, texts, topic_shown, tree_rows

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import HLTA, Corpus, Topic

FOLD = ".row.vague"
FOCUSED = "document.activeElement.getAttribute('aria-label')"
ALL_ROWS = "dispatchEvent(new Event('beforeprint'))"  # not only those in sight


@pytest.fixture(scope="module")
def demo(demo: tuple[HLTA, Corpus]) -> tuple[HLTA, Corpus]:
    """The demo's model, in which two topics are taken for vague, and no others."""
    model, corpus = deepcopy(demo)
    for topic in model.topics_:
        topic.is_vague = False
    above = max(model.topics_, key=lambda topic: len(topic.children))
    for child in above.children[-2:]:
        child.stability, child.is_vague = 0.1, True
    return model, corpus


@pytest.fixture(scope="module")
def page_file(demo: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_in(tmp_path_factory.mktemp("page"), demo)


@pytest.fixture(scope="module")
def vague(demo: tuple[HLTA, Corpus]) -> list[Topic]:
    """The two vague topics."""
    above = max(demo[0].topics_, key=lambda topic: len(topic.children))
    return above.children[-2:]


@pytest.fixture
def page(visit: Any, page_file: Path) -> Any:
    return visit(page_file)


def named(page: Any, topic: Topic) -> bool:
    """Whether the tree has a row with the title of a topic that is said to be vague."""
    page.evaluate(ALL_ROWS)
    rows = [row for row in tree_rows(page) if row.startswith(f"{topic.title}, ")]
    return any(", vague" in row for row in rows)


def test_vague_topics_are_folded_into_a_row_that_counts_them(
    page: Any, demo: Any, vague: list[Topic]
) -> None:
    topics = demo[0].topics_
    count = sum(topic.is_vague for topic in topics)
    assert f"{len(topics)} topics, {count} of them vague" in page.inner_text("header")
    page.click("text=Expand all")
    page.evaluate(ALL_ROWS)
    rows = tree_rows(page)
    assert f"{len(vague)} vague topics" in rows
    assert len(rows) == len(topics) - count + page.locator(FOLD).count()
    assert not any(named(page, topic) for topic in vague)


def test_a_click_unfolds_them_and_another_folds_them_again(page: Any, vague: list[Topic]) -> None:
    fold = f"{FOLD}:has-text('{len(vague)} vague topics') >> nth=0"
    page.click("text=Expand all")
    page.evaluate(ALL_ROWS)
    page.click(fold)
    assert all(named(page, topic) for topic in vague)
    assert page.get_attribute(fold, "aria-expanded") == "true"
    assert page.locator("[aria-selected=true][role=treeitem]").count() == 0
    page.click(fold)
    assert not any(named(page, topic) for topic in vague)


def test_the_keyboard_leads_in_and_out(page: Any, vague: list[Topic]) -> None:
    parent = vague[0].parent
    assert parent is not None
    page.click("text=Collapse all")
    page.keyboard.press("Tab")
    page.keyboard.type(parent.title[:6].lower())
    keys = page.keyboard
    keys.press("ArrowRight")
    for _ in range(len(parent.children) - len(vague) + 1):
        keys.press("ArrowDown")
    assert page.evaluate(FOCUSED) == f"{len(vague)} vague topics"
    told = "name => document.activeElement.getAttribute(`aria-${name}`)"
    beside = str(len(parent.children) - len(vague) + 1)
    assert [page.evaluate(told, name) for name in ("level", "posinset", "setsize")] == [
        *("2", beside, beside)
    ]
    keys.press("Enter")
    assert page.evaluate(told, "expanded") == "true"
    keys.press("ArrowRight")
    assert page.evaluate(FOCUSED).startswith(vague[0].title)
    assert page.evaluate(told, "level") == "3"
    assert page.evaluate(told, "setsize") == str(len(vague))
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    assert page.evaluate(told, "expanded") == "false"
    keys.press("ArrowLeft")
    assert page.evaluate(FOCUSED).startswith(parent.title)


def test_a_link_and_a_search_lead_to_a_vague_topic(
    visit: Any, page_file: Path, vague: list[Topic]
) -> None:
    page = visit(page_file, f"#topic={vague[0].id}")
    assert topic_shown(page) == vague[0].id
    selected = "[role=treeitem][aria-selected=true]"
    assert page.get_attribute(selected, "aria-label").startswith(vague[0].title)
    page = visit(page_file)
    page.fill(".search input", vague[1].title.replace(",", ""))
    page.click(".hits [aria-label=Topics] [role=option] >> nth=0")
    assert page.get_attribute(selected, "aria-label").startswith(vague[1].title)


def test_all_is_expanded_but_vague_topics_and_all_is_collapsed(
    page: Any, demo: Any, vague: list[Topic]
) -> None:
    page.click("text=Expand all")
    assert not any(named(page, topic) for topic in vague)
    page.click(f"{FOLD} >> nth=0")
    page.click("text=Collapse all")
    page.click("text=Expand all")
    assert not any(named(page, topic) for topic in vague)
    page.click("text=Collapse all")
    roots = demo[0].topics_.roots
    clear = [root for root in roots if not root.is_vague]
    assert len(tree_rows(page)) == len(clear) + (len(clear) < len(roots))


def test_the_map_names_a_vague_topic_only_if_it_is_chosen(
    visit: Any, page_file: Path, demo: Any, vague: list[Topic]
) -> None:
    names = "all => all.map(e => e.dataset.topic)"
    page = visit(page_file)
    shown = page.eval_on_selector_all(".map-names button", names)
    assert shown
    assert not any(demo[0].topics_[name].is_vague for name in shown)
    page = visit(page_file, f"#topic={vague[0].id}")
    assert vague[0].id in page.eval_on_selector_all(".map-names button", names)


def test_areas_show_them_while_the_tree_does(
    visit: Any, page_file: Path, vague: list[Topic]
) -> None:
    areas, parent = "all => all.map(e => e.dataset.topic)", vague[0].parent
    assert parent is not None
    page = visit(page_file, f"#topic={parent.id}&view=areas")
    shown = page.eval_on_selector_all("#picture [data-topic]", areas)
    assert parent.id in shown
    assert not {topic.id for topic in vague} & set(shown)
    page.click("text=Expand all")
    page.evaluate(ALL_ROWS)
    above = "#tree .row[aria-selected=true]"
    depth = int(page.get_attribute(above, "aria-level")) + 1
    page.click(f"{above} ~ {FOLD}[aria-level='{depth}'] >> nth=0")
    page.wait_for_selector(f"#picture [data-topic='{vague[0].id}']")


def test_the_front_page_and_the_lines_over_time_leave_them_out(
    visit: Any, page_file: Path, demo: Any, vague: list[Topic]
) -> None:
    topics = demo[0].topics_
    page = visit(page_file)
    cards = page.eval_on_selector_all(".card", "all => all.map(e => e.dataset.topic)")
    assert not any(topics[card].is_vague for card in cards)
    above = vague[0].parent
    assert above is not None
    page = visit(page_file, f"#topic={above.id}&view=time")
    lines = page.eval_on_selector_all("#picture g.line", "all => all.map(e => e.dataset.topic)")
    assert set(lines) == {topic.id for topic in (above, *above.children) if not topic.is_vague}
    page.click("text=By group")
    assert not {topic.title for topic in vague} & set(texts(page, "#picture text"))
