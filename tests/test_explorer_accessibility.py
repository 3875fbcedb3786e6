"""The page for everybody: by keyboard alone, in the dark, on a phone and on paper."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.legible import needs_axe, pale_texts, serious
from tests.nightly import NIGHTLY, nightly
from tests.pages import box_of, branches, open_anew, rest, topic_shown, views_of

DRAWN = ".map-sheet canvas, .picture svg[role]"
FOCUSED = "document.activeElement.getAttribute('aria-label')"


def test_keys_walk_and_jump_in_the_tree(page: Any, demo: Any) -> None:
    page.focus("[role=treeitem][tabindex='0']")
    roots, keys = demo[0].topics_.roots, page.keyboard
    root = branches(demo[0].topics_)[0]
    for _ in range(roots.index(root)):
        keys.press("ArrowDown")
    assert page.evaluate(FOCUSED).startswith(root.title)
    keys.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    keys.press("ArrowRight")
    assert page.evaluate(FOCUSED).startswith(root.children[0].title)
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "2"
    keys.press("Enter")
    assert topic_shown(page) == root.children[0].id
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    assert page.evaluate(FOCUSED).startswith(root.title)
    first, *_, last = [root for root in roots if not root.is_vague]
    vague = sum(root.is_vague for root in roots)  # these share a row below all others
    keys.press("End")
    assert page.evaluate(FOCUSED).startswith(f"{vague} vague topic" if vague else last.title)
    keys.press("Home")
    assert page.evaluate(FOCUSED).startswith(first.title)
    letters = last.title[:3].lower()
    keys.type(letters)
    assert page.evaluate(FOCUSED).lower().startswith(letters)


def test_the_first_stop_leads_past_the_tree(page: Any, page_file: Path) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the details"
    assert box_of(page, ".skip")["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "details"
    assert page.url == page_file.as_uri()


def topics_below(demo: Any) -> tuple[str, str]:
    """Two topics below roots."""
    one, other = (root.children[0].id for root in branches(demo[0].topics_)[:2])
    return one, other


PANELS = {1440: ("",), 390: ("Topics", "Details", "Pictures"), 320: ("Pictures",)}
# On a phone, two panels look in the other views as they do in these.
OWN = {"Topics": {"front", "several things"}, "Details": {"front", "topic", "changes, document"}}


@needs_axe
@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [
        pytest.param("light", 1440, 900, marks=nightly),
        ("dark", 1440, 900),
        ("light", 390, 900),
        ("light", 320, 256),  # enlarged four times
    ],
)
def test_every_view_has_room_and_contrast_and_no_violation_that_axe_finds(
    visit: Any, page_file: Path, demo: Any, scheme: str, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    page = visit(page_file, color_scheme=scheme, viewport=size, reduced_motion="reduce")
    for view, address in views_of(*topics_below(demo)).items():
        open_anew(page, page_file.as_uri() + address)
        for panel in PANELS[width]:
            if view not in OWN.get(panel, {view}) and not NIGHTLY:
                continue
            if panel:
                page.click(f".switches >> text={panel}")
            assert serious(page) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        assert box_of(page, DRAWN)["height"] > 120, view
        if height > 300:
            rest(page)
            lines, pale = pale_texts(page)
            assert pale == {}, view
            assert lines > 12, view


def test_pale_texts_are_noticed(visit: Any, page_file: Path) -> None:
    page = visit(page_file, reduced_motion="reduce")
    rest(page)
    seen = pale_texts(page)[1]
    assert seen == {}
    for selector, style in (
        (".lead", "color: #999"),
        (".map-names button", "text-shadow: none; color: var(--bright-3)"),
    ):
        set_style = "(all, style) => all.forEach(e => { e.style.cssText += style; })"
        page.eval_on_selector_all(selector, set_style, style)
        pale = pale_texts(page)[1]
        assert pale.keys() > seen.keys(), selector
        seen = pale


ON_PAPER = ["front", "topic", "changes, document", "differences of a topic", "compare"]
AT_NIGHT = ["map of groups", "map of dates", "changes", "differences", "several things"]
# The texts of buttons, keys and the like that the edge of the sheet would cut.
CUT = """width => [...document.querySelectorAll("h1, h2, p, li, button, label, summary, text")]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
    .map(e => e.textContent.trim().slice(0, 60))"""
# The picture ends before the edge of the sheet.
FITS = """([picture, width]) =>
    document.querySelector(picture)?.getBoundingClientRect().right <= width"""
# What is of no use on paper.
FOR_HANDS = ".tools, .search, .switches, .picture-bar, .result-tools, .hint, .twist, .ways"


@pytest.mark.parametrize(
    "view", [*ON_PAPER, *(pytest.param(one, marks=nightly) for one in AT_NIGHT)]
)
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


# ---- dark, and on a phone -----------------------------------------------------------------------


def colour(page: Any, selector: str, what: str) -> tuple[int, ...]:
    value = page.eval_on_selector(selector, f"e => getComputedStyle(e).{what}")
    return tuple(int(part) for part in re.findall(r"\d+", value)[:3])


def is_dark(page: Any) -> bool:
    background = colour(page, "body", "backgroundColor")
    assert max(background) < 60 or min(background) > 200
    return max(background) < 60


def test_colours_are_those_of_the_system_or_of_a_button(visit: Any, page_file: Path) -> None:
    assert not is_dark(visit(page_file, color_scheme="light"))
    page = visit(page_file, color_scheme="dark")
    assert is_dark(page)
    page.click("text=Colours: system")
    assert not is_dark(page)
    page.click("text=Colours: light")
    assert is_dark(page)


def test_a_phone_shows_one_panel_at_a_time_for_fingers(visit: Any, page_file: Path) -> None:
    phone = visit(page_file, viewport={"width": 390, "height": 844}, has_touch=True)
    assert phone.is_visible("#picture canvas")  # it begins with the map
    phone.tap(".switches >> text=Topics")
    assert phone.is_visible("#tree")
    assert not phone.is_visible("#details")
    heights = phone.eval_on_selector_all("[role=treeitem]", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 44
    box = box_of(phone, ".twist:not(.none)")
    assert min(box["width"], box["height"]) >= 36
    for menu in ("Export", "Edits"):
        phone.tap(f".menu summary >> text={menu}")
        box = box_of(phone, ".menu[open] .items")
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    phone.tap(".menu summary >> text=Edits")
    phone.tap("[role=treeitem] .label >> nth=0")
    assert phone.is_visible("#details h2")
    phone.tap(".switches >> text=Pictures")
    assert phone.is_visible("#picture canvas")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
