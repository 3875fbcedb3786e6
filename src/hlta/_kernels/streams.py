"""Streams of words: join pairs, count words, hash runs, turn documents into rows of a matrix."""

from __future__ import annotations

import numpy as np
from numba import int64, uint32, uint64

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.tokens import END, ONE, SCATTER

# A de Bruijn sequence: the top six bits of its product with 2**k identify k, as all windows differ.
DE_BRUIJN = uint64(0x03F79D71B4CB0A89)
BIT_PLACE = np.zeros(64, dtype=np.uint8)
for _k in range(64):
    BIT_PLACE[((1 << _k) * int(DE_BRUIJN) % (1 << 64)) >> 58] = _k


@kernel
def join_pairs(stream: t.OutStream, pairs: t.Ints, phrases: t.Stream, base: int) -> int:
    """Replace each occurrence of a pair by one word, in place, from the left; returns the new length.

    pairs    int64 (k,) ascending: first * base + second of each pair
    phrases  int32 (k,): the word that each becomes
    """
    kept = 0
    p = int64(0)
    while p < stream.size:
        word = stream[p]
        if word >= 0 and p + 1 < stream.size and stream[p + 1] >= 0:
            key = int64(word) * base + int64(stream[p + 1])
            low = 0
            high = pairs.size
            while low < high:
                middle = (low + high) >> 1
                if pairs[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            if low < pairs.size and pairs[low] == key:
                stream[kept] = phrases[low]
                kept += 1
                p += 2
                continue
        stream[kept] = word
        kept += 1
        p += 1
    return kept


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


def working_bits(n_columns: int) -> tuple[t.OutKeys, t.OutKeys]:
    """The working memory of `collect_rows`."""
    blocks = -(-n_columns // (64 * 64))
    return np.zeros(64 * blocks, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)


@kernel
def collect_rows(
    stream: t.Stream,
    column: t.Stream,
    bits: t.OutKeys,
    blocks: t.OutKeys,
    place: t.Flags,
    indptr: t.OutInts,
    indices: t.OutIds,
) -> int:
    """The columns of each document's words, each column once, ascending.

    column  int32 (words,): the column of each word, -1 for words left out
    bits, blocks  from `working_bits`, all 0 after each END: bit sets of the document's columns, and
            of the entries of `bits` that are not 0
    place   uint8 (64,): `BIT_PLACE`
    indptr  int64 (documents + 1,), indices uint32: filled in; returns how many indices
    """
    six, rest = uint64(6), uint64(63)
    filled = uint64(0)
    d = uint64(0)
    indptr[0] = 0
    for p in range(uint64(stream.size)):
        word = stream[p]
        if word >= 0:
            c = column[uint64(word)]
            if c >= 0:
                bit = uint64(c)
                bits[bit >> six] |= ONE << (bit & rest)
                blocks[bit >> (six + six)] |= ONE << ((bit >> six) & rest)
        elif word == END:
            for b in range(uint64(blocks.size)):
                block = blocks[b]
                blocks[b] = uint64(0)
                while block != uint64(0):
                    lowest = block & (~block + ONE)
                    block ^= lowest
                    at = (b << six) | uint64(place[(lowest * DE_BRUIJN) >> uint64(58)])
                    entry = bits[at]
                    bits[at] = uint64(0)
                    while entry != uint64(0):
                        lowest = entry & (~entry + ONE)
                        entry ^= lowest
                        bit = uint64(place[(lowest * DE_BRUIJN) >> uint64(58)])
                        indices[filled] = uint32((at << six) | bit)
                        filled += ONE
            d += ONE
            indptr[d] = int64(filled)
    return int64(filled)
