"""One step of Prim's algorithm for maximum spanning trees."""

from __future__ import annotations

from numba import float32

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel


@kernel
def reach_further(
    row: t.Singles, newest: int, inside: t.OutFlags, reach: t.OutSingles, link: t.OutInts
) -> int:
    """Prim's step: update `reach` and `link` for a new node; returns the nearest node, -1 if none.

    row     float32 (m,)   the weights of the new node's edges
    inside  uint8 (m,)     1 for nodes of the tree
    reach   float32 (m,)   the weight of the heaviest edge from each other node into the tree
    link    int64 (m,)     the node of the tree that this edge leads to
    """
    best = float32(-1.0)
    nearest = -1
    for j in range(row.size):
        if not inside[j]:
            if row[j] > reach[j]:
                reach[j] = row[j]
                link[j] = newest
            if reach[j] > best:
                best = reach[j]
                nearest = j
    return nearest
