"""Lists of documents: those with each word, and those on each topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents


@dataclass(frozen=True, eq=False)
class Postings:
    """Lists of documents, one after the other.

    Attributes
    ----------
    starts : int64 (lists + 1,)
        Where each list begins in `documents`, and where the last one ends.
    documents : uint32 (entries,)
        The documents of each list, ascending.
    """

    starts: NDArray[np.int64]
    documents: NDArray[np.uint32]

    def part(self, number: int) -> slice:
        """Where a list stands."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def of(self, number: int) -> NDArray[np.uint32]:
        """The documents of a list."""
        return np.asarray(self.documents[self.part(number)])

    def count(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many documents of a set are in each list."""
        counts = np.zeros(len(self.starts) - 1, dtype=np.int64)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):
            inside = mask[self.documents].view(np.uint8)
            counts[filled] = np.add.reduceat(inside, self.starts[filled], dtype=np.int64)
        return counts


def by_word(documents: Documents) -> Postings:
    """The documents with each word."""
    columns = documents.to_csr().tocsc()
    return Postings(columns.indptr.astype(np.int64), columns.indices.astype(np.uint32))
