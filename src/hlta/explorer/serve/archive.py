"""Answers to the page's questions about all documents: sets, counts, sorted lists, single documents.

Terms mean the same as on the page, see `explorer/src/selection/sets.ts`; documents are sorted as in
`order.ts`, and copies are folded as in `copies.ts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csc_array, csr_array

from hlta.documents.dates import parse_date, within
from hlta.documents.fields import value_list
from hlta.documents.periods import UNITS, period_name, period_number
from hlta.documents.strings import Strings
from hlta.documents.typicality import Typicality
from hlta.errors import OptionError
from hlta.explorer.container import pack, unpack
from hlta.explorer.page_data import describe_documents, vectors_of
from hlta.explorer.page_documents import DATE, MAIN, decode_shares
from hlta.explorer.serve.copies import Entries, apart, fold_copies, with_any_copy
from hlta.explorer.serve.terms import (
    InArea,
    InGroup,
    InTime,
    OnTopic,
    Plain,
    WithCopies,
    Without,
    WithText,
    WithWord,
)
from hlta.options import IN_PART
from hlta.text.patterns import check_query
from hlta.text.search import scores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats, Ints
    from hlta.documents.corpus import Corpus
    from hlta.explorer.container import Part
    from hlta.explorer.serve.store import Store
    from hlta.explorer.serve.terms import Clause, Term
    from hlta.topics.shares import Sharing

    Mask = Bools
    Column = tuple[Strings, NDArray[Any]]  # distinct strings, and each document's place in them

ORDERS: Final = ("typical", "share", "relevant", "newest", "oldest", "corpus")
_TERMS, _SETS, _LISTS, _DIVISIONS = 40, 20, 6, 4  # how many results are cached
_SOON_READ: Final = 1_000_000  # bytes of texts, which are read in about 0.1 seconds
_MOST_FOLDED: Final = 20_000  # documents, beyond which copies are listed one by one


@dataclass(frozen=True, eq=False)
class Found:
    """A set of documents: its size, and for each topic, how many are on it and mainly on it."""

    mask: Mask
    size: int
    on: Ints
    main: Ints

    def plain(self) -> dict[str, Any]:
        """The numbers, as the page expects them."""
        return {"documents": self.size, "on": self.on.tolist(), "main": self.main.tolist()}


class Archive:
    """Answers questions about all documents, and caches the last answers.

    Parameters
    ----------
    corpus
        The documents.
    store
        What was computed from them and stored.
    sharing
        How their words and vectors are divided among topics.
    """

    def __init__(self, corpus: Corpus, store: Store, sharing: Sharing) -> None:
        self.corpus, self.store, self._sharing = corpus, store, sharing
        self.page = unpack(store.blocks["topics"])
        self.topic_ids = [topic["id"] for topic in self.page.header["topics"]]
        self._words = {word: number for number, word in enumerate(self.page.header["words"])}
        self.documents = corpus.aligned(self.page.header["words"])
        self.typicality = Typicality(self.documents)
        arrays = store.arrays
        self._dates = _column(arrays, "dates")
        self.fields = {
            field.key: _column(arrays, f"field.{field.key}") for field in corpus.all_fields
        }
        self._places = arrays["map.rows"], arrays["map.x"], arrays["map.y"]
        members = arrays["members.share"], arrays["members"], arrays["members.start"]
        self._members = csc_array(members, (len(corpus), len(self.topic_ids)))
        self._on = self._chosen_members(decode_shares(self._members.data) >= IN_PART)
        self._main = self._chosen_members(self._members.data >= MAIN)
        self.having = lru_cache(_TERMS)(self._find)
        self.found = lru_cache(_SETS)(self._join)
        self.listed = lru_cache(_LISTS)(self._order)
        self.entries = lru_cache(_LISTS)(self._fold)
        self.shares = lru_cache(_LISTS)(self._shares)
        self._parts = lru_cache(_DIVISIONS)(self._part_of_each)

    def __len__(self) -> int:
        return len(self.corpus)

    def topics_of(self, row: int) -> dict[str, float]:
        """The shares of the topics that a document is on, in the order of topics."""
        shares = decode_shares(self._members[[row]].toarray()[0]).tolist()
        every = zip(self.topic_ids, shares, strict=True)
        return {topic: share for topic, share in every if share >= IN_PART}

    def words(self, clauses: tuple[Clause, ...]) -> Ints:
        """How many documents that meet all clauses have each word of the model."""
        mask = self.found(clauses).mask
        counts = np.zeros(len(self._words), dtype=np.int64)
        for begin, part in self.documents.parts():
            chosen = np.repeat(mask[begin : begin + len(part)], np.diff(part.indptr))
            counts += np.bincount(part.indices[chosen], minlength=len(counts))
        return counts

    def count_parts(self, clauses: tuple[Clause, ...], key: str) -> tuple[Ints, Ints]:
        """How many documents that meet all clauses each part of a division has, in all and per topic.

        The numbers per topic are (parts, topics).
        """
        mask = self.found(clauses).mask
        parts = self._parts(key)
        starts, lists = self._on
        shape = len(self.topic_ids), len(self)
        on = csr_array((mask[lists].astype(np.int64), lists, starts), shape) @ parts
        return mask.astype(np.int64) @ parts, on.toarray().T

    def block(self, rows: NDArray[np.integer[Any]]) -> str:
        """Some documents as a block of the page's data."""
        return pack(*self._describe(rows))

    def document(self, row: int) -> str:
        """A document as a block of the page's data, with P(topic | vector) if it has a vector."""
        header, arrays = self._describe(np.array([row]))
        return pack(header, arrays | vectors_of(self._sharing, self.documents[row : row + 1]))

    def _describe(self, rows: NDArray[np.integer[Any]]) -> Part:
        codes = self._members[rows].tocsr()
        return describe_documents(self.corpus, self.documents, rows.astype(np.int64), codes)

    def _join(self, clauses: tuple[Clause, ...]) -> Found:
        """The documents that meet all clauses; without clauses, all documents."""
        mask = np.ones(len(self), dtype=bool)
        for clause in clauses:
            of_any = np.zeros(len(self), dtype=bool)
            for term in clause.terms:
                of_any |= self.having(term)
            mask &= ~of_any if clause.without else of_any
        counts = (_count(mask, *chosen) for chosen in (self._on, self._main))
        return Found(mask, int(np.count_nonzero(mask)), *counts)

    def _chosen_members(self, chosen: Mask) -> tuple[Ints, NDArray[np.int32]]:
        """The chosen documents of each topic: where those of each begin in a list, and the list."""
        places = np.flatnonzero(chosen)
        return np.searchsorted(places, self._members.indptr), self._members.indices[places]

    def _order(self, clauses: tuple[Clause, ...], order: str, by: OnTopic | None) -> Ints:
        """The documents that meet all clauses, sorted; `by` is the selected topic."""
        rows = np.flatnonzero(self.found(clauses).mask)
        key: NDArray[Any]
        match order:
            case "corpus":
                return rows
            case "newest" | "oldest":
                names, number = self._dates
                missing = names[0] == ""
                dates = number[rows].astype(np.int64)
                dates[(dates == 0) & missing] = -1 if order == "newest" else len(names)
                key = -dates if order == "newest" else dates
            case "share":
                key = -self.shares(by)[rows]
            case "typical":
                key = -self.typicality.of(rows, self.shares(by)[rows])
            case "relevant":
                key = -self._relevance(rows, clauses)
            case _:
                raise OptionError(f"order={order[:80]!r}: use one of {', '.join(ORDERS)}")
        return rows[np.argsort(key, kind="stable")]

    def _relevance(self, rows: Ints, clauses: tuple[Clause, ...]) -> Floats:
        """How well documents match the queries: by their texts, if these are short, or by the index."""
        score, texts = np.zeros(len(rows)), self.corpus.texts
        soon = texts is not None and 0 < texts.size(rows) <= _SOON_READ
        few = self.corpus.take(rows) if soon else None
        for query in _queries(clauses):
            if few is None:
                score += self.store.index.score(query, self.having(WithText(query)))[rows]
            else:
                score += scores(few, query).astype(np.float32)
        return score

    def _fold(self, clauses: tuple[Clause, ...], order: str, by: OnTopic | None) -> Entries:
        """The list of `_order`, with copies folded into the first of them unless the list is long."""
        rows = self.listed(clauses, order, by)
        if len(rows) > _MOST_FOLDED:
            return apart(rows)
        return fold_copies(rows, self.documents)

    def _shares(self, by: OnTopic | None) -> Floats:
        """A topic's share in each document, 0 where it is too small to be kept; all 1 without a topic."""
        if by is None:
            return np.ones(len(self))
        found = np.zeros(len(self))
        documents, values = self._on_topic(by)
        found[documents] = values
        return found

    def _find(self, term: Term) -> Mask:
        """The documents that meet a term."""
        mask: Mask
        match term:
            case Plain(none):
                mask = ~self._mark(self._on[1] if none else [])
            case Without(term):
                mask = ~self.having(term)
            case WithCopies():
                mask = with_any_copy(self.documents)
            case OnTopic():
                documents, values = self._on_topic(term)
                mask = self._mark(documents[values >= term.least])
            case WithWord(word):
                mask = self._with_word(self._words.get(word, -1))
            case WithText(query):
                check_query(query)
                mask = self._mark(self.store.index.find(query))
            case InGroup(name, field) if field in self.fields:
                column = self.fields[field]
                mask = _admit(column, lambda one: name in (value_list(one) or [""]))
                if not mask.any():  # regardless of case
                    lower = name.lower()
                    mask = _admit(column, lambda one: lower in map(str.lower, value_list(one)))
            case InGroup(name):  # documents do not have the field
                mask = np.full(len(self), not name)
            case InTime(first, last):
                mask = _admit(self._dates, lambda date: within(date, first, last))
            case InArea(corners):
                rows, x, y = self._places
                mask = self._mark(rows[inside(corners, x, y)])
        return mask

    def _on_topic(self, term: OnTopic) -> tuple[Ints, Floats]:
        """The documents with a kept share of a topic, or whose main topic it is, and their shares."""
        if term.id not in self.topic_ids:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        number = self.topic_ids.index(term.id)
        part = slice(*self._members.indptr[number : number + 2])
        documents, codes = self._members.indices[part], self._members.data[part]
        chosen = codes >= (MAIN if term.main else 0)
        return documents[chosen], decode_shares(codes[chosen])

    def _with_word(self, number: int) -> Mask:
        mask = np.zeros(len(self), dtype=bool)
        for begin, part in self.documents.parts():
            places = np.flatnonzero(part.indices == number)
            mask[begin + np.searchsorted(part.indptr, places, side="right") - 1] = True
        return mask

    def _part_of_each(self, key: str) -> csr_array:
        """Which parts of a division each document is in: (documents, parts)."""
        divisions = {one["key"]: one for one in self.page.header.get("divisions") or ()}
        if key not in divisions:
            raise OptionError(f"by={key[:80]!r}: use one of {', '.join(divisions):.400}")
        names, unit = divisions[key]["names"], divisions[key]["unit"]
        values, number = self._dates if key == DATE else self.fields[key]
        place = {name: k for k, name in enumerate(names)}

        def parts_of(value: str) -> list[int]:
            own = _periods_of(value, unit) if key == DATE else value_list(value) or [""]
            return [place[name] for name in own if name in place]

        found = [parts_of(value) for value in values]
        starts = np.cumsum([0, *map(len, found)])
        ones = np.ones(starts[-1], dtype=np.int64)
        shape = len(found), len(names)
        return csr_array((ones, np.fromiter(chain.from_iterable(found), np.int64), starts), shape)[
            number
        ]

    def _mark(self, documents: Any) -> Mask:
        mask = np.zeros(len(self), dtype=bool)
        mask[documents] = True
        return mask


def _periods_of(date: str, unit: str) -> list[str]:
    """The name of the period that a date is in; none if the date is too coarse."""
    parts = parse_date(date) or ()
    return [period_name(period_number(parts, unit), unit)] if len(parts) >= UNITS[unit] else []


def _count(mask: Mask, starts: Ints, lists: NDArray[np.int32]) -> Ints:
    """How many documents of a set are in each of several lists."""
    counts = np.zeros(len(starts) - 1, dtype=np.int64)
    filled = np.flatnonzero(np.diff(starts))
    inside = mask[lists].view(np.uint8)
    counts[filled] = np.add.reduceat(inside, starts[filled], dtype=np.int64)
    return counts


def inside(corners: tuple[float, ...], x: NDArray[Any], y: NDArray[Any]) -> Mask:
    """Which points lie within a polygon with these corners: x, y, x, y and so on."""
    within = np.zeros(len(x), dtype=bool)
    x0, y0 = corners[-2:]
    for x1, y1 in zip(corners[::2], corners[1::2], strict=True):
        if y1 != y0:
            crosses = (y1 > y) != (y0 > y)
            with np.errstate(all="ignore"):  # of corners that are far away, or next to each other
                within ^= crosses & (x < x1 + ((y - y1) / (y0 - y1)) * (x0 - x1))
        x0, y0 = x1, y1
    return within


def _column(arrays: Mapping[str, NDArray[Any]], name: str) -> Column:
    """The distinct strings of a column and the place of each document's, as stored by `keeping`."""
    return Strings(arrays[name], arrays[f"{name}.ends"]), arrays[f"{name}.number"]


def _admit(column: Column, admits: Callable[[str], bool]) -> Mask:
    """The documents whose string in the column is admitted."""
    names, number = column
    admitted = np.fromiter(map(admits, names), dtype=bool, count=len(names))
    mask: Mask = admitted[number]
    return mask


def _queries(clauses: tuple[Clause, ...]) -> list[str]:
    """The text queries of all clauses that are not negated."""
    terms = [term for clause in clauses if not clause.without for term in clause.terms]
    return [term.query for term in terms if isinstance(term, WithText)]
