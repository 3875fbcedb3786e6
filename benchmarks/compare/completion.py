"""Predicting the other half of a document: a measure on the same footing for all models.

Half of the words of each held-out document are given, drawn at random; of all other words nothing is
known. Each model then says how likely every word that was not given is the next one, and is scored
by the mean logarithm over the half that was held back. A mixture of topics does so as its articles
describe; a latent tree by P(word | the given words), scaled to sum to one over words not given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta import LatentTree

    Predict = Callable[[Sequence[NDArray[np.intp]]], NDArray[np.float64]]

MOST_DOCUMENTS = 1000
_STEPS = 50
_AT_ONCE = 250


class Mixture(NamedTuple):
    """Topics that share out a document's words.

    phi    topics by words: P(word | topic)
    prior  Dirichlet parameters of a document's topics
    paths  rows of topics that a document must keep to, and how likely each is; None: any topics
    """

    phi: NDArray[np.float64]
    prior: NDArray[np.float64]
    paths: tuple[NDArray[np.intp], NDArray[np.float64]] | None = None


class Completed(NamedTuple):
    """Mean log P of a word held back, and of all words of a document at that rate."""

    word: float
    document: float


def complete(test: csr_array, predict: Predict, seed: int = 0) -> Completed:
    """Give half of each document's words and score the others."""
    rng = np.random.default_rng(seed)
    rows = [r for r in range(test.shape[0]) if test.indptr[r + 1] - test.indptr[r] >= 2]
    if len(rows) > MOST_DOCUMENTS:
        rows = sorted(rng.choice(rows, MOST_DOCUMENTS, replace=False).tolist())
    given, hidden = [], []
    for row in rows:
        words = rng.permutation(test.indices[test.indptr[row] : test.indptr[row + 1]])
        given.append(np.sort(words[: len(words) // 2]))
        hidden.append(np.sort(words[len(words) // 2 :]))
    means, lengths = [], []
    for begin in range(0, len(rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        p = predict(given[part])
        for row, known, unknown in zip(p, given[part], hidden[part], strict=True):
            row[known] = 0.0
            means.append(float(np.log(row[unknown] / row.sum()).mean()))
            lengths.append(len(known) + len(unknown))
    whole = np.array(means) * np.array(lengths)
    return Completed(float(np.mean(means)), float(whole.mean()))


def of_mixture(mixture: Mixture) -> Predict:
    """P(word | given words) of a mixture, its weights fitted to the given words by EM."""

    def predict(given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        fold = _free if mixture.paths is None else _along_paths
        return np.array([fold(mixture, words) for words in given])

    return predict


def _free(mixture: Mixture, words: NDArray[np.intp]) -> NDArray[np.float64]:
    likely = mixture.phi[:, words]
    theta = mixture.prior / mixture.prior.sum()
    for _ in range(_STEPS if len(words) else 0):
        shared = theta[:, None] * likely
        shared /= shared.sum(axis=0)
        theta = shared.sum(axis=1) + mixture.prior
        theta /= theta.sum()
    return theta @ mixture.phi


def _along_paths(mixture: Mixture, words: NDArray[np.intp]) -> NDArray[np.float64]:
    assert mixture.paths is not None
    paths, weight = mixture.paths
    likely = mixture.phi[:, words][paths]  # paths, levels, words
    prior = mixture.prior[paths]
    theta = prior / prior.sum(axis=1, keepdims=True)
    for _ in range(_STEPS if len(words) else 0):
        shared = theta[:, :, None] * likely
        shared /= shared.sum(axis=1, keepdims=True)
        theta = shared.sum(axis=2) + prior
        theta /= theta.sum(axis=1, keepdims=True)
    fit = np.log((theta[:, :, None] * likely).sum(axis=1)).sum(axis=1) + np.log(weight)
    chance = np.exp(fit - fit.max())
    chance /= chance.sum()
    found: NDArray[np.float64] = np.zeros(mixture.phi.shape[1])
    for p, path, share in zip(chance, paths, theta, strict=True):
        if p > 1e-9:
            found += p * (share @ mixture.phi[path])
    return found


def of_tree(tree: LatentTree) -> Predict:
    """P(word = 1 | given words present, the others unknown), by messages over all nodes."""
    n = tree.n_words
    on, off = np.log(tree.probability), np.log1p(-tree.probability)
    order = _parents_first(tree)

    def predict(given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        count = len(given)
        up = np.zeros((tree.n_nodes, 2, count))  # log P(what is below | state)
        for d, words in enumerate(given):
            np.add.at(up[:, :, d], tree.parent[words], on[words])
        sent = np.zeros_like(up)
        for v in order[:0:-1]:
            for state in range(2):
                sent[v, state] = np.logaddexp(off[v, state] + up[v, 0], on[v, state] + up[v, 1])
            up[tree.parent[v]] += sent[v]
        root = order[0]
        up[root] += np.stack((off[root, 0], on[root, 0]))[:, None]
        for v in order[1:]:
            without = up[tree.parent[v]] - sent[v]
            up[v, 0] += np.logaddexp(off[v, 0] + without[0], off[v, 1] + without[1])
            up[v, 1] += np.logaddexp(on[v, 0] + without[0], on[v, 1] + without[1])
        belief = 1.0 / (1.0 + np.exp(up[n:, 0] - up[n:, 1]))  # latent variables, documents
        above = belief[tree.parent[:n] - n]
        p = tree.probability[:n]
        found: NDArray[np.float64] = (p[:, :1] * (1.0 - above) + p[:, 1:] * above).T
        return np.ascontiguousarray(found)

    return predict


def _parents_first(tree: LatentTree) -> list[int]:
    order = [tree.root]
    for v in order:
        order += [int(child) for child in tree.children[v] if child >= tree.n_words]
    return order
