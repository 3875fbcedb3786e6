"""Draws `docs/demo.svg`: what a terminal shows of the demo's topics."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import hlta
from hlta.cli.telling import show_topics

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
    """Draw it."""
    corpus = hlta.read_corpus(
        ROOT / "src/hlta/data/arxiv.tsv.xz", text="abstract", ngrams=2, stop_words="english"
    )
    topics = hlta.HLTA().fit(corpus).topics_
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
