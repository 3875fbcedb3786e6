"""All documents of a corpus, as the page asks for them: sets, counts, ordered lists, single ones.

Terms have the meaning that they have on the page, see `explorer/src/selection/sets.ts`, and orders
that of `order.ts`; copies are folded as in `copies.ts`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array

from hlta.documents.matrix import Documents, Sections
from hlta.documents.strings import Strings
from hlta.documents.typicality import Typicality
from hlta.errors import OptionError
from hlta.explorer.container import pack
from hlta.explorer.page_data import MAIN, decoded, described
from hlta.options import IN_PART
from hlta.serving.copies import Entries, apart, folded
from hlta.serving.postings import Postings
from hlta.serving.terms import (
    InArea,
    InGroup,
    InTime,
    OnTopic,
    Plain,
    WithText,
    WithWord,
)
from hlta.serving.text_index import TextIndex
from hlta.topics.divisions import group_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.serving.terms import Clause, Term

    Mask = NDArray[np.bool_]

ORDERS: Final = ("typical", "share", "relevant", "newest", "oldest", "corpus")
_TERMS, _SETS, _LISTS = 40, 20, 6  # that are remembered
_MOST_FOLDED: Final = 20_000  # documents, beyond which copies are listed one by one
_YEAR: Final = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, eq=False)
class Found:
    """A set of documents: how many they are, are on each topic, and have it as their main topic."""

    mask: Mask
    size: int
    on: NDArray[np.int64]
    main: NDArray[np.int64]

    def plain(self) -> dict[str, Any]:
        """The numbers, as the page asks for them."""
        return {"documents": self.size, "on": self.on.tolist(), "main": self.main.tolist()}


class Archive:
    """Answers questions about all documents, and remembers its last answers.

    Parameters
    ----------
    corpus
        The documents.
    topics, words
        The topics and words of the page, as they are in the header of its block.
    arrays
        What `keeping.make` computed.
    """

    def __init__(
        self,
        corpus: Corpus,
        topics: list[dict[str, Any]],
        words: list[str],
        arrays: Mapping[str, NDArray[Any]],
    ) -> None:
        self.corpus = corpus
        self._topics = {topic["id"]: (k, topic) for k, topic in enumerate(topics)}
        self._words = {word: k for k, word in enumerate(words)}
        self.documents = Documents(arrays["words.start"], arrays["words"], len(words))
        if "sections.start" in arrays:
            starts = arrays["sections.words.start"], arrays["sections.words"]
            within = Documents(*starts, len(words))
            self.documents = self.documents.with_sections(
                Sections(within, arrays["sections.start"])
            )
        self._having = Postings(arrays["having.start"], arrays["having"])
        self._members = Postings(arrays["topics.start"], arrays["topics"])
        self._codes = arrays["topics.share"]
        self._on = Postings(arrays["on.start"], arrays["on"])
        self._main = Postings(arrays["main.start"], arrays["main"])
        self._dates = Strings(arrays["dates"], arrays["dates.ends"]), arrays["dates.number"]
        self._groups = Strings(arrays["groups"], arrays["groups.ends"]), arrays["groups.number"]
        self.typicality = Typicality(self.documents)
        self._places = arrays["map.rows"], arrays["map.x"], arrays["map.y"]
        self._texts = TextIndex(arrays, words, self._having)
        self.having = lru_cache(_TERMS)(self._find)
        self.found = lru_cache(_SETS)(self._join)
        self.listed = lru_cache(_LISTS)(self._order)
        self.entries = lru_cache(_LISTS)(self._fold)
        self.shares = lru_cache(_LISTS)(self._shares)

    def __len__(self) -> int:
        return len(self.corpus)

    @property
    def topic_ids(self) -> list[str]:
        """The topics, in the order in which they are counted."""
        return list(self._topics)

    def topics_of(self, row: int) -> dict[str, float]:
        """The shares of the topics that a document is on, in the order of topics."""
        shares = decoded(self._codes_of(row))
        every = zip(self.topic_ids, shares.tolist(), strict=True)
        return {topic: share for topic, share in every if share >= IN_PART}

    def _codes_of(self, row: int) -> NDArray[np.uint16]:
        """The shares of all topics in a document, as the page holds them; 0 if they are not kept."""
        codes = np.zeros(len(self._topics), dtype=np.uint16)
        for number in range(len(codes)):
            part = self._members.part(number)
            place = part.start + int(np.searchsorted(self._members.documents[part], row))
            if place < part.stop and self._members.documents[place] == row:
                codes[number] = self._codes[place]
        return codes

    def block(self, rows: NDArray[np.integer[Any]]) -> str:
        """Some documents as a block of the page's data, without their topics."""
        none = csr_array((len(rows), len(self._topics)), dtype=np.uint16)
        return pack(*described(self.corpus, self.documents, rows.astype(np.int64), none))

    def document(self, row: int) -> str:
        """A document as a block of the page's data, with its topics."""
        codes = csr_array(self._codes_of(row)[None, :])
        return pack(*described(self.corpus, self.documents, np.array([row]), codes))

    def _join(self, clauses: tuple[Clause, ...]) -> Found:
        """The documents of all clauses; without clauses, all."""
        mask = np.ones(len(self), dtype=bool)
        for clause in clauses:
            of_any = np.zeros(len(self), dtype=bool)
            for term in clause.terms:
                of_any |= self.having(term)
            mask &= ~of_any if clause.without else of_any
        counts = self._on.count(mask), self._main.count(mask)
        return Found(mask, int(np.count_nonzero(mask)), *counts)

    def _order(
        self, clauses: tuple[Clause, ...], order: str, by: OnTopic | None
    ) -> NDArray[np.int64]:
        """The documents of all clauses in an order; `by` is the topic that is chosen."""
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
                score = np.zeros(len(rows))
                for query in _queries(clauses):
                    score += self._texts.scores(query)[rows]
                key = -score
            case _:
                raise OptionError(f"order={order!r}: use one of {', '.join(ORDERS)}")
        return rows[np.argsort(key, kind="stable")]

    def _fold(self, clauses: tuple[Clause, ...], order: str, by: OnTopic | None) -> Entries:
        """The same list, in which copies are folded into the first of them, unless it is long."""
        rows = self.listed(clauses, order, by)
        if len(rows) > _MOST_FOLDED:
            return apart(rows)
        return folded(rows, self.documents)

    def _shares(self, by: OnTopic | None) -> NDArray[np.float64]:
        """The share of a topic in all documents, 0 where it is too small to be kept; without one, 1."""
        if by is None:
            return np.ones(len(self))
        found = np.zeros(len(self))
        documents, values = self._on_topic(by)
        found[documents] = values
        return found

    def _find(self, term: Term) -> Mask:
        """The documents of a term."""
        mask: Mask
        match term:
            case Plain(none):
                mask = ~self._marked(self._on.documents if none else [])
            case OnTopic():
                documents, values = self._on_topic(term)
                mask = self._marked(documents[values >= term.least])
            case WithWord(word):
                number = self._words.get(word)
                mask = self._marked([] if number is None else self._having.of(number))
            case WithText(query):
                mask = self._texts.scores(query) > 0
            case InGroup(name):
                mask = _chosen(self._groups, lambda groups: name in (group_names(groups) or [""]))
            case InTime(first, last):
                mask = _chosen(self._dates, lambda date: within(date, first, last))
            case InArea(corners):
                rows, x, y = self._places
                mask = self._marked(rows[inside(corners, x, y)])
        return mask

    def _on_topic(self, term: OnTopic) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The documents in which a topic has a share that is kept, and this share."""
        number, _ = self._topics.get(term.id, (-1, {}))
        if number < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        documents = self._members.of(number).astype(np.int64)
        codes = self._codes[self._members.part(number)]
        if term.main:
            documents, codes = documents[codes >= MAIN], codes[codes >= MAIN]
        return documents, decoded(codes)

    def _marked(self, documents: Any) -> Mask:
        mask = np.zeros(len(self), dtype=bool)
        mask[np.asarray(documents, dtype=np.int64)] = True
        return mask


def within(date: str, first: str, last: str) -> bool:
    """Whether a date, or as much as is known of it, lies between two others, both included."""
    if not _YEAR.match(date) or len(date) < max(len(first), len(last)):
        return False
    return date[: len(first)] >= first and date[: len(last)] <= last


def inside(corners: tuple[float, ...], x: NDArray[Any], y: NDArray[Any]) -> Mask:
    """Which points lie within a polygon with these corners: x, y, x, y and so on."""
    within = np.zeros(len(x), dtype=bool)
    x0, y0 = corners[-2:]
    for x1, y1 in zip(corners[::2], corners[1::2], strict=True):
        if y1 != y0:
            crosses = (y1 > y) != (y0 > y)
            within ^= crosses & (x < x1 + ((y - y1) / (y0 - y1)) * (x0 - x1))
        x0, y0 = x1, y1
    return within


def _chosen(column: tuple[Strings, NDArray[Any]], admits: Callable[[str], bool]) -> Mask:
    """The documents whose date or group is admitted."""
    names, number = column
    admitted = np.fromiter(map(admits, names), dtype=bool, count=len(names))
    mask: Mask = admitted[number]
    return mask


def _queries(clauses: tuple[Clause, ...]) -> list[str]:
    """What is looked for in texts, where it may not be missing."""
    terms = [term for clause in clauses if not clause.without for term in clause.terms]
    return [term.query for term in terms if isinstance(term, WithText)]
