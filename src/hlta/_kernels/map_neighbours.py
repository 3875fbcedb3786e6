"""The nearest points of each point, among candidates that lie in blocks."""

from __future__ import annotations

import numpy as np
from numba import float32, uint32

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel


@helper
def fill_distances(
    coordinates: t.SingleTable, point: int, begin: int, distances: t.OutSingles
) -> None:
    """Squared distances from `point` to the points from `begin`, as many as `distances` has room for.

    coordinates  float32 (dimensions, points), dimensions a multiple of 4: four at a time are faster
    """
    for j in range(distances.size):
        distances[j] = 0.0
    for first in range(0, coordinates.shape[0], 4):
        a, b = coordinates[first], coordinates[first + 1]
        c, d = coordinates[first + 2], coordinates[first + 3]
        pa, pb, pc, pd = a[point], b[point], c[point], d[point]
        ra, rb = a[begin : begin + distances.size], b[begin : begin + distances.size]
        rc, rd = c[begin : begin + distances.size], d[begin : begin + distances.size]
        for j in range(distances.size):
            u, v, w, x = ra[j] - pa, rb[j] - pb, rc[j] - pc, rd[j] - pd
            distances[j] += (u * u + v * v) + (w * w + x * x)


@kernel
def find_nearest(
    coordinates: t.SingleTable,
    begin: int,
    end: int,
    blocks: t.Ints,
    bounds: t.Ints,
    distances: t.OutSingles,
    best: t.OutSingles,
    nearest: t.OutIdTable,
) -> None:
    """The nearest points of points `begin` to `end`, nearest first, ties in the order of the search.

    coordinates  float32 (dimensions, points), dimensions a multiple of 4
    blocks       int64: the numbers of the blocks to search
    bounds       int64 (blocks + 1,): block b holds points bounds[b] to bounds[b + 1]
    distances    float32 (at least as many as the largest block has points,): working memory
    best         float32 (k,): working memory
    nearest      uint32 (points, k): rows `begin` to `end` are filled; the blocks searched must hold at
                 least k other points
    """
    last = best.size - 1
    for point in range(begin, end):
        for place in range(best.size):
            best[place] = np.inf
        mine = nearest[point]
        for b in range(blocks.size):
            start = bounds[blocks[b]]
            row = distances[: bounds[blocks[b] + 1] - start]
            fill_distances(coordinates, point, start, row)
            farthest = best[last]
            for j in range(row.size):
                if row[j] < farthest and start + j != point:
                    distance = float32(row[j])
                    place = last
                    while place > 0 and best[place - 1] > distance:
                        best[place] = best[place - 1]
                        mine[place] = mine[place - 1]
                        place -= 1
                    best[place] = distance
                    mine[place] = uint32(start + j)
                    farthest = best[last]
