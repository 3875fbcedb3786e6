"""The page for everybody: by keyboard alone, and without violations that axe finds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.pages import topic_shown

AXE = Path(__file__).parents[1] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"
ALL = "HLTA_ALL_TESTS" in os.environ
FOCUSED = "document.activeElement.getAttribute('aria-label')"


@pytest.fixture
def in_tree(visit: Any, page_file: Path) -> Any:
    """A page whose tree is collapsed, with the focus on the first root topic."""
    page = visit(page_file)
    page.click("text=Collapse all")
    page.keyboard.press("Tab")  # from the button into the tree
    return page


def test_arrows_walk_down_and_up_the_tree(in_tree: Any, demo: Any) -> None:
    root = demo[0].topics_.roots[0]
    keys = in_tree.keyboard
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
    first, *_, last = demo[0].topics_.roots
    in_tree.keyboard.press("End")
    assert in_tree.evaluate(FOCUSED).startswith(last.title)
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


@pytest.mark.skipif(not AXE.exists() and not ALL, reason="needs axe-core: scripts/browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_no_violation(
    visit: Any, page_file: Path, scheme: str, width: int, demo: Any
) -> None:
    topic, other = (root.children[0].id for root in demo[0].topics_.roots[:2])
    for address in (
        "",
        f"#topic={topic}",
        f"#topic={topic}&view=areas",
        f"#topic={topic}&view=diagram",
        f"#topic={topic}&view=time&document=5",
        f"#topic={topic}&view=groups",
        f"#compare={topic}&compare={other}&view=compare",
    ):
        page = visit(
            page_file,
            address,
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
        )
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for panel in ("Topics", "Pictures", "Details") if width < 700 else ("",):
            if panel:
                page.click(f".switches >> text={panel}")
            report = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            bad = [
                (v["id"], v["impact"], [node["target"] for node in v["nodes"]][:4])
                for v in report["violations"]
                if v["impact"] in ("serious", "critical", "moderate")
            ]
            assert bad == [], address
