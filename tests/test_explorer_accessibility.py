"""The page for everybody: by keyboard alone, and without violations that axe finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.axe import needs_axe, serious
from tests.contrast import pale_texts
from tests.pages import box_of, branches, rest, topic_shown, views_of

if TYPE_CHECKING:
    from pathlib import Path

DRAWN = ".map-sheet canvas, .picture svg[role]"
FOCUSED = "document.activeElement.getAttribute('aria-label')"


@pytest.fixture
def in_tree(visit: Any, page_file: Path) -> Any:
    """A page whose tree is collapsed, with the focus on the first root topic."""
    page = visit(page_file)
    page.click("text=Collapse all")
    page.keyboard.press("Tab")  # from the button into the tree
    return page


def test_arrows_walk_down_and_up_the_tree(in_tree: Any, demo: Any) -> None:
    roots, keys = demo[0].topics_.roots, in_tree.keyboard
    root = branches(demo[0].topics_)[0]
    for _ in range(roots.index(root)):
        keys.press("ArrowDown")
    assert in_tree.evaluate(FOCUSED).startswith(root.title)
    keys.press("ArrowRight")
    assert in_tree.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    keys.press("ArrowRight")
    assert in_tree.evaluate(FOCUSED).startswith(root.children[0].title)
    assert in_tree.evaluate("document.activeElement.getAttribute('aria-level')") == "2"
    keys.press("Enter")
    assert topic_shown(in_tree) == root.children[0].id
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    assert in_tree.evaluate(FOCUSED).startswith(root.title)


def test_home_end_and_letters_jump_in_the_tree(in_tree: Any, demo: Any) -> None:
    roots = demo[0].topics_.roots
    first, *_, last = [root for root in roots if not root.is_vague]
    vague = sum(root.is_vague for root in roots)  # these share a row below all others
    in_tree.keyboard.press("End")
    assert in_tree.evaluate(FOCUSED).startswith(f"{vague} vague topic" if vague else last.title)
    in_tree.keyboard.press("Home")
    assert in_tree.evaluate(FOCUSED).startswith(first.title)
    letters = last.title[:3].lower()
    in_tree.keyboard.type(letters)
    assert in_tree.evaluate(FOCUSED).lower().startswith(letters)


def test_arrows_change_the_tab(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.focus("[role=tab][aria-selected=true]")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("[role=tab][aria-selected=true]") == "Areas"


def topics_below(demo: Any) -> tuple[str, str]:
    """Two topics below roots."""
    one, other = (root.children[0].id for root in branches(demo[0].topics_)[:2])
    return one, other


@needs_axe
@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        *(("light", size) for size in ((1440, 900), (390, 900), (320, 256))),
        *(("dark", size) for size in ((1440, 900), (390, 900))),
    ],
)
def test_axe_finds_no_violation(
    visit: Any, page_file: Path, scheme: str, size: tuple[int, int], demo: Any
) -> None:
    for view, address in views_of(*topics_below(demo)).items():
        page = visit(
            page_file,
            address,
            color_scheme=scheme,
            viewport=dict(zip(("width", "height"), size, strict=True)),
            reduced_motion="reduce",
        )
        for panel in ("Topics", "Pictures", "Details") if size[0] < 700 else ("",):
            if panel:
                page.click(f".switches >> text={panel}")
            assert serious(page) == [], view
        page.close()


def test_enlarged_four_times_every_picture_has_room(visit: Any, page_file: Path, demo: Any) -> None:
    for view, address in views_of(*topics_below(demo)).items():
        page = visit(page_file, address, viewport={"width": 320, "height": 256})
        page.click(".switches >> text=Pictures")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, view
        assert box_of(page, DRAWN)["height"] > 120, view
        page.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 390)])
def test_all_texts_stand_out_from_what_is_behind_them(
    visit: Any, page_file: Path, scheme: str, width: int, demo: Any
) -> None:
    for view, address in views_of(*topics_below(demo)).items():
        page = visit(
            page_file,
            address,
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
        )
        if width < 700:
            page.click(".switches >> text=Pictures")
        rest(page)
        lines, pale = pale_texts(page)
        assert pale == {}, view
        assert lines > 20, view
        page.close()


def test_pale_texts_are_noticed(visit: Any, page_file: Path) -> None:
    page = visit(page_file, reduced_motion="reduce")
    rest(page)
    assert pale_texts(page)[1] == {}
    for selector, style in (
        (".lead", "color: #999"),
        (".map-names button", "text-shadow: none; color: var(--branch-3)"),
    ):
        page.eval_on_selector_all(
            selector, "(all, style) => all.forEach(e => { e.style.cssText += style; })", style
        )
        assert pale_texts(page)[1] != {}, selector
        page.reload()
        page.wait_for_selector("html[data-ready]")
        rest(page)


ON_PAPER = (
    "front",
    "topic",
    "map of groups",
    "map of dates",
    "areas",
    "diagram",
    "groups",
    "groups of a topic",
    "compare",
    "time, document",
)
# The texts of buttons, keys and the like that the edge of the sheet would cut.
CUT = """width => [...document.querySelectorAll("h1, h2, p, li, button, label, summary, text")]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
    .map(e => e.textContent.trim().slice(0, 60))"""
# The picture ends before the edge of the sheet.
FITS = """([picture, width]) =>
    document.querySelector(picture)?.getBoundingClientRect().right <= width"""
# What is of no use on paper.
FOR_HANDS = ".tools, .search, .switches, .slider, .picture-bar, .result-tools, .hint, .twist, .ways"


@pytest.mark.parametrize("view", ON_PAPER)
def test_a_view_is_printed_on_paper(visit: Any, page_file: Path, demo: Any, view: str) -> None:
    page = visit(page_file, views_of(*topics_below(demo))[view], color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size({"width": 760, "height": 1000})  # of a sheet
    page.wait_for_function(FITS, arg=[DRAWN, 760])  # drawn anew a frame or two later
    rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 760
    assert box_of(page, DRAWN)["height"] > 120
    assert page.evaluate(CUT, 760) == []
    assert page.locator(FOR_HANDS).filter(visible=True).count() == 0
    lines, pale = pale_texts(page)
    assert lines > 20
    assert pale == {}
