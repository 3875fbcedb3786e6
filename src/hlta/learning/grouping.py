"""Hierarchical clustering of members, where some pairs are barred from being in one group.

Each member is a row vector; the dot product of two rows says how much alike the members are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components

from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import ranges, read_only

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlta._support.arrays import Floats, Indices

NO_PAIRS: Final = np.empty((0, 2), dtype=np.intp)
TIE: Final = 1e-6
"""Distances that differ by less count as equal."""
_BARRED: Final = 1e12  # the distance of barred pairs
_TOO_FAR: Final = 1e4  # a barred pair puts groups farther apart than this, all else nearer


def indicators(parts: Indices, weight: float = 1.0) -> sparse.csr_array:
    """The matrix of members by parts: `weight` where a member is in a part, 0 elsewhere."""
    n = len(parts)
    entries = np.full(n, weight), parts, np.arange(n + 1)
    return sparse.csr_array(entries, shape=(n, int(parts.max()) + 1))


def renumber(parts: Indices) -> Indices:
    """The same parts, numbered from 0 without gaps."""
    return np.unique(parts, return_inverse=True)[1]


def centres(rows: sparse.csr_array, parts: Indices) -> sparse.csr_array:
    """The mean of the rows of each part."""
    table = indicators(parts)
    return ((table / table.sum(axis=0)).T @ rows).tocsr()


def ward(rows: sparse.csr_array, barred: Indices = NO_PAIRS) -> Floats:
    """The linkage matrix of Ward's method, as in SciPy.

    The distance of two rows is their Euclidean distance divided by the square root of 2.
    """
    return _link(np.sqrt(_halved_squares(rows)), rows.shape[0], barred, "ward")


def average_linkage(rows: sparse.csr_array) -> Floats:
    """The linkage matrix of average linkage, where the distance is half the squared Euclidean one.

    For rows of length 1, that is 1 minus their dot product.
    """
    return _link(_halved_squares(rows), rows.shape[0], NO_PAIRS, "average")


def _link(distance: Floats, n: int, barred: Indices, method: str) -> Floats:
    if n < 2:
        return np.empty((0, 4))
    low, high = np.sort(barred, axis=1).T
    distance[n * low - low * (low + 1) // 2 + high - low - 1] = _BARRED
    linked: Floats = linkage(distance, method)
    return linked


def _halved_squares(rows: sparse.csr_array) -> Floats:
    """Half the squared distances of all pairs of rows, condensed as `linkage` takes them."""
    n, place = rows.shape[0], 0
    distance = np.empty(n * (n - 1) // 2)
    squares = rows.multiply(rows).sum(axis=1) / 2.0
    left, right = _table(rows), _table(rows.T.tocsr())
    for begin, end in ranges(n):
        products = np.zeros((end - begin, n))
        add_product(left, right, begin, end, products)
        for i in range(begin, end):
            found = squares[i] + squares[i + 1 :] - products[i - begin, i + 1 :]
            distance[place : place + len(found)] = found
            place += len(found)
    return np.maximum(distance, 0.0, out=distance)


def _table(matrix: sparse.csr_array) -> SparseTable:
    start, column = matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(matrix.data))


def cut(linked: Floats, height: float) -> Indices:
    """The group of each member if a linkage is cut at this height; barred pairs never share one."""
    n, joins = len(linked) + 1, linked[linked[:, 2] <= min(height + TIE, _TOO_FAR), :2]
    new = n + np.arange(len(joins))  # the numbers of the groups that joins make
    ends = np.concatenate(joins.astype(np.intp).T), np.concatenate([new, new])
    links = sparse.coo_array((np.ones(len(ends[0])), ends), shape=(2 * n, 2 * n))
    return renumber(connected_components(links)[1][:n].astype(np.intp))


def height_of(linked: list[Floats], width: int) -> float:
    """The greatest height at which several linkages, all cut there, have at least `width` groups in all.

    It is -1 if no join leaves so many.
    """
    heights = np.sort(np.concatenate([tree[:, 2] for tree in linked]))
    if not len(heights):
        return -1.0
    joins = np.flatnonzero(np.append(np.diff(heights) > TIE, True)) + 1  # up to each height
    joins = joins[len(heights) + len(linked) - joins >= width]
    return float(heights[joins[-1] - 1]) if len(joins) else -1.0


def cut_within(blocks: list[Indices], linked: list[Floats], height: float) -> Indices:
    """The group of each member; each block of members has its own linkage, cut at the same height."""
    parts, count = np.empty(sum(map(len, blocks)), dtype=np.intp), 0
    for own, tree in zip(blocks, linked, strict=True):
        parts[own] = count + cut(tree, height)
        count = int(parts[own].max()) + 1
    return parts


def place_loners(
    parts: Indices, rows: sparse.csr_array, barred: Indices = NO_PAIRS, bound: Indices = NO_PAIRS
) -> Indices:
    """Move members that are alone in a part to the part whose members are, on average, most like them.

    A member that is barred from all parts gets a companion instead: the member most like it that is not
    `bound`, from a part of three or more. If there is none, it stays alone.
    """
    parts, against = parts.copy(), _opponents(barred)
    free = np.ones(len(parts), dtype=bool)
    free[bound] = False
    for member in np.flatnonzero((np.bincount(parts) == 1)[parts]).tolist():
        size = np.bincount(parts)
        if size[parts[member]] > 1:  # another one has joined it
            continue
        alike = (rows @ rows[[member]].T).toarray().ravel()
        mean = np.bincount(parts, alike) / np.maximum(size, 1)
        mean[size == 0] = -np.inf
        mean[parts[[member, *against.get(member, [])]]] = -np.inf
        candidates = np.flatnonzero(free & (size[parts] > 2))
        if mean.max() > -np.inf:
            parts[member] = mean.argmax()
        elif len(candidates):
            parts[candidates[alike[candidates].argmax()]] = parts[member]
    return renumber(parts)


def _opponents(barred: Indices) -> Mapping[int, list[int]]:
    """The members from which each is barred."""
    found = defaultdict(list)
    for one, other in barred.tolist():
        found[one].append(other)
        found[other].append(one)
    return found
