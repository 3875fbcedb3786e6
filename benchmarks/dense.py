"""The textbook E-step: message passing over every node, vectorised over documents, in NumPy.

For two states per latent variable.

`benchmarks.inference` measures the library against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree


def expected_counts(
    tree: LatentTree, documents: NDArray[np.int8], chunk: int = 500
) -> tuple[NDArray[np.float64], float]:
    """Return expected counts [node, j, k] and the sum of log P(document).

    Documents are processed in chunks so that the arrays stay in the cache.
    """
    layers = _layers(tree)
    table, total = np.zeros((tree.n_nodes, 2, 2)), 0.0
    for start in range(0, len(documents), chunk):
        counts, log_likelihood = _chunk(tree, layers, documents[start : start + chunk])
        table += counts
        total += log_likelihood
    return table, total


def _layers(tree: LatentTree) -> list[NDArray[np.intp]]:
    """Nodes by depth, the root's children first, each layer sorted by parent."""
    layers: list[NDArray[np.intp]] = []
    above = np.array([tree.root])
    while True:
        below = np.concatenate([tree.children[v] for v in above])
        if not len(below):
            return layers
        below = below[np.argsort(tree.parent[below], kind="stable")]
        layers.append(below)
        above = below


def _chunk(
    tree: LatentTree, layers: list[NDArray[np.intp]], documents: NDArray[np.int8]
) -> tuple[NDArray[np.float64], float]:
    """The same for one chunk: messages up, layer by layer, then posteriors and counts down."""
    p1 = tree.probability
    p0 = 1.0 - p1
    count = len(documents)
    ratio = np.ones((tree.n_nodes, count))  # lambda(1) / lambda(0)
    scale = np.zeros((tree.n_nodes, count))  # log lambda(0)
    present = documents.T != 0
    m0, m1 = np.empty_like(ratio), np.empty_like(ratio)
    for layer in reversed(layers):
        words = layer < tree.n_words
        w, z = layer[words], layer[~words]
        m0[w] = np.where(present[w], p1[w, :1], p0[w, :1])
        m1[w] = np.where(present[w], p1[w, 1:], p0[w, 1:])
        m0[z] = p0[z, :1] + p1[z, :1] * ratio[z]
        m1[z] = p0[z, 1:] + p1[z, 1:] * ratio[z]
        parents, starts = np.unique(tree.parent[layer], return_index=True)
        ratio[parents] = np.multiply.reduceat(m1[layer] / m0[layer], starts, axis=0)
        below = np.log(m0[layer])
        below[~words] += scale[z]
        scale[parents] = np.add.reduceat(below, starts, axis=0)
    root = tree.root
    prior = p1[root, 0]
    evidence = 1.0 - prior + prior * ratio[root]
    total = float((scale[root] + np.log(evidence)).sum())

    table = np.empty((tree.n_nodes, 2, 2))
    on = np.empty_like(ratio)
    on[root] = prior * ratio[root] / evidence
    table[root] = [count - on[root].sum(), on[root].sum()]
    for layer in layers:
        words = layer < tree.n_words
        w, z = layer[words], layer[~words]
        above = on[tree.parent[layer]]
        off0, off1 = np.empty_like(above), np.empty_like(above)
        off0[words] = off1[words] = ~present[w]
        off0[~words] = p0[z, :1] / m0[z]
        off1[~words] = p0[z, 1:] / m1[z]
        table[layer, 0, 0] = ((1.0 - above) * off0).sum(axis=1)
        table[layer, 0, 1] = ((1.0 - above) * (1.0 - off0)).sum(axis=1)
        table[layer, 1, 0] = (above * off1).sum(axis=1)
        table[layer, 1, 1] = (above * (1.0 - off1)).sum(axis=1)
        on[layer] = above * (1.0 - off1) + (1.0 - above) * (1.0 - off0)
    return table, total
