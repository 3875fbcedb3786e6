"""The nearest points of each point: exactly for some thousands, nearly so for more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels import map_neighbours
from hlta._support.arrays import offsets
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats32, Indices

_BLOCK: Final = 512  # points in a block, at most
_BLOCKS_SEARCHED: Final = 16  # for each point: those around its own; all, if there are no more
_UNROLLED: Final = 4  # the kernel takes so many dimensions at a time


def nearest_points(points: Floats32, k: int) -> NDArray[np.uint32]:
    """The k nearest others of each point, from the nearest on: uint32 (points, k).

    The points are cut in blocks, and looked for in the blocks around the point's own. So they are
    exact up to 8,192 points; beyond that, a few of the k are missed, and the next ones taken.
    """
    parts = _blocks(points, np.arange(len(points)))
    order, bounds = np.concatenate(parts), offsets([len(part) for part in parts])
    padded = np.pad(points, ((0, 0), (0, -points.shape[1] % _UNROLLED)))
    coordinates = np.ascontiguousarray(padded[order].T)
    centres = np.array([points[part].mean(axis=0) for part in parts])
    nearest = np.empty((len(points), k), dtype=np.uint32)

    def search(block: int) -> None:
        distances = ((centres - centres[block]) ** 2).sum(axis=1)
        around = np.argsort(distances, kind="stable")[:_BLOCKS_SEARCHED]
        map_neighbours.find_nearest(
            *(coordinates, bounds[block], bounds[block + 1], around, bounds),
            *(np.empty(_BLOCK, dtype=np.float32), np.empty(k, dtype=np.float32), nearest),
        )

    map_in_order(search, range(len(parts)))
    out = np.empty_like(nearest)
    out[order] = order[nearest]
    return out


def _blocks(points: Floats32, chosen: Indices) -> list[Indices]:
    """The chosen points, halved along the dimension in which they differ most until they fit."""
    if len(chosen) <= _BLOCK:
        return [chosen]
    widest = points[chosen].var(axis=0).argmax()
    ordered = chosen[np.argsort(points[chosen, widest], kind="stable")]
    half = len(ordered) // 2
    return _blocks(points, ordered[:half]) + _blocks(points, ordered[half:])


def neighbour_graph(nearest: NDArray[np.uint32]) -> csr_array:
    """Who is near whom, in both directions; each point gives 1/2 to its nearest, in equal parts."""
    from scipy.sparse import csr_array

    n, k = nearest.shape
    each = np.full(n * k, 0.5 / k)
    one_way = csr_array(
        (each, nearest.astype(np.int32).ravel(), np.arange(0, n * k + 1, k)), (n, n)
    )
    graph = (one_way + one_way.T).tocsr()
    graph.sort_indices()
    return graph
