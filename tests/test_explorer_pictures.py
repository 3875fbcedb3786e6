"""The page looks as it did: pictures of all views, compared with those that are kept.

They are taken at two widths, and by `scripts/nightly` at all five.
`HLTA_REDRAW=1 pytest tests/test_explorer_pictures.py` draws those anew, after a change on purpose.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

from tests.wireframes import BLOCKS, MOST, block_font, differing, shrunk, write_page

KEPT = Path(__file__).parent / "pictures"
REDRAW = "HLTA_REDRAW" in os.environ
USUAL = (390, 1440)
HEIGHTS = {390: 844, 720: 900, 1000: 700, 1440: 900, 2560: 1440}
# Views: the address, where TOPIC and OTHER are ids, and the panel that small screens show.
VIEWS = {
    "front": ("", "Details"),
    "tree": ("#topic=OTHER", "Topics"),
    "map": ("#colour=group&with=text:river", "Pictures"),
    "topic": ("#topic=TOPIC&view=changes", "Details"),
    "document": ("#topic=TOPIC&document=7", "Details"),
    "changes": ("#topic=TOPIC&view=changes", "Pictures"),
    "differences": ("#view=differences", "Pictures"),
    "compare": ("#compare=TOPIC&compare=OTHER&view=differences", "Pictures"),
}
SHOTS = [
    *((view, width, "light") for view in VIEWS for width in HEIGHTS),
    *((view, 1440, "dark") for view in ("front", "map", "document", "differences", "compare")),
    *((view, 1000, "print") for view in ("topic", "document", "changes", "compare")),
]


class Studio(NamedTuple):
    """Opens views of the page."""

    browser: Any
    file: Path
    font: str
    topics: tuple[str, str]

    def open(self, view: str, width: int, kind: str) -> Any:
        page = self.browser.new_page(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme="dark" if kind == "dark" else "light",
            reduced_motion="reduce",
        )
        page.set_default_timeout(20_000)
        page.add_init_script(f"({BLOCKS})({self.font!r})")
        address, panel = VIEWS[view]
        for name, topic in zip(("TOPIC", "OTHER"), self.topics, strict=True):
            address = address.replace(name, topic)
        page.goto(self.file.as_uri() + address)
        page.wait_for_selector("html[data-ready]")
        if page.is_visible(".switches"):
            page.click(f".switches >> text={panel}")
        if kind == "print":
            page.emulate_media(media="print")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
        return page


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Studio:
    file = tmp_path_factory.mktemp("pictures") / "index.html"
    with pytest.MonkeyPatch.context() as patch:
        topics = write_page(file, patch)
    ids = topics.roots[0].children[0].id, topics.roots[-1].children[-1].id
    return Studio(browser, file, block_font(), ids)


def picture(page: Any, *, whole: bool = False) -> Image.Image:
    """The page as soon as it rests."""
    before = page.screenshot(full_page=whole, scale="css")
    for _ in range(30):
        page.wait_for_timeout(100)
        now = page.screenshot(full_page=whole, scale="css")
        if now == before:
            return shrunk(now)
        before = now
    raise AssertionError("the page does not come to rest")


TAKEN = [
    (view, width, kind)
    for view, width, kind in SHOTS
    if REDRAW or "HLTA_NIGHTLY" in os.environ or width in USUAL or kind != "light"
]


@pytest.mark.parametrize(("view", "width", "kind"), TAKEN)
def test_it_looks_as_it_did(studio: Studio, view: str, width: int, kind: str) -> None:
    page = studio.open(view, width, kind)
    now = picture(page, whole=kind == "print")
    page.close()
    file = KEPT / f"{view}-{width}{'' if kind == 'light' else f'-{kind}'}.png"
    if REDRAW:
        now.save(file, optimize=True)
    with Image.open(file) as kept:
        assert differing(now, kept) <= MOST


def test_every_kept_picture_is_compared() -> None:
    expected = {f"{v}-{w}{'' if k == 'light' else f'-{k}'}.png" for v, w, k in SHOTS}
    assert {file.name for file in KEPT.glob("*.png")} == expected


@pytest.mark.parametrize(
    ("selector", "style"),
    [
        ("#details", "transform: translateX(14px)"),
        ("header", "padding-top: 30px"),
        (".portrait h2", "visibility: hidden"),
        (".map-names", "visibility: hidden"),
        (".map-sheet canvas", "visibility: hidden"),
        ("#tree [role=tree]", "padding-top: 30px"),
        (".tools", "visibility: hidden"),
    ],
)
def test_what_is_moved_or_missing_is_noticed(studio: Studio, selector: str, style: str) -> None:
    page = studio.open("front", 1440, "light")
    with Image.open(KEPT / "front-1440.png") as kept:
        assert differing(picture(page), kept) <= MOST
        page.eval_on_selector(selector, "(e, style) => { e.style.cssText += style; }", style)
        assert differing(picture(page), kept) > MOST
    page.close()
