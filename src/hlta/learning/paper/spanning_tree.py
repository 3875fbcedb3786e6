"""Maximum spanning trees (Section 5.2.3), and where to root them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta._support.arrays import Floats, Floats32, Ints


def spanning_tree(row_of: Callable[[int], Floats32], size: int) -> Ints:
    """The edges, int64 (size - 1, 2), of the maximum spanning tree, by Prim's algorithm.

    `row_of(v)`, the weights of v's edges, is called at most once per node, and the row is not kept.
    Each edge leads from a new node into the tree.
    """
    outside = np.ones(size, dtype=bool)
    reach = np.full(size, -1.0, dtype=np.float32)  # the heaviest edge from each node into the tree
    link = np.zeros(size, dtype=np.int64)  # the node of the tree that it leads to
    edges = []
    newest = 0
    for _ in range(size - 1):
        outside[newest] = False
        row = row_of(newest)
        nearer = outside & (row > reach)
        reach[nearer], link[nearer] = row[nearer], newest
        newest = int(np.where(outside, reach, -np.inf).argmax())
        edges.append((newest, int(link[newest])))
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def correlated_edges(on: Floats, share: Floats) -> Ints:
    """The edges of the maximum spanning tree by |correlation| of `on`'s columns, with means `share`."""
    together = on.T @ on / len(on) - np.outer(share, share)
    spread = np.sqrt(share * (1.0 - share))
    correlation = np.abs(together / np.outer(spread, spread)).astype(np.float32)
    return spanning_tree(correlation.__getitem__, len(share))


def orient(edges: Ints) -> Ints:
    """Parents, int64 (m,), -1 for the root, of a tree given by its edges and rooted at its centre.

    Any root gives the same distribution; from the centre, paths are short.
    """
    m = len(edges) + 1
    ends, others = np.concatenate((edges, edges[:, ::-1])).T
    order = np.argsort(ends, kind="stable")
    bounds = np.searchsorted(ends[order], np.arange(m + 1))
    graph = csr_array((np.ones(len(ends)), others[order], bounds), shape=(m, m))
    # A breadth-first walk ends at an end of a longest path; the middle of that path is the centre.
    end = breadth_first_order(graph, 0)[0][-1]
    order, parent = breadth_first_order(graph, end)
    path = [order[-1]]
    while path[-1] != end:
        path.append(parent[path[-1]])
    above: Ints = breadth_first_order(graph, path[len(path) // 2])[1].astype(np.int64)
    return np.maximum(above, -1)
