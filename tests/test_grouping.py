"""Groups of members that are alike, and islands against their oracle."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.metrics import adjusted_rand_score

from hlta._kernels.soft_information import IslandTables
from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import read_only
from hlta.documents.given_matrices import as_documents
from hlta.learning.grouping import NO_PAIRS, average_linkage, cut, height_of, place_loners, ward
from hlta.learning.paper.islands import build_islands
from hlta.learning.paper.mutual_information import measure_pairs
from hlta.monitor import Monitor
from tests import slow_structure
from tests.slow_structure import bic_gain
from tests.strategies import random_tree
from tests.synthetic import planted


def rows_of(seed: int, n: int) -> np.ndarray:
    """Random rows, some of whose entries are 0."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, 7)) < 0.4, rng.random((n, 7)), 0.0)


@given(st.integers(0, 2**32), st.integers(2, 30), st.data())
def test_groups_are_those_of_scipy(seed: int, n: int, data: st.DataObject) -> None:
    dense = rows_of(seed, n)
    linked, expected = ward(sparse.csr_array(dense)), linkage(dense, "ward")
    np.testing.assert_allclose(linked[:, 2] * np.sqrt(2.0), expected[:, 2], atol=1e-7)
    width = data.draw(st.integers(1, n))
    found = cut(linked, height_of([linked], width))
    last, following = np.append(linked[:, 2], np.inf)[[n - width - 1, n - width]]
    if width == n or following - last > 1e-5:  # no ties
        own = cut_tree(expected, n_clusters=width).ravel()
        assert adjusted_rand_score(found, own) == 1.0


@given(st.integers(0, 2**32), st.integers(2, 30))
def test_average_linkage_is_that_of_scipy(seed: int, n: int) -> None:
    dense = rows_of(seed, n)
    expected = linkage(dense, "average", "sqeuclidean")[:, 2] / 2.0
    np.testing.assert_allclose(average_linkage(sparse.csr_array(dense))[:, 2], expected, atol=1e-9)


def test_members_at_equal_distances_join_together_also_in_several_trees() -> None:
    linked = ward(sparse.csr_array(np.repeat(np.eye(6), 2, axis=0)))
    groups = [cut(linked, height_of([linked], k)) for k in (12, 9, 6, 3, 1)]
    assert [int(group.max()) + 1 for group in groups] == [12, 12, 6, 6, 1]
    # Two pairs in each of two trees that are cut at one height, one of them wider than the others.
    near, far = (sparse.csr_array([[0.0], [0.1], [5.0], [5.0 + wide]]) for wide in (0.1, 2.0))
    both = [ward(near), ward(far)]
    groups = [cut(tree, height_of(both, 5)) for tree in both]
    assert [len(set(own.tolist())) for own in groups] == [2, 3]
    assert height_of([np.empty((0, 4)), np.empty((0, 4))], 1) < 0.0


def test_who_is_alone_joins_others_or_takes_another() -> None:
    """The last member is alone: it joins those like it, or, if barred, takes one that is free."""
    dense = np.zeros((6, 3))
    dense[:3, 0] = dense[3:5, 1] = 1.0
    dense[5] = (0.8, 0.1, 0.6)
    rows, parts = sparse.csr_array(dense), np.array([0, 0, 0, 1, 1, 2])
    assert place_loners(parts, rows).tolist() == [0, 0, 0, 1, 1, 0]
    barred = np.array([[0, 5], [3, 5]])
    assert place_loners(parts, rows, barred, np.array([0, 3, 5])).tolist() == [0, 2, 0, 1, 1, 2]
    none_free = place_loners(parts, rows, barred, np.arange(6))
    assert none_free.tolist() == parts.tolist()


@given(st.integers(0, 2**32), st.integers(2, 20))
def test_nobody_stays_alone(seed: int, n: int) -> None:
    parts = np.unique(np.random.default_rng(seed).integers(0, n, n), return_inverse=True)[1]
    found = place_loners(parts, sparse.csr_array(rows_of(seed, n)), NO_PAIRS)
    assert np.bincount(found).min() >= 2
    assert found.max() <= parts.max()


def table(matrix: NDArray[np.float64]) -> SparseTable:
    rows = sparse.csr_array(matrix)
    start, column = rows.indptr.astype(np.int64), rows.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(rows.data))


@pytest.mark.parametrize(("begin", "end"), [(0, 9), (2, 5), (4, 4)])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_products_are_those_of_dense_matrices(begin: int, end: int, density: float) -> None:
    rng = np.random.default_rng(end)
    left, right = (
        rng.normal(size=shape) * (rng.random(shape) < density) for shape in ((9, 6), (6, 11))
    )
    out = rng.normal(size=(end - begin, 11))
    expected = out + left[begin:end] @ right
    add_product(table(left), table(right), begin, end, out)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


def build(X: Any, *, limit: int = 15, threshold: float = 3.0, **options: Any) -> IslandTables:
    pairs = measure_pairs(as_documents(X), **options, monitor=Monitor())
    return build_islands(pairs, limit=limit, threshold=threshold, monitor=Monitor())


def members_of(islands: IslandTables) -> list[list[int]]:
    return [part.tolist() for part in np.split(islands.members, islands.start[1:-1])]


def assert_those_of_the_oracle(X: NDArray[np.int8], limit: int, threshold: float) -> None:
    pairs = measure_pairs(as_documents(X), monitor=Monitor())
    information = pairs.tables.matrix.astype(np.float64)
    expected = slow_structure.build_islands(X, information, limit, threshold)
    islands = build(X, limit=limit, threshold=threshold)
    assert members_of(islands) == [island.members for island in expected]  # in order of joining
    p = np.concatenate([island.p for island in expected])
    np.testing.assert_allclose(islands.probability, p, rtol=1e-9)
    np.testing.assert_allclose(islands.prior, [island.prior for island in expected], rtol=1e-9)


@pytest.mark.slow
@settings(max_examples=15)
@given(
    seed=st.integers(0, 1000),
    n=st.integers(2, 14),
    count=st.sampled_from([60, 400]),
    limit=st.sampled_from([3, 5, 15]),
    threshold=st.sampled_from([0.0, 3.0]),
)
def test_islands_and_their_parameters_agree_with_the_oracle(
    seed: int, n: int, count: int, limit: int, threshold: float
) -> None:
    tree = planted(n + 1, seed) if seed % 2 else random_tree(seed, n, max(1, n // 3), strength=1.0)
    X = tree.sample(count, seed=seed).toarray()[:, :n]
    assert_those_of_the_oracle(X, limit, threshold)


def test_a_last_pair_is_an_island_with_the_help_of_a_third_variable() -> None:
    X = planted(5, 0).sample(300, seed=0).toarray()
    assert [len(part) for part in members_of(build(X, limit=3))] == [3, 2]
    assert_those_of_the_oracle(X, 3, 3.0)


@pytest.mark.parametrize("include_negative", [False, True])
def test_rows_counted_when_needed_give_the_same(include_negative: bool) -> None:
    X = planted(200, 1).sample(800, seed=1)
    both = {"include_negative": include_negative}
    kept, counted = (build(X, matrix=each, **both) for each in (True, False))
    assert members_of(kept) == members_of(counted)
    assert kept.probability.tobytes() == counted.probability.tobytes()
    assert kept.prior.tobytes() == counted.prior.tobytes()


@pytest.mark.parametrize("limit", [3, 7, 15])
def test_every_variable_is_in_one_island_that_keeps_to_its_limit(limit: int) -> None:
    islands = build(planted(301, 2).sample(500, seed=2), limit=limit)
    assert sorted(islands.members.tolist()) == list(range(301))
    sizes = np.diff(islands.start)
    assert sizes.min() >= 2
    assert sizes.max() <= limit + 1  # a last variable joins the last island
    assert (sizes > limit).sum() <= 1


def test_a_high_threshold_never_splits_and_a_low_one_always_does() -> None:
    X = planted(40, 3).sample(2000, seed=3)
    sizes = np.diff(build(X, threshold=1e9, limit=8).start)
    assert (sizes[:-1] == 8).all()
    # Three variables, or two where the one that was tested against leaves.
    assert np.diff(build(X, threshold=-1e9, limit=8).start)[:-1].max() <= 3


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(4, 8))
def test_the_ud_test_flips_at_the_difference_in_bic(seed: int, n: int) -> None:
    X = np.ascontiguousarray(planted(max(n, 6), seed).sample(200, seed=seed).toarray()[:, :n])
    information = measure_pairs(as_documents(X), monitor=Monitor()).tables.matrix.astype(float)
    gains: list[float] = []

    def noted(*given_: Any) -> float:
        gains.append(bic_gain(*given_))
        return gains[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slow_structure, "bic_gain", noted)
        slow_structure.build_islands(X, information, n, np.inf)
    assume(gains)
    most = max(gains)  # with a threshold above it, all variables are one island
    margin = 1e-9 * max(1.0, abs(most))
    assert_those_of_the_oracle(X, n, most + margin)
    assert_those_of_the_oracle(X, n, most - margin)
