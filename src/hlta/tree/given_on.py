"""P(word present | latent variable on) and P(latent variable on | another on), for any two nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta._support.arrays import Floats, Indices
    from hlta.tree.latent_tree import LatentTree

_AT_ONCE: Final = 1 << 22  # about how many probabilities are in memory at a time


def words_given_on(tree: LatentTree, latents: Indices) -> Floats:
    """P(word present | v is on) of every word, given some latent variables v.

    Parameters
    ----------
    tree
        The model.
    latents
        The variables v, counted from 0 as in `LatentTree.latent_names`.

    Returns
    -------
    float64 (len(latents), n_words)
    """
    out = np.empty((len(latents), tree.n_words))
    above = tree.parent[: tree.n_words] - tree.n_words
    for part, given in _states_given_on(tree, latents):
        out[part] = (given[above] @ tree.parameters.word[:, :, None])[:, :, 0].T
    return out


def latents_given_on(tree: LatentTree, latents: Indices) -> Floats:
    """P(u is on | v is on) of every latent variable u; arguments as in `words_given_on`.

    Returns
    -------
    float64 (len(latents), n_latents)
    """
    out = np.empty((len(latents), tree.n_latents))
    is_on = tree.parameters.is_on.astype(np.float64)
    for part, given in _states_given_on(tree, latents):
        out[part] = (given @ is_on[:, :, None])[:, :, 0].T
    return out


def _states_given_on(tree: LatentTree, latents: Indices) -> Iterator[tuple[slice, Floats]]:
    """P(u = k | v is on), float64 (n_latents, variables v, K), for a few variables v at a time.

    On the path from v to the root, edges are reversed by Bayes' rule; the other variables are computed
    from their parents, from the root downwards.
    """
    shape, parameters = tree.numbering, tree.parameters
    order = shape.nodes - tree.n_words
    prior, table = tree.state_marginals[order], parameters.latent[order]
    for begin, end in ranges(len(latents), max(1, _AT_ONCE // (tree.n_nodes * prior.shape[1]))):
        at, column = shape.number[latents[begin:end]], np.arange(end - begin)
        given = np.zeros((tree.n_latents, end - begin, prior.shape[1]))
        is_known = np.zeros(given.shape[:2], dtype=bool)
        here = np.where(parameters.is_on[order[at]], prior[at], 0.0)
        here /= here.sum(axis=1, keepdims=True)
        while len(at):
            given[at, column], is_known[at, column] = here, True
            rest = at > 0
            at, column, here = at[rest], column[rest], here[rest]
            up = shape.parent[at]
            ratio = np.divide(here, prior[at], out=np.zeros_like(here), where=prior[at] > 0.0)
            here, at = prior[up] * (table[at] @ ratio[:, :, None])[:, :, 0], up
        for layer in list(shape.layers())[1:]:
            below = given[shape.parent[layer]] @ table[layer]
            given[layer] = np.where(is_known[layer, :, None], given[layer], below)
        yield slice(begin, end), given[shape.number]
