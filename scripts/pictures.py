"""Draws the pictures of the documentation: the demo in a terminal, and its page in Chromium."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright
from rich.console import Console

import hlta
from hlta.cli.output import show_topics

if TYPE_CHECKING:
    from hlta import TopicTree

ROOT = Path(__file__).parents[1]
# As rich draws a terminal, but without a frame and without fonts from the network.
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
    topic = topics.roots[1].children[0]
    place = [other.id for other in topics].index(topic.id)
    row = int(model.transform(corpus)[:, place].argmax())
    draw_terminal(topics)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "index.html"
        topics.to_html(page, corpus=corpus, title="Abstracts of arXiv papers")
        draw_page(page, topics.roots[1].id, topic.id, row + 1)


def draw_page(file: Path, root: str, topic: str, row: int) -> None:
    """The page, large and small, light and dark."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )

        def shoot(name: str, address: str, press: str = "", **options: Any) -> None:
            options = {"viewport": {"width": 1440, "height": 860}, **options}
            context = browser.new_context(**options)
            page = context.new_page()
            page.goto(file.as_uri() + address)
            page.wait_for_selector("html[data-ready]")
            if press:
                page.click(press)
            page.wait_for_timeout(600)
            page.screenshot(path=ROOT / "docs" / f"{name}.png")
            context.close()

        shoot("explorer", f"#topic={root}")
        shoot("explorer-diagram", f"#topic={topic}&view=diagram", color_scheme="dark")
        shoot("explorer-document", f"#topic={root}&view=time&document={row}")
        small = {"viewport": {"width": 390, "height": 760}, "device_scale_factor": 2}
        shoot("explorer-phone", f"#topic={topic}", ".switches >> text=Pictures", **small)
        browser.close()


def draw_terminal(topics: TopicTree) -> None:
    """What `hlta demo` prints."""
    shown = io.StringIO()
    show_topics(topics, n_words=5, file=shown, terminal=True, depth=3)
    console = Console(record=True, width=76, file=io.StringIO(), highlight=False)
    from rich.text import Text

    lines = shown.getvalue().splitlines()[:42]
    console.print("$ hlta demo -o demo", style="bold")
    console.print(Text.from_ansi("\n".join(lines)))
    svg = console.export_svg(title="hlta demo", code_format=FORMAT, unique_id="demo")
    (ROOT / "docs" / "demo.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
