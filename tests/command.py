"""Running the command in tests, and reading what it wrote."""

import csv
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from hlta import TopicTree
from hlta.cli import app
from hlta.explorer.container import unpack
from hlta.topics.exports import as_lines, with_layers


def run(*arguments: object) -> Result:
    """Run `hlta` within this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def ran(*arguments: object) -> Result:
    """Run `hlta` within this process, which must succeed."""
    done = run(*arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done


def mistake(*arguments: object) -> str:
    """What `hlta` tells within this process, which must print nothing else and end with 1."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


def printed(topics: TopicTree, *, whole: bool = False, **options: Any) -> str:
    """How commands print a tree: in lines that end with numbers of documents."""
    return as_lines(with_layers(topics.roots, whole=whole), documents=True, **options) + "\n"


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
    return unpack(packed["topics"])[0], None if documents is None else unpack(documents)[0]


def rows_in(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
