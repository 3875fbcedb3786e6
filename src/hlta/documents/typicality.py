"""How typical documents are of some: how much of each is about what these have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.row_sums import sum_documents, sum_variables
from hlta._support.arrays import read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents


class Typicality:
    """Compares documents with what some of them have in common, and all do not.

    The vector of a document has an entry for each of its words, the larger the rarer the word is. It is
    divided by its squared length plus the average squared length of all documents. So it is short if
    the document is: a few words say little. But no document is typical of much because it is long, and
    has some words of everything.

    Parameters
    ----------
    documents
        All documents.
    """

    def __init__(self, documents: Documents) -> None:
        self._rows, self._n_words = documents.rows, documents.n_words
        rarity = np.log(len(documents) / np.maximum(documents.document_frequency, 1))
        self._squares = rarity**2
        every = np.arange(len(documents))
        squared = self._sums(every, self._squares)
        self._scale = 1.0 / np.maximum(squared + squared.mean(), 1e-12)
        self._common = self._mean(every, np.ones(len(every)))

    def of(self, chosen: NDArray[np.int64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """How typical each of the chosen documents is of them all, which count by their weights.

        It is the product of its vector and the mean of theirs, less that of all documents.
        """
        if not len(chosen):
            return np.zeros(0)
        own = self._mean(chosen, weight) - self._common
        typicality: NDArray[np.float64] = (
            self._sums(chosen, own * self._squares) * self._scale[chosen]
        )
        return typicality

    def _mean(self, chosen: NDArray[np.int64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of the vectors, without what rarity has to do with them."""
        sums = np.empty(self._n_words)
        shares = weight / np.maximum(weight.sum(), 1e-300) * self._scale[chosen]
        sum_documents(self._rows, read_only(chosen), read_only(shares), sums)
        return sums

    def _sums(self, chosen: NDArray[np.int64], value: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.empty(len(chosen))
        sum_variables(self._rows, read_only(chosen), read_only(value), sums)
        return sums
