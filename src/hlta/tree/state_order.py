"""The order of states: s0 is the background, s1 the topic (Section 4.2 of the paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.marginals import WordMarginals, word_marginals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree

DECIDING_WORDS: Final = 3


def order_states(tree: LatentTree) -> LatentTree:
    """Name the states of every latent variable so that its top words are likelier in state 1."""
    table = word_marginals(tree)
    top = top_entries(table, DECIDING_WORDS)
    latent = np.repeat(np.arange(tree.n_latents), np.diff(table.start))[top]
    rise = table.given[top, 1] - table.given[top, 0]
    turned = np.bincount(latent, weights=rise, minlength=tree.n_latents) < 0.0
    return tree.swap_states(np.flatnonzero(turned) + tree.n_words)


def top_entries(table: WordMarginals, count: int) -> NDArray[np.intp]:
    """The first `count` entries of every latent variable."""
    place = np.arange(len(table.word)) - np.repeat(table.start[:-1], np.diff(table.start))
    return np.flatnonzero(place < count)
