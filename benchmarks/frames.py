"""How fluently the map of the documents moves: frames per second, next to an empty canvas.

    python -m benchmarks.frames [--documents 200000] [--rounds 5]

The page holds all documents, sampled from a small planted tree. They are put around the place of their
root topic instead of being laid out, because only drawing is measured. In headless Chromium, the map
is dragged to and fro and then enlarged and made smaller with the wheel; so is a canvas of the same
size that is cleared and gets one square each time, in turn with the map.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import numpy as np

from hlta import Corpus, TopicTree
from hlta.tree.state_order import order_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page
    from scipy.sparse import csr_array

WORDS = 60  # in the tree
SECONDS = 2.0  # of each movement
MAP = ".map-sheet"
EMPTY = """<!doctype html><title>Empty</title><style>body{margin:0}</style><canvas></canvas><script>
const canvas = document.querySelector("canvas");
const { devicePixelRatio: ratio } = window;
canvas.width = WIDTH * ratio;
canvas.height = HEIGHT * ratio;
canvas.style.cssText = "width: WIDTHpx; height: HEIGHTpx";
const draw = ({ clientX, clientY }) => requestAnimationFrame(() => {
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillRect(clientX, clientY, 9, 9);
});
canvas.addEventListener("pointermove", draw);
canvas.addEventListener("wheel", draw);
</script>"""
COUNT = """() => {
  window.frames_seen = 0;
  const note = () => { window.frames_seen++; requestAnimationFrame(note); };
  requestAnimationFrame(note);
}"""


class Fluency(NamedTuple):
    """Frames per second."""

    dragged: float
    enlarged: float


def places(shares: csr_array, _: int | None) -> NDArray[np.float64]:
    """A place for each document: around that of the topic that it is on most, at random."""
    topic = np.asarray(shares.toarray().argmax(axis=1))
    rng = np.random.default_rng(0)
    place: NDArray[np.float64] = rng.random((shares.shape[1], 2))[topic]
    return place + rng.normal(0, 0.06, place.shape)


def write_page(file: Path, documents: int) -> None:
    """A page whose map has so many points."""
    tree = order_states(planted(WORDS, 0))
    X = tree.sample(documents, seed=1)
    topics = TopicTree.from_tree(tree, lowest_level=1)
    with patch("hlta.explorer.page_data.document_places", places):
        topics.to_html(file, corpus=Corpus(X, tree.words), most_documents=documents)


def fluency(page: Page, selector: str) -> Fluency:
    """Move what is at a selector."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    for _ in range(4):  # there is room to drag
        page.mouse.wheel(0, -200)
    page.wait_for_timeout(500)
    page.evaluate(COUNT)
    page.mouse.down()
    dragged = frames(page, lambda k: page.mouse.move(middle[0] + 80 * np.sin(k / 8), middle[1]))
    page.mouse.up()
    enlarged = frames(page, lambda k: page.mouse.wheel(0, 30 if k // 20 % 2 else -30))
    return Fluency(dragged, enlarged)


def frames(page: Page, move: Callable[[int], None]) -> float:
    """Frames per second while something moves."""
    first: int = page.evaluate("window.frames_seen")
    begin, k = time.perf_counter(), 0
    while time.perf_counter() - begin < SECONDS:
        move(k)
        k += 1
    last: int = page.evaluate("window.frames_seen")
    return (last - first) / (time.perf_counter() - begin)


def opened(browser: Browser, address: str, selector: str) -> Page:
    """A page that is ready."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector(selector, timeout=120_000)
    page.wait_for_timeout(1000)
    return page


def main() -> None:
    """Write a page, and move its map several times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=200_000, help="(default: 200000)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: 5)")
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("This benchmark needs Chromium: run scripts/browser")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file, empty = Path(folder) / "index.html", Path(folder) / "empty.html"
        write_page(file, chosen.documents)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = opened(browser, file.as_uri(), "html[data-ready]")
        box = page.locator(MAP).bounding_box()
        assert box is not None
        size = {"WIDTH": f"{box['width']:.0f}", "HEIGHT": f"{box['height']:.0f}"}
        text = EMPTY.replace("WIDTH", size["WIDTH"]).replace("HEIGHT", size["HEIGHT"])
        empty.write_text(text, encoding="utf-8")
        nothing, moved = [], []
        for _ in range(chosen.rounds):
            nothing.append(fluency(opened(browser, empty.as_uri(), "canvas"), "canvas"))
            page = opened(browser, file.as_uri(), "html[data-ready]")
            moved.append(fluency(page, MAP))
            page.close()
        browser.close()
    for name, none, some in zip(
        Fluency._fields, zip(*nothing, strict=True), zip(*moved, strict=True), strict=True
    ):
        canvas, frames_of_map = statistics.median(none), statistics.median(some)
        print(
            f"{name}: {frames_of_map:.0f} frames per second with {chosen.documents:,} points, "
            f"{canvas:.0f} on an empty canvas: {frames_of_map / canvas:.2f} of it"
        )


if __name__ == "__main__":
    main()
