"""Where the names of the topics stand on the map, and how far their topics spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.explorer.layout.document_map import SIDE, directions
from hlta.options import IN_PART

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats

_CELLS: Final = 64  # in a row
_CELL: Final = (SIDE + 1) // _CELLS
_SMOOTHINGS: Final = 2
_SHIFTS: Final = 10


def topic_places(place: NDArray[np.uint16], shares: csr_array) -> list[tuple[int, int, int] | None]:
    """The place and the radius of each topic, None if no document is on it.

    A topic's name stands where the documents on it are dense, also in relation to all documents; its
    radius is that of the circle around this place with half of its documents. A document counts for a
    topic by the square of its entry in `directions`.

    Parameters
    ----------
    place
        Where the documents are: uint16 (documents, 2).
    shares
        The shares of topics in them: (documents, topics).
    """
    by_topic, weights = shares.tocsc(), directions(shares).tocsc().data ** 2
    at, cell = place.astype(np.float64), place // _CELL
    everywhere = _density(cell, np.ones(len(cell)))
    out: list[tuple[int, int, int] | None] = []
    for begin, end in zip(by_topic.indptr[:-1], by_topic.indptr[1:], strict=True):
        entries = begin + np.flatnonzero(by_topic.data[begin:end] >= IN_PART)
        if not len(entries):
            out.append(None)
            continue
        on, weight = by_topic.indices[entries], weights[entries]
        middle = _densest(at[on], weight, cell[on], everywhere)
        distance = np.sqrt(((at[on] - middle) ** 2).sum(axis=1))
        radius = _weighted_median(distance, weight)
        out.append((round(middle[0]), round(middle[1]), round(radius)))
    return out


def _weighted_median(values: Floats, weight: Floats) -> float:
    """The value up to which half of the weight lies."""
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2.0)])


def _density(cell: NDArray[np.uint16], weight: Floats) -> Floats:
    """The weight of the points in each cell, smoothed: float64 (cells, cells)."""
    numbers = cell[:, 0].astype(np.intp) * _CELLS + cell[:, 1]
    total = np.bincount(numbers, weight, minlength=_CELLS * _CELLS)
    density: Floats = np.pad(total.reshape(_CELLS, _CELLS), _SMOOTHINGS)
    for _ in range(_SMOOTHINGS):
        density = density[:-2] + 2.0 * density[1:-1] + density[2:]
        density = density[:, :-2] + 2.0 * density[:, 1:-1] + density[:, 2:]
    return density


def _densest(at: Floats, weight: Floats, cell: NDArray[np.uint16], everywhere: Floats) -> Floats:
    """The mean of the points near the cell with the largest squared density over that of all points."""
    rank = _density(cell, weight) ** 2 / np.maximum(everywhere, 1.0)
    has_points = np.zeros(rank.shape, dtype=np.bool_)
    has_points[cell[:, 0], cell[:, 1]] = True
    densest = np.unravel_index(np.where(has_points, rank, -1.0).argmax(), rank.shape)
    middle: Floats = (np.array(densest, dtype=np.float64) + 0.5) * _CELL
    for _ in range(_SHIFTS):
        near = ((at - middle) ** 2).sum(axis=1) <= _CELL**2  # some point always is
        middle = np.asarray(weight[near] @ at[near]) / float(weight[near].sum())
    return middle
