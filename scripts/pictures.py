"""Draw the pictures of the documentation: the demo in a terminal, and its page in Chromium.

`scripts/pictures` installs what this needs and runs it. It writes docs/pictures/demo.svg and
docs/pictures/explorer*.png.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.text import Text

import hlta
from hlta.cli.output import show_topics

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from hlta import TopicTree

ROOT = Path(__file__).parents[1]
TERMINAL_WIDTH, TERMINAL_LINES = 76, 42
# The terminal as Rich draws it, but without a frame and without fonts from the network.
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


class Shot(NamedTuple):
    """A picture of the page.

    Attributes
    ----------
    name
        The file in docs/pictures, without its ending.
    address
        What follows the page's address, with the state of the view.
    press
        The selector of something to click before.
    """

    name: str
    address: str
    press: str = ""
    width: int = 1440
    height: int = 860
    pixel_ratio: int = 1
    dark: bool = False


def main() -> None:
    """Learn the demo's topics and draw them."""
    corpus = hlta.read_corpus(
        ROOT / "src/hlta/data/arxiv.tsv.xz",
        text="abstract",
        group="category",
        ngrams=2,
        stop_words="english",
    )
    model = hlta.HLTA().fit(corpus)
    topics = model.topics_
    root = next(root for root in topics.roots if "bayesian" in root.label_words(5))
    row = int(model.documents(root, corpus, n=1).rows[0])
    draw_terminal(topics)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "index.html"
        topics.to_html(page, corpus=corpus, title="Abstracts of arXiv papers")
        draw_page(page, root.id, row + 1)


def draw_page(file: Path, root: str, row: int) -> None:
    """Take pictures of the page: large and small, light and dark."""
    shots = (
        Shot("explorer", ""),
        Shot("explorer-groups", "#view=differences", dark=True),
        Shot("explorer-document", f"#topic={root}&view=changes&document={row}"),
        Shot(
            "explorer-phone",
            f"#topic={root}",
            press=".switches >> text=Pictures",
            width=390,
            height=760,
            pixel_ratio=2,
        ),
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for shot in shots:
            shoot(browser, file, shot)
        browser.close()


def shoot(browser: Browser, file: Path, shot: Shot) -> None:
    """Open the page, and save what it shows once its animations have ended."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        device_scale_factor=shot.pixel_ratio,
        color_scheme="dark" if shot.dark else "light",
    )
    page = context.new_page()
    page.goto(file.as_uri() + shot.address)
    page.wait_for_selector("html[data-ready]")
    if shot.press:
        page.click(shot.press)
    page.wait_for_timeout(600)
    page.screenshot(path=ROOT / "docs" / "pictures" / f"{shot.name}.png")
    context.close()


class Terminal(io.StringIO):
    """A terminal that remembers what it showed."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def draw_terminal(topics: TopicTree) -> None:
    """Draw what `hlta demo` prints."""
    with redirect_stdout(Terminal()) as shown:
        show_topics(topics, n_words=5, depth=3, model=Path("demo"))
    console = Console(record=True, width=TERMINAL_WIDTH, file=io.StringIO(), highlight=False)
    lines = shown.getvalue().splitlines()[:TERMINAL_LINES]
    console.print("$ hlta demo -o demo", style="bold")
    console.print(Text.from_ansi("\n".join(lines)))
    svg = console.export_svg(title="hlta demo", code_format=FORMAT, unique_id="demo")
    (ROOT / "docs" / "pictures" / "demo.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
