"""The order of states: state 0 is the background, the others are the topic (Section 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.marginals import word_marginals

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree

DECIDING_WORDS: Final = 3  # words by MI whose probabilities are summed


def order_states(tree: LatentTree) -> LatentTree:
    """Put first the state of every latent in which its top words are least likely together.

    Of more than two states, the others follow in the order of their sizes.
    """
    table = word_marginals(tree)
    count = np.diff(table.start)
    rank = np.arange(len(table.word)) - np.repeat(table.start[:-1], count)
    top = np.flatnonzero(rank < DECIDING_WORDS)
    latent = np.repeat(np.arange(tree.n_latents), count)[top]
    strength = np.zeros_like(tree.state_marginals)
    np.add.at(strength, latent, table.states[top])
    has_state = tree.parameters.has_state
    strength[~has_state] = np.inf
    background = strength.argmin(axis=1)
    key = np.where(has_state, -tree.state_marginals, np.inf)
    key[np.arange(tree.n_latents), background] = -np.inf
    return tree.with_state_order(np.argsort(key, axis=1, kind="stable"))
