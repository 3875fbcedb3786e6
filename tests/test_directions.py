"""Imports point one way: the source imports what the tables in CONTRIBUTING.md allow, no more.

A room is a folder or a single module directly below `hlta`; `hlta` itself, with the public names, is
one, too. Late imports and imports for type checkers count.
"""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

import hlta

SOURCE: Final = Path(hlta.__file__).parent
CONTRIBUTING: Final = Path(__file__).parents[1] / "CONTRIBUTING.md"
MAY_USE_EVERYTHING: Final = {"cli"}


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head; names lose their backticks."""
    text = CONTRIBUTING.read_text(encoding="utf-8").replace("`", "")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


ALLOWED: Final = {
    room: set(filter(None, map(str.strip, allowed.split(","))))
    for room, _, allowed in table("Rooms")
}
EXCEPTIONS: Final = {
    (f"hlta.{source}", f"hlta.{target}"): reason
    for source, target, reason in table("Arrows that point back")
}


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
    for statement in ast.walk(tree):
        for imported in imported_by(statement):
            if imported in MODULES and imported != module:
                yield Import(module, imported)


IMPORTS: Final = [one for module in MODULES for one in imports_of(module)]


def test_rooms_import_what_the_table_allows_and_need_it() -> None:
    assert set(ALLOWED) == {room_of(module) for module in MODULES}
    plain = [one for one in IMPORTS if not one.excepted and one.rooms[0] != one.rooms[1]]
    assert [one for one in plain if one.rooms[1] not in ALLOWED[one.rooms[0]]] == []
    for room in ALLOWED.keys() - MAY_USE_EVERYTHING:
        assert ALLOWED[room] <= {one.rooms[1] for one in IMPORTS if one.rooms[0] == room}, room


def test_neither_modules_nor_rooms_form_a_circle() -> None:
    """Not even for type checkers: a module can be read without those above it."""
    arrows = [one for one in IMPORTS if not one.excepted]
    modules = {(one.module, one.imported) for one in arrows}
    rooms = {one.rooms for one in arrows if one.rooms[0] != one.rooms[1]}
    for kind in (modules, rooms):
        sorter = TopologicalSorter[str]()
        for source, target in kind:
            sorter.add(source, target)
        sorter.prepare()  # raises CycleError


def test_every_exception_is_needed_and_says_why() -> None:
    assert EXCEPTIONS.keys() <= {(one.module, one.imported) for one in IMPORTS}
    assert all(EXCEPTIONS.values())
