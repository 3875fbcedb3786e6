"""The order of states: s0 is the background, s1 the topic (Section 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.marginals import word_marginals

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree

DECIDING_WORDS: Final = 3  # words by MI whose probabilities are summed


def order_states(tree: LatentTree) -> LatentTree:
    """Swap states where needed, so that the top words of every latent are likelier in state 1."""
    table = word_marginals(tree)
    count = np.diff(table.start)
    rank = np.arange(len(table.word)) - np.repeat(table.start[:-1], count)
    top = np.flatnonzero(rank < DECIDING_WORDS)
    latent = np.repeat(np.arange(tree.n_latents), count)[top]
    rise = table.given[top, 1] - table.given[top, 0]
    turned = np.bincount(latent, weights=rise, minlength=tree.n_latents) < 0.0
    return tree.swap_states(np.flatnonzero(turned) + tree.n_words)
