"""Streams of words: count words, hash runs."""

from __future__ import annotations

from numba import uint64

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.tokens import END, ONE, SCATTER


@kernel
def count_words(
    stream: t.Stream, first: int, documents: t.OutInts, occurrences: t.OutInts, last: t.OutInts
) -> int:
    """Add to the counts of `documents` with each word, and of its `occurrences`.

    All arrays but the stream are int64 (words,).
    last   the last document with each word, 0 at first; `first`, the first document here, is >= 1
    Returns the number of the next document.
    """
    d = first
    for p in range(stream.size):
        word = stream[p]
        if word == END:
            d += 1
        elif word >= 0:
            occurrences[word] += 1
            if last[word] != d:
                last[word] = d
                documents[word] += 1
    return d


@kernel
def key_runs(stream: t.Stream, marks: t.OutKeys, recent: t.OutKeys, keys: t.OutKeys) -> None:
    """A rolling hash of the run of words that ends at each word, as long as `recent`; gaps are ignored.

    marks   uint64 (words,): a number of each word, drawn at random
    recent  uint64 (length,): working memory
    keys    uint64 (stream,): filled in, with the sum of marks[word] * SCATTER ** (how many words of the
            run follow), modulo 2 ** 64; 0 where no run ends: at GAP and END, and early in a document
    """
    length = uint64(recent.size)
    beyond = uint64(1)
    for _ in range(length):
        beyond *= SCATTER
    key = uint64(0)
    found = uint64(0)  # words of the document so far
    for p in range(uint64(stream.size)):
        word = stream[p]
        keys[p] = uint64(0)
        if word == END:
            key = uint64(0)
            found = uint64(0)
        elif word >= 0:
            place = found % length
            mark = marks[uint64(word)]
            key = key * SCATTER + mark
            if found >= length:
                key -= recent[place] * beyond
            recent[place] = mark
            found += ONE
            if found >= length:
                keys[p] = key
