"""Nested hierarchical Dirichlet processes, after Paisley, Wang, Blei and Jordan (2015).

All documents share a tree of topics, and each word of a document comes from a node. From the root
downwards, it chooses one of the children by the document's own distribution over them, and stops
there or goes on with the document's own probability at that node. The model is learned by
stochastic variational inference: for each document of a batch, a subtree is selected greedily and
the words are assigned to its nodes; then the batch moves the topics by a natural gradient step.

This is written from the description in the article, for these benchmarks: we know of no other
usable implementation in Python.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import psi

from benchmarks.compare.nhdp_loops import Shape, shared_out, subtree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_KMEANS_STEPS = 8
_LOCAL_STEPS = 50
_NOISE = 0.05  # the random share of a topic's starting point
_TINY = 1e-12  # keeps sums of nothing from dividing by 0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of the article, with batches for corpora of thousands rather than millions.

    Attributes
    ----------
    branching
        The number of children of the root, of each of its children, and so on.
    alpha, beta
        Concentrations of the tree's and of a document's choices among children.
    stop
        Beta parameters of stopping at a node and of going on.
    eta
        Dirichlet parameter of a topic, per word.
    batch_size, steps
        Documents per step, and the number of steps.
    delay, exponent
        Of the step size (delay + t) ** -exponent.
    most_nodes
        The largest subtree of a document.
    least_gain
        A subtree stops growing when the bound gains less than this share.
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


class _Inferred(NamedTuple):
    """What is inferred about one document.

    Attributes
    ----------
    nodes
        int64 (n,): its subtree, in the order of selection.
    shared
        float64 (n, words of the document): P(node | word).
    share
        float64 (n,): its expected proportions.
    """

    nodes: NDArray[np.int64]
    shared: NDArray[np.float64]
    share: NDArray[np.float64]


@dataclass(eq=False)
class NestedHDP:
    """The model, which learns with `fit` and predicts when it is called.

    Attributes
    ----------
    tree
        The nodes.
    words_on
        float64 (nodes, words): how often each word of the corpus is assigned to each node.
    chosen
        float64 (nodes,): the number of documents that have the node in their subtree.
    """

    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    def fit(self, counts: csr_array) -> NestedHDP:
        """Learn from a matrix of documents by words, 0/1 or counts."""
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
        """P(word | given words) for each document, up to a constant."""
        phi, log_topics, log_choice = self.phi, self._log_topics(), self._log_choice()
        found = np.empty((len(given), phi.shape[1]))
        for row, words in enumerate(given):
            inferred = self._infer(words, np.ones(len(words)), log_topics, log_choice)
            found[row] = inferred.share @ phi[inferred.nodes]
        return found

    def _update(self, counts: csr_array, rows: NDArray[np.intp], rate: float) -> None:
        """Move the parameters by a step towards what the documents of a batch say."""
        words_on, chosen = np.zeros_like(self.words_on), np.zeros_like(self.chosen)
        log_topics, log_choice = self._log_topics(), self._log_choice()
        for row in rows:
            span = slice(counts.indptr[row], counts.indptr[row + 1])
            words, times = counts.indices[span], counts.data[span]
            inferred = self._infer(words, times, log_topics, log_choice)
            words_on[np.ix_(inferred.nodes, words)] += inferred.shared * times
            chosen[inferred.nodes] += 1.0
        scale = counts.shape[0] / len(rows)
        self.words_on += rate * (scale * words_on - self.words_on)
        self.chosen += rate * (scale * chosen - self.chosen)

    def _infer(
        self,
        words: NDArray[np.intp],
        times: NDArray[np.float64],
        log_topics: NDArray[np.float64],
        log_choice: NDArray[np.float64],
    ) -> _Inferred:
        """Select the subtree of a document, and assign its words to the nodes."""
        settings = self.settings
        likely = np.ascontiguousarray(log_topics[:, words])
        nodes = subtree(
            likely,
            times,
            log_choice,
            self.tree,
            settings.beta,
            settings.stop,
            settings.most_nodes,
            settings.least_gain,
        )
        shared, share = shared_out(
            likely[nodes],
            times,
            nodes,
            self.tree,
            settings.beta,
            settings.stop,
            _LOCAL_STEPS,
        )
        return _Inferred(nodes, shared, share)

    def _log_topics(self) -> NDArray[np.float64]:
        """E log P(word | node)."""
        topics = self.words_on + self.settings.eta
        found: NDArray[np.float64] = psi(topics) - psi(topics.sum(axis=1, keepdims=True))
        return found

    def _log_choice(self) -> NDArray[np.float64]:
        """E log of the tree's own probability of each node among its siblings.

        The sticks come in the order of size, largest first.
        """
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
    """Starting points of `words_on` and `chosen`, level by level.

    At each level the documents of a node are clustered; the next level clusters what is left of
    each document after subtracting the mean of its cluster.
    """
    documents = counts.shape[0]
    length = np.maximum(counts.sum(axis=1), _TINY)
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
        left = np.maximum(rest.sum(axis=1), _TINY)
        rest = csr_array(rest.multiply(1.0 / left[:, None]))
        groups = below
    found = np.concatenate(means)
    noise = rng.gamma(1.0, 1.0, found.shape)
    noise /= noise.sum(axis=1, keepdims=True)
    begin = (1.0 - _NOISE) * found + _NOISE * noise
    return begin * counts.sum() / len(found), np.concatenate(sizes).astype(float)


def _clusters(rows: csr_array, width: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The cluster of each row, by spherical k-means."""
    n = rows.shape[0]
    if n <= width:
        return np.arange(n)
    norms = np.sqrt(rows.multiply(rows).sum(axis=1))
    unit = csr_array(rows.multiply(1.0 / np.maximum(norms, _TINY)[:, None]))
    centres = unit[rng.choice(n, width, replace=False)].toarray()
    for _ in range(_KMEANS_STEPS):
        groups = (unit @ centres.T).argmax(axis=1)
        for k in np.unique(groups):
            mean = np.asarray(unit[groups == k].mean(axis=0)).ravel()
            centres[k] = mean / max(np.linalg.norm(mean), _TINY)
    found: NDArray[np.intp] = groups
    return found
