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
"""The words of the shortest passage. In 70,000 abstracts, no run of this length is frequent."""
LEAST: Final = 10
"""The least number of documents with a passage."""
_LEAST_SHARE: Final = 0.005  # share of the documents that have a passage, at least
_SIZE_BITS: Final = 22  # bits of an index into the table of counts, which takes 16 MB
_CROWD_BITS: Final = _SIZE_BITS - 2  # the mean count of a place is at most a quarter of the least


def find_passages(stream: WordStream) -> tuple[Passage, ...]:
    """The passages of a stream, each with the number of documents with its most frequent run.

    A passage consists of overlapping runs of `LENGTH` words, each of which is, word for word, in many
    documents; punctuation makes no difference. Each such run is in exactly one passage. The most frequent
    passages come first.

    Runs are identified by keys of 64 bits. They are first counted in a table in which several keys share
    a place. Only keys in places with large counts are then counted exactly, so memory is bounded.
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
    """The stream without the words of these passages; each sequence of them becomes one gap."""
    number = {word: k for k, word in enumerate(stream.words)}
    # Words that the stream lacks become END, so that no run reaches across them.
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
    """A secret random number for each word, so that nobody can write a text whose keys collide."""
    random = np.random.default_rng()  # seeded by the system
    return random.integers(1 << 64, size=len(stream.words), dtype=np.uint64)


def _keys(part: Ints32, marks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The key of the run that ends at each place of a part, or 0 if none does."""
    keys = np.empty(len(part), dtype=np.uint64)
    key_runs(part, marks, np.empty(LENGTH, dtype=np.uint64), keys)
    return keys


def _places(keys: NDArray[np.uint64]) -> Indices:
    """The places of these keys in the table of counts; keys of 0 have none."""
    return (keys[keys > 0] >> np.uint64(64 - _SIZE_BITS)).astype(np.intp)


def _frequent(
    stream: WordStream, marks: NDArray[np.uint64], counts: NDArray[np.uint32], least: int
) -> tuple[NDArray[np.uint64], Ints]:
    """The keys, ascending, of the runs in at least `least` documents, and their document frequencies."""
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
    """The passages that frequent runs form where each first occurs, with their highest frequency."""
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
        # The first words of a document end no run, so runs that end at adjacent words share a document.
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
