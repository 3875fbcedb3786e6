"""The map of the documents: points, their descent, those on no topic, the names of topics."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack
from scipy.spatial import Delaunay

from hlta._kernels import map_forces
from hlta._support.arrays import read_only
from hlta.explorer.layout import descent, document_map, repulsion
from hlta.explorer.layout.document_map import (
    SIDE,
    directions,
    document_places,
    in_square,
    nearest_points,
    neighbour_graph,
    principal_coordinates,
)
from hlta.explorer.layout.names import topic_places
from hlta.explorer.layout.repulsion import Field, Repulsion
from tests.jobs import on_jobs
from tests.there import there

CLUSTERS = 5
_TOPICS = 4  # of each cluster


def clustered_shares(documents: int, seed: int) -> tuple[csr_array, NDArray[np.intp]]:
    """The shares of topics in documents, at least one of which is 0.2, and the cluster of each."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(documents) % CLUSTERS
    words = np.where(rng.random((documents, CLUSTERS * _TOPICS)) < 0.05, 0.2, 0.0)
    for topic in range(_TOPICS):
        columns = cluster * _TOPICS + topic
        least, most = (1.0, 2.0) if topic == 0 else (0.0, 1.0)
        words[np.arange(documents), columns] = rng.uniform(least, most, documents)
    shares = words / words.sum(axis=1, keepdims=True)
    return csr_array(np.where(shares >= 0.05, shares, 0.0)), cluster


def purity(place: NDArray[np.float64], label: NDArray[np.intp], k: int = 10) -> float:
    """The share of the k nearest others of each point that have its label."""
    distance = ((place[:, None] - place[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1)[:, :k]
    return float((label[nearest] == label[:, None]).mean())


def test_documents_on_the_same_topics_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their order and the number of threads."""
    monkeypatch.setattr(descent, "_SHARD", 97)
    monkeypatch.setattr(document_map, "_BLOCK", 64)
    shares, cluster = clustered_shares(300, seed=1)
    shares = csr_array(vstack((shares, shares[:20] * 0.15)))
    place = document_places(shares)
    assert purity(place[:300], cluster) > 0.9
    assert len(np.unique(place.round(3), axis=0)) > 300  # nor do they lie on each other
    np.testing.assert_array_equal(place, on_jobs(3, document_places, shares))
    order = np.random.default_rng(0).permutation(320)
    in_order = in_square(document_places(shares[order]))
    np.testing.assert_array_equal(in_square(place)[order], in_order)


def test_documents_on_no_topic_lie_beside_those_that_they_are_like_and_move_none() -> None:
    shares, _ = clustered_shares(250, seed=2)
    weak = csr_array(vstack((shares, shares[:30] * 0.15, csr_array((20, shares.shape[1])))))
    place = document_places(weak)
    np.testing.assert_array_equal(place[:250], document_places(shares))
    to_all = np.sqrt(((place[250:280, None] - place[:250]) ** 2).sum(axis=2))
    assert (to_all.min(axis=1) < 1.0).all()
    alike = (directions(shares)[:30] @ directions(shares).T).toarray()
    nearest = alike[np.arange(30), to_all.argmin(axis=1)]
    assert np.median(nearest) > 0.95
    # Those that are like none lie apart from all of the others.
    assert (Delaunay(place[:280]).find_simplex(place[280:]) < 0).all()
    assert (np.ptp(place, axis=0) < 1.2 * np.ptp(place[:250], axis=0)).all()


@pytest.mark.parametrize("topics", [0, 1, 3])
@pytest.mark.parametrize("documents", [0, 1, 2, 5])
@pytest.mark.parametrize("value", [0.1, 0.9])
def test_few_documents_have_places_of_their_own(documents: int, topics: int, value: float) -> None:
    square = in_square(document_places(csr_array(np.full((documents, topics), value))))
    assert square.shape == (documents, 2)
    assert len(np.unique(square, axis=0)) == documents


def test_copies_lie_beside_each_other_and_are_evenly_spread() -> None:
    shares, _ = clustered_shares(100, seed=3)
    shares = csr_array(vstack((shares, shares[[7] * 900])))
    place = document_places(shares)
    assert len(np.unique(in_square(place), axis=0)) > 0.95 * 1000
    copies = place[[7, *range(100, 1000)]] - place[7]
    assert np.hypot(*copies.T).max() <= 0.21 * np.sqrt(len(copies))
    distance = np.sqrt(((copies[:, None] - copies[None]) ** 2).sum(axis=2))
    np.fill_diagonal(distance, np.inf)
    nearest = distance.min(axis=1)
    assert 0.18 < nearest.min() <= nearest.max() < 0.42


def test_coordinates_are_those_of_a_singular_value_decomposition() -> None:
    rows = directions(clustered_shares(300, seed=2)[0])
    dense = rows.toarray() - rows.toarray().mean(axis=0)
    left, values, _ = np.linalg.svd(dense, full_matrices=False)
    coordinates = principal_coordinates(rows)
    assert coordinates.shape == (300, dense.shape[1])
    for k in range(5):
        expected = left[:, k] * values[k]
        sign = np.sign(expected @ coordinates[:, k])
        np.testing.assert_allclose(coordinates[:, k], sign * expected, atol=1e-5)


# ---- names ---------------------------------------------------------------------------------------


def two_islands() -> tuple[NDArray[np.uint16], csr_array]:
    """Topic 0 on one island, 1 on the other, 2 on both but denser on the second, 3 on neither."""
    rng = np.random.default_rng(0)
    place = np.concatenate(
        (rng.normal([10_000, 20_000], 900, (300, 2)), rng.normal([50_000, 40_000], 300, (300, 2)))
    )
    shares = np.zeros((600, 4))
    shares[:300, 0] = shares[300:, 1] = 0.6
    shares[:30, 2] = shares[300:500, 2] = 0.3
    shares[:, 3] = 0.1
    return place.round().astype(np.uint16), csr_array(shares)


def test_names_stand_where_their_topics_are_densest() -> None:
    place, shares = two_islands()
    first, second, both, neither = topic_places(place, shares)
    assert neither is None
    for found, middle in ((first, (10, 20)), (second, (50, 40)), (both, (50, 40))):
        assert found is not None
        assert np.hypot(found[0] - 1000 * middle[0], found[1] - 1000 * middle[1]) < 400
    assert first is not None
    x, y, radius = first
    within = np.hypot(place[:300, 0].astype(float) - x, place[:300, 1].astype(float) - y) <= radius
    assert 0.4 < within.mean() < 0.6  # half of its documents
    turned = topic_places(place[::-1].copy(), csr_array(shares.toarray()[::-1]))
    assert turned == [first, second, both, neither]
    one = topic_places(np.array([[32768, 32768]], dtype=np.uint16), csr_array([[0.9, 0.0]]))
    assert one == [(32768, 32768, 0), None]
    assert topic_places(np.zeros((0, 2), dtype=np.uint16), csr_array((0, 2))) == [None, None]


def test_a_document_counts_by_the_share_of_the_topic() -> None:
    """Many documents on all topics do not draw the names of all topics to them."""
    rng = np.random.default_rng(0)
    place = np.concatenate((rng.normal(20_000, 500, (200, 2)), rng.normal(50_000, 500, (260, 2))))
    shares = np.zeros((460, 30))
    shares[:200, 0] = 0.9
    shares[200:] = 0.9
    found = there(topic_places(place.astype(np.uint16), csr_array(shares))[0])
    assert np.hypot(found[0] - 20_000, found[1] - 20_000) < 500


def test_a_name_stands_at_a_document_of_its_topic_and_not_between_two() -> None:
    """Two documents in a crowd: it is densest between them, and least so at the edge of the map."""
    corner = np.mgrid[30_000:34_000:40j, 30_000:34_000:40j].reshape(2, -1).T
    two = [[31_000, 29_800], [34_200, 33_000]]
    place = np.concatenate((two, corner)).round().astype(np.uint16)
    shares = np.zeros((len(place), 1))
    shares[:2] = 0.9
    found = there(topic_places(place, csr_array(shares))[0])
    assert list(found[:2]) in two


def test_the_longer_side_fills_the_square_and_the_aspect_is_kept() -> None:
    place = in_square(np.array([[-10.0, 1.0], [30.0, 11.0], [10.0, 6.0]]))
    assert place.dtype == np.uint16
    assert place[:, 0].tolist() == [0, SIDE, round(SIDE / 2)]
    height = np.ptp(place[:, 1].astype(int))
    assert abs(height - SIDE / 4) <= 1
    assert abs(place[:, 1].astype(int).min() + place[:, 1].max() - SIDE) <= 1


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
    found, expected = (pushes(one.field(place), place) for one in (moved, Repulsion()))
    np.testing.assert_allclose(found, expected, rtol=0.05)


# ---- the nearest points --------------------------------------------------------------------------


def slow_nearest(points: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    distance = ((points[:, None].astype(float) - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    return np.asarray(np.argsort(distance, axis=1, kind="stable")[:, :k])


@pytest.mark.parametrize(("n", "dimensions"), [(2, 1), (5, 3), (700, 6)])
def test_some_thousands_are_exact(n: int, dimensions: int) -> None:
    points = np.random.default_rng(n).standard_normal((n, dimensions)).astype(np.float32)
    k = min(7, n - 1)
    found, expected = nearest_points(points, k), slow_nearest(points, k)
    np.testing.assert_array_equal(np.sort(found), np.sort(expected))


def test_many_are_nearly_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_map, "_BLOCK", 32)
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((12, 8)) * 3
    points = (middles[rng.integers(12, size=1200)] + rng.standard_normal((1200, 8))).astype("f4")
    found, expected = nearest_points(points, 10), slow_nearest(points, 10)
    shared = [len(set(a) & set(b)) for a, b in zip(found.tolist(), expected.tolist(), strict=True)]
    assert np.mean(shared) > 9.0
    assert all(len(set(row)) == 10 for row in found.tolist())
    assert (found != np.arange(1200)[:, None]).all()


def test_the_graph_goes_both_ways() -> None:
    nearest = nearest_points(np.array([[0.0], [1.0], [3.0], [3.5]], dtype=np.float32), 1)
    expected = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    np.testing.assert_allclose(neighbour_graph(nearest).toarray(), expected)
    star = neighbour_graph(np.array([[1], [0], [1]], dtype=np.uint32)).toarray()
    np.testing.assert_allclose(star, np.array([[0, 1, 0], [1, 0, 0.5], [0, 0.5, 0]]))
