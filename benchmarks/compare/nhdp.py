"""Nested hierarchical Dirichlet processes, after Paisley, Wang, Blei and Jordan (2015).

A tree of topics that all documents share. Each word of a document comes from a node: from the root
downwards it chooses one of the children, by the document's own distribution over them, and stops
there or goes on, by the document's own habit at that node. Learned by stochastic variational
inference: for each document of a batch a subtree is selected greedily, its words are shared out
among the nodes of the subtree, and the batch moves the topics by a natural gradient step.

Written from the description in the article for these benchmarks; no other usable implementation in
Python is known to us.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import psi

from benchmarks.compare.nhdp_loops import shared_out, subtree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_KMEANS_STEPS = 8
_LOCAL_STEPS = 50
_SPREAD = 0.05  # of where a topic begins is random


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Those of the article, with batches for corpora of thousands rather than millions.

    branching        children of the root, of its children, and so on
    alpha, beta      concentrations of the tree's and of a document's choices among children
    stop             Beta parameters of stopping at a node, and of going on
    eta              Dirichlet parameter of a topic, a word
    delay, exponent  of the step size (delay + t) ** -exponent
    most_nodes       of a document
    least_gain       of the bound, relative, for another node
    """

    branching: tuple[int, ...] = (10, 7, 5)
    alpha: float = 5.0
    beta: float = 1.0
    stop: tuple[float, float] = (2.0 / 3.0, 4.0 / 3.0)
    eta: float = 0.1
    batch_size: int = 500
    steps: int = 100
    delay: float = 64.0
    exponent: float = 0.6
    most_nodes: int = 20
    least_gain: float = 1e-3


class Shape(NamedTuple):
    """The nodes, parents first, siblings side by side; the root is not one of them.

    parent  int64 (nodes,): -1 below the root
    level   int64 (nodes,): 1 below the root
    first   int64 (nodes,): the first child
    width   int64 (nodes,): how many children
    """

    parent: NDArray[np.int64]
    level: NDArray[np.int64]
    first: NDArray[np.int64]
    width: NDArray[np.int64]


def shape(branching: Sequence[int]) -> Shape:
    """A tree in which all nodes of a level have the same number of children."""
    parent: list[int] = [-1] * branching[0]
    level = [1] * branching[0]
    begin = 0
    for depth, width in enumerate(branching[1:], start=2):
        above = range(begin, len(parent))
        begin = len(parent)
        parent += [up for up in above for _ in range(width)]
        level += [depth] * (width * len(above))
    up = np.array(parent)
    count = np.bincount(up[up >= 0], minlength=len(up))
    first = branching[0] + np.concatenate(([0], count.cumsum()[:-1]))
    return Shape(up, np.array(level), first, count)


@dataclass(eq=False)
class NestedHDP:
    """The model and its learning.

    words_on   nodes by words: how many words of the corpus come from a node
    chosen     nodes: how many documents have it in their subtree
    """

    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    def fit(self, counts: csr_array) -> NestedHDP:
        """Learn from documents by words."""
        counts = counts.tocsr().astype(np.float64)
        settings, documents = self.settings, counts.shape[0]
        rng = np.random.default_rng(self.seed)
        self.tree = shape(settings.branching)
        self.words_on, self.chosen = _started(counts, settings.branching, rng)
        size = min(settings.batch_size, documents)
        order = rng.permutation(documents)
        place = 0
        for step in range(1, settings.steps + 1):
            if place + size > documents:
                order, place = rng.permutation(documents), 0
            rate = (settings.delay + step) ** -settings.exponent
            self._update(counts, order[place : place + size], rate)
            place += size
        return self

    @property
    def phi(self) -> NDArray[np.float64]:
        """P(word | node)."""
        topics = self.words_on + self.settings.eta
        found: NDArray[np.float64] = topics / topics.sum(axis=1, keepdims=True)
        return found

    def __call__(self, given: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        """P(word | given words), up to a constant."""
        phi, log_topics, log_choice = self.phi, self._log_topics(), self._log_choice()
        found = np.empty((len(given), phi.shape[1]))
        for row, words in enumerate(given):
            nodes, _, share = self._document(words, np.ones(len(words)), log_topics, log_choice)
            found[row] = share @ phi[nodes]
        return found

    def _update(self, counts: csr_array, rows: NDArray[np.intp], rate: float) -> None:
        """One step with the documents of a batch."""
        words_on, chosen = np.zeros_like(self.words_on), np.zeros_like(self.chosen)
        log_topics, log_choice = self._log_topics(), self._log_choice()
        for row in rows:
            span = slice(counts.indptr[row], counts.indptr[row + 1])
            words, times = counts.indices[span], counts.data[span]
            nodes, shared, _ = self._document(words, times, log_topics, log_choice)
            words_on[np.ix_(nodes, words)] += shared * times
            chosen[nodes] += 1.0
        scale = counts.shape[0] / len(rows)
        self.words_on += rate * (scale * words_on - self.words_on)
        self.chosen += rate * (scale * chosen - self.chosen)

    def _document(
        self,
        words: NDArray[np.intp],
        times: NDArray[np.float64],
        log_topics: NDArray[np.float64],
        log_choice: NDArray[np.float64],
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Its nodes, P(node | word), and how it shares itself out among the nodes."""
        settings = self.settings
        likely = np.ascontiguousarray(log_topics[:, words])
        top = settings.branching[0]
        nodes = subtree(
            likely,
            times,
            log_choice,
            self.tree.parent,
            self.tree.first,
            self.tree.width,
            top,
            settings.beta,
            settings.stop,
            settings.most_nodes,
            settings.least_gain,
        )
        shared, share = shared_out(
            likely[nodes],
            times,
            nodes,
            self.tree.parent,
            self.tree.width,
            settings.beta,
            settings.stop,
            _LOCAL_STEPS,
        )
        return nodes, shared, share

    def _log_topics(self) -> NDArray[np.float64]:
        topics = self.words_on + self.settings.eta
        found: NDArray[np.float64] = psi(topics) - psi(topics.sum(axis=1, keepdims=True))
        return found

    def _log_choice(self) -> NDArray[np.float64]:
        """E log of the tree's own probability of each node among its siblings, larger ones first."""
        found = np.empty(len(self.chosen))
        groups = [np.arange(self.settings.branching[0])]
        groups += [
            np.arange(first, first + width)
            for first, width in zip(self.tree.first, self.tree.width, strict=True)
            if width
        ]
        for group in groups:
            order = group[np.argsort(-self.chosen[group], kind="stable")]
            taken = self.chosen[order]
            a = 1.0 + taken
            b = self.settings.alpha + taken[::-1].cumsum()[::-1] - taken
            total = psi(a + b)
            passed = np.concatenate(([0.0], (psi(b) - total)[:-1].cumsum()))
            found[order] = psi(a) - total + passed
        return found


def _started(
    counts: csr_array, branching: Sequence[int], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Clusters of documents, and clusters of what remains of them without their cluster's mean."""
    documents = counts.shape[0]
    length = np.maximum(counts.sum(axis=1), 1e-12)
    rest = csr_array(counts.multiply(1.0 / length[:, None]))
    groups = np.zeros(documents, dtype=np.int64)
    means, sizes = [], []
    above = 1
    for width in branching:
        below = np.zeros(documents, dtype=np.int64)
        for up in range(above):
            rows = np.flatnonzero(groups == up)
            if len(rows):
                below[rows] = up * width + _clusters(rest[rows], width, rng)
        above *= width
        number = np.bincount(below, minlength=above)
        member = csr_array((np.ones(documents), (below, np.arange(documents))), (above, documents))
        centres = (member @ rest).toarray() / np.maximum(number, 1)[:, None]
        means.append(centres)
        sizes.append(number)
        owner = np.repeat(below, np.diff(rest.indptr))
        rest.data = np.maximum(rest.data - centres[owner, rest.indices], 0.0)
        left = np.maximum(rest.sum(axis=1), 1e-12)
        rest = csr_array(rest.multiply(1.0 / left[:, None]))
        groups = below
    found = np.concatenate(means)
    noise = rng.gamma(1.0, 1.0, found.shape)
    noise /= noise.sum(axis=1, keepdims=True)
    begin = (1.0 - _SPREAD) * found + _SPREAD * noise
    return begin * counts.sum() / len(found), np.concatenate(sizes).astype(float)


def _clusters(rows: csr_array, width: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Spherical k-means."""
    n = rows.shape[0]
    if n <= width:
        return np.arange(n)
    norms = np.sqrt(rows.multiply(rows).sum(axis=1))
    unit = csr_array(rows.multiply(1.0 / np.maximum(norms, 1e-12)[:, None]))
    centres = unit[rng.choice(n, width, replace=False)].toarray()
    for _ in range(_KMEANS_STEPS):
        groups = (unit @ centres.T).argmax(axis=1)
        for k in np.unique(groups):
            mean = np.asarray(unit[groups == k].mean(axis=0)).ravel()
            centres[k] = mean / max(np.linalg.norm(mean), 1e-12)
    found: NDArray[np.intp] = groups
    return found
