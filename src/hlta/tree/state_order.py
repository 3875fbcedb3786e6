"""The order of states: the background comes first; in the others, the topic is on (Section 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.parameters import ONE_EACH, reorder_states

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Ints32
    from hlta.tree.latent_tree import LatentTree

DECIDING_WORDS: Final = 3  # top words, by whose probabilities states are ordered

_LARGEST: Final = 1.1  # the most P(on) may be, as a multiple of that of the topic above


def order_states(tree: LatentTree, size: Floats | None = None) -> LatentTree:
    """Sort the states of every latent variable by the sum of P(word | state) over its top words.

    Top words have the most mutual information with the state. The background is the first state; or,
    given `size`, P(on) of each topic, as many of the first states as bring P(on) nearest to that, and
    more where the topic would otherwise be more than a tenth larger than the one above it.
    """
    table = word_marginals(tree)
    latent = np.repeat(np.arange(tree.n_latents), np.diff(table.start))
    information = mutual_information(table.states, tree.state_marginals[latent])
    order = np.lexsort((table.word, -information, latent))
    rank = np.arange(len(order)) - np.repeat(table.start[:-1], np.diff(table.start))
    top = order[rank < DECIDING_WORDS]
    strength = np.zeros_like(tree.state_marginals)
    np.add.at(strength, latent[top], table.states[top])
    has_state = tree.parameters.has_state
    strength[~has_state] = np.inf
    ascending = np.argsort(strength, axis=1, kind="stable")
    parameters = reorder_states(tree.parameters, tree.parent, ascending)
    if size is None:
        return tree.with_probability(parameters._replace(background=ONE_EACH))
    share = np.take_along_axis(tree.state_marginals, ascending, axis=1)
    on = 1.0 - share.cumsum(axis=1)  # P(on) if the background ends with each state
    on[:, :-1][~has_state[:, 1:]] = np.inf  # the topic keeps at least one state
    background = _background(on[:, :-1], size, tree)
    return tree.with_probability(parameters._replace(background=background))


def _background(on: Floats, size: Floats, tree: LatentTree) -> Ints32:
    """The number of background states, chosen from the root downwards.

    `on` is P(on) with 1, 2, ... background states. If a topic is too large with every choice, it is on
    in its last state only.
    """
    numbering, level = tree.numbering, tree.level[tree.n_words :]
    place = np.zeros(tree.n_latents, dtype=np.int32)
    for layer in numbering.layers():
        own = numbering.nodes[layer] - tree.n_words
        most = np.full(len(own), np.inf)
        if layer.start > 0:
            above = numbering.nodes[numbering.parent[layer]] - tree.n_words
            most = np.where(level[own] < level[above], _LARGEST * on[above, place[above]], np.inf)
        fits = on[own] <= most[:, None]  # choices that fit come before all others
        distance = np.where(fits, np.abs(on[own] - size[own, None]), 1.0 + on[own])
        place[own] = distance.argmin(axis=1)
    return place + 1
