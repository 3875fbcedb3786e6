"""Documents that stand for a topic: typical ones, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents

_MOST_COMPARED: Final = 2_000  # the likeliest documents, of which the typical ones are chosen
_SAME: Final = 0.8  # of the words in either of two documents are in both: the second is a copy


class TopDocuments(NamedTuple):
    """Documents on a topic, in order.

    Attributes
    ----------
    rows : int (documents,)
        Their numbers.
    probabilities : float64 (documents,)
        P(topic | document).
    """

    rows: NDArray[np.intp]
    probabilities: NDArray[np.float64]

    def among(self, numbers: NDArray[np.intp]) -> TopDocuments:
        """The same documents, of which these are the numbers among more."""
        return self._replace(rows=numbers[self.rows])


def likeliest(probability: NDArray[np.float64], n: int) -> TopDocuments:
    """The documents with the largest P(topic | document); the first of equals first."""
    rows = np.argsort(-probability, kind="stable")[:n]
    return TopDocuments(rows, probability[rows])


def typical(
    documents: Documents, probability: NDArray[np.float64], n: int, *, least: float
) -> TopDocuments:
    """Of the documents on a topic, those most like their average, without near-duplicates.

    Likeness is the cosine between documents whose words count by how rare they are; the average is
    weighted by P(topic | document). A document is left out if it has mostly the words of one chosen
    before.
    """
    on = likeliest(probability, _MOST_COMPARED)
    rows = np.sort(on.rows[on.probabilities > least])
    if not len(rows):
        return TopDocuments(rows, probability[rows])
    table = documents.take(rows).to_csr(np.float64)
    rarity = np.log(len(documents) / np.maximum(documents.document_frequency, 1))
    weighted = csr_array(table @ diags_array(rarity))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    unit = csr_array(diags_array(1.0 / np.maximum(length, 1e-12)) @ weighted)
    likeness = unit @ (unit.T @ probability[rows])
    chosen: list[int] = []
    for k in np.argsort(-likeness, kind="stable").tolist():
        if len(chosen) == n:
            break
        if not _has_copy(table, k, chosen):
            chosen.append(k)
    return TopDocuments(rows[chosen], probability[rows[chosen]])


def _has_copy(table: csr_array, k: int, chosen: list[int]) -> bool:
    """Whether document k has mostly the words of one of those chosen (Jaccard index)."""
    if not chosen:
        return False
    both = (table[chosen] @ table[[k]].T).toarray().ravel()
    size = np.diff(table.indptr)
    return bool((both >= _SAME * (size[chosen] + size[k] - both)).any())
