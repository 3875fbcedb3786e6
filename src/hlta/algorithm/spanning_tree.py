"""Maximum spanning trees, and where their root should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.soft_information import reach_further

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def spanning_tree(row_of: Callable[[int], NDArray[np.float32]], size: int) -> NDArray[np.int64]:
    """The edges (size - 1, 2) of the maximum spanning tree, by Prim's algorithm.

    It asks for the row of each node's weights once; each edge leads from a new node into the tree.
    """
    inside = np.zeros(size, dtype=np.uint8)
    reach = np.full(size, -1.0, dtype=np.float32)
    link = np.zeros(size, dtype=np.int64)
    edges = []
    newest = 0
    for _ in range(size - 1):
        inside[newest] = 1
        newest = reach_further(row_of(newest), newest, inside, reach, link)
        edges.append((newest, int(link[newest])))
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def orient(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Parents in a tree given by its edges (m - 1, 2), rooted at its centre.

    Any root gives the same model; from the centre, paths are short.
    """
    m = len(edges) + 1
    both = np.concatenate((edges, edges[:, ::-1]))
    both = both[np.argsort(both[:, 0], kind="stable")]
    bounds = np.searchsorted(both[:, 0], np.arange(m + 1))

    def walk(root: int) -> tuple[list[int], NDArray[np.int64]]:
        order, parent = [root], np.full(m, -1)
        for v in order:
            for u in both[bounds[v] : bounds[v + 1], 1].tolist():
                if u != parent[v]:
                    parent[u] = v
                    order.append(u)
        return order, parent

    # The last of a breadth-first walk is an end of a longest path; the centre is its middle.
    end = walk(0)[0][-1]
    order, parent = walk(end)
    path = [order[-1]]
    while path[-1] != end:
        path.append(int(parent[path[-1]]))
    return walk(path[len(path) // 2])[1]
