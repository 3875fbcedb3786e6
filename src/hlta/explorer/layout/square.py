"""The square of whole numbers that the map is kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Floats

SIDE: Final = int(np.iinfo(np.uint16).max)


def in_square(place: Floats) -> NDArray[np.uint16]:
    """Places scaled to fill the square, with the same factor both ways, in its middle."""
    if not len(place):
        return place.astype(np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    width = (high - low).max()
    factor = SIDE / width if width > 0 else 0.0
    scaled = (place - (low + high) / 2.0) * factor + SIDE / 2.0
    return np.asarray(np.clip(np.rint(scaled), 0, SIDE), dtype=np.uint16)
