"""Imports point one way: what CONTRIBUTING.md shows as a matrix is what the source does."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import hlta

SOURCE = Path(hlta.__file__).parent
CONTRIBUTING = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = sorted(SOURCE.rglob("*.py"))


class Import(NamedTuple):
    """A module that a module imports; `for_types` where only a type checker sees it."""

    module: str
    imported: str
    for_types: bool


def rows(heading: str) -> list[list[str]]:
    """The table below a heading of CONTRIBUTING.md, without its head; names lose their backticks."""
    section = CONTRIBUTING.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]
    ]


MATRIX = {
    room: set(filter(None, re.split(r"[, ]+", allowed))) for room, _, allowed in rows("Rooms")
}
EXCEPTIONS = {(source, target): reason for source, target, reason in rows("Arrows that point back")}


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "hlta"


def imports(path: Path) -> list[Import]:
    """Every import of a file, late ones and those in functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    found = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else node.module for name in inner]
        found += [Import(module_of(path), name, node in typed) for name in names]
    return [one for one in found if one.imported.split(".")[0] == "hlta"]


MODULES = {module_of(path) for path in FILES}
IMPORTS = {path: imports(path) for path in FILES}


def excepted(one: Import) -> bool:
    return (one.module.removeprefix("hlta."), one.imported.removeprefix("hlta.")) in EXCEPTIONS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_import_what_the_matrix_allows(path: Path) -> None:
    room = room_of(module_of(path))
    for one in IMPORTS[path]:
        target = room_of(one.imported)
        assert target == room or target in MATRIX[room] or excepted(one), one


def test_modules_form_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for one in (one for found in IMPORTS.values() for one in found):
        if not (one.for_types or excepted(one) or one.module == one.imported):
            graph.setdefault(one.module, set()).add(one.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_the_matrix_lists_every_room_and_needs_every_entry() -> None:
    rooms = {room_of(module) for module in MODULES}
    assert set(MATRIX) == rooms
    used = {
        (room_of(one.module), room_of(one.imported)) for found in IMPORTS.values() for one in found
    }
    for room, allowed in MATRIX.items():
        if allowed != rooms - {room}:  # the command may use everything
            assert {target for source, target in used if source == room} - {room} >= allowed, room


def test_every_exception_is_needed() -> None:
    made = {
        (one.module.removeprefix("hlta."), one.imported.removeprefix("hlta."))
        for found in IMPORTS.values()
        for one in found
    }
    assert set(EXCEPTIONS) <= made
    assert all(EXCEPTIONS.values())
