"""Islands against an implementation without any of the shortcuts."""

from __future__ import annotations

import numpy as np
import pytest
import slow_structure
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from strategies import random_tree

from hlta.algorithm.islands import Islands, build_islands
from hlta.algorithm.mutual_information import measure_pairs
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from tests.synthetic import planted


def build(X: np.ndarray, *, limit: int = 15, threshold: float = 3.0, dense: int = 1000) -> Islands:
    pairs = measure_pairs(as_documents(sparse.csr_array(X)), dense_limit=dense, monitor=Monitor())
    return build_islands(pairs, limit=limit, threshold=threshold, monitor=Monitor())


def parts(islands: Islands) -> list[list[int]]:
    return [part.tolist() for part in np.split(islands.members, islands.start[1:-1])]


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 1000),
    st.integers(3, 14),
    st.sampled_from([60, 400]),
    st.sampled_from([3, 5, 15]),
)
def test_islands_are_those_of_the_algorithm(seed: int, n: int, count: int, limit: int) -> None:
    tree = planted(n, seed) if seed % 2 else random_tree(seed, n, max(1, n // 3), strength=1.0)
    X = tree.sample(count, seed=seed).toarray()
    information = measure_pairs(as_documents(X), monitor=Monitor()).matrix.astype(float)
    expected = slow_structure.islands(X, information, limit, 3.0)
    found = parts(build(X, limit=limit))
    assert [sorted(part) for part in found] == [sorted(part) for part in expected]
    assert found[:1] == expected[:1]  # in the order of joining


def test_rows_counted_when_needed_give_the_same() -> None:
    X = planted(200, 1).sample(800, seed=1)
    kept, counted = build(X), build(X, dense=0)
    assert parts(kept) == parts(counted)
    assert kept.probability.tobytes() == counted.probability.tobytes()
    assert kept.prior.tobytes() == counted.prior.tobytes()


@pytest.mark.parametrize("limit", [3, 7, 15])
def test_every_variable_is_in_one_island_and_none_is_alone(limit: int) -> None:
    X = planted(301, 2).sample(500, seed=2)
    islands = build(X, limit=limit)
    assert sorted(islands.members.tolist()) == list(range(301))
    sizes = np.diff(islands.start)
    assert sizes.min() >= 2
    assert sizes.max() <= limit + 1
    assert (sizes > limit).sum() <= 1  # only to take in a last variable
    np.testing.assert_array_equal(
        islands.island_of[islands.members], np.repeat(np.arange(len(sizes)), sizes)
    )


def test_a_high_threshold_never_splits() -> None:
    X = planted(40, 3).sample(2000, seed=3)
    sizes = np.diff(build(X, threshold=1e9, limit=8).start)
    assert (sizes[:-1] == 8).all()
    assert len(build(X, threshold=-1e9)) > len(sizes)


def test_planted_islands_are_found() -> None:
    tree = planted(60, 4)
    X = tree.sample(5000, seed=4)
    found = build(X).island_of
    above = tree.parent[:60]
    same = above[:, None] == above
    assert (found[:, None] == found)[same].mean() > 0.8
    assert (found[:, None] == found)[~same].mean() < 0.01


def test_parameters_are_those_of_the_planted_island() -> None:
    rng = np.random.default_rng(0)
    on = rng.random(50_000) < 0.2
    p = np.array([[0.05, 0.8], [0.02, 0.6], [0.1, 0.7], [0.03, 0.5], [0.05, 0.65]])
    X = (rng.random((50_000, 5)) < np.where(on[:, None], p[:, 1], p[:, 0])).astype(np.int8)
    islands = build(X)
    assert len(islands) == 1
    np.testing.assert_allclose(islands.probability, p[islands.members], atol=0.03)
    assert islands.prior[0] == pytest.approx(0.2, abs=0.01)
