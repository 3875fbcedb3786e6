"""The map: documents that are on topics are placed by these, and the others around them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._kernels import map_neighbours
from hlta._support.arrays import offsets
from hlta._support.threads import map_in_order
from hlta.explorer.layout.descent import descend
from hlta.options import IN_PART

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Floats32, Indices, Ints

_NEIGHBOURS: Final = 30
_LEAST_NEIGHBOURS: Final = 3
_OF_ALL: Final = 20  # one in so many is a neighbour, if there are few documents
# How far documents that are alike lie apart, where neighbours are about 1 apart.
_BESIDE: Final = 0.2
_GOLDEN_ANGLE: Final = np.pi * (3.0 - np.sqrt(5.0))
_GAP: Final = 1.04
_CROWDED: Final = 0.35  # of the area that as many others take up
_LEAST: Final = 0.3  # of the farthest: so far from the middle is the outline everywhere
_ROUND: Final = 2.0 * np.pi * np.arange(24) / 24
SIDE: Final = int(np.iinfo(np.uint16).max)
_BLOCK: Final = 512  # points in a block, at most
_BLOCKS_SEARCHED: Final = 16  # for each point: those around its own; all, if there are no more
_UNROLLED: Final = 4  # the kernel takes so many dimensions at a time
_DIMENSIONS: Final = 64
_COMMONEST: Final = 0.999  # topics of all documents tell something, too
_STEPS: Final = 1000  # coordinates of rows of length 1 are rounded to as many
_SUFFICIENT: Final = 5000  # documents that tell the principal directions


def document_places(shares: csr_array) -> Floats:
    """Where each document lies: float64 (documents, 2), at any scale.

    Documents that are on a topic are near those on the same topics; the others lie around them. The
    order of the documents changes nothing, except that documents that are alike may change places.

    Parameters
    ----------
    shares
        The shares of topics in documents, as far as they are worth showing: (documents, topics).
    """
    place = np.zeros((shares.shape[0], 2))
    on = (shares >= IN_PART).sum(axis=1) > 0
    place[on] = _places_by_topics(shares[on])
    place[~on] = around(place[on], shares[on], shares[~on])
    return place


def _places_by_topics(shares: csr_array) -> Floats:
    """Where documents that are on topics lie; those that are alike beside each other."""
    rows, kind = kinds_of(directions(shares))
    count = np.bincount(kind, minlength=rows.shape[0])
    which = np.argsort(kind, kind="stable")
    number = np.empty(len(kind), dtype=np.int64)  # among those of its kind
    number[which] = np.arange(len(kind)) - offsets(count)[kind[which]]
    return _places_of_kinds(rows)[kind] + _BESIDE * sunflower(number)


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
    return from_polar(np.sqrt(number), _GOLDEN_ANGLE * number)


# ---- documents on no topic, in a narrow belt close around the others ---------------------------


def around(place: Floats, on: csr_array, shares: csr_array) -> Floats:
    """Places around others: float64 (documents, 2).

    They go round in the order of the directions in which the topics lie that they come nearest to.
    The more they are, the wider the belt, in which they lie closer together than the others.

    Parameters
    ----------
    place
        Where the others are: float64 (others, 2).
    on
        The topics of the others: (others, topics).
    shares
        The topics of these documents: (documents, topics).
    """
    n = shares.shape[0]
    middle = np.zeros(2) if len(place) == 0 else (place.min(axis=0) + place.max(axis=0)) / 2.0
    centred = place - middle
    of_topic = (on.T @ centred) / np.maximum(on.sum(axis=0), np.finfo(float).tiny)[:, None]
    towards: Floats = shares @ of_topic
    chance = np.random.default_rng(0).random((n, 3))
    angle = 2.0 * np.pi * np.sort(chance[:, 0])
    area = _CROWDED * n / max(1, len(place))
    radius = _GAP * _outline(centred, angle) * np.sqrt(1.0 + area * chance[:, 1:].sum(axis=1))
    out = np.empty((n, 2))
    out[np.lexsort((*towards.T, _angle(towards)))] = from_polar(radius, angle) + middle
    return out


def from_polar(radius: Floats, angle: Floats) -> Floats:
    """Places by their distances from the middle and their directions."""
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _angle(place: Floats) -> Floats:
    """The direction of each place, from 0 to 2 pi."""
    return np.asarray(np.arctan2(place[:, 1], place[:, 0]) % (2.0 * np.pi))


def _outline(place: Floats, angle: Floats) -> Floats:
    """How far the convex hull of the points reaches from the middle in each direction."""
    from scipy.spatial import ConvexHull

    farthest = np.sqrt((place**2).sum(axis=1)).max(initial=0.0)
    least = from_polar(np.full(len(_ROUND), max(1.0, _LEAST * farthest)), _ROUND)
    hull = ConvexHull(np.unique(np.vstack((place, least)), axis=0))  # in an order of their own
    facing = from_polar(np.ones(len(angle)), angle) @ hull.equations[:, :2].T
    with np.errstate(divide="ignore"):
        reach = np.where(facing > 0.0, -hull.equations[:, 2] / facing, np.inf)
    return np.asarray(reach.min(axis=1))


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


# ---- what documents are about, and the directions in which they differ -------------------------


class Kinds(NamedTuple):
    """Documents that are alike, put together; in an order that is not that of the documents."""

    rows: csr_array  # (kinds, topics): what documents of each kind are about
    kind: Indices  # (documents,): the kind of each


def directions(shares: csr_array) -> csr_array:
    """What each document is about, as rows of length 1: their squares are shares of the topics.

    A topic counts by its share, times what it tells that it is on: the rarer, the more. Through
    their length, documents on many topics are no farther from others than documents on few.
    """
    from scipy.sparse import diags_array

    n = shares.shape[0]
    usual = np.asarray(shares.sum(axis=0)) / max(1, n)
    telling = -np.log(np.clip(usual, 1.0 / (1 + n), _COMMONEST))
    rows = shares @ diags_array(telling)
    length = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
    return (diags_array(1.0 / np.where(length > 0.0, length, 1.0)) @ rows).tocsr()


def kinds_of(rows: csr_array) -> Kinds:
    """Documents by what they are about, rounded: what differs by less counts as alike."""
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
    """The coordinates of rows along their principal directions, 64 at most, the widest first."""
    from scipy.linalg import eigh

    some = rows[:: max(1, -(-rows.shape[0] // _SUFFICIENT))]
    mean = np.asarray(some.mean(axis=0)).ravel()
    covariance = (some.T @ some).toarray() / some.shape[0] - np.outer(mean, mean)
    n = len(mean)
    kept = min(_DIMENSIONS, n)
    _, directions = eigh(covariance, subset_by_index=[n - kept, n - 1])
    directions = directions[:, ::-1]
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(kept)]
    directions = directions * np.sign(largest)  # either sign would do
    return np.asarray(rows @ directions - mean @ directions, dtype=np.float32)
