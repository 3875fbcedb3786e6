"""Queries in conjunctive normal form: a document must meet all clauses, each by any of its literals.

The page parses queries in the same way, in `explorer/src/selection/query.ts`.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.errors import OptionError
from hlta.text.patterns import patterns

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta.documents.fields import Field

_SYMBOL: Final = re.compile(
    r'(?:AND|OR|NOT)(?=[\s()"]|$)'
    r"|-\(|[()]"
    r'|-?(?:\w+:)?(?:"[^"]*"?|[“-‟«»][^"“-‟«»]*["“-‟«»]?)'
    r"|(?:[^\s()]|\([^\s()]*\))+"  # a word may have parentheses of its own: f(x)
)
_CURLY: Final = re.compile("[“-‟«»]")  # quotation marks, as word processors set them
_BEGINS_CURLY: Final = re.compile(r"-?(?:\w+:)?[“-‟«»]")
_MOST: Final = 200  # literals in all clauses, as in the page and its server
_TOO_MANY: Final = "the search combines too many parts; use several searches"


class OfField(NamedTuple):
    """The condition that a document has a value of a field, or none of it if `value` is empty."""

    field: Field
    value: str


class OfTime(NamedTuple):
    """The condition that the date of a document is between two dates, both included."""

    first: str
    last: str


Condition = OfField | OfTime


class Literal(NamedTuple):
    """Words and phrases, as typed, that a document must, or must not, contain; or a condition on it."""

    without: bool
    text: str
    condition: Condition | None = None


Clause = list[Literal]


def clauses_of(
    query: str, condition_of: Callable[[str], Condition | None] = lambda _: None
) -> list[Clause]:
    """The clauses of a query.

    Documents must match all words, phrases in quotes and groups in parentheses; `OR` between two of them
    takes either; `NOT` or `-` before one excludes its documents. `NOT` binds more tightly than `AND`,
    `AND` than `OR`, and `OR` than a space. A group that is never closed reaches to the end.

    Examples
    --------
    >>> for clause in clauses_of('deep nets (sea OR NOT "blue whale") -(cats dogs)'):
    ...     print([f"{'not ' * literal.without}{literal.text}" for literal in clause])
    ['deep nets']
    ['sea', 'not "blue whale"']
    ['not cats dogs']
    """
    levels = [_Level()]
    for found in _SYMBOL.findall(query):
        symbol = _CURLY.sub('"', found) if _BEGINS_CURLY.match(found) else found
        level = levels[-1]
        match symbol:
            case "AND" | "OR":
                level.before = symbol
            case "NOT":
                level.without = not level.without
            case "(" | "-(":
                level.without ^= symbol == "-("
                levels.append(_Level())
            case ")" if len(levels) > 1:
                levels.pop()
                levels[-1].add(level.clauses())
            case _:
                text = symbol[1:] if symbol[0] == "-" else symbol
                level.without ^= text != symbol
                condition = condition_of(text)
                met = condition is not None or patterns(text)
                level.add([[Literal(False, text, condition)]] if met else [])
    while len(levels) > 1:
        within = levels.pop()
        levels[-1].add(within.clauses())
    clauses = levels[0].clauses()
    if sum(map(len, clauses)) > _MOST:
        raise OptionError(_TOO_MANY)
    return clauses


def parts_of(query: str) -> list[str]:
    """The words, phrases and conditions that a query asks for, each once, as it was typed."""
    asked = (one.text for clause in clauses_of(query) for one in clause if not one.without)
    return list(dict.fromkeys(part for text in asked for part in _SYMBOL.findall(text)))


class _Level:
    """What is parsed of a query or group: operands, each of alternatives, each a list of clauses."""

    def __init__(self) -> None:
        self._operands: list[list[list[Clause]]] = []
        self.before, self.without = "", False  # AND or OR, and NOT, before the next operand

    def add(self, found: list[Clause]) -> None:
        if found and self.without:
            found = _negate(found)
        if found and self._operands and self.before == "AND":
            self._operands[-1][-1] += found
        elif found and self._operands and self.before == "OR":
            self._operands[-1].append(found)
        elif found:
            self._operands.append([found])
        self.before, self.without = "", False

    def clauses(self) -> list[Clause]:
        """The clauses of all operands."""
        operands = (reduce(_either, map(_join_words, one)) for one in self._operands)
        return _join_words([clause for operand in operands for clause in operand])


def _join_words(clauses: list[Clause]) -> list[Clause]:
    """The same clauses, but those of a single required text are joined into one, which comes first."""
    words = [clause[0].text for clause in clauses if _is_plain(clause)]
    others = [clause for clause in clauses if not _is_plain(clause)]
    return [[Literal(False, " ".join(words))], *others] if words else others


def _is_plain(clause: Clause) -> bool:
    return len(clause) == 1 and not clause[0].without and clause[0].condition is None


def _either(one: list[Clause], other: list[Clause]) -> list[Clause]:
    """The clauses that a document meets if it meets all clauses of one operand, or all of the other."""
    if len(one) * sum(map(len, other)) + len(other) * sum(map(len, one)) > _MOST:
        raise OptionError(_TOO_MANY)
    return [[*left, *right] for left in one for right in other]


def _negate(operand: list[Clause]) -> list[Clause]:
    """The clauses that a document meets if it fails all literals of some clause of the operand."""
    return reduce(
        _either, ([[one._replace(without=not one.without)] for one in c] for c in operand)
    )
