"""Documents that represent a topic: typical ones, without near-duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.documents.typicality import Typicality

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents

_MOST_COMPARED: Final = 2_000  # documents that are compared to leave out copies, at most
_SAME: Final = 0.8  # share of the words of two documents that are in both, for one to be a copy


class TopDocuments(NamedTuple):
    """Documents on a topic, in order.

    Attributes
    ----------
    rows : int (documents,)
        Their numbers.
    shares : float64 (documents,)
        The share that the topic has in each.
    """

    rows: NDArray[np.intp]
    shares: NDArray[np.float64]

    def among(self, numbers: NDArray[np.intp]) -> TopDocuments:
        """The same documents, with `numbers[rows]`, their numbers in a larger set, as rows."""
        return self._replace(rows=numbers[self.rows])


def largest(shares: NDArray[np.float64], n: int) -> TopDocuments:
    """The documents with the largest shares, equal ones in their order."""
    rows = np.argsort(-shares, kind="stable")[:n]
    return TopDocuments(rows, shares[rows])


def typical(
    documents: Documents, shares: NDArray[np.float64], n: int, *, least: float
) -> TopDocuments:
    """The most typical documents on a topic, without near-duplicates.

    Those with a share of `least` or more are ordered by `Typicality`, weighted by share. A document is
    left out if it has mostly the same words as one chosen before.
    """
    rows = np.flatnonzero(shares >= least)
    if not len(rows):
        return TopDocuments(rows, shares[rows])
    order = np.argsort(-Typicality(documents).of(rows, shares[rows]), kind="stable")
    first = rows[order[:_MOST_COMPARED]]
    table = documents.take(first).to_csr(np.float64)
    chosen: list[int] = []
    for k in range(len(first)):
        if len(chosen) == n:
            break
        if not _has_copy(table, k, chosen):
            chosen.append(k)
    return TopDocuments(first[chosen], shares[first[chosen]])


def _has_copy(table: csr_array, k: int, chosen: list[int]) -> bool:
    """Whether document k has mostly the same words as one of those chosen (by the Jaccard index)."""
    if not chosen:
        return False
    both = (table[chosen] @ table[[k]].T).toarray().ravel()
    size = np.diff(table.indptr)
    return bool((both >= _SAME * (size[chosen] + size[k] - both)).any())
