"""The panes: the list of topics can be folded away."""

from pathlib import Path
from typing import Any

import pytest

from tests.pages import FIRST_TOPIC, box_of

FOLD = ".fold"


def width(page: Any, selector: str) -> float:
    return box_of(page, selector)["width"]


def expanded(page: Any) -> str:
    """Whether the tree is open, as a screen reader tells it."""
    told: str = page.get_attribute(FOLD, "aria-expanded")
    return told


def drag(page: Any, selector: str, dx: float, dy: float) -> None:
    """Drag the middle of something."""
    box = box_of(page, selector)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=4)
    page.mouse.up()


# ---- panes -------------------------------------------------------------------------------------


def test_the_tree_gives_its_room_to_the_map_and_stays_so(page: Any) -> None:
    before = width(page, "#picture")
    page.click(FOLD)
    assert expanded(page) == "false"
    assert not page.is_visible("#tree")
    assert width(page, "#picture") > before + 200
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert expanded(page) == "false"
    page.click(FOLD)
    assert expanded(page) == "true"
    page.click(FIRST_TOPIC)
    page.wait_for_selector("[role=treeitem][aria-selected=true]")


def test_a_key_folds_the_list_but_not_while_typing(page: Any) -> None:
    page.keyboard.press("t")
    assert expanded(page) == "false"
    page.keyboard.press("t")
    assert expanded(page) == "true"
    page.focus(".search input")
    page.keyboard.type("t")
    page.focus("#tree [role=treeitem][tabindex='0']")
    page.keyboard.type("t")  # looks for a topic
    assert expanded(page) == "true"


@pytest.mark.parametrize(
    ("size", "least"),
    [((1440, 900), 0.48), ((1000, 800), 0.55), ((2560, 1440), 0.6), ((390, 844), 0.5)],
)
def test_the_map_is_large(visit: Any, page_file: Path, size: tuple[int, int], least: float) -> None:
    page = visit(page_file, viewport={"width": size[0], "height": size[1]})
    box = box_of(page, ".map")
    assert box["width"] * box["height"] > least * size[0] * size[1]
    assert box_of(page, "header")["height"] <= 110
    if size[0] > 390:
        assert 340 < width(page, ".sheet") < 540
