"""CorEx in three layers, turned into a latent tree as in the paper's footnote."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta import LatentTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_EDGE = 1e-6


class Layer(NamedTuple):
    """One layer of CorEx.

    Attributes
    ----------
    states
        float64 (documents, variables below): the states of the variables below, 0 or 1.
    p_on
        float64 (documents, latent variables): P(latent = 1 | the variables below).
    parent
        int64 (variables below): the latent variable that each of them belongs to.
    """

    states: NDArray[np.float64]
    p_on: NDArray[np.float64]
    parent: NDArray[np.int64]


def as_tree(words: Sequence[str], layers: Sequence[Layer]) -> LatentTree:
    """Estimate P(child | latent variable) and P(latent variable) by averages over documents.

    The latent variables of the top layer are independent of each other: their links have the same
    probabilities in both states. Latent variables without words below them are left out.
    """
    sizes = [len(words), *(layer.p_on.shape[1] for layer in layers)]
    first = np.concatenate(([0], np.cumsum(sizes)))
    parent = np.full(first[-1], -1)
    level = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    probability = np.empty((first[-1], 2))
    for k, layer in enumerate(layers):
        below = slice(first[k], first[k + 1])
        parent[below] = first[k + 1] + layer.parent
        on = layer.p_on[:, layer.parent]
        with_on = (layer.states * on).sum(axis=0) / np.maximum(on.sum(axis=0), _EDGE)
        with_off = (layer.states * (1.0 - on)).sum(axis=0) / np.maximum(
            (1.0 - on).sum(axis=0), _EDGE
        )
        probability[below] = np.stack((with_off, with_on), axis=1)
    top = np.arange(first[-2], first[-1])
    parent[top[1:]] = top[:-1]
    probability[top] = layers[-1].p_on.mean(axis=0)[:, None]
    kept = _with_words_below(parent, len(words))
    number = np.full(len(parent) + 1, -1)
    number[kept] = np.arange(len(kept))
    # Where a link's end is left out, the one before it in the top layer takes its place.
    for v in top[1:]:
        while parent[v] >= 0 and number[parent[v]] < 0:
            parent[v] = parent[parent[v]]
    return LatentTree(
        words=tuple(words),
        parent=number[parent[kept]].astype(np.int32),
        level=level[kept],
        probability=np.clip(probability[kept], _EDGE, 1.0 - _EDGE),
        allow_irregular=True,
    )


def _with_words_below(parent: NDArray[np.int64], n_words: int) -> NDArray[np.int64]:
    """The nodes that are words or have words below them."""
    used = np.zeros(len(parent), dtype=bool)
    used[:n_words] = True
    for v in range(len(parent)):
        up = parent[v]
        if used[v] and up > v:  # links within the top layer lead backwards
            used[up] = True
    return np.flatnonzero(used)
