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

from hlta.documents.matrix import Documents
from hlta.documents.strings import Strings
from hlta.documents.typicality import Typicality
from hlta.errors import OptionError
from hlta.explorer.container import packed
from hlta.explorer.page_data import LEAST_MEMBERSHIP, LOWEST_ODDS, ODDS_STEP, described
from hlta.serving.copies import Entries, apart, folded
from hlta.serving.postings import Postings
from hlta.serving.terms import (
    USUAL,
    InArea,
    InGroup,
    InTime,
    OnTopic,
    Plain,
    WithText,
    WithWord,
)
from hlta.serving.text_index import TextIndex
from hlta.topics.memberships import NARROW_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.serving.terms import Clause, Term

    Mask = NDArray[np.bool_]

ORDERS: Final = ("typical", "likely", "relevant", "newest", "oldest", "corpus")
_TERMS, _SETS, _LISTS = 40, 20, 6  # that are remembered
_MOST_FOLDED: Final = 20_000  # documents, beyond which copies are listed one by one
_YEAR: Final = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, eq=False)
class Found:
    """A set of documents, how many they are, and how many of them are on each topic."""

    mask: Mask
    size: int
    on: NDArray[np.int64]


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
        self._having = Postings(arrays["having.start"], arrays["having"])
        self._members = Postings(arrays["topics.start"], arrays["topics"])
        self._odds = arrays["topics.odds"]
        self._on = Postings(arrays["on.start"], arrays["on"])
        self._dates = Strings(arrays["dates"], arrays["dates.ends"]), arrays["dates.number"]
        self._groups = Strings(arrays["groups"], arrays["groups.ends"]), arrays["groups.number"]
        self.typicality = Typicality(self.documents)
        self._places = arrays["map.rows"], arrays["map.x"], arrays["map.y"]
        self._texts = TextIndex(arrays, words, self._having)
        self.having = lru_cache(_TERMS)(self._find)
        self.found = lru_cache(_SETS)(self._join)
        self.listed = lru_cache(_LISTS)(self._order)
        self.entries = lru_cache(_LISTS)(self._fold)
        self.probabilities = lru_cache(_LISTS)(self._probabilities)

    def __len__(self) -> int:
        return len(self.corpus)

    @property
    def topic_ids(self) -> list[str]:
        """The topics, in the order in which they are counted."""
        return list(self._topics)

    def topics_of(self, row: int) -> dict[str, float]:
        """P(topic | document) of the topics that a document is on, in the order of topics."""
        found = {}
        for topic, (number, _) in self._topics.items():
            part = self._members.part(number)
            place = part.start + int(np.searchsorted(self._members.documents[part], row))
            if place < part.stop and self._members.documents[place] == row:
                odds = int(self._odds[place])
                if odds >= ON_TOPIC_ODDS:
                    found[topic] = float(1.0 / (1.0 + np.exp(-(LOWEST_ODDS + ODDS_STEP * odds))))
        return found

    def block(self, rows: NDArray[np.integer[Any]]) -> str:
        """Some documents as a block of the page's data, without their topics."""
        none = csr_array((len(rows), len(self._topics)))
        return packed(*described(self.corpus, self.documents, rows.astype(np.int64), none))

    def _join(self, clauses: tuple[Clause, ...]) -> Found:
        """The documents of all clauses; without clauses, all."""
        mask = np.ones(len(self), dtype=bool)
        for clause in clauses:
            of_any = np.zeros(len(self), dtype=bool)
            for term in clause.terms:
                of_any |= self.having(term)
            mask &= ~of_any if clause.without else of_any
        return Found(mask, int(np.count_nonzero(mask)), self._on.count(mask))

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
            case "likely":
                key = -self.probabilities(by)[rows]
            case "typical":
                key = -self.typicality.of(rows, self.probabilities(by)[rows])
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

    def _probabilities(self, by: OnTopic | None) -> NDArray[np.float64]:
        """P(topic | document), 0 where it is too low to be kept; without a topic, 1."""
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
                least = term.least if term.narrow else rounded(term.least)
                mask = self._marked(documents[values >= least])
            case WithWord(word):
                number = self._words.get(word)
                mask = self._marked([] if number is None else self._having.of(number))
            case WithText(query):
                mask = self._texts.scores(query) > 0
            case InGroup(name):
                mask = _chosen(self._groups, lambda group: group == name)
            case InTime(first, last):
                mask = _chosen(self._dates, lambda date: within(date, first, last))
            case InArea(corners):
                rows, x, y = self._places
                mask = self._marked(rows[inside(corners, x, y)])
        return mask

    def _on_topic(self, term: OnTopic) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The documents on a topic that are known to be, and the probability of each."""
        number, topic = self._topics.get(term.id, (-1, {}))
        if number < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        if term.narrow and topic["narrow"] is not None:
            documents, odds = self._narrowly_on(topic)
        else:
            documents = self._members.of(number).astype(np.int64)
            odds = LOWEST_ODDS + ODDS_STEP * self._odds[self._members.part(number)]
        return documents, 1.0 / (1.0 + np.exp(-odds))

    def _narrowly_on(self, topic: dict[str, Any]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The documents on a narrow topic, and the log-odds of each, as on the page."""
        keywords = [row for row in topic["words"] if row[1] > row[2]][:NARROW_WORDS]
        none = np.log(topic["narrow"]) - np.log1p(-topic["narrow"])
        gains = {}
        for word, *p in keywords:
            inside, outside = np.clip(p[:2], 1e-9, 1 - 1e-9)
            none += np.log1p(-inside) - np.log1p(-outside)
            gains[word] = np.log(inside / outside) - np.log1p(-inside) + np.log1p(-outside)
        odds = np.full(len(self), none)
        known = np.zeros(len(self), dtype=bool)
        for word in sorted(gains):
            documents = self._having.of(word)
            odds[documents] += gains[word]
            known[documents] = True
        least = np.log(LEAST_MEMBERSHIP / (1 - LEAST_MEMBERSHIP))
        found = np.flatnonzero(known & (odds > least))
        return found, odds[found]

    def _marked(self, documents: Any) -> Mask:
        mask = np.zeros(len(self), dtype=bool)
        mask[np.asarray(documents, dtype=np.int64)] = True
        return mask


def least_odds(probability: float) -> float:
    """The number that stands for the log-odds of a probability, as on the page."""
    with np.errstate(divide="ignore"):
        odds = np.log(np.float64(probability) / (1.0 - np.float64(probability)))
    return float(np.floor((odds - LOWEST_ODDS) / ODDS_STEP))


def rounded(probability: float) -> float:
    """A probability rounded down as those of documents are, so that they can be compared."""
    return float(1.0 / (1.0 + np.exp(-(LOWEST_ODDS + ODDS_STEP * least_odds(probability)))))


ON_TOPIC_ODDS: Final = least_odds(USUAL)
"""From this number on, a document is on a topic."""


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
