"""Repulsion by way of a grid, against the sum over all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta._kernels import map_forces
from hlta._support.arrays import read_only
from hlta.explorer.layout import repulsion
from hlta.explorer.layout.repulsion import Field, Repulsion

if TYPE_CHECKING:
    from numpy.typing import NDArray


def slow_repulsion(place: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """What pushes each point: the sum of (y_i - y_j) / (1 + |y_i - y_j|^2)^2; and their total."""
    apart = place[:, None] - place[None]
    near = 1.0 / (1.0 + (apart**2).sum(axis=2))
    return (near[:, :, None] ** 2 * apart).sum(axis=1), float(near.sum() - len(place))


def pushes(field: Field, place: NDArray[np.float64]) -> NDArray[np.float64]:
    """What pushes each point by the field: its first step, whose gain is 0.8."""
    n = len(place)
    motion = map_forces.Motion(place.copy(), *(np.zeros((n, 2)) for _ in range(3)))
    motion.gain[:] = 1.0
    grid = (read_only(field.potential), field.left, field.bottom, field.step)
    map_forces.move(0, n, *grid, 1.0 / (2.0 * field.step), 0.0, motion)
    np.testing.assert_array_equal(motion.position, place + motion.velocity)
    return np.asarray(motion.velocity / 0.8)


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
def test_forces_are_those_of_all_pairs(scale: float) -> None:
    place = np.random.default_rng(0).standard_normal((400, 2)) * scale + [30.0, -7.0]
    expected, total = slow_repulsion(place)
    field = Repulsion().field(place)
    error = np.abs(pushes(field, place) - expected).max()
    assert error < 0.05 * np.abs(expected).max()
    assert field.total == pytest.approx(total, rel=0.01)


def test_a_grid_of_finer_steps_comes_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repulsion, "_STEP", 0.2)
    place = np.random.default_rng(0).standard_normal((300, 2)) * 3
    expected, _ = slow_repulsion(place)
    np.testing.assert_allclose(
        pushes(Repulsion().field(place), place), expected, atol=1e-3 * np.abs(expected).max()
    )


def test_the_grid_fits_whatever_the_points_do() -> None:
    """Every node that a spline writes to or reads is in the grid."""
    moving = Repulsion()
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    for width in [1e-9, 0.5, 7.0, 7.01, 14.25, 14.5, 15.0, 30.0, 3.0, 90.0, 509.0, 511.5, 4e3, 1e9]:
        place = corners * width - 0.3
        field = moving.field(place)
        for corner in place:
            node = np.floor((corner - (field.left, field.bottom)) / field.step)
            assert (node >= 1).all()
            assert (node + 2 < field.potential.shape[0]).all()
        assert np.isfinite(field.potential).all()
        assert field.total > 0
        assert field.potential.shape[0] < 1200


def test_a_field_is_the_same_whatever_was_before() -> None:
    place = np.random.default_rng(0).standard_normal((50, 2))
    moved = Repulsion()
    moved.field(place * 40)
    np.testing.assert_allclose(
        pushes(moved.field(place), place), pushes(Repulsion().field(place), place), rtol=0.05
    )
