"""The map: documents that are on topics are placed by these, and the others around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta.explorer.layout.descent import descend
from hlta.explorer.layout.features import directions, kinds_of, principal_coordinates
from hlta.explorer.layout.margin import around, from_polar
from hlta.explorer.layout.neighbours import nearest_points, neighbour_graph
from hlta.options import IN_PART

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Ints

_NEIGHBOURS: Final = 30
_LEAST_NEIGHBOURS: Final = 3
_OF_ALL: Final = 20  # one in so many is a neighbour, if there are few documents
_BESIDE: Final = (
    0.2  # how far documents that are alike lie apart, where neighbours are about 1 apart
)
_GOLDEN_ANGLE: Final = np.pi * (3.0 - np.sqrt(5.0))


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
