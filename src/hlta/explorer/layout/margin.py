"""Where documents on no topic lie: in a narrow belt close around the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats

_GAP: Final = 1.04
_CROWDED: Final = 0.35  # of the area that as many others take up
_LEAST: Final = 0.3  # of the farthest: so far from the middle is the outline everywhere
_ROUND: Final = 2.0 * np.pi * np.arange(24) / 24


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
