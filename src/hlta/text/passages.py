"""Passages that occur in many documents: signatures, licences, disclaimers, navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.streams import key_runs
from hlta._kernels.tokens import END, GAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Indices, Ints, Ints32
    from hlta.options import Passage
    from hlta.text.scanner import WordStream

LENGTH: Final = 8
"""Words of the shortest passage: among 70,000 abstracts, no run of this length is frequent."""
LEAST: Final = 10
"""Documents that have a passage, at least."""
_LEAST_SHARE: Final = 0.005  # share of the documents that have a passage, at least
_SIZE_BITS: Final = 22  # bits of a place in the table of counts, which takes 16 MB
_CROWD_BITS: Final = _SIZE_BITS - 2  # so that chance fills a place by a quarter of what is frequent


def find_passages(stream: WordStream) -> tuple[Passage, ...]:
    """The passages of a stream, each with the number of documents with its most frequent part.

    A passage is made of runs of `LENGTH` words that are each, word by word, in many documents;
    punctuation makes no difference. Every such run is in just one of the passages, the most frequent
    of which come first.

    Runs are known by keys of 64 bits. Those that are frequent by a table of counts, in which several
    share a place, are then counted one by one: memory is bounded.
    """
    n_documents, n_words = stream.n_documents, int(stream.occurrences.sum())
    least = max(LEAST, int(np.ceil(_LEAST_SHARE * n_documents)), n_words >> _CROWD_BITS)
    if n_documents < least:
        return ()
    marks = _marks(stream)
    counts = np.zeros(1 << _SIZE_BITS, dtype=np.uint32)
    for part in stream.parts:
        np.add.at(counts, _places(_keys(part, marks)), np.uint32(1))  # another type is slow
    frequent, documents = _frequent(stream, marks, counts, least)
    return tuple(sorted(_spell(stream, marks, frequent, documents), key=lambda one: (-one[0], one)))


def without_passages(stream: WordStream, passages: Iterable[Passage]) -> WordStream:
    """The stream without words of passages, with a gap in the place of each run of them."""
    number = {word: k for k, word in enumerate(stream.words)}
    # Unknown words cannot be in the way: they end a text, within which runs are looked for.
    spelled = ([*(number.get(word, END) for word in words), END] for _, words in passages)
    known = np.array([word for words in spelled for word in words], dtype=np.int32)
    marks = _marks(stream)
    runs = np.unique(_keys(known, marks))
    runs = runs[runs > 0]
    if not len(runs):
        return stream

    def kept_parts() -> Iterator[Ints32]:
        for part in stream.parts:
            covered = _cover_places(part, np.isin(_keys(part, marks), runs))
            copy = np.where(covered, np.int32(GAP), part)
            yield copy[~(covered & np.append(covered[1:], False))]

    return stream.with_parts(kept_parts())


def _marks(stream: WordStream) -> NDArray[np.uint64]:
    """A secret number of each word, so that no text can be written whose keys are alike."""
    random = np.random.default_rng()  # by entropy of the system
    return random.integers(1 << 64, size=len(stream.words), dtype=np.uint64)


def _keys(part: Ints32, marks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A key of the run that ends at each place of a part, or 0 if none does."""
    keys = np.empty(len(part), dtype=np.uint64)
    key_runs(part, marks, np.empty(LENGTH, dtype=np.uint64), keys)
    return keys


def _places(keys: NDArray[np.uint64]) -> Indices:
    """Where in the table the runs with these keys are counted."""
    return (keys[keys > 0] >> np.uint64(64 - _SIZE_BITS)).astype(np.intp)


def _frequent(
    stream: WordStream, marks: NDArray[np.uint64], counts: NDArray[np.uint32], least: int
) -> tuple[NDArray[np.uint64], Ints]:
    """The keys, ascending, of runs in at least this many documents, and in how many they are."""
    found, documents = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    for part in stream.parts:
        keys = _keys(part, marks)
        at = np.flatnonzero(keys)
        at = at[counts[_places(keys)] >= least]
        document = np.cumsum(part == END)[at]
        order = np.lexsort((document, keys[at]))
        key, document = keys[at][order], document[order]
        new = (np.diff(key, prepend=~key[:1]) != 0) | (np.diff(document, prepend=-1) != 0)
        both = np.concatenate((found, key[new]))
        weights = np.append(documents, np.ones(len(both) - len(documents), dtype=np.int64))
        found, place = np.unique(both, return_inverse=True)
        documents = np.bincount(place, weights=weights, minlength=len(found)).astype(np.int64)
    return found[documents >= least], documents[documents >= least]


def _spell(
    stream: WordStream, marks: NDArray[np.uint64], frequent: NDArray[np.uint64], documents: Ints
) -> Iterator[Passage]:
    """The passages that the frequent runs make, each run where it is met first."""
    missing = np.ones(len(frequent), dtype=bool)
    for part in stream.parts:
        if not missing.any():
            return
        is_word = part >= 0
        words, keys = part[is_word], _keys(part, marks)[is_word]
        at = np.flatnonzero(np.isin(keys, frequent[missing]))
        at = np.sort(at[np.unique(keys[at], return_index=True)[1]])
        number = np.searchsorted(frequent, keys[at])
        missing[number] = False
        # The first words of a document end no run, so that neighbours are of the same document.
        for together in np.split(np.arange(len(at)), np.flatnonzero(np.diff(at) > 1) + 1):
            if len(together):
                passage = words[at[together[0]] - LENGTH + 1 : at[together[-1]] + 1]
                most = int(documents[number[together]].max())
                yield most, tuple(stream.words[word] for word in passage)


def _cover_places(part: Ints32, ends_run: Bools) -> Bools:
    """Which places of a part hold words of the runs that end where `ends_run` is true."""
    is_word = part >= 0
    ends = np.append(ends_run[is_word], np.zeros(LENGTH, dtype=bool))
    within = np.zeros(np.count_nonzero(is_word), dtype=bool)
    for after in range(LENGTH):
        within |= ends[after : after + len(within)]
    covered = np.zeros(len(part), dtype=bool)
    covered[is_word] = within
    return covered
