"""The nearest points of each point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.explorer.layout import document_map
from hlta.explorer.layout.document_map import nearest_points, neighbour_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def slow_nearest(points: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    distance = ((points[:, None].astype(float) - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    return np.asarray(np.argsort(distance, axis=1, kind="stable")[:, :k])


@pytest.mark.parametrize(("n", "dimensions"), [(2, 1), (5, 3), (700, 6), (1500, 10)])
def test_some_thousands_are_exact(n: int, dimensions: int) -> None:
    points = np.random.default_rng(n).standard_normal((n, dimensions)).astype(np.float32)
    k = min(7, n - 1)
    np.testing.assert_array_equal(nearest_points(points, k), slow_nearest(points, k))


def test_many_are_nearly_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_map, "_BLOCK", 64)
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((12, 8)) * 3
    points = (middles[rng.integers(12, size=3000)] + rng.standard_normal((3000, 8))).astype("f4")
    found, expected = nearest_points(points, 10), slow_nearest(points, 10)
    shared = [len(set(a) & set(b)) for a, b in zip(found.tolist(), expected.tolist(), strict=True)]
    assert np.mean(shared) > 9.0
    assert all(len(set(row)) == 10 for row in found.tolist())
    assert (found != np.arange(3000)[:, None]).all()


def test_threads_and_copies_change_nothing() -> None:
    points = np.random.default_rng(0).standard_normal((900, 5)).astype(np.float32)
    points[100:800] = points[0]
    one = nearest_points(points, 6)
    np.testing.assert_array_equal(one, nearest_points(points, 6))
    assert (one != np.arange(900)[:, None]).all()


def test_the_graph_goes_both_ways() -> None:
    nearest = nearest_points(np.array([[0.0], [1.0], [3.0], [3.5]], dtype=np.float32), 1)
    expected = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    np.testing.assert_allclose(neighbour_graph(nearest).toarray(), expected)
    star = neighbour_graph(np.array([[1], [0], [1]], dtype=np.uint32)).toarray()
    np.testing.assert_allclose(star, np.array([[0, 1, 0], [1, 0, 0.5], [0, 0.5, 0]]))
