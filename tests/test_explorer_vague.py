"""Vague topics on the page: set aside, and a click away."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from hlta import HLTA, Corpus, Topic
from tests.pages import expand, texts, tree_rows

FOLD = ".row.vague"
FOCUSED = "document.activeElement.getAttribute('aria-label')"
ALL_ROWS = "dispatchEvent(new Event('beforeprint'))"  # not only those in sight


def largest_family(model: HLTA) -> Topic:
    """The topic with most topics below it, of those without a small one below."""
    families = [t for t in model.topics_ if all((c.documents or 0) >= 10 for c in t.children)]
    return max(families, key=lambda topic: len(topic.children))


@pytest.fixture(scope="module")
def demo(demo: tuple[HLTA, Corpus]) -> tuple[HLTA, Corpus]:
    """The demo's model, in which two topics are taken for vague, and no others."""
    model, corpus = deepcopy(demo)
    for topic in model.topics_:
        topic.is_vague = False
    above = largest_family(model)
    for child in above.children[-2:]:
        child.stability, child.is_vague = 0.1, True
    return model, corpus


@pytest.fixture(scope="module")
def page_file(demo: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "index.html"
    demo[0].topics_.to_html(file)
    return file


@pytest.fixture(scope="module")
def vague(demo: tuple[HLTA, Corpus]) -> list[Topic]:
    """The two vague topics."""
    above = largest_family(demo[0])
    return above.children[-2:]


def named(page: Any, topic: Topic) -> bool:
    """Whether the tree has a row with the title of a topic that is said to be vague."""
    page.evaluate(ALL_ROWS)
    begins = f"{topic.title}: ", f"{topic.title}, "
    return any(", vague" in row for row in tree_rows(page) if row.startswith(begins))


def test_vague_topics_are_folded_into_a_row(page: Any, demo: Any, vague: list[Topic]) -> None:
    topics = demo[0].topics_
    assert f"{len(topics)} topics, 2 of them vague" in page.inner_text("header")
    fold = f"{FOLD}:has-text('2 vague topics') >> nth=0"
    expand(page)
    page.evaluate(ALL_ROWS)
    folds = [int(text.split()[0]) for text in texts(page, FOLD)]
    assert len(tree_rows(page)) == len(topics) - sum(folds) + len(folds)
    assert not any(named(page, topic) for topic in vague)
    page.click(fold)
    assert all(named(page, topic) for topic in vague)
    assert page.get_attribute(fold, "aria-expanded") == "true"
    assert page.locator("[aria-selected=true][role=treeitem]").count() == 0
    page.click(fold)
    assert not any(named(page, topic) for topic in vague)


def test_the_keyboard_leads_in_and_out(page: Any, vague: list[Topic]) -> None:
    parent = vague[0].parent
    assert parent is not None
    page.focus("[role=treeitem][tabindex='0']")
    page.keyboard.type(parent.title[:6].lower())
    keys = page.keyboard
    keys.press("ArrowRight")
    for _ in range(len(parent.children) - len(vague) + 1):
        keys.press("ArrowDown")
    assert page.evaluate(FOCUSED) == f"{len(vague)} vague topics"
    shown = "name => document.activeElement.getAttribute(`aria-${name}`)"
    beside = str(len(parent.children) - len(vague) + 1)
    place = [page.evaluate(shown, name) for name in ("level", "posinset", "setsize")]
    assert place == ["2", beside, beside]
    keys.press("Enter")
    assert page.evaluate(shown, "expanded") == "true"
    keys.press("ArrowRight")
    assert page.evaluate(FOCUSED).startswith(vague[0].title)
    assert page.evaluate(shown, "level") == "3"
    assert page.evaluate(shown, "setsize") == str(len(vague))
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    assert page.evaluate(shown, "expanded") == "false"
    keys.press("ArrowLeft")
    assert page.evaluate(FOCUSED).startswith(parent.title)
