"""Documents that are made a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta._support.spool import Spool
from hlta.documents.matrix import Documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

ABSENT: Final = np.uint32(2**32 - 1)
"""The new number of a word that is left out."""


class DocumentsWriter:
    """Collects documents; beyond some size they go to a temporary file, which is mapped."""

    def __init__(self, n_words: int) -> None:
        self._n_words = n_words
        self._lengths = Spool(np.int64)
        self._indices = Spool(np.uint32)

    def append(self, documents: Documents) -> None:
        """Add documents over these words."""
        indptr, indices = documents.presences()
        self._lengths.write(np.diff(indptr))
        self._indices.write(indices)

    def read(self) -> Documents:
        """All documents, in the order in which they came."""
        indptr = offsets(self._lengths.read())
        return Documents.of_checked(indptr, self._indices.read(), self._n_words)


def of_words(documents: Documents, words: NDArray[np.intp]) -> Documents:
    """The columns of some distinct words alone, in that order."""
    number = np.full(documents.n_words, ABSENT)
    number[words] = np.arange(len(words))
    return renumbered(documents, number, len(words))


def renumbered(documents: Documents, number: NDArray[np.uint32], n_words: int) -> Documents:
    """Give each word another number, or leave it out.

    Parameters
    ----------
    documents
        Documents, which are copied a few at a time.
    number
        uint32 (words,): the new numbers, all distinct, or `ABSENT`.
    n_words
        How many words there are then.
    """
    writer = DocumentsWriter(n_words)
    for _, part in documents.parts():
        indptr, indices = part.presences()
        columns = number[indices]
        kept = columns != ABSENT
        rows = np.repeat(np.arange(len(part)), np.diff(indptr))[kept]
        keys = rows * n_words + columns[kept]
        keys.sort()
        lengths = np.bincount(rows, minlength=len(part))
        words = (keys % n_words).astype(np.uint32)
        writer.append(Documents.of_checked(offsets(lengths), words, n_words))
    return writer.read()
