"""Groups of members that are similar, among them some that must not meet.

Members have vectors of length 1 or less, one row each, whose products are their similarities.
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
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

BARRED: Final = 1e12
"""The distance of members that must not meet."""
NEAREST: Final = 1e-9
"""The distance of members that need not stay together, at least, where those that must have 0."""
TOO_FAR: Final = 1e4
"""The distance of groups with members that must not meet is above, that of others is below."""
NO_PAIRS: Final = np.empty((0, 2), dtype=np.intp)
_ROWS: Final = 256  # of similarities at a time
_ROUNDS: Final = 100  # of moves of single members, at most
_LEAST_GAIN: Final = 1e-9  # for which a member moves


def indicators(parts: NDArray[np.intp], weight: float = 1.0) -> sparse.csr_array:
    """Members by parts, `weight` where a member is in a part."""
    n = len(parts)
    entries = np.full(n, weight), parts, np.arange(n + 1)
    return sparse.csr_array(entries, shape=(n, int(parts.max()) + 1))


def alone(parts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which members are their part's only one."""
    found: NDArray[np.bool_] = (np.bincount(parts) == 1)[parts]
    return found


def squared_distances(vectors: sparse.csr_array) -> NDArray[np.float64]:
    """Half the squared distances of all pairs of vectors, as `linkage` takes them.

    That is 1 less their product where vectors have length 1.
    """
    n = vectors.shape[0]
    distance = np.empty(n * (n - 1) // 2)
    place = 0
    for i, row in enumerate(_distances(vectors)):
        distance[place : place + n - 1 - i] = row[i + 1 :]
        place += n - 1 - i
    return np.maximum(distance, 0.0, out=distance)


def close_pairs(vectors: sparse.csr_array, most: float) -> Iterator[NDArray[np.intp]]:
    """The pairs whose distance, as `squared_distances` has it, is `most` or less, a few at a time."""
    rows = _distances(vectors)
    for begin, end in ranges(vectors.shape[0], _ROWS):
        near = [i + 1 + np.flatnonzero(next(rows)[i + 1 :] <= most) for i in range(begin, end)]
        first = np.repeat(np.arange(begin, end), [len(found) for found in near])
        yield np.column_stack((first, np.concatenate(near)))


def _distances(vectors: sparse.csr_array) -> Iterator[NDArray[np.float64]]:
    """Row after row of the table of distances."""
    n = vectors.shape[0]
    squares = vectors.multiply(vectors).sum(axis=1) / 2.0
    rows, columns = _table(vectors), _table(vectors.T.tocsr())
    for begin, end in ranges(n, _ROWS):
        similarity = np.zeros((end - begin, n))
        add_product(rows, columns, begin, end, similarity)
        yield from squares[begin:end, None] + squares - similarity


def connected(pairs: Iterable[NDArray[np.intp]], n: int) -> list[NDArray[np.intp]]:
    """The sets of members that pairs connect, of two or more members each, both in order."""
    label = np.arange(n)
    for some in pairs:
        links = sparse.coo_array((np.ones(len(some)), label[some].T), shape=(n, n))
        label = connected_components(links)[1][label]
    label = np.unique(label, return_inverse=True)[1]
    members = np.argsort(label, kind="stable")
    sets = np.split(members, np.cumsum(np.bincount(label))[:-1])
    return sorted((own for own in sets if len(own) > 1), key=lambda own: int(own[0]))


def product(rows: sparse.csr_array, others: sparse.csr_array) -> NDArray[np.float64]:
    """The products of rows with all others, which are seldom 0."""
    out = np.zeros((rows.shape[0], others.shape[0]))
    add_product(_table(rows), _table(others.T.tocsr()), 0, len(out), out)
    return out


def _table(matrix: sparse.csr_array) -> SparseTable:
    start, column = matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(matrix.data))


def places(pairs: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Where pairs, the smaller number first, are among the distances of n members."""
    i, j = pairs[:, 0], pairs[:, 1]
    return n * i - i * (i + 1) // 2 + j - i - 1


def between(parts: NDArray[np.intp], barred: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pairs of members as pairs of their parts, each once, the smaller number first."""
    count = int(parts.max()) + 1
    low, high = np.sort(parts[barred], axis=1).T
    return np.column_stack(np.divmod(np.unique(low * count + high), count))


def opponents(barred: NDArray[np.intp]) -> Mapping[int, list[int]]:
    """The members that each must not meet."""
    found = defaultdict(list)
    for one, other in barred.tolist():
        found[one].append(other)
        found[other].append(one)
    return found


def cut(linked: NDArray[np.float64], width: int) -> NDArray[np.intp]:
    """`width` groups, or more if members would meet that must not."""
    n, fewest = len(linked) + 1, 1 + int((linked[:, 2] > TOO_FAR).sum())
    joins = linked[: max(0, n - max(width, fewest)), :2].astype(np.intp)
    new = n + np.arange(len(joins))  # the numbers of the groups that members or groups join
    ends = np.concatenate(joins.T), np.concatenate([new, new])
    links = sparse.coo_array((np.ones(len(ends[0])), ends), shape=(2 * n, 2 * n))
    groups: NDArray[np.intp] = connected_components(links)[1][:n].astype(np.intp)
    return groups


def average_linkage(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average linkage, as SciPy tells it: a row for each time that two groups join.

    Similarities are below 2, and -BARRED where members must not meet.
    """
    n = len(similarity)
    if n < 2:
        return np.empty((0, 4))
    linked: NDArray[np.float64] = linkage(2.0 - similarity[np.triu_indices(n, 1)], "average")
    return linked


def joined(
    parts: NDArray[np.intp],
    leaving: NDArray[np.bool_],
    similarity: NDArray[np.float64],
    barred: NDArray[np.intp] = NO_PAIRS,
) -> NDArray[np.intp]:
    """Move the members that leave, each the only one of its part, to the parts most similar to them.

    `similarity` has a row per member, or per member that leaves; it is averaged over the members of
    a part. If all leave, they become one part. A member that is barred from all parts stays alone, as
    does one whose similarity to all of them is negative.
    """
    if leaving.all():
        return parts if len(barred) or similarity.min() < 0.0 else np.zeros_like(parts)
    rows = similarity if len(similarity) < len(parts) else similarity[leaving]
    mean = np.asarray(rows @ indicators(parts)) / np.bincount(parts)
    mean[:, parts[leaving]] = -1.0
    against, moved = opponents(barred), parts.copy()
    for row, member in zip(mean, np.flatnonzero(leaving).tolist(), strict=True):
        row[moved[against.get(member, [])]] = -1.0
        if row.max() >= 0.0:
            moved[member] = row.argmax()
    return np.unique(moved, return_inverse=True)[1]


def loners_joined(
    parts: NDArray[np.intp], vectors: sparse.csr_array, barred: NDArray[np.intp] = NO_PAIRS
) -> NDArray[np.intp]:
    """Members that are alone join the part that they are most similar to, see `joined`."""
    single = alone(parts)
    return joined(parts, single, product(vectors[single], vectors), barred)


def settled(
    parts: NDArray[np.intp], vectors: sparse.csr_array, free: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Move single members that are free wherever that makes the parts more compact.

    A part is compact if the squared distances of its members from their middle have a small sum: Ward's
    method keeps it small as well, but never takes a step back (Hartigan's method does). No part is left
    with a single member. In each round a part gets or gives one member at most, the best moves first.
    """
    parts, rows = parts.copy(), np.arange(len(parts))
    squares = np.asarray(vectors.multiply(vectors).sum(axis=1))
    for _ in range(_ROUNDS):
        size = np.bincount(parts)
        total = product(vectors, (indicators(parts).T @ vectors).tocsr())
        within = np.bincount(parts, total[rows, parts])
        distance = squares[:, None] - 2.0 * total / size + within / size**2
        gain = np.zeros(len(parts))
        leaves = free & (size[parts] > 2)
        own = size[parts[leaves]]
        gain[leaves] = own / (own - 1.0) * distance[leaves, parts[leaves]]
        loss = size / (size + 1.0) * distance
        loss[rows, parts] = np.inf
        target = loss.argmin(axis=1)
        gain -= loss[rows, target]
        moving = np.flatnonzero(gain > _LEAST_GAIN)
        if not len(moving):
            break
        changed = set[int]()
        for member in moving[np.argsort(-gain[moving], kind="stable")].tolist():
            ends = {int(parts[member]), int(target[member])}
            if changed.isdisjoint(ends):
                changed |= ends
                parts[member] = target[member]
    return parts


def loners_completed(
    parts: NDArray[np.intp], vectors: sparse.csr_array, bound: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Members that are alone take the one most similar to them from another part.

    It is none of those that are bound, and its part keeps two members at least. If there is no such
    member, they stay alone.
    """
    parts = parts.copy()
    free = np.ones(len(parts), dtype=bool)
    free[bound] = False
    for member in np.flatnonzero(alone(parts)):
        candidates = np.flatnonzero(free & (np.bincount(parts)[parts] > 2))
        if len(candidates):
            similarity = (vectors[candidates] @ vectors[[member]].T).toarray().ravel()
            parts[candidates[similarity.argmax()]] = parts[member]
    return parts
