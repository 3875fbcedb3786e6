"""Documents that hold words and phrases, whatever their letters' case and accents."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, repeat
from math import log1p
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.documents.dates import EARLIEST, LATEST, iso_date, parse_date, within
from hlta.documents.fields import find_field, value_list
from hlta.errors import OptionError
from hlta.text.patterns import Pattern, check_query, in_place_of_text, patterns, spaced, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hlta._support.arrays import Floats, Ints
    from hlta.documents.corpus import Corpus

    Condition = Callable[[int], bool]  # of the number of a document

_PART: Final = re.compile(r'-?(?:\w+:)?"[^"]*"?|\S+')
_NAMED: Final = re.compile(r"(\w+):(.+)", re.DOTALL)
_OPERATORS: Final = {"AND", "OR", "NOT"}
_QUOTED: Final = re.compile(r'"[^"]*"?')
_OPERATOR: Final = re.compile(r"(^|\s)(AND|OR|NOT|-\S+)(\s|$)")
_GROUP: Final = re.compile(r"(^|\s)-?\([^\s)]*\s")  # of two words or more
_OR_AFTER_NOT: Final = re.compile(r"(^|\s)(NOT\s+|-)\S+\s+OR\s")
_WORD: Final = 30  # characters within which a passage begins or ends with a word
IN_TITLE: Final = 3
"""How many times as much a word counts in a title or an id as in the text."""


class _Clause(NamedTuple):
    """Alternatives: patterns that must all be there, or a condition; or, that must not be."""

    without: bool
    terms: list[list[re.Pattern[str]] | Condition]


def find(corpus: Corpus, query: str) -> Ints:
    """The documents that a query is about, the best first.

    A document has all words and phrases of the query; `OR` between two of them takes either, and `-` or
    `NOT` before one leaves its documents out. `country:Chile` is a value of a field, `date:2019-05` or
    `date:2019..` a time. The page reads queries in the same way, see
    `explorer/src/selection/query.ts`, and what is kept for serving finds the same, in the same order,
    see `hlta.explorer.serve.store`.
    """
    check_query(query)
    _refuse_unclear(query)
    clauses = _clauses(query, corpus)
    scores = np.full(len(corpus), -1.0)
    if clauses:
        for row, (title, id_, text) in enumerate(searched(corpus, corpus.words)):
            scores[row] = _score(clauses, row, f" {title}  {id_} ", f" {text} ")
    rows = np.flatnonzero(scores >= 0.0)
    return rows[np.argsort(-scores[rows], kind="stable")]


def _refuse_unclear(query: str) -> None:
    """Refuse a query with a meaning that clauses cannot express."""
    plain = _QUOTED.sub('""', query)
    if _OPERATOR.search(plain) and _GROUP.search(plain):
        raise OptionError(
            "parentheses do not group the words of a search; use NOT before each word to leave out, and "
            "OR between two words"
        )
    if _OR_AFTER_NOT.search(plain):
        raise OptionError(
            "a search cannot have OR after what NOT or - leaves out; use two searches"
        )


def scores(corpus: Corpus, query: str) -> Floats:
    """How well each document matches all words and phrases of a query; 0 if one is missing."""
    term = _patterns(query)
    found = (
        _score_of(term, f" {title}  {id_} ", f" {text} ")
        for title, id_, text in searched(corpus, corpus.words)
    )
    return np.fromiter(found, np.float64, len(corpus))


def named(query: str) -> list[str]:
    """The names of what a query seems to look for in fields, such as "country"."""
    parts = (_NAMED.fullmatch(part.removeprefix("-")) for part in _PART.findall(query))
    return [part[1] for part in parts if part]


def lacking(corpus: Corpus, query: str) -> list[str]:
    """The words, phrases and conditions that a query asks for and that no document meets."""
    parts = _PART.findall(query)
    wanted = [
        part
        for before, part in pairwise(["", *parts])
        if part not in _OPERATORS and before != "NOT" and not part.startswith("-")
    ]
    return [
        part for part in dict.fromkeys(wanted) if patterns(part) and not len(find(corpus, part))
    ]


def _clauses(query: str, corpus: Corpus | None = None) -> list[_Clause]:
    """What a query says; parts of it that hold no word are left out, and without a corpus, conditions."""
    found: list[tuple[bool, list[str]]] = []
    without = either = False
    for part in _PART.findall(query):
        if part in _OPERATORS:
            without, either = without or part == "NOT", either or part == "OR"
            continue
        if part.startswith("-") and len(part) > 1:
            without, part = True, part[1:]  # noqa: PLW2901
        if either and not without and found and not found[-1][0]:
            found[-1][1].append(part)
        else:
            found.append((without, [part]))
        without = either = False
    clauses: list[_Clause] = []
    alone: list[str] = []
    for without, parts in found:
        terms = [_condition(part, corpus) or _patterns(part) for part in parts]
        if not without and len(terms) == 1 and isinstance(terms[0], list):
            alone += parts
        elif kept := [term for term in terms if term]:
            clauses.append(_Clause(without, kept))
    together = _patterns(" ".join(alone))
    return [_Clause(False, [together]), *clauses] if together else clauses


def _condition(part: str, corpus: Corpus | None) -> Condition | None:
    """Whether a document has the value, or date, that a part of a query names; None if it names none."""
    match = _NAMED.fullmatch(part)
    if match is None or corpus is None:
        return None
    name, value = match[1], match[2].replace('"', "")
    if name == "date" and (dates := corpus.dates) is not None:
        first, until, last = value.partition("..")
        given = (first or EARLIEST, last or LATEST) if until else (first, first)
        if any(parse_date(day, corpus.day_first) is None for day in given):
            raise OptionError(
                f"{part!r:.80} has no date that can be read; write date:2019, date:2019-05 or "
                "date:2019..2021"
            )
        ends = tuple(iso_date(day, corpus.day_first) for day in given)
        return lambda row: within(iso_date(dates[row], corpus.day_first), *ends)
    field = find_field(corpus.all_fields, name)
    if field is None:
        return None
    every = Counter(one for values in field.values for one in value_list(values))
    alike = [one for one in every if one.lower() == value.lower()]
    if value not in every and alike:  # the commonest of them
        value = min(alike, key=lambda one: (-every[one], one))
    return lambda row: value in value_list(field.values[row])


def _patterns(text: str) -> list[re.Pattern[str]]:
    return [_expression(pattern) for pattern in patterns(text)]


def _score(clauses: list[_Clause], row: int, head: str, text: str) -> float:
    """How well a document matches a query; -1 if it does not."""
    score = 0.0
    for without, terms in clauses:
        found = [
            _score_of(term, head, text) if isinstance(term, list) else float(term(row))
            for term in terms
        ]
        if (max(found) > 0.0) is without:
            return -1.0
        score += sum(found)
    return score


def _score_of(term: list[re.Pattern[str]], head: str, text: str) -> float:
    """The same for patterns that must all be there; 0 if one is missing."""
    score = 0.0
    for pattern in term:
        in_head, in_text = pattern.search(head) is not None, len(pattern.findall(text))
        if not (in_head or in_text):
            return 0.0
        score += IN_TITLE * in_head + log1p(in_text)
    return score


def passage(text: str, query: str, most: int) -> str:
    """A part of a text, of about so many characters, around the first word or phrase of a query.

    It is the beginning of the text if there is none.
    """
    ends = [
        _end_of(pattern, text)
        for without, terms in _clauses(query)
        if not without
        for term in terms
        if isinstance(term, list)
        for pattern in term
    ]
    found = min(ends, default=0)
    begin = 0 if found > len(text) else max(0, found - most // 2)
    if begin and (space := text.find(" ", begin, begin + _WORD)) >= 0:
        begin = space
    end = begin + most
    if end < len(text) and (space := text.rfind(" ", max(begin, end - _WORD), end)) >= 0:
        end = space
    shown = " ".join(text[begin:end].split())
    return f"{'… ' * (begin > 0)}{shown}{' …' * (end < len(text))}"


def _end_of(pattern: re.Pattern[str], text: str) -> int:
    """Where a pattern is complete for the first time; beyond the text if it is never."""
    low, high = 0, len(text) + 1
    while low < high:
        middle = (low + high) // 2
        if pattern.search(f" {_tokens(text[:middle])} "):
            high = middle
        else:
            low = middle + 1
    return low


def searched(corpus: Corpus, words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The tokens of each document's title, id and text. Without texts, its words stand for them."""
    titles, ids = (
        repeat("", len(corpus)) if column is None else map(_tokens, column)
        for column in (corpus.titles, corpus.ids)
    )
    texts = _words(corpus, words) if corpus.texts is None else map(_tokens, corpus.texts)
    return zip(titles, ids, texts, strict=True)


def _expression(pattern: Pattern) -> re.Pattern[str]:
    """What finds a pattern among tokens that spaces surround; its places may overlap."""
    return re.compile(f"(?= {re.escape(tokens(pattern.text))}{'' if pattern.prefix else ' '})")


def _tokens(text: str) -> str:
    return tokens(spaced(text))


def _words(corpus: Corpus, words: Sequence[str]) -> Iterator[str]:
    """The words of each document, as they are searched."""
    names = [spaced(word) for word in words]
    starts, indices = corpus.aligned(words).presences()
    for begin, end in pairwise(starts.tolist()):
        yield in_place_of_text(names[k] for k in indices[begin:end].tolist())
