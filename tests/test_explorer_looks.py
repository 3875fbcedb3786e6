"""How the page looks: light and dark, printed, on a phone and between phone and desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from hlta import HLTA, Corpus
from tests.pages import box_of
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path


def colour(page: Any, selector: str, what: str) -> tuple[int, ...]:
    value = page.eval_on_selector(selector, f"e => getComputedStyle(e).{what}")
    return tuple(int(part) for part in re.findall(r"\d+", value)[:3])


def is_dark(page: Any) -> bool:
    background = colour(page, "body", "backgroundColor")
    assert max(background) < 60 or min(background) > 200
    return max(background) < 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_those_of_the_system(visit: Any, page_file: Path, scheme: str) -> None:
    assert is_dark(visit(page_file, color_scheme=scheme)) == (scheme == "dark")


def test_a_button_changes_the_colours(visit: Any, page_file: Path) -> None:
    page = visit(page_file, color_scheme="dark")
    page.click("text=Colours: system")
    assert not is_dark(page)
    page.click("text=Colours: light")
    assert is_dark(page)


def test_paper_is_light(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, f"#topic={demo[0].topics_.roots[0].id}&view=areas", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(colour(page, "body", "color")) < 60
    assert max(colour(page, "#details h2", "color")) < 60
    fills = page.eval_on_selector_all(
        "#picture text", "all => all.map(e => e.getAttribute('fill'))"
    )
    assert {fill.lower() for fill in fills} <= {"#1d222b", "#5a6270"}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert min(colour(page, "#details h2", "color")) > 200


@pytest.fixture
def phone(visit: Any, page_file: Path) -> Any:
    page = visit(page_file, viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.is_visible(".cards")  # it begins with the front page
    page.tap(".switches >> text=Topics")
    return page


def test_a_phone_shows_one_panel_at_a_time(phone: Any) -> None:
    assert phone.is_visible("#tree")
    assert not phone.is_visible("#details")
    phone.tap("[role=treeitem] .label >> nth=0")
    assert phone.is_visible("#details h2")
    phone.tap(".switches >> text=Pictures")
    assert phone.is_visible("#picture canvas")
    phone.tap(".switches >> text=Topics")
    phone.tap("[role=treeitem][aria-selected=true] .label")  # the same again
    assert phone.is_visible("#details h2")


def test_nothing_is_wider_than_a_phone(phone: Any) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.tap("[role=treeitem] .label >> nth=0")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_each_tab_can_be_read_on_a_phone(phone: Any) -> None:
    phone.tap(".switches >> text=Pictures")
    bar = box_of(phone, ".frame-bar")
    tabs = phone.locator("[role=tab]:visible").all()
    assert [tab.inner_text() for tab in tabs][-1] == "By group"
    boxes = [tab.bounding_box() for tab in tabs]
    assert all(box["x"] >= bar["left"] for box in boxes)
    assert all(box["x"] + box["width"] <= bar["right"] for box in boxes)
    assert all(box["y"] + box["height"] <= bar["bottom"] for box in boxes)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth).length"
    assert phone.eval_on_selector_all(".tabs, [role=tab]", cut) == 0


def test_a_picture_out_of_sight_can_be_saved(phone: Any) -> None:
    phone.tap(".menu summary")
    with phone.expect_download():
        phone.tap("text=Picture as SVG")


def test_menus_stay_on_a_phone(phone: Any) -> None:
    for menu in ("Export", "Edits"):
        phone.tap(f".menu summary >> text={menu}")
        box = box_of(phone, ".menu[open] .items")
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_what_unfolds_a_topic_is_wide_enough_for_a_finger(phone: Any) -> None:
    box = box_of(phone, ".twist:not(.none)")
    assert min(box["width"], box["height"]) >= 36


def test_enlarged_four_times_every_panel_can_be_read(visit: Any, page_file: Path) -> None:
    page = visit(page_file, viewport={"width": 360, "height": 225})
    for number, panel in enumerate(("tree", "picture", "details")):
        page.click(f".switches button >> nth={number}")
        assert box_of(page, f"#{panel}")["height"] > 200
    page.click(".switches >> text=Topics")
    page.locator("[role=treeitem] >> nth=3").scroll_into_view_if_needed()
    assert box_of(page, "[role=tree]")["height"] > 120


def test_rows_are_high_enough_for_a_finger(phone: Any) -> None:
    heights = phone.eval_on_selector_all("[role=treeitem]", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 44


@pytest.mark.parametrize("width", [800, 1000])
def test_between_phone_and_desk(visit: Any, page_file: Path, width: int) -> None:
    page = visit(page_file, viewport={"width": width, "height": 500})
    assert page.evaluate("document.querySelector('.name').offsetWidth") > 150
    assert page.evaluate("document.querySelector('header').offsetHeight") < 130


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_reads_well_on_its_area(visit: Any, page_file: Path, scheme: str) -> None:
    page = visit(page_file, "#view=areas", color_scheme=scheme)
    pairs = page.eval_on_selector_all(
        "#picture g[data-topic] text",
        """all => all.map(text => [text.getAttribute("fill"),
            text.closest("g").querySelector("rect").getAttribute("fill")])""",
    )
    assert len(pairs) > 20
    for pair in {tuple(pair) for pair in pairs}:
        low, high = sorted(map(luminance, pair))
        assert (high + 0.05) / (low + 0.05) >= 4.5, pair


def test_a_title_of_any_length_leaves_room_for_the_rest(visit: Any, tmp_path: Path) -> None:
    X = planted(24, 2).sample(60, seed=1)
    long = "endless " * 1250
    corpus = Corpus(X, [f"word{k}" for k in range(24)], titles=[long] * 60)
    HLTA(samples=1).fit(corpus).topics_.to_html(tmp_path / "index.html", corpus=corpus)
    page = visit(tmp_path / "index.html", "#document=1")
    assert box_of(page, "#details h2")["height"] < 250
    page.click("text=Back to all topics")
    page.click(".cards button >> nth=0")
    assert box_of(page, ".documents .title")["height"] < 120
