"""Splits of topics: which members go to the new topic, and the parameters, both from documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.errors import OptionError
from hlta.learning.em import PSEUDO_COUNT, SHRINKAGE, maximise, prior_counts
from hlta.options import ON_TOPIC
from hlta.tree.counts import e_step
from hlta.tree.inference import Inference
from hlta.tree.marginals import word_marginals
from hlta.tree.reshaping import members, split_latent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_STEPS: Final = 10  # steps of EM after a topic is split
_LEAST_MEMBERS: Final = 2  # members of each part, at least
_LEAST_DOCUMENTS: Final = 10  # documents on a topic, at least, to split it
_LEAST_SPREAD: Final = 1e-9  # standard deviation up to which a member is constant


def less_telling_group(tree: LatentTree, node: int, documents: Documents) -> list[int]:
    """One of two groups of a topic's members: the one with less mutual information with the topic.

    Members are correlated within a group more than between groups, in the documents on the topic. Of all
    cuts through the members in the order of an eigenvector of their correlations, the one is taken whose
    groups have the lowest mean correlation with each other.
    """
    below = members(tree, node)
    if len(below) < 2 * _LEAST_MEMBERS:
        raise OptionError(
            f"{tree.names[node]} has {len(below)} words and topics directly below it; to be split, "
            f"a topic needs {2 * _LEAST_MEMBERS} or more"
        )
    correlation = _correlations(tree, node, below, documents)
    best, group = np.inf, np.zeros(len(below), dtype=bool)
    sizes = np.arange(_LEAST_MEMBERS, len(below) - _LEAST_MEMBERS + 1)
    for vector in np.linalg.eigh(correlation)[1].T[::-1]:
        order = np.argsort(vector, kind="stable")
        total = correlation[np.ix_(order, order)].cumsum(axis=0).cumsum(axis=1)
        between = total[sizes - 1, -1] - total[sizes - 1, sizes - 1]
        between /= sizes * (len(below) - sizes)
        if between.min() < best - _LEAST_SPREAD:
            best, group = between.min(), np.zeros(len(below), dtype=bool)
            group[order[: sizes[between.argmin()]]] = True
    information = _information(tree, node, below)
    apart = group if information[group].sum() < information[~group].sum() else ~group
    return [below[k] for k in np.flatnonzero(apart).tolist()]


def learn_split(
    tree: LatentTree, node: int, name: str, apart: Sequence[int], documents: Documents
) -> LatentTree:
    """The tree after a split, in which a new topic is the parent of the members `apart`, after EM.

    EM changes only the parameters of the two topics and of the nodes directly below them.
    """
    tree = split_latent(tree, node, name, apart)
    nodes = np.array(nodes_of_split(tree, node))
    words, latents = nodes[nodes < tree.n_words], nodes[nodes >= tree.n_words]
    latents -= tree.n_words
    parameters = tree.parameters
    prior = prior_counts(parameters.states, documents, PSEUDO_COUNT, SHRINKAGE)
    for _ in range(_STEPS):
        inference = Inference.under(tree.numbering, parameters)
        counts = e_step(inference, documents)
        learned = maximise(counts.word, counts.latent, parameters, prior)
        word, latent = parameters.word.copy(), parameters.latent.copy()
        word[words], latent[latents] = learned.word[words], learned.latent[latents]
        parameters = parameters._replace(word=word, latent=latent)
    return tree.with_probability(parameters)


def nodes_of_split(tree: LatentTree, node: int) -> list[int]:
    """A topic that was split, the new one, and the nodes directly below them."""
    new = tree.n_nodes - 1
    return [node, new, *members(tree, node), *members(tree, new)]


def _correlations(
    tree: LatentTree, node: int, below: Sequence[int], documents: Documents
) -> Floats:
    """The correlations between the members of a topic, words first, in the documents on it."""
    latents = [v - tree.n_words for v in below if v >= tree.n_words]
    words = [v for v in below if v < tree.n_words]
    count, total, squares = 0, np.zeros(len(below)), np.zeros((len(below), len(below)))
    for _, part, posteriors in tree.dense_posteriors(documents):
        on = np.flatnonzero(posteriors[:, node - tree.n_words] > ON_TOPIC)
        present = part.take(on).to_csr(np.float64).tocsc()[:, words].toarray()
        both = np.concatenate((present, posteriors[on][:, latents]), axis=1)
        count, total, squares = count + len(on), total + both.sum(axis=0), squares + both.T @ both
    if count < _LEAST_DOCUMENTS:
        raise OptionError(
            f"{count} of the documents are on {tree.names[node]}; to be split, "
            f"a topic needs {_LEAST_DOCUMENTS} or more"
        )
    covariance = squares / count - np.outer(total, total) / count**2
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    spread[spread <= _LEAST_SPREAD] = np.inf
    return np.asarray(covariance / np.outer(spread, spread))


def _information(tree: LatentTree, node: int, below: Sequence[int]) -> Floats:
    """For each member, the sum of the mutual information of the words at or below it with the topic."""
    table = word_marginals(tree)
    entries = slice(*table.start[node - tree.n_words : node - tree.n_words + 2])
    information = np.zeros(tree.n_nodes)
    information[table.word[entries]] = table.information[entries]
    for v in reversed(tree.numbering.nodes.tolist()):
        information[v] = information[members(tree, v)].sum()
    return information[list(below)]
