"""Variables that are on in documents to a degree: words, and latent variables by their posteriors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hlta.algorithm.mutual_information import list_postings
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

LEAST = 0.15
"""Posteriors below this are taken for 0."""


@dataclass(frozen=True, eq=False)
class Soft:
    """By document: which variables are on, and how much.

    indptr   int64 (documents + 1,): document d owns entries indptr[d] to indptr[d + 1]
    indices  uint32, values float32: the variables, in no order, and how much they are on
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    values: NDArray[np.float32]
    n_variables: int

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """In how many documents each is on, in expectation."""
        weights = self.values.astype(np.float64)
        total = np.bincount(self.indices, weights=weights, minlength=self.n_variables)
        return total.astype(np.float64)

    @cached_property
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
        return self._entries(np.flatnonzero(to >= 0), to, len(chosen))

    def _entries(self, kept: NDArray[np.intp], to: NDArray[np.int32], n_variables: int) -> Soft:
        indptr = np.searchsorted(kept, self.indptr)
        return Soft(indptr, to[kept].astype(np.uint32), self.values[kept], n_variables)


def words_of(documents: Documents) -> Soft:
    """Words, which are on or off."""
    ones = np.ones(len(documents.indices), dtype=np.float32)
    return Soft(documents.indptr, documents.indices, ones, documents.n_words)


def latents_by_level(
    tree: LatentTree, documents: Documents, *, n_jobs: int | None = None
) -> list[Soft]:
    """The latent variables of each level, from the first upwards, counted as in `tree.levels`."""
    indptr, latents, values = likely_posteriors(tree, documents, LEAST, n_jobs=n_jobs)
    every = Soft(indptr, latents, values.astype(np.float32), tree.n_latents)
    number = np.empty(tree.n_latents, dtype=np.int32)
    for level in tree.levels[1:]:
        number[level - tree.n_words] = np.arange(len(level))
    to = number[latents]
    height = (tree.level[tree.n_words :] - 1).astype(np.uint8)[latents]
    # Equal heights stay in order: by document, as before.
    order = np.argsort(height, kind="stable")
    ends = np.searchsorted(height[order], np.arange(len(tree.levels)))
    return [
        every._entries(order[a:b], to, len(level))
        for a, b, level in zip(ends[:-1], ends[1:], tree.levels[1:], strict=True)
    ]
