"""A page of fixed data whose letters are blocks, as small pictures that can be compared.

Nothing in the page is learned, places on its map are given, and its letters come from a font that is
made here: so its pictures are nearly the same on any machine, and change only if the page does.
"""

import base64
import io
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hlta import Corpus, LatentTree, TopicTree
from tests.synthetic import planted

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


def block_font() -> str:
    """A font whose letters, but for spaces, are all the same block; in base 64."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((30, 0))
    for corner in ((30, 520), (490, 520), (490, 0)):
        pen.lineTo(corner)
    pen.closePath()
    blank = TTGlyphPen(None).glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "space", "block"])
    blocks = {*range(0x21, 0x250), *range(0x2010, 0x2C00)} - {0xA0}
    font.setupCharacterMap({0x20: "space", 0xA0: "space", **dict.fromkeys(blocks, "block")})
    font.setupGlyf({".notdef": blank, "space": blank, "block": pen.glyph()})
    font.setupHorizontalMetrics({".notdef": (520, 0), "space": (300, 0), "block": (520, 30)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Blocks", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    font.setupPost()
    data = io.BytesIO()
    font.save(data)
    return base64.b64encode(data.getvalue()).decode()


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
