"""The page looks as it did: pictures of all views, compared with those that are kept.

Nothing in the page is learned, places on its map are given, and its letters are those of a font in
which all are the same block: so its pictures are nearly the same on any machine, and change only if
the page does.
They are taken at two widths, and by `scripts/nightly` at all five.
`HLTA_REDRAW=1 pytest tests/test_explorer_pictures.py` draws those anew, after a change on purpose.
"""

import base64
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hlta import Corpus, LatentTree, TopicTree
from tests.nightly import NIGHTLY
from tests.synthetic import planted

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


CELL: Final = 10  # pixels of the page to a pixel of the picture, in each direction
STEP: Final = 8  # levels of grey are kept so exactly
DIFFERENT: Final = 24  # of 255: from so much on, a pixel differs
MOST: Final = 0.0015  # so large a part of the pixels may differ

TOLD: Final = (
    "river bank water flood rain cloud storm wind sail boat harbour fish net market price trade "
    "coin gold mine coal iron steel bridge road train station clock tower bell church stone wall "
    "garden rose apple bread oven flour mill wheel horse saddle field corn barn cow milk cheese"
)
WORDS: Final = TOLD.split()

# Letters as blocks: in place of all fonts, in styles and where the page measures texts itself.
BLOCKS: Final = """font => {
    const bytes = Uint8Array.from(atob(font), letter => letter.charCodeAt(0));
    document.fonts.add(new FontFace("Blocks", bytes.buffer));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { font-family: Blocks !important; font-synthesis: none; }");
    document.adoptedStyleSheets.push(sheet);
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
        const { get, set } = Object.getOwnPropertyDescriptor(prototype, "font");
        Object.defineProperty(prototype, "font", {
            get,
            set(value) { set.call(this, value.replace(/px.*/, "px Blocks")); },
        });
    }
}"""


def places(memberships: Any) -> NDArray[np.float64]:
    """Where documents lie: each in a spiral around a place that its likeliest topic has."""
    n, topics = memberships.shape
    dense = memberships.toarray()
    main = np.where(dense.max(axis=1) > 0.5, dense.argmax(axis=1), topics)
    turn = 2.0 * np.pi * main / (topics + 1)
    number = np.array([np.count_nonzero(main[:row] == main[row]) for row in range(n)])
    middle = np.stack((9.0 * np.cos(turn), 6.0 * np.sin(turn)), axis=1)
    way = 0.5 * np.sqrt(number)
    return np.asarray(
        middle + np.stack((way * np.cos(2.4 * number), way * np.sin(2.4 * number)), axis=1)
    )


def write_page(file: Path, monkeypatch: pytest.MonkeyPatch) -> TopicTree:
    """The page of fixed data, and its topics."""
    shape = planted(len(WORDS), 2)
    tree = LatentTree(tuple(WORDS), shape.parent, shape.level, shape.probability)
    X = tree.sample(400, seed=1)
    lists = [[WORDS[k] for k in row.indices] for row in X.tocsr()]
    corpus = Corpus(
        X,
        WORDS,
        titles=[
            " ".join(words[:7]).capitalize() or f"Nothing {k}" for k, words in enumerate(lists)
        ],
        dates=[f"{2001 + k % 12}-0{1 + k % 7}-03" for k in range(400)],
        groups=["" if k % 11 == 0 else f"kind {'abcdefgh'[k * k % 8]}" for k in range(400)],
        texts=[f"The {' and the '.join(words)}." for words in lists],
    )
    topics = TopicTree.from_tree(tree, lowest_level=1)
    monkeypatch.setattr("hlta.explorer.page_data.document_places", places)
    topics.to_html(file, corpus=corpus, title="Fixed data")
    return topics


def shrunk(png: bytes) -> Image.Image:
    """A screenshot as a small picture in grey."""
    image = Image.open(io.BytesIO(png)).convert("L")
    small = image.resize((image.width // CELL, image.height // CELL), Image.Resampling.BOX)
    return small.point(lambda level: level // STEP * STEP)


def differing(one: Image.Image, other: Image.Image) -> float:
    """The part of the pixels that differ; all, if the pictures are not of one size."""
    if one.size != other.size:
        return 1.0
    a, b = (np.asarray(image, dtype=np.int64) for image in (one, other))
    return float((np.abs(a - b) >= DIFFERENT).mean())


class Studio(NamedTuple):
    """Opens views of the page."""

    page: Any
    file: Path
    topics: tuple[str, str]

    def open(self, view: str, width: int, kind: str) -> Any:
        page = self.page
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.emulate_media(
            media="screen",
            color_scheme="dark" if kind == "dark" else "light",
            reduced_motion="reduce",
        )
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
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    file = tmp_path_factory.mktemp("pictures") / "index.html"
    with pytest.MonkeyPatch.context() as patch:
        topics = write_page(file, patch)
    ids = topics.roots[0].children[0].id, topics.roots[-1].children[-1].id
    page = browser.new_page()
    page.set_default_timeout(20_000)
    font = base64.b64encode((KEPT / "blocks.ttf").read_bytes()).decode()
    page.add_init_script(f"({BLOCKS})({font!r})")
    yield Studio(page, file, ids)
    page.close()


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
    if REDRAW or NIGHTLY or width in USUAL or kind != "light"
]


@pytest.mark.parametrize(("view", "width", "kind"), TAKEN)
def test_it_looks_as_it_did(studio: Studio, view: str, width: int, kind: str) -> None:
    page = studio.open(view, width, kind)
    now = picture(page, whole=kind == "print")
    file = KEPT / f"{view}-{width}{'' if kind == 'light' else f'-{kind}'}.png"
    if REDRAW:
        now.save(file, optimize=True)
    with Image.open(file) as kept:
        assert differing(now, kept) <= MOST


def test_every_kept_picture_is_compared() -> None:
    expected = {f"{v}-{w}{'' if k == 'light' else f'-{k}'}.png" for v, w, k in SHOTS}
    assert {file.name for file in KEPT.glob("*.png")} == expected


def test_what_is_moved_or_missing_is_noticed(studio: Studio) -> None:
    page = studio.open("front", 1440, "light")
    gone = (".portrait h2", ".map-names", ".map-sheet canvas", ".tools")
    rules = [f"{selector} {{ visibility: hidden }}" for selector in gone]
    rules += ["#details { transform: translateX(14px) }"]
    rules += [f"{selector} {{ padding-top: 30px }}" for selector in ("header", "#tree [role=tree]")]
    page.evaluate("document.adoptedStyleSheets.push(new CSSStyleSheet())")
    with Image.open(KEPT / "front-1440.png") as kept:
        assert differing(picture(page), kept) <= MOST
        for rule in rules:
            page.evaluate("rule => document.adoptedStyleSheets.at(-1).replaceSync(rule)", rule)
            assert differing(picture(page), kept) > MOST, rule
