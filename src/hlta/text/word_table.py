"""`WordTable`: the hash table of the words that a scan has met."""

from __future__ import annotations

import secrets
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._kernels import tokens as kernels
from hlta._kernels.tokens import END, FIRST, GAP

if TYPE_CHECKING:
    from hlta._support.arrays import Ints, Ints32

_SECRET: Final[Any] = np.uint64(secrets.randbits(64) | 1)
"""The secret of the hashes in this process: tables that are merged must share it."""


class WordTable:
    """The words met so far, in arrays for the kernels, which grow between pieces of text."""

    def __init__(self) -> None:
        self.count = 0
        self._keys = np.empty(0, dtype=np.uint64)
        self._starts = np.zeros(1, dtype=np.int64)
        self._letters = np.empty(0, dtype=np.uint32)
        self._counts = np.zeros((FIRST, 3), dtype=np.int64)
        self._slots = np.empty((0, 2), dtype=np.uint64)
        self.reserve(1 << 15, 1 << 18)

    @property
    def arrays(self) -> kernels.WordTable:
        """The table as the kernels take it."""
        arrays = (self._slots, self._keys, self._starts, self._letters, self._counts)
        return kernels.WordTable(*arrays, _SECRET)

    def reserve(self, words: int, letters: int) -> None:
        """Make room for this many more words, and for the letters of all of them together."""
        room = self.count + words + 1
        if room > len(self._keys):
            size = 1 << (room - 1).bit_length()
            self._keys.resize(size, refcheck=False)
            self._starts.resize(size + 1, refcheck=False)
            self._counts.resize((size + FIRST, 3), refcheck=False)
            self._slots = np.zeros((2 * size, 2), dtype=np.uint64)
            kernels.place_words(self._keys, self.count, self._slots, _SECRET)
        pool = int(self._starts[self.count]) + letters
        if pool > len(self._letters):
            self._letters.resize(1 << (pool - 1).bit_length(), refcheck=False)

    def absorb(self, other: WordTable) -> Ints32:
        """Add the words and counts of another table; return the numbers of its words in this one.

        The result is int32 (words of `other` + 2,). `GAP` and `END`, which are negative and so index
        its end, map to themselves.
        """
        starts = other._starts[: other.count + 1]
        self.reserve(other.count, int(starts[-1]))
        begins, sizes = starts[:-1].astype(np.uint64), np.diff(starts).astype(np.uint64)
        numbers = np.empty(other.count, dtype=np.uint64)
        words = (other._letters, other._keys, begins, sizes, other.count)
        self.count = kernels.number_words(*words, self.count, self.arrays, numbers)
        self._counts[numbers, :2] += other._counts[FIRST : FIRST + other.count, :2]
        renumbering = np.empty(other.count + 2, dtype=np.int32)
        renumbering[: other.count] = numbers.astype(np.int64) - FIRST
        renumbering[END], renumbering[GAP] = END, GAP
        return renumbering

    def counts(self) -> tuple[Ints, Ints]:
        """The document frequency of each word, and how often it occurs."""
        counted = self._counts[FIRST : FIRST + self.count]
        return counted[:, 0].copy(), counted[:, 1].copy()

    def names(self) -> list[str]:
        """The words by number."""
        starts = self._starts[: self.count + 1]
        text = self._letters[: starts[-1]].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[begin:end] for begin, end in pairwise(starts.tolist())]
