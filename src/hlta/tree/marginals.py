"""Exact P(word | latent) for every latent variable and word below it: what topics are read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True, eq=False)
class WordMarginals:
    """The words below each latent variable, most informative about it first.

    Latent v, counted from 0 as in `LatentTree.latent_names`, owns entries start[v] to start[v + 1].

    start        int64 (n_latents + 1,): where the entries of each latent variable begin
    word         int64 (entries,): the word
    given        float64 (entries, 2): P(word = 1 | latent = 0) and P(word = 1 | latent = 1)
    information  float64 (entries,): mutual information of the word and the latent variable, in nats
    """

    start: NDArray[np.int64]
    word: NDArray[np.int64]
    given: NDArray[np.float64]
    information: NDArray[np.float64]


def word_marginals(tree: LatentTree) -> WordMarginals:
    """Carry P(word | latent) from each latent to its parent, all words at once, edge by edge.

    A word is below a latent variable if a path of edges between levels leads down to it; links
    between latent variables of one level do not count.
    """
    word = np.arange(tree.n_words)
    at = tree.parent[: tree.n_words]
    given = tree.probability[: tree.n_words]
    words, latents, tables = [], [], []
    while len(word):
        words.append(word)
        latents.append(at)
        tables.append(given)
        up = tree.parent[at]
        below = (up >= 0) & (tree.level[up] > tree.level[at])
        word, at, up, given = word[below], at[below], up[below], given[below]
        step = tree.probability[at]
        given = given[:, :1] * (1.0 - step) + given[:, 1:] * step
        at = up
    word = np.concatenate(words)
    latent = np.concatenate(latents) - tree.n_words
    given = np.concatenate(tables)
    information = mutual_information(given, tree.marginals[tree.n_words :][latent])
    order = np.lexsort((word, -information, latent))
    start = np.searchsorted(latent[order], np.arange(tree.n_latents + 1))
    return WordMarginals(start, word[order], given[order], information[order])


def mutual_information(
    given: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """MI of pairs (v, latent) of binary variables: H(v) - H(v | latent), in nats.

    `given` is float64 (n, 2): P(v = 1 | latent = 0) and P(v = 1 | latent = 1); `prior` is float64
    (n,): P(latent = 1). The information is 0 where rounding would make it negative.
    """

    def entropy(p: NDArray[np.float64]) -> NDArray[np.float64]:
        result: NDArray[np.float64] = -(xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
        return result

    mean = given[:, 0] * (1.0 - prior) + given[:, 1] * prior
    conditional = entropy(given[:, 0]) * (1.0 - prior) + entropy(given[:, 1]) * prior
    information: NDArray[np.float64] = np.maximum(entropy(mean) - conditional, 0.0)
    return information
