"""Terms and clauses, which define a set of documents, and their coding in the page's address.

The page reads the same coding in `explorer/src/selection/terms.ts`, with the same meaning.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hlta.documents.fields import GROUP
from hlta.documents.periods import period_bounds
from hlta.errors import OptionError
from hlta.options import IN_PART
from hlta.text.query import Literal, OfField, OfTime
from hlta.text.search import clauses_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta.documents.corpus import Corpus

_MOST: Final = 200  # terms
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_CORNERS: Final = 3  # of an area, at least


@dataclass(frozen=True)
class Plain:
    """All documents, or with `none` those on no topic."""

    none: bool


@dataclass(frozen=True)
class WithCopies:
    """The documents that have near-copies."""


@dataclass(frozen=True)
class OnTopic:
    """The documents with at least this share of a topic; with `main`, only if it is a main topic."""

    id: str
    least: float = IN_PART
    main: bool = False


@dataclass(frozen=True)
class WithWord:
    """The documents with a word of the vocabulary."""

    word: str


@dataclass(frozen=True)
class WithText:
    """The documents in whose text a query is found."""

    query: str


@dataclass(frozen=True)
class InGroup:
    """The documents with the value `name` of the field with this key; "" means no value."""

    name: str
    field: str = GROUP


@dataclass(frozen=True)
class InTime:
    """The documents with a date between two others, both included."""

    first: str
    last: str


@dataclass(frozen=True)
class InArea:
    """The documents in an area of the map with these corners: x, y, x, y and so on."""

    corners: tuple[float, ...]


@dataclass(frozen=True)
class Without:
    """The documents that are not those of another term: an alternative such as `deep OR NOT blue`."""

    term: Term


Term = Plain | WithCopies | OnTopic | WithWord | WithText | InGroup | InTime | InArea | Without


@dataclass(frozen=True)
class Clause:
    """The documents that meet any of the terms; if `without`, all others."""

    without: bool
    terms: tuple[Term, ...]


def clauses_of_query(query: str, corpus: Corpus) -> tuple[Clause, ...]:
    """The clauses of a query as a person types it; a query without words becomes an empty text query."""

    def term_of(one: Literal) -> Term:
        match one.condition:
            case OfField(field, value):
                return InGroup(value, field.key)
            case OfTime(first, last):
                return InTime(first, last)
        return WithText(one.text)

    found = clauses_in(corpus, query) or [[Literal(False, "")]]
    return tuple(
        Clause(
            False, tuple(Without(term_of(one)) if one.without else term_of(one) for one in clause)
        )
        for clause in found
    )


def read_clauses(
    parts: Iterable[tuple[str, str]], fields: Iterable[str] = ()
) -> tuple[Clause, ...]:
    """The clauses in the parts of an address: `with` or `without` a term, `or` another one.

    `fields` are the keys of the documents' fields.
    """
    found: list[tuple[bool, list[Term]]] = []
    named = [(name, value) for name, value in parts if name in ("with", "without", "or")]
    if len(named) > _MOST:
        raise OptionError(f"there are {len(named)} terms; give at most {_MOST}")
    for name, value in named:
        if name != "or":
            found.append((name == "without", []))
        elif not found:
            raise OptionError(f"'or={value}' stands first; begin with 'with' or 'without'")
        found[-1][1].append(read_term(value, fields))
    return tuple(Clause(without, tuple(terms)) for without, terms in found)


def read_term(text: str, fields: Iterable[str] = ()) -> Term:
    """The term that a text codes, see `read_clauses`; raises `OptionError` if it codes none."""
    kind, _, value = text.partition(":")
    term: Term | None = None
    if text in ("all", "none"):
        term = Plain(text == "none")
    elif text == "copies":
        term = WithCopies()
    elif kind == "not" and not value.startswith("not:"):
        term = Without(read_term(value, fields))
    elif kind in ("topic", "main"):
        term = _on_topic(value, main=kind == "main")
    elif kind == "word" and value:
        term = WithWord(value)
    elif kind == "text" and value.strip():
        term = WithText(value)
    elif kind in (GROUP, *fields) and ":" in text:
        term = InGroup(value, kind)
    elif kind == "date":
        first, *rest = value.split("..")
        last = rest[0] if rest else first
        bounds = period_bounds(first)[0], period_bounds(last)[1]
        term = InTime(*bounds) if first and last else None
    elif kind == "area":
        corners = tuple(_number(part) for part in value.split(","))
        whole = len(corners) >= 2 * _CORNERS and len(corners) % 2 == 0
        term = InArea(corners) if whole and all(map(math.isfinite, corners)) else None
    if term is None:
        raise OptionError(
            f"{text[:80]!r} is not a term; give one as it stands in the page's address"
        )
    return term


def _on_topic(value: str, *, main: bool) -> OnTopic | None:
    name, *rest = value.split("@")
    least = _number(rest[0]) if rest else IN_PART
    return OnTopic(name, least, main) if name and 0.0 <= least <= 1.0 else None


def _number(text: str) -> float:
    """The number that a text holds, or NaN."""
    digits = text.strip()
    return float(digits) if _NUMBER.fullmatch(digits) else math.nan
