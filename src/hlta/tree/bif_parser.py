"""A parser of BIF, the Bayesian interchange format: from text to the distributions of variables."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, NoReturn

from hlta.errors import FormatError
from hlta.tree.parameters import MAX_STATES

ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
"""The escapes in quoted names; all other characters are written unchanged."""

BACKGROUND: Final = "hlta_background"
"""The property that holds the number of background states of a latent variable."""

LEVEL: Final = "hlta_level"
"""The property that holds the level of a latent variable, if levels do not follow from the shape."""

_CONTROL: Final = {"n": "\n", "r": "\r"}  # before any other character, a backslash is dropped
_TOKEN: Final = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<open>/\*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}()\[\]|;,])"""
    r"""|(?P<bare>[^\s{}()\[\]|;,"]+)|(?P<odd>.)""",
    re.DOTALL,
)
_MOST_DIGITS: Final = 10
_TOLERANCE: Final = 1e-6  # how far a distribution in a file may be from summing to 1


class Distribution(NamedTuple):
    """P(variable = k | parent = j) as rows[j][k]; a root has no parent and a single row."""

    parent: str | None
    rows: list[list[float]]
    background: int  # the number of background states, which are the first ones
    level: int | None = None  # None if the file does not give it


class _Token(NamedTuple):
    """A name, quoted or bare, a mark, or the end of the file."""

    kind: str  # "string", "bare", "end", or the mark itself
    text: str
    line: int


def parse_bif(text: str, file: str) -> dict[str, Distribution]:
    """The distribution of every variable, in the order in which the text of `file` declares them."""
    parser = _Parser(text, file)
    parser.parse()
    return {name: parser.distributions[name] for name in parser.states}


class _Parser:
    """A recursive-descent parser of the blocks `network`, `variable` and `probability`."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.tokens = self._tokenize(text)[::-1]  # reversed: the next token is the last entry
        self.states: dict[str, list[str]] = {}
        self.background: dict[str, int] = {}
        self.level: dict[str, int | None] = {}
        self.distributions: dict[str, Distribution] = {}

    def parse(self) -> None:
        """Parse all blocks."""
        blocks = {
            "network": self._parse_network,
            "variable": self._parse_variable,
            "probability": self._parse_probability,
        }
        while (token := self._take()).kind != "end":
            if token.kind != "bare" or token.text not in blocks:
                advice = "; this is not a BIF file, or it is damaged"
                self._refuse(token, "network, variable or probability", advice)
            blocks[token.text]()
        if not self.states:
            self._fail(token.line, "there is no variable; this is not a BIF file")
        missing = next((name for name in self.states if name not in self.distributions), None)
        if missing is not None:
            raise FormatError(f"{self.file}: variable {missing!r} has no probability block")

    # ---- tokens ------------------------------------------------------------------------------

    def _tokenize(self, text: str) -> list[_Token]:
        tokens, line = [], 1
        for match in _TOKEN.finditer(text):
            kind, matched = str(match.lastgroup), match.group()
            if kind == "odd":
                self._fail(line, f"unexpected {matched!r}")
            if kind == "open":
                self._fail(line, "a comment begins with /* and does not end")
            if kind == "string":
                name = re.sub(r"\\(.)", lambda m: _CONTROL.get(m[1], m[1]), matched[1:-1])
                tokens.append(_Token(kind, name, line))
            elif kind != "skip":
                tokens.append(_Token(matched if kind == "mark" else kind, matched, line))
            line += matched.count("\n")
        return [*tokens, _Token("end", "the end of the file", line)]

    def _fail(self, line: int, message: str) -> NoReturn:
        raise FormatError(f"{self.file}, line {line}: {message}")

    def _refuse(self, token: _Token, expected: str, advice: str = "") -> NoReturn:
        found = token.text if token.kind == "end" else repr(token.text)
        self._fail(token.line, f"expected {expected}, found {found}{advice}")

    def _take(self) -> _Token:
        return self.tokens.pop() if len(self.tokens) > 1 else self.tokens[0]

    def _take_name(self) -> _Token:
        token = self._take()
        if token.kind not in ("string", "bare"):
            self._refuse(token, "a name")
        return token

    def _take_declared(self) -> _Token:
        name = self._take_name()
        if name.text not in self.states:
            self._fail(name.line, f"variable {name.text!r} is not declared above")
        return name

    def _accept(self, mark: str) -> bool:
        """Take the mark if it is next; return whether it was."""
        seen = self.tokens[-1].kind == mark
        if seen:
            self._take()
        return seen

    def _expect(self, mark: str) -> None:
        if not self._accept(mark):
            self._refuse(self.tokens[-1], repr(mark))

    def _skip_statement(self) -> None:
        while not self._accept(";"):
            if self._take().kind == "end":
                self._expect(";")

    # ---- blocks ------------------------------------------------------------------------------

    def _parse_network(self) -> None:
        if not self._accept("{"):
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
        background, level = 1, None
        while not self._accept("}"):
            statement = self._take_name().text
            if statement == "type":
                states += self._parse_type(name)
            elif statement == "property" and self.tokens[-1].text == BACKGROUND:
                background = self._parse_number(f"the number of background states of {name.text!r}")
            elif statement == "property" and self.tokens[-1].text == LEVEL:
                level = self._parse_number(f"the level of {name.text!r}")
            else:
                self._skip_statement()
        if len(states) < 2:
            has = "no state" if not states else "1 state"
            self._fail(name.line, f"variable {name.text!r} has {has}; it needs at least 2")
        if len(states) > MAX_STATES:
            has = f"{len(states):,} states; there can be {MAX_STATES} at most"
            self._fail(name.line, f"variable {name.text!r} has {has}")
        if not 1 <= background < len(states):
            of = f"{background} of the {len(states)} states of {name.text!r}"
            self._fail(name.line, f"{of} are its background; it must be 1 to {len(states) - 1}")
        self.states[name.text] = states
        self.background[name.text], self.level[name.text] = background, level

    def _parse_number(self, what: str) -> int:
        """The value of a property that `write_bif` adds, such as `property hlta_background 2 ;`."""
        self._take()
        number = self._take()
        if not (number.text.isdecimal() and len(number.text) < _MOST_DIGITS):
            self._refuse(number, what)
        self._expect(";")
        return int(number.text)

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
        if self._accept(","):
            self._fail(name.line, f"variable {name.text!r} has two parents; this is not a tree")
        self._expect(")")
        if name.text in self.distributions:
            self._fail(name.line, f"variable {name.text!r} has two probability blocks")
        rows = self._parse_rows(name, [] if parent is None else self.states[parent])
        for row in rows:
            if min(row) < 0.0 or not abs(sum(row) - 1.0) <= _TOLERANCE:
                self._fail(name.line, f"the distribution {row} of {name.text!r} does not sum to 1")
        self.distributions[name.text] = Distribution(
            parent, rows, self.background[name.text], self.level[name.text]
        )

    def _parse_rows(self, name: _Token, parent_states: list[str]) -> list[list[float]]:
        rows: dict[int, list[float]] = {}
        wanted, own = max(1, len(parent_states)), len(self.states[name.text])
        self._expect("{")
        while not self._accept("}"):
            if self._accept("("):
                state = self._take_name()
                if state.text not in parent_states:
                    problem = f"{state.text!r} is not a state of the parent of {name.text!r}"
                    self._fail(state.line, problem)
                self._expect(")")
                rows[parent_states.index(state.text)] = self._parse_numbers(name, own)
            elif self._take_name().text == "table":
                # The child's state is the slow index: P(0|0) P(0|1) P(1|0) P(1|1).
                table = self._parse_numbers(name, own * wanted)
                rows = {j: table[j::wanted] for j in range(wanted)}
            else:
                self._skip_statement()
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
                self._refuse(token, f"a number for {name.text!r}")
        if len(numbers) != wanted:
            self._fail(name.line, f"{name.text!r} has {len(numbers)} probabilities, not {wanted}")
        return numbers
