"""The gradient descent of the map, and its forces, against the sums over all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta._kernels import map_forces
from hlta._support.arrays import read_only
from hlta.explorer.layout import descent, repulsion
from hlta.explorer.layout.descent import Phase, descend
from hlta.explorer.layout.document_map import nearest_points, neighbour_graph
from hlta.explorer.layout.repulsion import Field, Repulsion
from tests.clusters import CLUSTERS, purity
from tests.jobs import on_jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array


def test_attraction_is_the_sum_over_neighbours() -> None:
    rng = np.random.default_rng(0)
    place = rng.standard_normal((60, 2))
    graph = neighbour_graph(nearest_points(rng.standard_normal((60, 3)).astype("f4"), 4))
    motion = map_forces.Motion(place, *(np.zeros((60, 2)) for _ in range(3)))
    neighbours = map_forces.Neighbours(
        read_only(graph.indptr.astype(np.int64)),
        read_only(graph.indices.astype(np.uint32)),
        read_only(graph.data),
    )
    map_forces.attract(0, 40, neighbours, motion)
    map_forces.attract(40, 60, neighbours, motion)
    apart = place[None] - place[:, None]
    pull = graph.toarray() / (1.0 + (apart**2).sum(axis=2))
    np.testing.assert_allclose(motion.attraction, (pull[:, :, None] * apart).sum(axis=1), rtol=1e-9)


def clustered_graph(n: int) -> tuple[csr_array, NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng(3)
    label = np.arange(n) % CLUSTERS
    points = (rng.standard_normal((CLUSTERS, 8))[label] * 4 + rng.standard_normal((n, 8))).astype(
        "f4"
    )
    return neighbour_graph(nearest_points(points, 10)), points[:, :2].astype(float), label


def test_clusters_come_apart_and_points_do_not_lie_on_each_other() -> None:
    graph, start, label = clustered_graph(500)
    place = descend(graph, start)
    assert purity(place, label) > 0.97
    assert len(np.unique(place.round(3), axis=0)) == 500


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "_SHARD", 37)
    monkeypatch.setattr(descent, "PHASES", (Phase(60, 4.0, 0.5), Phase(60, 1.0, 0.8)))
    graph, start, _ = clustered_graph(400)
    one = descend(graph, start)
    for n_jobs in (2, 5):
        np.testing.assert_array_equal(one, on_jobs(n_jobs, descend, graph, start))


# ---- repulsion by way of a grid ------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("scale", "step", "close"),
    [(0.3, None, 0.05), (1.0, None, 0.05), (5.0, None, 0.05), (3.0, 0.2, 1e-3)],
)
def test_forces_are_those_of_all_pairs_the_nearer_the_finer_the_grid(
    scale: float, step: float | None, close: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if step:
        monkeypatch.setattr(repulsion, "_STEP", step)
    place = np.random.default_rng(0).standard_normal((400, 2)) * scale + [30.0, -7.0]
    expected, total = slow_repulsion(place)
    field = Repulsion().field(place)
    atol = close * np.abs(expected).max()
    np.testing.assert_allclose(pushes(field, place), expected, rtol=0.0, atol=atol)
    assert field.total == pytest.approx(total, rel=0.01)


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
