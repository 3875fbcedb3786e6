"""Topics that are no larger than the topic above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.parameters import FLOOR, MIN_PROBABILITY, latent_parents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.parameters import Parameters

_LEAST_FACTOR: Final = 1e-6  # EM can raise what is small, but not what is 0


def within_parents(parameters: Parameters, tree: LatentTree) -> Parameters:
    """The parameters in which no topic of a lower level is larger than its parent.

    From the root downwards, P(on | parent off) shrinks where a topic would be too large: a child then
    is on mainly where its parent is. Nothing else changes.
    """
    n_words = tree.n_words
    parent = latent_parents(tree.parent, n_words)[n_words:]
    level = tree.level[n_words:]
    latent = parameters.latent.copy()
    is_on = parameters.is_on
    marginal = np.zeros(latent.shape[:2])
    for layer in tree.numbering.layers():
        own = tree.numbering.nodes[layer] - n_words
        if layer.start == 0:
            marginal[own] = latent[own, 0]
            continue
        above = parent[own]
        below = own[level[own] < level[above]]
        latent[below] = _shrunk(latent[below], marginal, is_on, below, parent[below])
        marginal[own] = np.einsum("vj,vjk->vk", marginal[above], latent[own])
    return parameters._replace(latent=latent)


def _shrunk(
    rows: NDArray[np.float64],
    marginal: NDArray[np.float64],
    is_on: NDArray[np.bool_],
    own: NDArray[np.integer],
    above: NDArray[np.integer],
) -> NDArray[np.float64]:
    """P(own | above), with P(on | above off) as small as the size of `above` demands."""
    share, on = marginal[above], np.where(is_on[own][:, None], rows, 0.0)
    total = on.sum(axis=2)  # P(own on | above = j)
    within = (share * total * is_on[above]).sum(axis=1)
    outside = (share * total * ~is_on[above]).sum(axis=1)
    room = (share * is_on[above]).sum(axis=1) - within
    factor = np.clip(room / np.maximum(outside, FLOOR), _LEAST_FACTOR, 1.0)[:, None]
    shrinks = (factor < 1.0) & ~is_on[above] & (total > 0.0)
    off = rows - on
    rest = np.maximum(off.sum(axis=2), MIN_PROBABILITY)
    gain = (1.0 - factor * total) / rest
    shrunk = np.maximum(factor[:, :, None] * on + gain[:, :, None] * off, FLOOR * (rows > 0.0))
    shrunk /= np.maximum(shrunk.sum(axis=2, keepdims=True), MIN_PROBABILITY)
    return np.where(shrinks[:, :, None], shrunk, rows)
