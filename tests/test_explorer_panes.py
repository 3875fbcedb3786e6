"""The panes: the list of topics can be folded away."""

from typing import Any

from tests.pages import FIRST_TOPIC, box_of, rest

FOLD = ".fold"


def width(page: Any, selector: str) -> float:
    return box_of(page, selector)["width"]


def expanded(page: Any) -> str:
    """Whether the tree is open, as a screen reader tells it."""
    shown: str = page.get_attribute(FOLD, "aria-expanded")
    return shown


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
    page.focus("#details")
    page.keyboard.press("t")
    assert expanded(page) == "false"
    page.keyboard.press("t")
    assert expanded(page) == "true"
    page.focus(".search input")
    page.keyboard.type("t")
    page.focus("#tree [role=treeitem][tabindex='0']")
    page.keyboard.type("t")  # looks for a topic
    assert expanded(page) == "true"


def test_the_map_is_large(page: Any) -> None:
    for wide, high, least in (
        *((1440, 900, 0.48), (1000, 800, 0.55)),
        *((2560, 1440, 0.6), (390, 844, 0.5)),
    ):
        page.set_viewport_size({"width": wide, "height": high})
        rest(page)
        box = box_of(page, ".map")
        assert box["width"] * box["height"] > least * wide * high, wide
        assert box_of(page, "header")["height"] <= 110, wide
        assert wide == 390 or 340 < width(page, ".sheet") < 540, wide
