"""What a model keeps of the documents it was learned from, and their expected counts.

The counts are not stored: inverting the M-step recovers them from the parameters and the number of
documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._support.arrays import TINY
from hlta.learning.em import PSEUDO_COUNT, Prior, prior_of
from hlta.tree.parameters import latent_parents

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Floats, Ints32
    from hlta.tree.latent_tree import LatentTree


class Statistics(NamedTuple):
    """What a model keeps of the documents it was learned from, besides its parameters.

    weight           float: the sum of their weights, 1 each, or less for those that faded
    squares          float: the sum of the squares of their weights
    shrinkage, state_shrinkage
                     float: the prior with which they were learned, see `batch_em`
    """

    weight: float
    squares: float
    shrinkage: float
    state_shrinkage: float

    @property
    def effective(self) -> float:
        """The effective number of documents: so many of equal weight hold as much information."""
        return self.weight**2 / self.squares

    def fade(self, factor: float) -> Statistics:
        """The same with all weights multiplied by a factor."""
        return self._replace(weight=factor * self.weight, squares=factor**2 * self.squares)

    def with_more(self, n_new: int) -> Statistics:
        """The same after `n_new` further documents, which weigh 1 each."""
        return self._replace(weight=self.weight + n_new, squares=self.squares + n_new)

    @classmethod
    def read(cls, values: dict[str, Any]) -> Statistics:
        """Read them from the header of a file; raises KeyError, ValueError or TypeError for damage."""
        numbers = cls(*(float(values[name]) for name in cls._fields))
        if not all(np.isfinite(number) and number >= 0.0 for number in numbers):
            raise ValueError("statistics must hold numbers of 0 or more")
        if not numbers.weight or not numbers.squares:
            raise ValueError("statistics must be of one document or more")
        return numbers

    def prior(self, states: Ints32, share: Floats) -> Prior:
        """The prior, from the share of the documents that contain each word."""
        return prior_of(states, share, PSEUDO_COUNT, self.shrinkage, self.state_shrinkage)


class OldCounts(NamedTuple):
    """Expected counts of the earlier documents, as in `Counts`."""

    word: Floats
    latent: Floats


def old_counts(tree: LatentTree, statistics: Statistics) -> OldCounts:
    """The expected counts from which `maximise` computed the parameters, found from the root downwards.

    After edits, they are the counts that would give the edited parameters. Negative counts become 0.
    """
    parameters, n_words = tree.parameters, tree.n_words
    weight, has_state = statistics.weight, parameters.has_state
    parent = latent_parents(tree.parent, n_words)
    rows, spread = 2.0 * PSEUDO_COUNT, statistics.state_shrinkage / max(weight, 1.0)
    added = (rows / parameters.states)[:, None]  # to each entry of a row
    row_total = rows + statistics.state_shrinkage
    latent, total = np.zeros_like(parameters.latent), np.zeros(has_state.shape)
    for layer in tree.numbering.layers():
        own = tree.numbering.nodes[layer] - n_words
        if layer.start == 0:
            filled = parameters.latent[own, 0] * (weight + row_total) - added[own]
            total[own] = np.maximum(filled / (1.0 + spread), 0.0) * has_state[own]
            latent[own] = total[own][:, None, :]
            continue
        above = parent[n_words:][own]
        exists = has_state[above][:, :, None] & has_state[own][:, None, :]
        in_rows = total[above][:, :, None] + row_total
        whole = np.where(exists, parameters.latent[own] * in_rows - added[own][:, None], 0.0)
        n_rows = has_state[above].sum(axis=1)[:, None]
        of_state = whole.sum(axis=1) / (1.0 + n_rows * spread)
        counts = np.maximum(whole - spread * of_state[:, None, :], 0.0) * exists
        latent[own], total[own] = counts, counts.sum(axis=1)
    return OldCounts(_old_words(tree, statistics, total, has_state[parent[:n_words]]), latent)


def _old_words(tree: LatentTree, statistics: Statistics, total: Floats, exists: Bools) -> Floats:
    """The same for words, whose prior depends on the share of the documents that contain them."""
    of_parent = total[latent_parents(tree.parent, tree.n_words)[: tree.n_words]]
    in_rows = of_parent + 2.0 * PSEUDO_COUNT + statistics.shrinkage
    whole = np.where(exists, tree.parameters.word * in_rows - PSEUDO_COUNT, 0.0)
    n_rows = exists.sum(axis=1)
    documents = of_parent.sum(axis=1) + n_rows * statistics.shrinkage
    share = whole.sum(axis=1) / np.maximum(documents, TINY)
    present = np.clip(whole - statistics.shrinkage * share[:, None], 0.0, of_parent) * exists
    return np.stack((of_parent - present, present), axis=2)
