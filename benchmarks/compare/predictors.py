"""Completion: predicting the other half of a document, which compares all models on equal terms.

A random half of the words of each held-out document is given. A model then gives every other word of
the vocabulary a probability of being held back; these are scaled to sum to 1, and the score is the mean
logarithm over the words that are held back.

All kinds of models give P(word | given words) for every word, up to a constant. Mixtures infer the
proportions of a document in one of two common ways, variational or collapsed: which of them predicts
better depends on the model and on the length of the documents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.special import psi

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta import LatentTree

GIVEN = 0.5  # the share of a document's words that is given
MOST_DOCUMENTS = 1000
_CHUNK = 250
_STEPS = 100
_CONVERGED = 1e-3  # words, on average over topics, as in scikit-learn
_TINY = 1e-300


class Predictor(Protocol):
    """A function from the given words of each document to weights of all words."""

    def __call__(self, given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]: ...


def complete(test: csr_array, predict: Predictor, seed: int = 0) -> float:
    """Give half of each document's words and score the others; for at most 1,000 documents."""
    rng = np.random.default_rng(seed)
    rows = [r for r in range(test.shape[0]) if test.indptr[r + 1] - test.indptr[r] >= 2]
    if len(rows) > MOST_DOCUMENTS:
        rows = sorted(rng.choice(rows, MOST_DOCUMENTS, replace=False).tolist())
    given, hidden = [], []
    for row in rows:
        words = rng.permutation(test.indices[test.indptr[row] : test.indptr[row + 1]])
        given.append(np.sort(words[: len(words) // 2]))
        hidden.append(np.sort(words[len(words) // 2 :]))
    means = []
    for begin in range(0, len(rows), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        p = predict(given[part])
        for row, known, unknown in zip(p, given[part], hidden[part], strict=True):
            row[known] = 0.0
            means.append(float(np.log(row[unknown] / row.sum()).mean()))
    return float(np.mean(means))


@dataclass(frozen=True, eq=False)
class Independent:
    """Independent words: the baseline that every model must beat."""

    marginals: NDArray[np.float64]

    def __call__(self, given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        return np.tile(self.marginals, (len(given), 1))

    def log_likelihood(self, documents: csr_array) -> float:
        """Mean log P(document)."""
        p = self.marginals
        present = documents @ (np.log(p) - np.log1p(-p))
        return float(np.mean(present) + np.log1p(-p).sum())


@dataclass(frozen=True, eq=False)
class Tree:
    """A latent tree.

    Half of the words of a document are given, so a word that is not given is absent or held back.
    """

    tree: LatentTree

    def log_likelihood(self, documents: csr_array) -> float:
        """Mean log P(document)."""
        return float(self.tree.log_likelihood(documents).mean())

    def __call__(self, given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        """P(word is present and held back | the given words, and no others, are given)."""
        tree = self.tree
        word = tree.parameters.word
        # A tree of which words are given: those that are present, each with the same chance.
        known = tree.with_probability(tree.parameters._replace(word=GIVEN * word))
        rows = np.repeat(np.arange(len(given)), [len(words) for words in given])
        entries = (np.ones(len(rows)), (rows, np.concatenate(given)))
        documents = csr_array(entries, shape=(len(given), tree.n_words))
        above = known.posteriors(documents).states()[:, tree.parent[: tree.n_words] - tree.n_words]
        # The posterior includes that the word itself is not given: P(present | not given, state).
        held = (1.0 - GIVEN) * word / (1.0 - GIVEN * word)
        return np.asarray(np.einsum("wk,dwk->dw", held, above))


@dataclass(frozen=True, eq=False)
class Mixture(ABC):
    """A document mixes topics, and draws its words one after another.

    Attributes
    ----------
    phi
        (topics, words): P(word | topic).
    collapsed
        Whether the proportions are inferred by collapsed rather than variational inference.
    """

    phi: NDArray[np.float64]
    collapsed: bool = field(default=False, kw_only=True)

    def __call__(self, given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        return np.array([self.shares(words) @ self.phi for words in given])

    @abstractmethod
    def shares(self, words: NDArray[np.intp]) -> NDArray[np.float64]:
        """The expected proportion of each topic in a document with these words."""


@dataclass(frozen=True, eq=False)
class Topics(Mixture):
    """Topics that a document mixes in any proportions: LDA.

    Attributes
    ----------
    likely
        (topics, words): exp E log P(word | topic), which replaces it in variational inference.
    prior
        (topics,): Dirichlet parameters of the proportions.
    """

    likely: NDArray[np.float64]
    prior: NDArray[np.float64]

    def shares(self, words: NDArray[np.intp]) -> NDArray[np.float64]:
        """The expected proportions of a document, by the iteration of the LDA article."""
        likely = (self.phi if self.collapsed else self.likely)[:, words]
        posterior = self.prior + len(words) / len(self.prior)
        for _ in range(_STEPS):
            before = posterior
            weight = _weights(before, self.collapsed)
            norm = np.maximum(weight @ likely, _TINY)
            posterior = self.prior + weight * (likely / norm).sum(axis=1)
            if np.abs(posterior - before).mean() < _CONVERGED:
                break
        shares: NDArray[np.float64] = posterior / posterior.sum()
        return shares


@dataclass(frozen=True, eq=False)
class Paths(Mixture):
    """Topics of which a document mixes those on one path from the root downwards: nCRP.

    Attributes
    ----------
    paths
        (paths, levels): the topics on each path.
    weight
        (paths,): P(path).
    prior
        (paths, levels): Dirichlet parameters of a document's levels.
    """

    paths: NDArray[np.intp]
    weight: NDArray[np.float64]
    prior: NDArray[np.float64]

    def shares(self, words: NDArray[np.intp]) -> NDArray[np.float64]:
        """The expected proportion of each topic, over all paths."""
        likely = self.phi[:, words][self.paths]  # paths, levels, words
        posterior = self.prior + len(words) / self.prior.shape[1]
        for _ in range(_STEPS):
            before = posterior
            shared = _weights(before, self.collapsed)[:, :, None] * likely
            shared /= np.maximum(shared.sum(axis=1, keepdims=True), _TINY)
            posterior = self.prior + shared.sum(axis=2)
            if np.abs(posterior - before).mean() < _CONVERGED:
                break
        shares = posterior / posterior.sum(axis=1, keepdims=True)
        fit = np.log(np.maximum((shares[:, :, None] * likely).sum(axis=1), _TINY)).sum(axis=1)
        fit += np.log(self.weight)
        chance = np.exp(fit - fit.max())
        chance /= chance.sum()
        found = np.zeros(len(self.phi))
        np.add.at(found, self.paths, chance[:, None] * shares)
        return found


def _weights(dirichlet: NDArray[np.float64], collapsed: bool) -> NDArray[np.float64]:
    """The weights of topics for the next word: mean proportions if collapsed, else exp E log."""
    total = dirichlet.sum(axis=-1, keepdims=True)
    found: NDArray[np.float64] = (
        dirichlet / total if collapsed else np.exp(psi(dirichlet) - psi(total))
    )
    return found
