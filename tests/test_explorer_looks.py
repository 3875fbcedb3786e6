"""How the page looks: light and dark, printed, on a phone and between phone and desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

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
    page.click("text=System colours")
    assert not is_dark(page)
    page.click("text=Light colours")
    assert is_dark(page)


def test_paper_is_light(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, f"#topic={demo[0].topics_.roots[0].id}", color_scheme="dark")
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
    return visit(page_file, viewport={"width": 390, "height": 844}, has_touch=True)


def test_a_phone_shows_one_panel_at_a_time(phone: Any) -> None:
    assert phone.is_visible("#tree")
    assert not phone.is_visible("#details")
    phone.tap("[role=treeitem] .label >> nth=0")
    assert phone.is_visible("#details h2")
    phone.tap(".switches >> text=Pictures")
    assert phone.is_visible("#picture svg")
    phone.tap(".switches >> text=Topics")
    phone.tap("[role=treeitem][aria-selected=true] .label")  # the same again
    assert phone.is_visible("#details h2")


def test_nothing_is_wider_than_a_phone(phone: Any) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.tap("[role=treeitem] .label >> nth=0")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_picture_out_of_sight_can_be_saved(phone: Any) -> None:
    phone.tap(".menu summary")
    with phone.expect_download():
        phone.tap("text=Picture as SVG")


def test_rows_are_high_enough_for_a_finger(phone: Any) -> None:
    heights = phone.eval_on_selector_all("[role=treeitem]", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 44


@pytest.mark.parametrize("width", [800, 1000])
def test_between_phone_and_desk(visit: Any, page_file: Path, width: int) -> None:
    page = visit(page_file, viewport={"width": width, "height": 500})
    assert page.evaluate("document.querySelector('.name').offsetWidth") > 150
    assert page.evaluate("document.querySelector('header').offsetHeight") < 130
