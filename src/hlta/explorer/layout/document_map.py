"""The map: documents are placed by their topics; those on no topic lie beside others, or in a heap."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._support.arrays import offsets, ranges
from hlta._support.threads import map_in_order
from hlta.explorer.layout.descent import descend
from hlta.options import IN_PART

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Floats32, Indices, Ints

_NEIGHBOURS: Final = 30
_LEAST_NEIGHBOURS: Final = 3
_OF_ALL: Final = 20  # if there are few documents, one in so many is a neighbour
# How far documents that are alike lie apart, where neighbours are about 1 apart.
_BESIDE: Final = 0.2
_GOLDEN_ANGLE: Final = np.pi * (3.0 - np.sqrt(5.0))
_HEAPED: Final = 0.4  # how far documents in the heap, which are like no other, lie apart
_CORNERS: Final = np.sqrt(0.5) * np.array(((1, 1), (-1, 1), (1, -1), (-1, -1)))
_GAP: Final = 2.0  # between the heap and all other documents
SIDE: Final = int(np.iinfo(np.uint16).max)
_BLOCK: Final = 512  # points in a block, at most
_BLOCKS_SEARCHED: Final = 16  # for each point: those around its own; all, if there are no more
_DIMENSIONS: Final = 64
_COMMONEST: Final = 0.999  # cap of mean shares, or a topic of all documents would have no weight
_STEPS: Final = 1000  # steps to which coordinates, from 0 to 1, are rounded
_SUFFICIENT: Final = 5000  # documents from which principal directions are computed, at most


def document_places(shares: csr_array) -> Floats:
    """Where each document lies: float64 (documents, 2), at any scale.

    Documents on a topic are placed near those on the same topics. Documents on no topic do not affect
    them: each lies beside the document that it is most like or, if there is none, in a heap apart. The
    order of the documents changes nothing, except that documents that are alike may swap places.

    Parameters
    ----------
    shares
        The shares of topics in documents, (documents, topics); small ones may be left out.
    """
    on = (shares >= IN_PART).sum(axis=1) > 0
    rows, kind = kinds_of(directions(shares[on]))
    like, likeness = most_alike(shares[~on], rows)
    ranked = np.argsort(-likeness, kind="stable")[: np.count_nonzero(likeness)]
    number = np.concatenate((np.flatnonzero(on), np.flatnonzero(~on)[ranked]))
    kind = np.concatenate((kind, like[ranked]))
    place = np.zeros((shares.shape[0], 2))
    place[number] = _places_of_kinds(rows)[kind] + _BESIDE * sunflower(_count_within(kind))
    unlike = np.setdiff1d(np.arange(len(place)), number)
    place[unlike] = heap_beside(place[number], len(unlike))
    return place


def _count_within(kind: Indices) -> Ints:
    """For each entry, how many of the same kind come before it."""
    which = np.argsort(kind, kind="stable")
    number = np.empty(len(kind), dtype=np.int64)
    number[which] = np.arange(len(kind)) - offsets(np.bincount(kind))[kind[which]]
    return number


def _places_of_kinds(rows: csr_array) -> Floats:
    """The layout of rows that differ from each other."""
    n = rows.shape[0]
    if n < 2:
        return np.zeros((n, 2))
    coordinates = principal_coordinates(rows)
    k = min(n - 1, max(_LEAST_NEIGHBOURS, min(_NEIGHBOURS, n // _OF_ALL)))
    nearest = nearest_points(coordinates, k)
    start = np.zeros((n, 2))
    start[:, : coordinates.shape[1]] = coordinates[:, :2]
    apart = 1e-3 * start.std() * sunflower(np.arange(n)) / np.sqrt(n)  # no two at one place
    return descend(neighbour_graph(nearest), start + apart)


def sunflower(number: Ints) -> Floats:
    """Places as evenly spread as the seeds of a sunflower, from the middle outwards."""
    radius, angle = np.sqrt(number), _GOLDEN_ANGLE * number
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


# ---- documents on no topic ---------------------------------------------------------------------


def most_alike(shares: csr_array, rows: csr_array) -> tuple[Indices, Floats]:
    """The row that each document is most like, the first on a tie, and the likeness, 0 if like none."""
    like = np.zeros(shares.shape[0], dtype=np.intp)
    likeness = np.zeros(len(like))
    for begin, end in ranges(len(like) if rows.shape[0] else 0, 64):
        found = (shares[begin:end] @ rows.T).toarray()
        like[begin:end], likeness[begin:end] = found.argmax(axis=1), found.max(axis=1)
    return like, likeness


def heap_beside(place: Floats, n: int) -> Floats:
    """A heap of n places in the emptiest corner, touching none of the others: float64 (n, 2)."""
    low, high = (place.min(axis=0), place.max(axis=0)) if len(place) else np.zeros((2, 2))
    middle, radius = (low + high) / 2.0, _HEAPED * np.sqrt(n)
    reach = ((place - middle) @ _CORNERS.T).max(axis=0, initial=0.0) + _GAP + radius
    in_corner = np.sqrt(2.0) * ((high - low).min() / 2.0 - radius)
    towards = _CORNERS[reach.argmin()] * max(reach.min(), in_corner)
    return np.asarray(middle + towards + _HEAPED * sunflower(np.arange(n)))


# ---- the square of whole numbers that the map is kept in ---------------------------------------


def in_square(place: Floats) -> NDArray[np.uint16]:
    """Places scaled to fill the square, with the same factor both ways, in its middle."""
    if not len(place):
        return place.astype(np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    width = (high - low).max()
    factor = SIDE / width if width > 0 else 0.0
    scaled = (place - (low + high) / 2.0) * factor + SIDE / 2.0
    return np.asarray(np.clip(np.rint(scaled), 0, SIDE), dtype=np.uint16)


# ---- nearest points, exactly for some thousands, nearly so for more ----------------------------


def nearest_points(points: Floats32, k: int) -> NDArray[np.uint32]:
    """The k nearest neighbours of each point, in no order: uint32 (points, k).

    The points are cut into blocks, and only the blocks around a point's own are searched. This is exact
    up to 8,192 points; beyond that, a few of the k are missed, and farther points take their places.
    """
    parts = _blocks(points, np.arange(len(points)))
    centres = np.array([points[part].mean(axis=0) for part in parts])
    squares = np.einsum("ij,ij->i", points, points)
    nearest = np.empty((len(points), k), dtype=np.uint32)

    def search(block: int) -> None:
        distances = ((centres - centres[block]) ** 2).sum(axis=1)
        around = np.argsort(distances, kind="stable")[:_BLOCKS_SEARCHED]  # its own comes first
        own, others = parts[block], np.concatenate([parts[other] for other in around])
        far = squares[others] - 2.0 * (points[own] @ points[others].T)
        np.fill_diagonal(far, np.inf)
        nearest[own] = others[np.argpartition(far, k - 1, axis=1)[:, :k]]

    map_in_order(search, range(len(parts)))
    return nearest


def _blocks(points: Floats32, chosen: Indices) -> list[Indices]:
    """The chosen points, halved along the dimension of largest variance until blocks are small enough."""
    if len(chosen) <= _BLOCK:
        return [chosen]
    widest = points[chosen].var(axis=0).argmax()
    ordered = chosen[np.argsort(points[chosen, widest], kind="stable")]
    half = len(ordered) // 2
    return _blocks(points, ordered[:half]) + _blocks(points, ordered[half:])


def neighbour_graph(nearest: NDArray[np.uint32]) -> csr_array:
    """The symmetric affinities of points: each divides 1/2 equally among its nearest, both ways."""
    from scipy.sparse import csr_array

    n, k = nearest.shape
    each = np.full(n * k, 0.5 / k)
    one_way = csr_array(
        (each, nearest.astype(np.int32).ravel(), np.arange(0, n * k + 1, k)), (n, n)
    )
    graph = (one_way + one_way.T).tocsr()
    graph.sort_indices()
    return graph


# ---- what documents are about, and the directions in which they differ -------------------------


class Kinds(NamedTuple):
    """Documents that are alike, grouped; the order of the kinds does not depend on that of documents."""

    rows: csr_array  # (kinds, topics): what documents of each kind are about
    kind: Indices  # (documents,): the kind of each


def directions(shares: csr_array) -> csr_array:
    """What each document is about, as rows of length 1, so that their squares sum to 1.

    A topic counts by its share times minus the logarithm of its mean share, so rare topics count more.
    As rows have equal lengths, documents on many topics are no farther from others than those on few.
    """
    from scipy.sparse import diags_array

    n = shares.shape[0]
    usual = np.asarray(shares.sum(axis=0)) / max(1, n)
    telling = -np.log(np.clip(usual, 1.0 / (1 + n), _COMMONEST))
    rows = shares @ diags_array(telling)
    length = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
    return (diags_array(1.0 / np.where(length > 0.0, length, 1.0)) @ rows).tocsr()


def kinds_of(rows: csr_array) -> Kinds:
    """Documents grouped by their rounded `directions`: smaller differences count as none."""
    from scipy.sparse import csr_array

    steps = np.rint(rows.data * _STEPS)
    rounded = csr_array((steps, rows.indices, rows.indptr), rows.shape)
    rounded.eliminate_zeros()
    rounded.sort_indices()
    topics = rounded.indices.astype(np.int32)
    keys = np.empty(rounded.shape[0], dtype=object)
    for row, (a, b) in enumerate(pairwise(rounded.indptr.tolist())):
        keys[row] = topics[a:b].tobytes() + rounded.data[a:b].tobytes()
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return Kinds(csr_array(rounded[first] / _STEPS), kind)


def principal_coordinates(rows: csr_array) -> Floats32:
    """The coordinates of rows along their principal directions, 64 at most, by descending variance."""
    from scipy.linalg import eigh

    some = rows[:: max(1, -(-rows.shape[0] // _SUFFICIENT))]
    mean = np.asarray(some.mean(axis=0)).ravel()
    covariance = (some.T @ some).toarray() / some.shape[0] - np.outer(mean, mean)
    n = len(mean)
    kept = min(_DIMENSIONS, n)
    _, directions = eigh(covariance, subset_by_index=[n - kept, n - 1])
    directions = directions[:, ::-1]
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(kept)]
    directions = directions * np.sign(largest)  # the sign of an eigenvector is arbitrary
    return np.asarray(rows @ directions - mean @ directions, dtype=np.float32)
