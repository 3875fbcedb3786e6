"""The panes: the tree folds, a divider shares the rest, a picture can be wide."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.pages import FIRST_TOPIC, box_of, rest

if TYPE_CHECKING:
    from pathlib import Path

FOLD = "#tree .fold"
WIDE = "text=Wide picture"
DIVIDER = "[role=separator]"
ROW = "[role=treeitem] >> nth=0"
DIAGRAM = ".diagram .minimap"
FIT = "[aria-label='Show all topics (0)']"


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


def test_a_picture_is_wide_with_its_documents_beside_it_and_back(
    visit: Any, page_file: Path
) -> None:
    page = visit(page_file, "#view=time")
    before = width(page, "#picture")
    assert before > 620
    page.click(WIDE)
    assert width(page, "#picture") > 900
    assert width(page, "#picture svg") > 800
    assert width(page, "#details") > 300
    assert not page.is_visible(ROW)
    page.click(FIRST_TOPIC)  # results answer there as before
    assert page.is_visible(".documents .found")
    page.click(WIDE)
    assert width(page, "#picture") == before
    assert page.is_visible(ROW)


def test_the_tree_folds_to_a_rail_and_stays_so(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.click(FOLD)
    assert expanded(page) == "false"
    assert width(page, "#tree") < 60
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert expanded(page) == "false"
    page.click(FIRST_TOPIC)
    page.click(FOLD)
    assert expanded(page) == "true"
    page.wait_for_selector("[role=treeitem][aria-selected=true]")


def test_keys_fold_the_tree_and_widen_the_picture_but_not_while_typing(
    visit: Any, page_file: Path
) -> None:
    page = visit(page_file)
    page.keyboard.press("t")
    assert expanded(page) == "false"
    page.keyboard.press("t")
    page.keyboard.press("w")
    assert page.get_attribute(WIDE, "aria-pressed") == "true"
    page.keyboard.press("t")  # the tree ends a wide picture
    assert expanded(page) == "true"
    assert page.get_attribute(WIDE, "aria-pressed") == "false"
    page.fill(".search input", "")
    page.keyboard.type("two")
    page.focus("#tree [role=treeitem]")
    page.keyboard.type("wt")  # looks for a topic
    assert expanded(page) == "true"
    assert page.get_attribute(WIDE, "aria-pressed") == "false"


def test_the_divider_is_dragged_and_remembered(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    before = width(page, "#picture")
    drag(page, DIVIDER, -150, 0)
    assert abs(width(page, "#picture") - (before - 150)) < 3
    told = int(page.get_attribute(DIVIDER, "aria-valuenow"))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert abs(width(page, "#picture") - (before - 150)) < 3
    assert int(page.get_attribute(DIVIDER, "aria-valuenow")) == told
    drag(page, DIVIDER, 900, 0)  # the details keep their room
    assert width(page, "#details") >= 320
    page.dblclick(DIVIDER)
    assert abs(width(page, "#picture") - before) < 1


def test_the_divider_is_moved_with_the_keys(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    before = width(page, "#picture")
    page.focus(DIVIDER)
    page.keyboard.press("ArrowLeft")
    assert width(page, "#picture") < before - 20
    page.keyboard.press("ArrowRight")
    assert abs(width(page, "#picture") - before) < 2
    page.keyboard.press("Home")
    least = width(page, "#picture")
    page.keyboard.press("End")
    assert 320 <= least < before < width(page, "#picture")


# ---- the diagram -------------------------------------------------------------------------------


def in_view(page: Any) -> bool:
    """Whether nothing of the diagram is out of sight."""
    whole: bool = page.eval_on_selector(
        "[role=region][aria-label='Tree diagram']",
        "e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth",
    )
    return whole


def test_a_button_and_a_key_fit_the_whole_diagram_into_view(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#view=diagram", viewport={"width": 1440, "height": 560})
    page.click("text=Expand all")
    rest(page)
    assert not in_view(page)
    count = page.locator(".diagram circle").count()
    page.click(FIT)
    assert page.get_attribute(FIT, "aria-pressed") == "true"
    assert in_view(page)
    assert not page.is_visible(DIAGRAM)
    assert page.locator(".diagram circle").count() == count
    # Titles that are shown do not touch each other.
    boxes = page.eval_on_selector_all(
        ".diagram [data-topic] text[font-weight]",
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right, b.top, b.bottom])",
    )
    assert 0 < len(boxes) <= count
    for (left, right, top, bottom), other in combinations(boxes, 2):
        beside = right <= other[0] + 1 or other[1] <= left + 1
        assert beside or min(bottom, other[3]) - max(top, other[2]) < 5
    page.focus("[role=region][aria-label='Tree diagram']")
    page.keyboard.press("0")
    assert page.get_attribute(FIT, "aria-pressed") == "false"
    assert not in_view(page)
