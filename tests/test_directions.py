"""Imports point one way: the source imports what the tables in CONTRIBUTING.md allow, no more.

A room is a folder or a single module directly below `hlta`; `hlta` itself, with the public names, is
one, too. Late imports and imports for type checkers count.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

import hlta

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SOURCE: Final = Path(hlta.__file__).parent
CONTRIBUTING: Final = Path(__file__).parents[1] / "CONTRIBUTING.md"
MAY_USE_EVERYTHING: Final = {"cli"}


# ---- what CONTRIBUTING.md says -----------------------------------------------------------------


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head; names lose their backticks."""
    text = CONTRIBUTING.read_text(encoding="utf-8").replace("`", "")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


ALLOWED: Final = {
    room: {name.strip() for name in allowed.split(",") if name.strip()}
    for room, _, allowed in table("Rooms")
}
EXCEPTIONS: Final = {
    (f"hlta.{source}", f"hlta.{target}"): reason
    for source, target, reason in table("Arrows that point back")
}


# ---- what the source does ----------------------------------------------------------------------


def module_of(path: Path) -> str:
    """`hlta.tree.bif` for `src/hlta/tree/bif.py`, `hlta.tree` for its `__init__.py`."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "hlta"


MODULES: Final = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


class Import(NamedTuple):
    """A module of ours that another one of ours imports."""

    module: str
    imported: str
    for_types: bool  # only a type checker sees it

    @property
    def rooms(self) -> tuple[str, str]:
        return room_of(self.module), room_of(self.imported)

    @property
    def excepted(self) -> bool:
        return (self.module, self.imported) in EXCEPTIONS


def imported_by(statement: ast.AST) -> Iterator[str]:
    """The modules that a statement imports: `from hlta.tree import bif` imports `hlta.tree.bif`."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        assert statement.level == 0, "imports are absolute"
        source = str(statement.module)
        for alias in statement.names:
            inner = f"{source}.{alias.name}"
            yield inner if inner in MODULES else source


def imports_of(module: str) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    for_types = {
        statement
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in ast.walk(block)
    }
    for statement in ast.walk(tree):
        for imported in imported_by(statement):
            if imported in MODULES and imported != module:
                yield Import(module, imported, statement in for_types)


IMPORTS: Final = [one for module in MODULES for one in imports_of(module)]


# ---- and that they agree -----------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_rooms_import_what_the_table_allows(module: str) -> None:
    room = room_of(module)
    others = [one for one in IMPORTS if one.module == module and not one.excepted]
    refused = [one.imported for one in others if one.rooms[1] not in {room, *ALLOWED[room]}]
    assert refused == []


def check_no_circle(arrows: Iterable[tuple[str, str]]) -> None:
    graph: dict[str, set[str]] = {}
    for source, target in arrows:
        graph.setdefault(source, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_modules_form_no_circle() -> None:
    """Not even for type checkers: a module can be read without those above it."""
    check_no_circle((one.module, one.imported) for one in IMPORTS if not one.excepted)


def test_rooms_form_no_circle() -> None:
    arrows = {one.rooms for one in IMPORTS if not one.excepted}
    check_no_circle((source, target) for source, target in arrows if source != target)


def test_the_table_has_every_room() -> None:
    assert set(ALLOWED) == {room_of(module) for module in MODULES}


@pytest.mark.parametrize("room", sorted(ALLOWED.keys() - MAY_USE_EVERYTHING))
def test_the_table_allows_no_more_than_is_needed(room: str) -> None:
    needed = {target for source, target in (one.rooms for one in IMPORTS) if source == room}
    assert ALLOWED[room] <= needed


def test_every_exception_is_needed_and_says_why() -> None:
    assert EXCEPTIONS.keys() <= {(one.module, one.imported) for one in IMPORTS}
    assert all(EXCEPTIONS.values())
