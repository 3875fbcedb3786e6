"""The grammar of BIF, the Bayesian interchange format: text to variables and distributions."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, NoReturn

from hlta.errors import FormatError

ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
"""How names are written between quotes; other characters stand for themselves."""

_CONTROL: Final = {"n": "\n", "r": "\r"}  # a backslash before any other character keeps that one
_TOKEN: Final = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}()\[\]|;,])"""
    r"""|(?P<bare>[^\s{}()\[\]|;,"]+)""",
    re.DOTALL,
)
_TOLERANCE: Final = 1e-6  # how far a distribution in a file may be from summing to 1


class Distribution(NamedTuple):
    """The distribution of a variable given its parent.

    Attributes
    ----------
    parent : str or None
        The parent; None for a root.
    rows : list of list of float
        rows[j][k] is P(variable = k | parent = j); a root has one row.
    """

    parent: str | None
    rows: list[list[float]]


class _Token(NamedTuple):
    """A name, a mark or the end of the file; `kind` is a group of `_TOKEN`, or "end"."""

    text: str
    line: int
    kind: str

    @property
    def quoted(self) -> str:
        """The token as a message shows it."""
        return self.text if self.kind == "end" else repr(self.text)


def parse_bif(text: str, file: str) -> dict[str, Distribution]:
    """The distribution of every variable, in the order in which the text of `file` declares them."""
    return _Parser(text, file).parse()


class _Parser:
    """A recursive-descent parser of the blocks `network`, `variable` and `probability`."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.tokens = self._tokenize(text)
        self.position = 0
        self.states: dict[str, list[str]] = {}
        self.distributions: dict[str, Distribution] = {}

    def parse(self) -> dict[str, Distribution]:
        """Parse all blocks."""
        blocks = {
            "network": self._parse_network,
            "variable": self._parse_variable,
            "probability": self._parse_probability,
        }
        while self.tokens[self.position].kind != "end":
            token = self._take()
            if token.kind != "bare" or token.text not in blocks:
                self._fail(
                    token.line,
                    f"expected network, variable or probability, found {token.quoted}; "
                    "this is not a BIF file, or it is damaged",
                )
            blocks[token.text]()
        if not self.states:
            self._fail(self.tokens[-1].line, "there is no variable; this is not a BIF file")
        missing = next((name for name in self.states if name not in self.distributions), None)
        if missing is not None:
            raise FormatError(f"{self.file}: variable {missing!r} has no probability block")
        return {name: self.distributions[name] for name in self.states}

    # ---- tokens ------------------------------------------------------------------------------

    def _tokenize(self, text: str) -> list[_Token]:
        tokens, line, position = [], 1, 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail(line, f"unexpected {text[position]!r}")
            matched = match.group()
            if match.lastgroup == "string":
                name = re.sub(r"\\(.)", lambda m: _CONTROL.get(m[1], m[1]), matched[1:-1])
                tokens.append(_Token(name, line, "string"))
            elif match.lastgroup != "skip":
                tokens.append(_Token(matched, line, str(match.lastgroup)))
            line += matched.count("\n")
            position = match.end()
        tokens.append(_Token("the end of the file", line, "end"))
        return tokens

    def _fail(self, line: int, message: str) -> NoReturn:
        raise FormatError(f"{self.file}, line {line}: {message}")

    def _take(self) -> _Token:
        token = self.tokens[self.position]
        if token.kind != "end":
            self.position += 1
        return token

    def _take_name(self) -> _Token:
        token = self._take()
        if token.kind not in ("string", "bare"):
            self._fail(token.line, f"expected a name, found {token.quoted}")
        return token

    def _take_declared(self) -> _Token:
        name = self._take_name()
        if name.text not in self.states:
            self._fail(name.line, f"variable {name.text!r} is not declared above")
        return name

    def _sees(self, mark: str) -> bool:
        token = self.tokens[self.position]
        return token.kind == "mark" and token.text == mark

    def _accept(self, mark: str) -> bool:
        """Take the mark if it is next."""
        seen = self._sees(mark)
        self.position += seen
        return seen

    def _expect(self, mark: str) -> None:
        token = self._take()
        if token.kind != "mark" or token.text != mark:
            self._fail(token.line, f"expected {mark!r}, found {token.quoted}")

    def _skip_statement(self) -> None:
        while not self._accept(";"):
            if self._take().kind == "end":
                self._fail(self.tokens[-1].line, "expected ';', found the end of the file")

    # ---- blocks ------------------------------------------------------------------------------

    def _parse_network(self) -> None:
        if not self._sees("{"):
            self._take_name()
        self._expect("{")
        while not self._accept("}"):
            self._skip_statement()

    def _parse_variable(self) -> None:
        name = self._take_name()
        if name.text in self.states:
            self._fail(name.line, f"variable {name.text!r} is declared twice")
        self._expect("{")
        states: list[str] = []
        while not self._accept("}"):
            keyword = self._take_name()
            if keyword.text == "type":
                states += self._parse_type(name)
            else:
                self._skip_statement()
        if len(states) != 2:
            self._fail(name.line, f"variable {name.text!r} has {len(states)} states, not 2")
        self.states[name.text] = states

    def _parse_type(self, name: _Token) -> list[str]:
        kind = self._take_name()
        if kind.text != "discrete":
            self._fail(kind.line, f"variable {name.text!r} is {kind.text}, not discrete")
        if self._accept("["):
            self._take_name()
            self._expect("]")
        self._expect("{")
        states = []
        while not self._accept("}"):
            states.append(self._take_name().text)
            self._accept(",")
        self._expect(";")
        return states

    def _parse_probability(self) -> None:
        self._expect("(")
        name = self._take_declared()
        parent = self._take_declared().text if self._accept("|") else None
        if self._sees(","):
            self._fail(name.line, f"variable {name.text!r} has two parents; this is not a tree")
        self._expect(")")
        if name.text in self.distributions:
            self._fail(name.line, f"variable {name.text!r} has two probability blocks")
        rows = self._parse_rows(name, [] if parent is None else self.states[parent])
        for row in rows:
            if min(row) < 0.0 or not abs(sum(row) - 1.0) <= _TOLERANCE:
                self._fail(name.line, f"the distribution {row} of {name.text!r} does not sum to 1")
        self.distributions[name.text] = Distribution(parent, rows)

    def _parse_rows(self, name: _Token, parent_states: list[str]) -> list[list[float]]:
        rows: dict[int, list[float]] = {}
        wanted = max(1, len(parent_states))
        self._expect("{")
        while not self._accept("}"):
            if self._accept("("):
                state = self._take_name()
                if state.text not in parent_states:
                    self._fail(
                        state.line,
                        f"{state.text!r} is not a state of the parent of {name.text!r}",
                    )
                self._expect(")")
                rows[parent_states.index(state.text)] = self._parse_numbers(name, 2)
                continue
            keyword = self._take_name()
            if keyword.text != "table":
                self._skip_statement()
                continue
            # The child's state is the slow index: P(0|0) P(0|1) P(1|0) P(1|1).
            table = self._parse_numbers(name, 2 * wanted)
            rows = {j: [table[j], table[wanted + j]] for j in range(wanted)}
        if len(rows) != wanted:
            self._fail(
                name.line,
                f"the distribution of {name.text!r} lacks rows: {len(rows)} of {wanted} are given",
            )
        return [rows[j] for j in range(wanted)]

    def _parse_numbers(self, name: _Token, wanted: int) -> list[float]:
        numbers: list[float] = []
        while not self._accept(";"):
            if self._accept(","):
                continue
            token = self._take()
            try:
                numbers.append(float(token.text))
            except ValueError:
                self._fail(token.line, f"expected a number for {name.text!r}, found {token.quoted}")
        if len(numbers) != wanted:
            self._fail(name.line, f"{name.text!r} has {len(numbers)} probabilities, not {wanted}")
        return numbers
