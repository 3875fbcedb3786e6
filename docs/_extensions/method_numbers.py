"""Fills the page reference/numbers with the named numbers of the method."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

PAGE: Final = "reference/numbers"
PLACES: Final = (
    *(
        "options.py",
        "learning",
        "_kernels/progressive_em.py",
        "tree/state_order.py",
        "documents/sampling.py",
        "_support/arrays.py",
        "text",
        "topics",
    ),
    *("seeds", "model", "updates.py", "edits"),
)
ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src" / "hlta"


class Number(NamedTuple):
    """A number that has a name at the top of a module."""

    module: str
    name: str
    value: str
    meaning: str


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True}


def _fill(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == PAGE:
        source[0] += "\n" + "\n".join(lists())


def lists() -> Iterator[str]:
    """A list per module, as Markdown."""
    varied = _varied()
    for place in PLACES:
        for path in sorted((PACKAGE / place).rglob("*.py")) or [PACKAGE / place]:
            numbers = list(numbers_of(path))
            if not numbers:
                continue
            yield from (f"## `{numbers[0].module}`", "")
            for number in numbers:
                rows = ", ".join(varied.get((number.module, number.name), ()))
                measured = f" *Measured as: {rows}.*" if rows else ""
                meaning = number.meaning[0].upper() + number.meaning[1:].rstrip(".")
                yield f"- `{number.name}` = {number.value}. {meaning}.{measured}"
            yield ""


def numbers_of(path: Path) -> Iterator[Number]:
    """The named numbers of a module, in order; a number without a comment or docstring is an error."""
    source = path.read_text(encoding="utf-8")
    module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }
    body = ast.parse(source).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.AnnAssign | ast.Assign) or statement.value is None:
            continue
        target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
        if not _is_number(statement.value):
            continue
        name, value = ast.unparse(target), ast.unparse(statement.value)
        meaning = comments.get(statement.end_lineno or statement.lineno, "")
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            meaning = " ".join(str(following.value.value).split())
        if not meaning:
            raise ValueError(f"{module}.{name}: a comment behind it has to say what it is")
        yield Number(module, _bare(name), _bare(value), meaning)


def _bare(code: str) -> str:
    """The code of a row without the parentheses around it."""
    return code[1:-1] if code.startswith("(") and not code.startswith("((") else code


def _is_number(value: ast.expr) -> bool:
    """Whether a value is a number, a formula of numbers, or a row of them."""
    plain = (
        ast.Constant | ast.BinOp | ast.UnaryOp | ast.Tuple | ast.operator | ast.unaryop | ast.Load
    )
    nodes = list(ast.walk(value))
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return (
        all(isinstance(node, plain) for node in nodes)
        and bool(constants)
        and all(type(constant) in {int, float} for constant in constants)
    )


def _varied() -> dict[tuple[str, str], list[str]]:
    """By module and name, the rows of the ablation in which a number is another one."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.rules import RULES

    found: dict[tuple[str, str], list[str]] = {}
    for row, rule in RULES.items():
        for place in rule.changes:
            module, _, name = place.rpartition(".")
            found.setdefault((module, name), []).append(row)
    return found
