"""Running the command in tests, and reading what it wrote."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner, Result

from hlta.cli import app
from hlta.explorer.container import unpacked

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: object) -> Result:
    """Run `hlta` within this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def start(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    """Start `hlta` as a process of its own."""
    command = [sys.executable, "-m", "hlta", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def page_data(page: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The headers of a page: of its topics, and of its documents if it has any."""
    packed = dict(re.findall(r'id="(topics|documents)">([^<]*)<', page.read_text(encoding="utf-8")))
    documents = packed.get("documents")
    return unpacked(packed["topics"])[0], None if documents is None else unpacked(documents)[0]
