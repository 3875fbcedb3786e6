"""Soft assignments: P(variable = 1 | d) of latent variables, and of words, where it is 0 or 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.postings import Rows, WeightedPostings, WeightedRows
from hlta._support.arrays import read_only
from hlta.learning.paper.mutual_information import postings_of
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Floats32, Indices, Ints, Ints32
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

NEGLIGIBLE: Final = 0.15
"""Posteriors up to this are taken to be 0."""


@dataclass(frozen=True, eq=False)
class SoftAssignments:
    """P(variable = 1 | d) where it counts, by document."""

    indptr: Ints  # (documents + 1,): d owns entries indptr[d] to indptr[d + 1]
    indices: NDArray[np.uint32]  # the variables, in no order
    values: Floats32  # P(variable = 1 | d)
    n_variables: int  # number of variables

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.indptr) - 1

    @cached_property
    def sums(self) -> Floats:
        """The expected number of documents in which each variable is on."""
        weights = self.values.astype(np.float64)
        total = np.bincount(self.indices, weights=weights, minlength=self.n_variables)
        return total.astype(np.float64)

    @cached_property
    def by_document(self) -> WeightedRows:
        """The entries as an argument of kernels."""
        rows = Rows(read_only(self.indptr), read_only(self.indices))
        return WeightedRows(rows, read_only(self.values), read_only(self.sums))

    @cached_property
    def by_variable(self) -> WeightedPostings:
        """The same by variable."""
        count = np.bincount(self.indices, minlength=self.n_variables)
        postings = postings_of(self.by_document.rows, count)
        weight = self.values[self.indptr[postings.document] + postings.place]
        return WeightedPostings(postings, read_only(weight))

    def columns(self, chosen: Indices) -> SoftAssignments:
        """The chosen variables alone, renumbered in that order."""
        number = np.full(self.n_variables, -1, dtype=np.int32)
        number[chosen] = np.arange(len(chosen))
        to = number[self.indices]
        return self._entries(np.flatnonzero(to >= 0), to, len(chosen))

    def _entries(self, kept: Indices, to: Ints32, n_variables: int) -> SoftAssignments:
        indptr = np.searchsorted(kept, self.indptr)
        indices = to[kept].astype(np.uint32)
        return SoftAssignments(indptr, indices, self.values[kept], n_variables)


def words_of(documents: Documents) -> SoftAssignments:
    """Words, whose probability is 1 where they are present."""
    ones = np.ones(len(documents.indices), dtype=np.float32)
    return SoftAssignments(documents.indptr, documents.indices, ones, documents.n_words)


def latents_by_level(tree: LatentTree, documents: Documents) -> list[SoftAssignments]:
    """The latent variables of each level, from level 1 up, by their position in `tree.levels`."""
    indptr, latents, values = likely_posteriors(tree.inference(), documents, NEGLIGIBLE)
    every = SoftAssignments(indptr, latents, values.astype(np.float32), tree.n_latents)
    number = np.empty(tree.n_latents, dtype=np.int32)
    for level in tree.levels[1:]:
        number[level - tree.n_words] = np.arange(len(level))
    to = number[latents]
    height = (tree.level[tree.n_words :] - 1).astype(np.uint8)[latents]
    # A stable sort leaves the entries of each level in the order of documents.
    order = np.argsort(height, kind="stable")
    ends = np.searchsorted(height[order], np.arange(len(tree.levels)))
    return [
        every._entries(order[a:b], to, len(level))
        for a, b, level in zip(ends[:-1], ends[1:], tree.levels[1:], strict=True)
    ]
