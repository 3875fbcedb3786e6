"""The square of the map."""

from __future__ import annotations

import numpy as np

from hlta.explorer.layout.square import SIDE, in_square


def test_the_longer_side_fills_the_square_and_the_aspect_is_kept() -> None:
    place = in_square(np.array([[-10.0, 1.0], [30.0, 11.0], [10.0, 6.0]]))
    assert place.dtype == np.uint16
    assert place[:, 0].tolist() == [0, SIDE, round(SIDE / 2)]
    height = np.ptp(place[:, 1].astype(int))
    assert abs(height - SIDE / 4) <= 1
    assert abs(place[:, 1].astype(int).min() + place[:, 1].max() - SIDE) <= 1


def test_one_point_is_in_the_middle() -> None:
    assert in_square(np.array([[3.0, 4.0]])).tolist() == [[32768, 32768]]
    assert in_square(np.zeros((0, 2))).shape == (0, 2)
