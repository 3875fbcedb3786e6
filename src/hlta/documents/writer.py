"""Documents that are built a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import offsets, ranges
from hlta._support.spool import Spool
from hlta.documents.matrix import Documents, Sections

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Indices, Ints

_AT_ONCE: Final = 1 << 12  # documents
ABSENT: Final = np.uint32(2**32 - 1)
"""In place of a new number: the word is left out."""


class DocumentsWriter:
    """Collects documents; beyond some size they go to a temporary file, which is mapped."""

    def __init__(self, n_words: int) -> None:
        self._n_words = n_words
        self._lengths = Spool(np.int64)
        self._indices = Spool(np.uint32)

    def append(self, documents: Documents) -> None:
        """Append documents over the same words."""
        indptr, indices = documents.presences()
        self._lengths.write(np.diff(indptr))
        self._indices.write(indices)

    def read(self) -> Documents:
        """All documents, in the order in which they were appended."""
        indptr = offsets(self._lengths.read())
        return Documents.of_checked(indptr, self._indices.read(), self._n_words)


def from_keys(keys: Ints, n_documents: int, n_words: int) -> Documents:
    """The documents with these presences, as ascending keys row * n_words + word."""
    lengths = np.bincount(keys // n_words, minlength=n_documents)
    return Documents.of_checked(offsets(lengths), (keys % n_words).astype(np.uint32), n_words)


def take_words(documents: Documents, words: Indices) -> Documents:
    """The documents with the columns of some distinct words alone, in that order."""
    number = np.full(documents.n_words, ABSENT)
    number[words] = np.arange(len(words))
    return renumber_words(documents, number, len(words))


def renumber_words(documents: Documents, number: NDArray[np.uint32], n_words: int) -> Documents:
    """Give each word another number, or leave it out.

    Parameters
    ----------
    documents
        Documents, which are copied a few at a time.
    number
        uint32 (words,): the new numbers, all distinct, or `ABSENT`.
    n_words
        The number of words afterwards.
    """
    writer = DocumentsWriter(n_words)
    for _, part in documents.parts():
        indptr, indices = part.presences()
        columns = number[indices]
        kept = columns != ABSENT
        rows = np.repeat(np.arange(len(part)), np.diff(indptr))[kept]
        keys = rows * n_words + columns[kept]
        keys.sort()
        writer.append(from_keys(keys, len(part), n_words))
    found, sections = writer.read(), documents.sections
    if sections is not None:
        within = renumber_words(sections.documents, number, n_words)
        sections = Sections(within, sections.starts)
    return found.with_sections(sections).with_vectors(documents.vectors)


def join_sections(sections: Sections) -> Documents:
    """The documents that have these sections; each has the words of all of its sections."""
    n_words = sections.documents.n_words
    writer = DocumentsWriter(n_words)
    for begin, end in ranges(len(sections.starts) - 1, _AT_ONCE):
        part = sections.of_rows(begin, end)
        indptr, indices = part.documents.presences()
        lengths = indptr[part.starts[1:]] - indptr[part.starts[:-1]]
        keys = np.unique(np.repeat(np.arange(end - begin), lengths) * n_words + indices)
        writer.append(from_keys(keys, end - begin, n_words))
    return writer.read().with_sections(sections)
