"""How alike the topics of two models are, by words and by documents, and which correspond best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.memberships import topic_nodes
from hlta.topics.word_counts import WordCounts, words_of_topics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools, Floats
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

ROUNDING: Final = 1e-9
"""Similarities and standard deviations that differ by less are the same; among the same, sizes decide."""


def word_shares(tree: LatentTree, counts: WordCounts | None, topics: Iterable[Topic]) -> csr_array:
    """The share of each word in what words tell of a topic: float64 (topics, words), rows sum to 1.

    A word tells the mutual information of the two if it is likelier in the topic than elsewhere, and
    otherwise nothing.
    """
    from scipy.sparse import csr_array

    table = words_of_topics(tree, counts)
    told = np.where(table.given[:, 1] > table.given[:, 0], table.information, 0.0)
    total = np.add.reduceat(told, table.start[:-1])
    told /= np.maximum(np.repeat(total, np.diff(table.start)), np.finfo(float).tiny)
    every = csr_array((told, table.word, table.start), shape=(tree.n_latents, tree.n_words))
    return every[topic_nodes(tree, topics) - tree.n_words]


def overlaps(one: csr_array, other: csr_array) -> Floats:
    """The sum over the columns of the smaller entry, for every row of one and every row of the other."""
    by_column = other.T.toarray()
    found = np.empty((one.shape[0], other.shape[0]))
    for row in range(len(found)):
        entries = slice(one.indptr[row], one.indptr[row + 1])
        shared = np.minimum(by_column[one.indices[entries]], one.data[entries, None])
        found[row] = shared.sum(axis=0)
    return np.minimum(found, 1.0)


def shared_variances(one: Floats, other: Floats) -> Floats:
    """The squared correlation of every column of one with every column of the other.

    It is 0 where the correlation is negative, and for columns that do not vary.
    """
    return np.clip(_standardised(one).T @ _standardised(other), 0.0, 1.0) ** 2


def varying(values: Floats) -> Bools:
    """Whether the entries of each column differ."""
    return np.asarray(values.std(axis=0) > ROUNDING)


def _standardised(values: Floats) -> Floats:
    """The columns with mean 0 and length 1; those that do not vary become 0."""
    centred = np.where(varying(values), values - values.mean(axis=0), 0.0)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=0), ROUNDING))


def best_pairs(
    similarity: Floats, sizes: tuple[Floats, Floats], least: float
) -> list[tuple[int, int]]:
    """The pairs of a row and a column, each in one at most, with the largest sum of similarities.

    Only similarities of `least` or more count. Of choices with the same sum, it is the one in which
    the sizes differ least.
    """
    from scipy.optimize import linear_sum_assignment

    allowed = similarity >= least
    unequal = np.abs(np.subtract.outer(*sizes))
    worth = np.where(allowed, similarity + ROUNDING * (1.0 - unequal), 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if allowed[i, j]]
