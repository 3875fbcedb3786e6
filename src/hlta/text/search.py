"""Search for documents with words and phrases, regardless of case and accents."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from itertools import pairwise, repeat
from math import log1p
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.documents.dates import (
    EARLIEST,
    LATEST,
    is_reversed,
    iso_date,
    parse_date,
    says_more_than_year,
    within,
)
from hlta.documents.fields import find_field, value_list
from hlta.documents.periods import period_bounds
from hlta.errors import OptionError
from hlta.text.index import index_of
from hlta.text.patterns import (
    IN_TITLE,
    Pattern,
    check_query,
    in_place_of_text,
    normalize_text,
    patterns,
    tokens,
)
from hlta.text.query import Literal, OfField, OfTime, clauses_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from hlta._support.arrays import Floats, Floats32, Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.strings import Strings
    from hlta.text.index import IndexFile
    from hlta.text.query import Clause, Condition


_NAMED: Final = re.compile(r"(\w+):(.+)", re.DOTALL)
_WORD: Final = 30  # characters, at each end, by which an excerpt may shrink to whole words
_LEAST: Final = 1e-9  # is added to the score of each match, so that none is 0


def find(corpus: Corpus, query: str, index: IndexFile | None = None) -> Ints:
    """The documents that match a query, the best first; with an index, their texts are not read.

    `country:Chile` asks for a value of a field, `date:2019-Q2` or `date:2019..` for a time; for all else
    see `clauses_of`.
    """
    clauses = clauses_in(corpus, query)
    if not clauses:
        return np.zeros(0, dtype=np.int64)
    found = _match_literals(corpus, [one for clause in clauses for one in clause], index)
    scores, met = np.zeros(len(corpus)), np.ones(len(corpus), dtype=bool)
    for clause in clauses:
        met &= np.any([(found[one.text] > 0.0) != one.without for one in clause], axis=0)
        asked = (one for one in clause if not one.without and one.condition is None)
        scores += sum(found[one.text] for one in asked)
    rows = np.flatnonzero(met)
    return rows[np.argsort(-scores[rows], kind="stable")]


def search(corpus: Corpus, query: str, index: str | PathLike[str] | None) -> Ints:
    """The documents that match a query, the best first; found by the index in a file, if it is given."""
    if index is None:
        return find(corpus, query)
    with index_of(corpus, index, corpus.words) as opened:
        return find(corpus, query, opened)


def clauses_in(corpus: Corpus, query: Any) -> list[Clause]:
    """The clauses of a query; refuses anything but a string, and too many words, see `check_query`."""
    if not isinstance(query, str):
        check_query(query)
    clauses = clauses_of(query, _conditions_in(corpus))
    for clause in clauses:
        for one in clause:
            if one.condition is None:
                check_query(one.text)
    return clauses


def _match_literals(
    corpus: Corpus, literals: list[Literal], index: IndexFile | None
) -> dict[str, Floats32]:
    """The score of each document for the text of each literal, whether or not it must be absent.

    Scores are float32, so that those that differ by rounding alone are equal.
    """
    found = {one.text: np.zeros(len(corpus), dtype=np.float32) for one in literals}
    wanted = {one.text: _patterns(one.text) for one in literals if one.condition is None}
    if index is not None:
        for text in wanted:
            has = np.zeros(len(corpus), dtype=bool)
            has[index.find(text)] = True
            found[text] += np.where(has, index.score(text, has) + _LEAST, 0.0)
    elif wanted:
        for row, (title, id_, text) in enumerate(tokens_of(corpus, corpus.words)):
            for name, term in wanted.items():
                found[name][row] = _score_of(term, f" {title}  {id_} ", f" {text} ")
    for one in literals:
        if one.condition is not None:
            found[one.text][:] = [_meets(one.condition, row, corpus) for row in range(len(corpus))]
    return found


def scores(corpus: Corpus, query: str) -> Floats:
    """How well each document matches all words and phrases of a query; 0 if one is missing."""
    term = _patterns(query)
    found = (
        _score_of(term, f" {title}  {id_} ", f" {text} ")
        for title, id_, text in tokens_of(corpus, corpus.words)
    )
    return np.fromiter(found, np.float64, len(corpus))


def fields_in(query: str) -> list[str]:
    """The names of the fields that a query seems to refer to, such as "country"."""
    parts = (_NAMED.fullmatch(part) for part in parts_of(query))
    return [part[1] for part in parts if part]


def lacking(corpus: Corpus, query: str, index: IndexFile | None = None) -> list[str]:
    """The words, phrases and conditions that a query asks for and that match no document."""
    parts = parts_of(query)
    condition_of = _conditions_in(corpus)
    literals = [Literal(False, part, condition_of(part)) for part in parts]
    found = _match_literals(corpus, literals, index)
    return [part for part in parts if not found[part].any()]


def _conditions_in(corpus: Corpus) -> Callable[[str], Condition | None]:
    """A function from a part of a query to the condition that it states; to None if it states none."""
    spellings = lru_cache(_spellings)  # found once for each field that is asked for
    return lambda part: _condition_of(part, corpus, spellings)


def _condition_of(
    part: str, corpus: Corpus, spellings: Callable[[Strings], dict[str, list[str]]]
) -> Condition | None:
    if not _NAMED.fullmatch(part) and part.lower() != "date:":
        return None
    name, value = part.replace('"', "").split(":", 1)
    if name.lower() == "date" and corpus.dates is not None:
        first, until, last = (part.strip() for part in value.partition(".."))
        ends = (first or EARLIEST, last or LATEST) if until else (first, first)
        given = period_bounds(ends[0])[0], period_bounds(ends[1])[1]
        if not all(_is_date(day, corpus.day_first) for day in given):
            raise OptionError(
                f"{part!r:.80} has no date that can be read; write date:2019, date:2019-05, "
                "date:2019-Q2 or date:2019..2021"
            )
        period = OfTime(*(iso_date(day, corpus.day_first) for day in given))
        if is_reversed(*period):
            raise OptionError(f"{part!r:.80} ends before it begins; write the earlier date first")
        return period
    field = find_field(corpus.all_fields, name)
    if field is None and name.lower() == "date":
        raise OptionError(
            f"{part!r:.80} asks for a date, and no document has one; name their column (--date)"
        )
    if field is None:
        return None
    known = spellings(field.values).get(value.lower(), [value])
    return OfField(field, value if value in known else known[0])


def _is_date(text: str, day_first: bool | None) -> bool:
    """Whether a text is a date, such as 2003-02, and not 2003-13 or 2003-02-30, which do not exist."""
    parts = parse_date(text, day_first)
    return parts is not None and (len(parts) > 1 or not says_more_than_year(text))


def _spellings(values: Strings) -> dict[str, list[str]]:
    """The spellings of each value of a field, by its lower-case form, the commonest first."""
    every = Counter(one for several in values for one in value_list(several))
    found: dict[str, list[str]] = {}
    for value in sorted(every, key=lambda one: (-every[one], one)):
        found.setdefault(value.lower(), []).append(value)
    return found


def _meets(condition: Condition, row: int, corpus: Corpus) -> bool:
    if isinstance(condition, OfField):
        values = value_list(condition.field.values[row])
        return condition.value in values if condition.value else not values
    dates = corpus.dates
    return dates is not None and within(iso_date(dates[row], corpus.day_first), *condition)


def _patterns(text: str) -> list[re.Pattern[str]]:
    return [_expression(pattern) for pattern in patterns(text)]


def _score_of(term: list[re.Pattern[str]], head: str, text: str) -> float:
    """How well a document matches patterns that must all be there; 0 if one is missing."""
    score = 0.0
    for pattern in term:
        in_head, in_text = pattern.search(head) is not None, len(pattern.findall(text))
        if not (in_head or in_text):
            return 0.0
        score += IN_TITLE * in_head + log1p(in_text)
    return score


def excerpt(text: str, query: str, most: int) -> str:
    """An excerpt of about `most` characters around the first match of a word or phrase of a query.

    Without a match, it is the beginning of the text.
    """
    ends = [
        _end_of(pattern, text)
        for clause in clauses_of(query)
        for one in clause
        if not one.without
        for pattern in _patterns(one.text)
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
    """Where the first match of a pattern ends; beyond the text if there is no match."""
    ends = [word.end() for word in re.finditer(r"\w+", text)]  # within a word, another may match

    def is_met(end: int) -> bool:
        return pattern.search(f" {_tokens(text[:end])} ") is not None

    first = bisect_left(ends, True, key=is_met)
    return ends[first] if first < len(ends) else len(text) + 1


def tokens_of(corpus: Corpus, words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The tokens of each document's title, id and text, or of its words if there are no texts."""
    titles, ids = (
        repeat("", len(corpus)) if column is None else map(_tokens, column)
        for column in (corpus.titles, corpus.ids)
    )
    texts = _words(corpus, words) if corpus.texts is None else map(_tokens, corpus.texts)
    return zip(titles, ids, texts, strict=True)


def _expression(pattern: Pattern) -> re.Pattern[str]:
    """A regular expression for a pattern among tokens with spaces around them; matches may overlap."""
    return re.compile(f"(?= {re.escape(tokens(pattern.text))}{'' if pattern.prefix else ' '})")


def _tokens(text: str) -> str:
    return tokens(normalize_text(text))


def _words(corpus: Corpus, words: Sequence[str]) -> Iterator[str]:
    """The words of each document, in place of its text."""
    names = [normalize_text(word) for word in words]
    starts, indices = corpus.aligned(words).presences()
    for begin, end in pairwise(starts.tolist()):
        yield in_place_of_text(names[k] for k in indices[begin:end].tolist())
