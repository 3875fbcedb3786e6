"""The gradient descent of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels import map_forces
from hlta._support.arrays import read_only
from hlta.explorer.layout import descent
from hlta.explorer.layout.descent import Phase, descend
from hlta.explorer.layout.neighbours import nearest_points, neighbour_graph
from tests.clusters import CLUSTERS, purity

if TYPE_CHECKING:
    import pytest
    from numpy.typing import NDArray
    from scipy.sparse import csr_array


def test_attraction_is_the_sum_over_neighbours() -> None:
    rng = np.random.default_rng(0)
    place = rng.standard_normal((60, 2))
    graph = neighbour_graph(nearest_points(rng.standard_normal((60, 3)).astype("f4"), 4, 1))
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
    return neighbour_graph(nearest_points(points, 10, 1)), points[:, :2].astype(float), label


def test_clusters_come_apart_and_points_do_not_lie_on_each_other() -> None:
    graph, start, label = clustered_graph(500)
    place = descend(graph, start, 2)
    assert purity(place, label) > 0.97
    assert len(np.unique(place.round(3), axis=0)) == 500


def test_it_descends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The divergence of t-SNE, over all pairs, falls."""
    graph, start, _ = clustered_graph(300)
    p = graph.toarray() / graph.sum()

    def divergence(steps: int) -> float:
        monkeypatch.setattr(descent, "PHASES", (Phase(steps, 1.0, 0.8),))
        place = descend(graph, start, 2)
        near = 1.0 / (1.0 + ((place[:, None] - place[None]) ** 2).sum(axis=2))
        np.fill_diagonal(near, 0.0)
        q = near / near.sum()
        return float((p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum())

    after = [divergence(steps) for steps in (0, 20, 100, 400)]
    assert after == sorted(after, reverse=True)
    assert after[-1] < 0.5 * after[0]


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "_SHARD", 37)
    monkeypatch.setattr(descent, "PHASES", (Phase(60, 4.0, 0.5), Phase(60, 1.0, 0.8)))
    graph, start, _ = clustered_graph(400)
    one = descend(graph, start, 1)
    for n_jobs in (2, 5):
        np.testing.assert_array_equal(one, descend(graph, start, n_jobs))


def test_the_scale_of_the_start_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "PHASES", (Phase(30, 4.0, 0.5),))
    graph, start, _ = clustered_graph(100)
    np.testing.assert_array_equal(descend(graph, start, 1), descend(graph, start * 1024.0, 1))
