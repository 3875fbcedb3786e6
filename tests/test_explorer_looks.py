"""How the explorer looks, and what it never does: colours, sizes, accessibility, hostile text."""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus
from tests.pages import saved

AXE = Path(__file__).parents[1] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"
ALL = "HLTA_ALL_TESTS" in os.environ
HOSTILE = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=1'>"


def colour(page: Any, selector: str, what: str) -> tuple[int, ...]:
    value = page.eval_on_selector(selector, f"e => getComputedStyle(e).{what}")
    return tuple(int(part) for part in re.findall(r"\d+", value)[:3])


def test_dark_and_light(visit: Any, page_file: Path) -> None:
    page = visit(page_file, color_scheme="dark")
    assert max(colour(page, "body", "backgroundColor")) < 60
    page.click("text=System colours")
    assert min(colour(page, "body", "backgroundColor")) > 200
    page.click("text=Light colours")
    assert max(colour(page, "body", "backgroundColor")) < 60
    light = visit(page_file, color_scheme="light")
    assert min(colour(light, "body", "backgroundColor")) > 200


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


def test_on_a_phone(visit: Any, page_file: Path) -> None:
    page = visit(page_file, viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.is_visible("#tree")
    assert not page.is_visible("#details")
    page.tap("[role=treeitem] .label >> nth=0")
    assert page.is_visible("#details h2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap(".switches >> text=Pictures")
    assert page.is_visible("#picture svg")
    page.tap(".switches >> text=Topics")
    page.tap("[role=treeitem][aria-selected=true] .label")  # the same again
    assert page.is_visible("#details h2")
    page.tap(".switches >> text=Topics")
    page.tap(".menu summary")
    with page.expect_download():
        page.tap("text=Picture as SVG")
    page.tap(".switches >> text=Topics")
    heights = page.eval_on_selector_all("[role=treeitem]", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 44


@pytest.mark.parametrize("width", [800, 1000])
def test_between_phone_and_desk(visit: Any, page_file: Path, width: int) -> None:
    page = visit(page_file, viewport={"width": width, "height": 500})
    assert page.evaluate("document.querySelector('.name').offsetWidth") > 150
    assert page.evaluate("document.querySelector('header').offsetHeight") < 130


@pytest.mark.skipif(not AXE.exists() and not ALL, reason="needs axe-core: scripts/browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_accessibility(visit: Any, page_file: Path, scheme: str, width: int, demo: Any) -> None:
    topic = demo[0].topics_.roots[0].children[0].id
    for address in (
        "",
        f"#topic={topic}",
        f"#topic={topic}&view=diagram",
        f"#topic={topic}&view=time&document=5",
        f"#topic={topic}&view=groups",
    ):
        page = visit(
            page_file,
            address,
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
        )
        for panel in ("Topics", "Pictures", "Details") if width < 700 else ("",):
            if panel:
                page.click(f".switches >> text={panel}")
            page.evaluate(AXE.read_text(encoding="utf-8"))
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            bad = [
                (v["id"], v["impact"], [node["target"] for node in v["nodes"]][:4])
                for v in found["violations"]
                if v["impact"] in ("serious", "critical", "moderate")
            ]
            assert bad == [], address


def test_hostile_text_is_inert(visit: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    topic = rng.random((300, 4)) < 0.3
    X = (rng.random((300, 24)) < np.repeat(np.where(topic, 0.7, 0.05), 6, axis=1)).astype(int)
    words = [f"{HOSTILE}{k}" for k in range(12)] + [f"'\"`&<{k}" for k in range(12)]
    corpus = Corpus(
        X,
        words,
        ids=["javascript:window.hurt=1" if k % 2 else f"../{HOSTILE}" for k in range(300)],
        titles=[f"=HYPERLINK(1) {HOSTILE} {k}" for k in range(300)],
        dates=[f"{2000 + k % 9} {HOSTILE}" for k in range(300)],
        groups=[f"{HOSTILE}{k % 3}" for k in range(300)],
        texts=[f"{HOSTILE} \u202e\x00\u2028 {{{{7*7}}}} ${{1}} {k}" for k in range(300)],
    )
    model = HLTA(max_top_topics=2).fit(corpus)
    file = tmp_path / "index.html"
    model.topics_.to_html(file, corpus=corpus, title=f"{HOSTILE}]]>--><b>", source=tmp_path)
    page = visit(file, accept_downloads=True)
    assert page.title().startswith("</script>")
    for view in ("Map", "Tree diagram", "Over time", "By group"):
        page.click(f"role=tab[name='{view}']")
    page.click(".cards button >> nth=0")
    page.click(".documents .title >> nth=0")
    page.wait_for_selector("details.belongs[open] .evidence")
    page.fill(".search input", "</script>")
    page.wait_for_selector(".hits [role=option]")
    assert page.evaluate("window.hurt") is None
    assert page.query_selector("img, iframe, object, body script[src]") is None
    assert page.query_selector("a[href^='javascript']") is None
    page.keyboard.press("Enter")
    _, data = saved(page, lambda: page.click("[aria-label='Save these documents as CSV']"))
    for row in csv.DictReader(io.StringIO(data.decode())):
        assert row["title"].startswith("'=")


def test_in_a_frame_without_an_address(visit: Any, page_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "frame.html"
    source = page_file.read_text(encoding="utf-8")
    inner = source.replace("&", "&amp;").replace('"', "&quot;")
    file.write_text(
        f'<!doctype html><html data-ready><iframe srcdoc="{inner}" width=1200 height=800>',
        encoding="utf-8",
    )
    page = visit(file)
    frame = page.frame_locator("iframe")
    frame.locator(".cards button").first.click()
    assert frame.locator("#details .facts code").inner_text().startswith("Z")
