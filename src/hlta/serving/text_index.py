"""Full-text search: where each word stands in the titles, ids and texts of the documents.

All texts are one stream of tokens; the index lists the places of each of them. A document begins
with its title and id, then comes its text; an empty token, which no query has, ends either.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta._support.spool import Spool
from hlta.documents.strings import Strings
from hlta.serving.patterns import Pattern, patterns, spaced, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor
    from hlta.serving.postings import Postings

_IN_TITLE: Final = 3  # how many times as much a word counts in a title as in the text
_AT_ONCE: Final = 20_000  # documents
_KEPT: Final = 10  # queries whose scores are remembered
_LAST: Final = "\U0010ffff"  # sorts after every character of a token
Arrays = dict[str, "NDArray[Any]"]


def index_texts(corpus: Corpus, monitor: Monitor) -> Arrays:
    """The arrays of the index.

    Returns
    -------
    dict
        `tokens` and `tokens.ends`, all tokens ascending, as `Strings`; `places`, uint32, where each
        stands in the stream, token by token; `places.start`, where each token's begin, and the end;
        `starts`, where each document begins in the stream, and the end; `bodies`, where its text
        begins.
    """
    number: dict[str, int] = {"": 0}
    stream, lengths, heads = Spool(np.uint32), [], []
    known: list[Any] = [corpus.titles, corpus.ids, corpus.texts]
    columns = [iter(values) if values is not None else None for values in known]
    with monitor.stage("reading texts for the search", len(corpus)):
        for begin in range(0, len(corpus), _AT_ONCE):
            numbers: list[int] = []
            count = min(_AT_ONCE, len(corpus) - begin)
            for _ in range(count):
                title, name, body = ("" if c is None else spaced(next(c)) for c in columns)
                head = [*tokens(f"{title} {name}"), ""]
                every = [*head, *tokens(body), ""]
                numbers += [number.setdefault(token, len(number)) for token in every]
                lengths.append(len(every))
                heads.append(len(head))
            stream.write(np.array(numbers, dtype=np.uint32))
            monitor.advance(count)
    with monitor.stage("ordering words"):
        names = sorted(number)
        rank = np.empty(len(names), dtype=np.uint32)
        rank[[number[name] for name in names]] = np.arange(len(names))
        ranked = rank[stream.read()]
        found = Strings.of(names)
        starts = offsets(lengths)
        return {
            "tokens": found.data,
            "tokens.ends": found.ends,
            "places": np.argsort(ranked, kind="stable").astype(np.uint32),
            "places.start": offsets(np.bincount(ranked, minlength=len(names))),
            "starts": starts,
            "bodies": starts[:-1] + np.array(heads, dtype=np.int64),
        }


class TextIndex:
    """Finds documents by what is in their texts; `having` lists those with each word."""

    def __init__(
        self, arrays: Mapping[str, NDArray[Any]], words: Sequence[str], having: Postings
    ) -> None:
        self._tokens = Strings(arrays["tokens"], arrays["tokens.ends"])
        self._places, self._begin = arrays["places"], arrays["places.start"]
        self._starts, self._bodies = arrays["starts"], arrays["bodies"]
        self._vocabulary = [spaced(word) for word in words]
        self._having = having
        self.scores = lru_cache(_KEPT)(self._scores)

    def _scores(self, query: str) -> NDArray[np.float32]:
        """How well documents match a query: 0 where a word or phrase of it is missing."""
        count = len(self._bodies)
        wanted = patterns(query)
        scores = np.zeros(count)
        everywhere = np.full(count, bool(wanted))
        for pattern in wanted:
            of_one = self._score(pattern)
            everywhere &= of_one > 0
            scores += of_one
        return np.where(everywhere, scores, 0.0).astype(np.float32)

    def _score(self, pattern: Pattern) -> NDArray[np.float64]:
        count = len(self._bodies)
        places = self._find(pattern)
        documents = np.searchsorted(self._starts, places, side="right") - 1
        in_title = places < self._bodies[documents]
        title = np.bincount(documents[in_title], minlength=count)
        body = np.bincount(documents[~in_title], minlength=count)
        score: NDArray[np.float64] = _IN_TITLE * np.minimum(1, title) + np.log1p(body)
        score[self._with_word(pattern)] += 1.0
        return score

    def _with_word(self, pattern: Pattern) -> NDArray[np.bool_]:
        """The documents with a word of the vocabulary that is the pattern, or begins with it."""
        found = np.zeros(len(self._bodies), dtype=bool)
        for number, word in enumerate(self._vocabulary):
            if word.startswith(pattern.text) if pattern.prefix else word == pattern.text:
                found[self._having.of(number)] = True
        return found

    def _find(self, pattern: Pattern) -> NDArray[np.int64]:
        """Where in the stream a pattern begins."""
        *firsts, last = tokens(pattern.text)
        lists = [self._places_of(token, token) for token in firsts]
        lists.append(self._places_of(last, last + _LAST if pattern.prefix else last))
        if len(lists) == 1:
            return lists[0].astype(np.int64)
        lists[-1] = np.sort(lists[-1])  # those of several tokens do not ascend
        rarest = min(range(len(lists)), key=lambda k: len(lists[k]))
        begins = lists[rarest].astype(np.int64) - rarest
        for k, places in enumerate(lists):
            at = np.searchsorted(places, begins + k)
            at[at == len(places)] = 0
            begins = begins[places[at] == begins + k] if len(places) else begins[:0]
        return begins

    def _places_of(self, first: str, last: str) -> NDArray[np.uint32]:
        """Where the tokens from one to another stand, both included."""
        begin = bisect_left(self._tokens, first)
        end = bisect_left(self._tokens, last, begin)
        if end < len(self._tokens) and self._tokens[end] == last:
            end += 1
        return np.asarray(self._places[int(self._begin[begin]) : int(self._begin[end])])
