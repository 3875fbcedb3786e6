"""How typical each document is of a set: how much it has of the words that distinguish the set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Indices, Ints
    from hlta.documents.matrix import Documents


class Typicality:
    """Compares documents with the mean vector of a set of them, relative to that of all documents.

    The vector of a document has, for each of its words, log(documents / document frequency). It is
    divided by its squared length plus the average squared length of all documents. So short documents
    have short vectors, as a few words say little; and a long document, which has some words of every
    subject, is not typical of everything.

    Parameters
    ----------
    documents
        All documents.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        rarity = np.log(len(documents) / np.maximum(documents.document_frequency, 1))
        self._squares = rarity**2
        every = np.arange(len(documents))
        squared = self._sums(every, self._squares)
        self._scale = 1.0 / np.maximum(squared + squared.mean(), 1e-12)
        self._common = self._mean(every, np.ones(len(every)))

    def of(self, chosen: Ints, weight: Floats) -> Floats:
        """How typical each of the chosen documents is of all chosen ones, which have weights.

        It is the dot product of its vector with their mean vector minus the mean vector of all documents.
        """
        if not len(chosen):
            return np.zeros(0)
        own = self._mean(chosen, weight) - self._common
        typicality: Floats = self._sums(chosen, own * self._squares) * self._scale[chosen]
        return typicality

    def _mean(self, chosen: Ints, weight: Floats) -> Floats:
        """The weighted mean of the vectors, before their entries are multiplied by rarity."""
        shares = weight / np.maximum(weight.sum(), 1e-300) * self._scale[chosen]
        mean = np.zeros(self._documents.n_words)
        for where, part in self._parts(chosen):
            mean += part.T @ shares[where]
        return mean

    def _sums(self, chosen: Ints, value: Floats) -> Floats:
        sums = np.empty(len(chosen))
        for where, part in self._parts(chosen):
            sums[where] = part @ value
        return sums

    def _parts(self, chosen: Ints) -> Iterator[tuple[Indices, csr_array]]:
        """For a few documents at a time: which of the chosen ones are among them, and their words."""
        for begin, part in self._documents.parts():
            where = np.flatnonzero((chosen >= begin) & (chosen < begin + len(part)))
            if len(where):
                yield where, part.to_csr(np.float64)[chosen[where] - begin]
