"""An order of documents and words of their own, and samples of documents.

Neither depends on the order in which documents and words are given.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta.documents.matrix import as_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents

_STRIDE: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, made odd


def fingerprints(documents: Documents, words: Sequence[str]) -> NDArray[np.uint64]:
    """A number per document that its words alone decide; copies of a document differ, too.

    How many copies came before counts for a copy, so that a sample holds some of them.
    """
    of_word = np.array([_of_name(word) for word in words], dtype=np.uint64)
    total = np.concatenate(([np.uint64(0)], np.cumsum(of_word[documents.indices], dtype=np.uint64)))
    own = _mixed(total[documents.indptr[1:]] - total[documents.indptr[:-1]])
    order = np.argsort(own, kind="stable")
    first = np.flatnonzero(np.diff(own[order], prepend=~own[order[:1]]))
    copies = np.diff(np.append(first, len(own)))
    number = np.arange(len(own)) - np.repeat(offsets(copies)[:-1], copies)
    out = np.empty_like(own)
    out[order] = _mixed(own[order] + number.astype(np.uint64) * _STRIDE)
    return out


def in_own_order(
    documents: Documents, words: Sequence[str]
) -> tuple[Documents, tuple[str, ...], NDArray[np.uint64]]:
    """The documents by their fingerprints, the words by their names, and those fingerprints."""
    names = np.array(words, dtype=object)
    by_name = np.argsort(names, kind="stable")
    marks = fingerprints(documents, words)
    order = np.argsort(marks, kind="stable")
    matrix = documents.to_csr()[order][:, by_name]
    matrix.sort_indices()
    return as_documents(matrix), tuple(names[by_name].tolist()), marks[order]


def drawn(marks: NDArray[np.uint64], size: int, seed: np.random.SeedSequence) -> NDArray[np.intp]:
    """The numbers, ascending, of `size` documents drawn at random, or of all if there are fewer.

    Had a document been missing, the sample would be the same but for at most one document.
    """
    lots = _mixed(marks ^ seed.generate_state(1, np.uint64))
    return np.sort(np.argsort(lots, kind="stable")[:size])


def _of_name(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A permutation of the 64-bit numbers in which every bit of the result depends on all bits."""
    z = values + _STRIDE
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
