"""Variables that are on in documents to a degree: words, and latent variables by their posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta.model.posteriors import likely_posteriors
from hlta.structure.pairwise import list_postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.corpus.documents import Documents
    from hlta.model.tree import LatentTree

LEAST = 0.05
"""Posteriors below this are taken for 0."""


class Soft(NamedTuple):
    """By document: which variables are on, and how much."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    values: NDArray[np.float32]
    n_variables: int

    def sums(self) -> NDArray[np.float64]:
        """In how many documents each is on, in expectation."""
        weights = self.values.astype(np.float64)
        total = np.bincount(self.indices, weights=weights, minlength=self.n_variables)
        return total.astype(np.float64)

    def by_variable(self) -> tuple[tuple[NDArray[np.generic], ...], NDArray[np.float32]]:
        """The same by variable, as kernels want it: documents, and how much it is on there."""
        count = np.bincount(self.indices, minlength=self.n_variables)
        postings = list_postings(self.indptr, self.indices, count)
        _, where, place = postings
        return postings, self.values[self.indptr[where] + place]

    def columns(self, chosen: NDArray[np.intp]) -> Soft:
        """Some of the variables, numbered anew."""
        number = np.full(self.n_variables, -1, dtype=np.int32)
        number[chosen] = np.arange(len(chosen))
        to = number[self.indices]
        kept = np.flatnonzero(to >= 0)
        indptr = np.searchsorted(kept, self.indptr)
        return Soft(indptr, to[kept].astype(np.uint32), self.values[kept], len(chosen))


def words_of(documents: Documents) -> Soft:
    """Words, which are on or off."""
    ones = np.ones(len(documents.indices), dtype=np.float32)
    return Soft(documents.indptr, documents.indices, ones, documents.n_words)


def latents_of(tree: LatentTree, documents: Documents, *, n_jobs: int | None = None) -> Soft:
    """All latent variables, counted from 0."""
    indptr, latents, values = likely_posteriors(tree, documents, LEAST, n_jobs=n_jobs)
    return Soft(indptr, latents, values.astype(np.float32), tree.n_latents)
