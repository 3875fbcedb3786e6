"""Where documents on no topic lie: in a belt around the others, thinner at both edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

_SECTORS: Final = 72
_REACH: Final = 9  # the outline reaches as far as the farthest point so many sectors to each side
_GAP: Final = 1.05
_LEAST: Final = 0.6  # of the farthest: so far from the middle is the outline everywhere
_SECTOR: Final = 2.0 * np.pi / _SECTORS


def around(
    place: NDArray[np.float64], on: csr_array, memberships: csr_array
) -> NDArray[np.float64]:
    """Places around others: float64 (documents, 2).

    They go round in the order of the directions in which the topics lie that they come nearest to.
    The more they are, the wider the belt.

    Parameters
    ----------
    place
        Where the others are: float64 (others, 2).
    on
        The topics of the others: (others, topics).
    memberships
        The topics of these documents: (documents, topics).
    """
    n = memberships.shape[0]
    middle = np.zeros(2) if len(place) == 0 else (place.min(axis=0) + place.max(axis=0)) / 2.0
    centred = place - middle
    of_topic = (on.T @ centred) / np.maximum(on.sum(axis=0), np.finfo(float).tiny)[:, None]
    towards: NDArray[np.float64] = memberships @ of_topic
    chance = np.random.default_rng(0).random((n, 3))
    angle = 2.0 * np.pi * np.sort(chance[:, 0])
    middles = (np.arange(_SECTORS) + 0.5) * _SECTOR
    inner = _GAP * np.interp(angle, middles, _outline(centred), period=2.0 * np.pi)
    radius = inner * np.sqrt(1.0 + chance[:, 1:].sum(axis=1) * n / max(1, len(place)))
    out = np.empty((n, 2))
    out[np.lexsort((*towards.T, _angle(towards)))] = from_polar(radius, angle) + middle
    return out


def from_polar(radius: NDArray[np.float64], angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places by their distances from the middle and their directions."""
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _angle(place: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction of each place, from 0 to 2 pi."""
    return np.asarray(np.arctan2(place[:, 1], place[:, 0]) % (2.0 * np.pi))


def _outline(place: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the points reach from the middle in each sector, smoothed."""
    distance = np.sqrt((place**2).sum(axis=1))
    farthest = np.full(_SECTORS, max(1.0, _LEAST * distance.max(initial=0.0)))
    sector = np.minimum((_angle(place) / _SECTOR).astype(np.intp), _SECTORS - 1)
    np.maximum.at(farthest, sector, distance)
    near = [np.roll(farthest, turn) for turn in range(-_REACH, _REACH + 1)]
    widest = np.max(near, axis=0)
    return np.asarray(np.mean([np.roll(widest, t) for t in range(-_REACH, _REACH + 1)], axis=0))
