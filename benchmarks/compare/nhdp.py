"""Nested hierarchical Dirichlet processes, after Paisley, Wang, Blei and Jordan (2015).

A tree of topics that all documents share. Each word of a document comes from a node: from the root
downwards the document stops at a node with some probability or goes on to one of its children,
which it chooses by a distribution of its own. Learned by stochastic variational inference: for each
document of a batch a subtree is selected greedily, its words are shared out among the nodes of the
subtree, and the batch moves the topics by a natural gradient step.

Written from the description in the article for these benchmarks; no other implementation in Python
is known to us. Where the article has sticks of the document point at sticks of the tree, a
document's children here are the selected children themselves, in the order of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import psi

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

_TINY: Final = 1e-100


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Defaults as in the article, section 7.

    branching        children of the root, of its children, and so on
    alpha, beta      concentrations of the tree's and of a document's choices among children
    stop             the Beta distribution of stopping at a node
    eta              Dirichlet parameter of a topic, a word
    delay, exponent  of the step size (delay + t) ** -exponent
    """

    branching: tuple[int, ...] = (10, 7, 5)
    alpha: float = 5.0
    beta: float = 1.0
    stop: tuple[float, float] = (1.0, 2.0 / 3.0)
    eta: float = 0.1
    batch_size: int = 250
    epochs: int = 5
    delay: float = 10.0
    exponent: float = 0.6
    most_nodes: int = 25
    local_steps: int = 30
    least_gain: float = 1e-3


@dataclass(eq=False)
class Tree:
    """The nodes, parents first; the root is not one of them.

    parent  int64 (nodes,): -1 below the root
    level   int64 (nodes,): 1 below the root
    topics  float64 (nodes, words): Dirichlet parameters
    sticks  float64 (nodes, 2): Beta parameters of taking a child rather than a later one
    """

    parent: NDArray[np.int64]
    level: NDArray[np.int64]
    topics: NDArray[np.float64]
    sticks: NDArray[np.float64]
    children: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.children = {v: [] for v in range(-1, len(self.parent))}
        for v, up in enumerate(self.parent.tolist()):
            self.children[up].append(v)


class NestedHDP:
    """The model and its learning."""

    def __init__(self, settings: Settings | None = None, *, seed: int = 0) -> None:
        self.settings = settings or Settings()
        self._rng = np.random.default_rng(seed)

    def fit(self, counts: csr_array) -> NestedHDP:
        """Learn from documents by words."""
        counts = counts.tocsr().astype(np.float64)
        self.tree = self._started(counts)
        settings, documents = self.settings, counts.shape[0]
        size = min(settings.batch_size, documents)
        step = 0
        for _ in range(settings.epochs):
            order = self._rng.permutation(documents)
            for begin in range(0, documents - size + 1, size):
                step += 1
                rate = (settings.delay + step) ** -settings.exponent
                self._update(counts, order[begin : begin + size], rate, documents / size)
        return self

    @property
    def phi(self) -> NDArray[np.float64]:
        """P(word | node)."""
        found: NDArray[np.float64] = self.tree.topics / self.tree.topics.sum(axis=1, keepdims=True)
        return found

    def _started(self, counts: csr_array) -> Tree:
        """Clusters of clusters of documents, each node with what its documents have beyond its parent."""
        settings = self.settings
        documents = counts.shape[0]
        norms = np.sqrt(counts.multiply(counts).sum(axis=1)).ravel()
        unit = counts.multiply(1.0 / np.maximum(norms, 1e-12)[:, None]).tocsr()
        everywhere = np.asarray(counts.mean(axis=0)).ravel() + 1e-9
        parent, level, means = [], [], []
        layer: list[tuple[int, NDArray[np.intp]]] = [(-1, np.arange(documents))]
        for depth, width in enumerate(settings.branching, start=1):
            below = []
            for up, rows in layer:
                groups = self._clusters(unit[rows], width)
                for k in range(width):
                    own = rows[groups == k]
                    number = len(parent)
                    parent.append(up)
                    level.append(depth)
                    base = means[up] if up >= 0 else everywhere
                    mean = np.asarray(counts[own].mean(axis=0)).ravel() if len(own) else base
                    means.append(mean)
                    below.append((number, own))
            layer = below
        bases = [means[up] if up >= 0 else everywhere for up in parent]
        more = np.maximum(np.array(means) - 0.8 * np.array(bases), 0.0)
        more += 0.02 * np.array(means) + 1e-6
        more *= self._rng.gamma(50.0, 1.0 / 50.0, more.shape)
        more *= counts.sum() / len(parent) / more.sum(axis=1, keepdims=True)
        sticks = np.tile([1.0, settings.alpha], (len(parent), 1))
        return Tree(np.array(parent), np.array(level), settings.eta + more, sticks)

    def _clusters(self, unit: csr_array, width: int, steps: int = 8) -> NDArray[np.intp]:
        """Spherical k-means."""
        n = unit.shape[0]
        if n <= width:
            return np.arange(n)
        centres = unit[self._rng.choice(n, width, replace=False)].toarray()
        for _ in range(steps):
            groups = (unit @ centres.T).argmax(axis=1)
            for k in np.unique(groups):
                mean = np.asarray(unit[groups == k].mean(axis=0)).ravel()
                centres[k] = mean / max(np.linalg.norm(mean), 1e-12)
        found: NDArray[np.intp] = groups
        return found

    def _update(self, counts: csr_array, rows: NDArray[np.intp], rate: float, scale: float) -> None:
        """One step with the documents of a batch."""
        tree, settings = self.tree, self.settings
        topics = np.zeros_like(tree.topics)
        chosen = np.zeros(len(tree.parent))
        expected = psi(tree.topics) - psi(tree.topics.sum(axis=1, keepdims=True))
        weights = self._weights()
        for row in rows:
            span = slice(counts.indptr[row], counts.indptr[row + 1])
            words, times = counts.indices[span], counts.data[span]
            if not len(words):
                continue
            likely = np.exp(expected[:, words])
            nodes = self._subtree(likely, times, weights)
            shared = self._shared(likely[nodes], times, nodes)
            topics[np.ix_(nodes, words)] += shared * times
            chosen[nodes] += 1.0
        tree.topics += rate * (settings.eta + scale * topics - tree.topics)
        sticks = np.empty_like(tree.sticks)
        for siblings in tree.children.values():
            taken = chosen[siblings]
            sticks[siblings, 0] = 1.0 + scale * taken
            sticks[siblings, 1] = settings.alpha + scale * (taken[::-1].cumsum()[::-1] - taken)
        tree.sticks += rate * (sticks - tree.sticks)

    def _weights(self) -> NDArray[np.float64]:
        """How likely a word of a document comes from each node, before the document is seen."""
        tree = self.tree
        a, b = tree.sticks.T
        take, leave = psi(a) - psi(a + b), psi(b) - psi(a + b)
        on, stop = self.settings.stop[1], self.settings.stop[0]
        log = np.zeros(len(tree.parent))
        for up, siblings in tree.children.items():
            passed = np.concatenate(([0.0], leave[siblings][:-1].cumsum()))
            above = 0.0 if up < 0 else log[up] + psi(on) - psi(stop + on)
            log[siblings] = above + take[siblings] + passed
        found: NDArray[np.float64] = np.exp(log + psi(stop) - psi(stop + on))
        return found

    def _subtree(
        self,
        likely: NDArray[np.float64],
        times: NDArray[np.float64],
        weights: NDArray[np.float64],
    ) -> NDArray[np.intp]:
        """Nodes for a document, one by one: the one that gains most, if the one above it is in."""
        tree = self.tree
        each = likely * weights[:, None]
        nodes: list[int] = []
        total = np.full(likely.shape[1], _TINY)
        open_ = list(tree.children[-1])
        before = -np.inf
        while open_ and len(nodes) < self.settings.most_nodes:
            gains = np.log(total + each[open_]) @ times
            best = int(gains.argmax())
            if nodes and gains[best] - before < self.settings.least_gain * abs(before):
                break
            before = gains[best]
            node = open_.pop(best)
            nodes.append(node)
            total = total + each[node]
            open_ += tree.children[node]
        return np.array(sorted(nodes))

    def _shared(
        self, likely: NDArray[np.float64], times: NDArray[np.float64], nodes: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """P(node | word) in a document: its own choices, and where it stops, learned together."""
        tree, settings = self.tree, self.settings
        place = {int(node): k for k, node in enumerate(nodes)}
        up = np.array([place.get(int(tree.parent[node]), -1) for node in nodes])
        later = (up[:, None] == up[None, :]) & (
            np.arange(len(nodes))[:, None] < np.arange(len(nodes))
        )
        earlier = later.T.astype(float)
        below = np.eye(len(nodes))  # which nodes are at or below each
        for k in range(len(nodes) - 1, -1, -1):
            if up[k] >= 0:
                below[up[k]] += below[k]
        stop, on = settings.stop
        log = np.zeros(len(nodes))
        before = np.full(len(nodes), np.inf)
        shared = likely
        for _ in range(settings.local_steps):
            shared = likely * np.exp(log - log.max())[:, None]
            shared = shared / np.maximum(shared.sum(axis=0), _TINY)
            own = shared @ times  # words that stop here
            through = below @ own  # and here or below
            a, b = 1.0 + through, settings.beta + later.astype(float) @ through
            take, leave = psi(a) - psi(a + b), psi(b) - psi(a + b)
            c, d = stop + own, on + through - own
            rest, goes = psi(c) - psi(c + d), psi(d) - psi(c + d)
            reach = take + earlier @ leave
            log = below.T @ reach + rest + (below - np.eye(len(nodes))).T @ goes
            if np.abs(own - before).mean() < 1e-2:
                break
            before = own
        return shared
