"""Builds the page of the demo beside the site, and the role `demo-page`, which links to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE: Final = "demo.html"


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_role("demo-page", _link)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True}


def _link(
    _name: str, source: str, text: str, _line: int, inliner: Any, *_: Any
) -> tuple[list[nodes.Node], list[Any]]:
    """A link to the page, from the folder of the document that it stands in."""
    document = inliner.document.settings.env.docname
    target = "../" * document.count("/") + PAGE
    return [nodes.reference(source, text, refuri=target)], []


def _write(app: Sphinx, error: Exception | None) -> None:
    """Learn the demo, and copy its page into the site."""
    if error or app.builder.name != "html":
        return
    folder = Path(app.doctreedir) / "demo"
    command = [sys.executable, "-m", "hlta", "demo", "-o", str(folder), "--overwrite", "-q"]
    subprocess.run(command, check=True)
    copyfile(folder / "index.html", Path(app.outdir) / PAGE)
