"""A canonical order of documents and words, and samples of documents.

Neither depends on the order in which documents and words are given.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import offsets, ranges
from hlta.documents.matrix import PRESENCES_AT_ONCE, Documents
from hlta.documents.writer import DocumentsWriter, renumber_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta._support.arrays import Indices


SUFFICIENT: Final = 10_000
"""How many documents suffice to find phrases and the contrast of words."""
STRIDE: Final = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, made odd: its multiples are far apart."""


def fingerprints(documents: Documents, words: Sequence[str]) -> NDArray[np.uint64]:
    """A hash of the words of each document; copies of a document have different hashes, too.

    The hash of a copy includes how many copies precede it, so that a sample may have some of them.
    """
    of_word = np.array([_of_name(word) for word in words], dtype=np.uint64)
    own = np.empty(len(documents), dtype=np.uint64)
    for start, part in documents.parts():
        indptr, indices = part.presences()
        total = np.concatenate(([np.uint64(0)], np.cumsum(of_word[indices], dtype=np.uint64)))
        own[start : start + len(part)] = mix_bits(total[indptr[1:]] - total[indptr[:-1]])
    order = np.argsort(own, kind="stable")
    first = np.flatnonzero(np.diff(own[order], prepend=~own[order[:1]]))
    copies = np.diff(np.append(first, len(own)))
    number = np.arange(len(own)) - np.repeat(offsets(copies)[:-1], copies)
    out = np.empty_like(own)
    out[order] = mix_bits(own[order] + number.astype(np.uint64) * STRIDE)
    return out


def few_of(documents: Documents, words: Sequence[str], most: int) -> Documents:
    """The `most` documents with the smallest fingerprints, in that order; all if there are fewer."""
    order = np.argsort(fingerprints(documents, words), kind="stable")
    return documents.take(order[:most])


def in_own_order(
    documents: Documents, words: Sequence[str]
) -> tuple[Documents, tuple[str, ...], NDArray[np.uint64]]:
    """The documents sorted by fingerprint, the words sorted by name, and the sorted fingerprints."""
    names = np.array(words, dtype=object)
    by_name = np.argsort(names, kind="stable")
    place = np.empty(len(names), dtype=np.uint32)
    place[by_name] = np.arange(len(names))
    marks = fingerprints(documents, words)
    order = np.argsort(marks, kind="stable")
    writer = DocumentsWriter(documents.n_words)
    at_once = max(1, PRESENCES_AT_ONCE * len(documents) // max(1, documents.n_presences))
    for begin, end in ranges(len(order), at_once):
        writer.append(renumber_words(documents.take(order[begin:end]), place, documents.n_words))
    return writer.read(), tuple(names[by_name].tolist()), marks[order]


def draw_rows(marks: NDArray[np.uint64], size: int, seed: np.random.SeedSequence) -> Indices:
    """The numbers, ascending, of `size` documents drawn at random, or of all if there are fewer.

    `marks` are their fingerprints. Removing one document changes at most one document of the sample.
    """
    if size >= len(marks):
        return np.arange(len(marks))
    lots = mix_bits(marks ^ seed.generate_state(1, np.uint64))
    return np.sort(np.argpartition(lots, size)[:size])


def _of_name(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def mix_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64, a permutation of 64-bit numbers: each bit of the result depends on all bits."""
    z = values + STRIDE
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
