"""Models of the authors' program: the Bayesian interchange format (BIF) of binary trees."""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import numpy as np

from hlta._support.files import replacing
from hlta.errors import ClippedProbabilityWarning, FormatError, TreeError
from hlta.tree.latent_tree import LatentTree
from hlta.tree.validation import MAX_PROBABILITY, MIN_PROBABILITY, infer_levels

if TYPE_CHECKING:
    from os import PathLike

CLIP: Final = 1e-15
"""Probabilities of 0 and 1 in a file are read as this and its complement."""

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}()\[\]|;,])"""
    r"""|(?P<bare>[^\s{}()\[\]|;,"]+)""",
    re.DOTALL,
)
_ROW_SUM = 1e-6  # how far a distribution in a file may be from summing to 1


class _Token(NamedTuple):
    text: str
    line: int
    kind: str

    @property
    def shown(self) -> str:
        return self.text if self.kind == "end" else repr(self.text)


class _Table(NamedTuple):
    """P(node = k | parent = j) as [j][k], one row for a root."""

    parent: str | None
    rows: list[list[float]]


# ---- reading ---------------------------------------------------------------------------------


def read_bif(path: str | PathLike[str], *, allow_irregular: bool = False) -> LatentTree:
    """Read a tree of binary variables. Its leaves are the words, in the order of the file."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not a BIF file in UTF-8: {error}") from error
    variables, tables = _Reader(text, name).read()
    missing = next((v for v in variables if v not in tables), None)
    if missing is not None:
        raise FormatError(f"{name}: variable {missing!r} has no probability block")
    parents = {table.parent for table in tables.values()}
    words = [v for v in variables if v not in parents]
    latents = [v for v in variables if v in parents]
    number = {v: i for i, v in enumerate((*words, *latents))}
    parent = np.empty(len(number), dtype=np.int32)
    probability = np.empty((len(number), 2))
    for variable, i in number.items():
        table = tables[variable]
        parent[i] = -1 if table.parent is None else number[table.parent]
        probability[i] = [_on(row) for row in table.rows] * (2 // len(table.rows))
    impossible, certain = probability < MIN_PROBABILITY, probability > MAX_PROBABILITY
    clipped = np.count_nonzero(impossible | certain)
    if clipped:
        warnings.warn(
            f"{name}: {clipped} probabilities of 0 or 1 were read as {CLIP:g} and 1 - {CLIP:g}; "
            "documents that the file rules out are very unlikely instead",
            ClippedProbabilityWarning,
            stacklevel=3,
        )
        probability[impossible], probability[certain] = CLIP, 1.0 - CLIP
    try:
        return LatentTree(
            words=tuple(words),
            parent=parent,
            level=infer_levels(parent, len(words), (*words, *latents)),
            probability=probability,
            latent_names=tuple(latents),
            allow_irregular=allow_irregular,
        )
    except TreeError as error:
        raise FormatError(f"{name}: {error}") from error


def _on(row: list[float]) -> float:
    """P(1), from a row that may be rounded. Files of ours sum to 1 and are read as they stand."""
    off, on = row
    return on if off + on == 1.0 else on / (off + on)


class _Reader:
    """A recursive-descent reader of the blocks `network`, `variable` and `probability`."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.tokens = self._split(text)
        self.at = 0

    def _split(self, text: str) -> list[_Token]:
        tokens, line, position = [], 1, 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail(line, f"unexpected {text[position]!r}")
            found = match.group()
            if match.lastgroup == "string":
                plain = re.sub(r"\\(.)", lambda m: _UNESCAPE.get(m[1], m[1]), found[1:-1])
                tokens.append(_Token(plain, line, "string"))
            elif match.lastgroup != "skip":
                tokens.append(_Token(found, line, str(match.lastgroup)))
            line += found.count("\n")
            position = match.end()
        tokens.append(_Token("the end of the file", line, "end"))
        return tokens

    def _fail(self, line: int, message: str) -> NoReturn:
        raise FormatError(f"{self.name}, line {line}: {message}")

    def _next(self) -> _Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def _is(self, mark: str) -> bool:
        token = self.tokens[self.at]
        return token.kind == "mark" and token.text == mark

    def _expect(self, mark: str) -> None:
        token = self._next()
        if token.kind != "mark" or token.text != mark:
            self._fail(token.line, f"expected {mark!r}, found {token.shown}")

    def _name(self) -> _Token:
        token = self._next()
        if token.kind not in ("string", "bare"):
            self._fail(token.line, f"expected a name, found {token.shown}")
        return token

    def _skip_statement(self) -> None:
        while not self._is(";"):
            if self._next().kind == "end":
                self._fail(self.tokens[-1].line, "expected ';', found the end of the file")
        self._expect(";")

    def read(self) -> tuple[dict[str, list[str]], dict[str, _Table]]:
        """States of every variable, in the order of the file, and its distribution."""
        variables: dict[str, list[str]] = {}
        tables: dict[str, _Table] = {}
        while self.tokens[self.at].kind != "end":
            block = self._next()
            if block.kind != "bare" or block.text not in ("network", "variable", "probability"):
                self._fail(
                    block.line,
                    f"expected network, variable or probability, found {block.shown}; "
                    "this is not a BIF file, or it is damaged",
                )
            if block.text == "network":
                self._network()
            elif block.text == "variable":
                self._variable(variables)
            else:
                self._probability(variables, tables)
        if not variables:
            self._fail(self.tokens[-1].line, "there is no variable; this is not a BIF file")
        return variables, tables

    def _network(self) -> None:
        if not self._is("{"):
            self._name()
        self._expect("{")
        while not self._is("}"):
            self._skip_statement()
        self._expect("}")

    def _variable(self, variables: dict[str, list[str]]) -> None:
        name = self._name()
        if name.text in variables:
            self._fail(name.line, f"variable {name.text!r} is declared twice")
        self._expect("{")
        states: list[str] = []
        while not self._is("}"):
            keyword = self._name()
            if keyword.text != "type":
                self._skip_statement()
                continue
            kind = self._name()
            if kind.text != "discrete":
                self._fail(kind.line, f"variable {name.text!r} is {kind.text}, not discrete")
            if self._is("["):
                self._expect("[")
                self._name()
                self._expect("]")
            self._expect("{")
            while not self._is("}"):
                states.append(self._name().text)
                if self._is(","):
                    self._expect(",")
            self._expect("}")
            self._expect(";")
        self._expect("}")
        if len(states) != 2:
            self._fail(name.line, f"variable {name.text!r} has {len(states)} states, not 2")
        variables[name.text] = states

    def _probability(self, variables: dict[str, list[str]], tables: dict[str, _Table]) -> None:
        self._expect("(")
        name = self._known(variables)
        parent: str | None = None
        if self._is("|"):
            self._expect("|")
            parent = self._known(variables).text
        if self._is(","):
            self._fail(name.line, f"variable {name.text!r} has two parents; this is not a tree")
        self._expect(")")
        if name.text in tables:
            self._fail(name.line, f"variable {name.text!r} has two probability blocks")
        rows = self._rows(name, [] if parent is None else variables[parent])
        for row in rows:
            if min(row) < 0.0 or not abs(sum(row) - 1.0) <= _ROW_SUM:
                self._fail(name.line, f"the distribution {row} of {name.text!r} does not sum to 1")
        tables[name.text] = _Table(parent, rows)

    def _known(self, variables: dict[str, list[str]]) -> _Token:
        name = self._name()
        if name.text not in variables:
            self._fail(name.line, f"variable {name.text!r} is not declared above")
        return name

    def _rows(self, name: _Token, parent_states: list[str]) -> list[list[float]]:
        rows: dict[int, list[float]] = {}
        given = max(1, len(parent_states))
        self._expect("{")
        while not self._is("}"):
            if self._is("("):
                self._expect("(")
                state = self._name()
                if state.text not in parent_states:
                    self._fail(
                        state.line, f"{state.text!r} is no state of the parent of {name.text!r}"
                    )
                self._expect(")")
                rows[parent_states.index(state.text)] = self._numbers(name, 2)
                continue
            keyword = self._name()
            if keyword.text != "table":
                self._skip_statement()
                continue
            # The child's state is the slow index: P(0|0) P(0|1) P(1|0) P(1|1).
            flat = self._numbers(name, 2 * given)
            rows = {j: [flat[j], flat[given + j]] for j in range(given)}
        self._expect("}")
        if sorted(rows) != list(range(given)):
            self._fail(
                name.line, f"the distribution of {name.text!r} has {len(rows)} rows of {given}"
            )
        return [rows[j] for j in range(given)]

    def _numbers(self, name: _Token, wanted: int) -> list[float]:
        numbers: list[float] = []
        while not self._is(";"):
            token = self._next()
            if token.kind == "mark" and token.text == ",":
                continue
            try:
                numbers.append(float(token.text))
            except ValueError:
                self._fail(token.line, f"expected a number for {name.text!r}, found {token.shown}")
        self._expect(";")
        if len(numbers) != wanted:
            self._fail(name.line, f"{name.text!r} has {len(numbers)} probabilities, not {wanted}")
        return numbers


# ---- writing ---------------------------------------------------------------------------------

_ESCAPE = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_UNESCAPE = {"n": "\n", "r": "\r"}


def write_bif(tree: LatentTree, path: str | PathLike[str]) -> None:
    """Write the tree, words first. Levels are not part of the format: they follow from the shape."""
    names = ['"' + "".join(_ESCAPE.get(c, c) for c in name) + '"' for name in tree.names]
    blocks = ['network "hlta" {\n}\n']
    blocks += [f'variable {name} {{\n\ttype discrete[2] {{ "s0" "s1" }};\n}}\n' for name in names]
    for node, name in enumerate(names):
        on = tree.probability[node].tolist()
        off = [1.0 - p for p in on]
        if node == tree.root:
            blocks.append(f"probability ( {name} ) {{\n\ttable {off[0]!r} {on[0]!r};\n}}\n")
            continue
        table = " ".join(repr(p) for p in (*off, *on))
        above = names[tree.parent[node]]
        blocks.append(f"probability ( {name} | {above} ) {{\n\ttable {table};\n}}\n")
    with replacing(path) as file:
        file.write("\n".join(blocks).encode("utf-8"))
