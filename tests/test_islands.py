"""Islands against an implementation without any of the shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.learning.paper.islands import Islands, build_islands
from hlta.learning.paper.mutual_information import measure_pairs
from hlta.monitor import Monitor
from tests import slow_structure
from tests.strategies import random_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray


def build(X: Any, *, limit: int = 15, threshold: float = 3.0, **options: Any) -> Islands:
    pairs = measure_pairs(as_documents(X), **options, monitor=Monitor())
    return build_islands(pairs, limit=limit, threshold=threshold, monitor=Monitor())


def members_of(islands: Islands) -> list[list[int]]:
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
    kept, counted = (
        build(X, matrix=each, include_negative=include_negative) for each in (True, False)
    )
    assert members_of(kept) == members_of(counted)
    assert kept.probability.tobytes() == counted.probability.tobytes()
    assert kept.prior.tobytes() == counted.prior.tobytes()


@pytest.mark.parametrize("limit", [3, 7, 15])
def test_every_variable_is_in_one_island_and_none_is_alone(limit: int) -> None:
    islands = build(planted(301, 2).sample(500, seed=2), limit=limit)
    assert sorted(islands.members.tolist()) == list(range(301))
    assert np.diff(islands.start).min() >= 2


@pytest.mark.parametrize("limit", [3, 7, 15])
def test_islands_keep_to_their_limit_but_for_a_last_variable(limit: int) -> None:
    sizes = np.diff(build(planted(301, 2).sample(500, seed=2), limit=limit).start)
    assert sizes.max() <= limit + 1
    assert (sizes > limit).sum() <= 1


def test_island_of_inverts_members() -> None:
    islands = build(planted(301, 2).sample(500, seed=2))
    for number, members in enumerate(members_of(islands)):
        assert set(islands.island_of[members].tolist()) == {number}


def test_a_high_threshold_never_splits_and_a_low_one_always_does() -> None:
    X = planted(40, 3).sample(2000, seed=3)
    sizes = np.diff(build(X, threshold=1e9, limit=8).start)
    assert (sizes[:-1] == 8).all()
    # Three variables, or two where the one that was tested against leaves.
    assert np.diff(build(X, threshold=-1e9, limit=8).start)[:-1].max() <= 3


def test_planted_islands_are_found() -> None:
    tree = planted(60, 4)
    found = build(tree.sample(5000, seed=4)).island_of
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
