"""Groups of similar members."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree

from hlta.algorithm.clustering import (
    BARRED,
    alone,
    average_linkage,
    between,
    close_pairs,
    connected,
    cut,
    joined,
    loners_completed,
    loners_joined,
    places,
    product,
    settled,
    squared_distances,
)


def test_what_is_alone_joins_what_it_is_most_like() -> None:
    like = np.eye(5)
    like[4, :4] = like[:4, 4] = (0.1, 0.2, 0.1, 0.3)
    for parts, expected in (([0, 0, 1, 1, 2], [0, 0, 1, 1, 1]), ([0, 1, 2, 3, 4], [0] * 5)):
        assert joined(np.array(parts), alone(np.array(parts)), like).tolist() == expected


@given(st.integers(0, 2**32), st.integers(2, 20))
def test_distances_are_those_of_all_pairs_in_their_order(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, 7)) < 0.4, rng.random((n, 7)), 0.0)
    distance = squared_distances(sparse.csr_array(dense))
    for i in range(n):
        for j in range(i + 1, n):
            expected = ((dense[i] - dense[j]) ** 2).sum() / 2.0
            place = places(np.array([[i, j]]), n)
            np.testing.assert_allclose(distance[place], expected, rtol=1e-9, atol=1e-12)
    vectors = sparse.csr_array(dense)
    np.testing.assert_allclose(product(vectors, vectors), dense @ dense.T, rtol=1e-9)
    first, second = np.triu_indices(n, 1)
    near = distance <= 0.5
    close = np.concatenate(list(close_pairs(vectors, 0.5)))
    assert np.array_equal(close, np.column_stack((first[near], second[near])))


def test_pairs_connect_members_over_others() -> None:
    pairs = [np.array([[0, 4], [3, 6]]), np.empty((0, 2), dtype=np.intp), np.array([[2, 4]])]
    sets = connected(pairs, 7)
    assert [own.tolist() for own in sets] == [[0, 2, 4], [3, 6]]
    assert connected(pairs[1:2], 3) == []


def test_what_is_infinitely_unlike_all_others_stays_alone() -> None:
    like = np.full((4, 4), -BARRED)
    like[:3, :3] = 0.5
    parts = np.array([0, 0, 1, 2])
    assert joined(parts, alone(parts), like).tolist() == [0, 0, 0, 1]
    single = np.arange(2)
    assert joined(single, alone(single), np.full((2, 2), -BARRED)).tolist() == [0, 1]


def test_linkage_never_joins_what_is_barred() -> None:
    like = np.ones((5, 5))
    like[0, 1] = like[1, 0] = -BARRED
    groups = cut(average_linkage(like), 1)
    assert groups[0] != groups[1]
    assert len(np.unique(groups)) == 2


@given(st.integers(0, 2**32), st.integers(2, 30), st.data())
def test_cutting_gives_the_groups_that_scipy_gives(seed: int, n: int, data: st.DataObject) -> None:
    like = np.random.default_rng(seed).random((n, n))
    linked, width = average_linkage((like + like.T) / 2), data.draw(st.integers(1, n + 2))
    np.testing.assert_array_equal(
        cut(linked, width), cut_tree(linked, n_clusters=min(width, n)).ravel()
    )


def test_pairs_of_members_as_pairs_of_their_parts() -> None:
    pairs = between(np.array([2, 0, 1, 0]), np.array([[0, 1], [0, 3], [1, 2]]))
    assert pairs.tolist() == [[0, 1], [0, 2]]


def test_who_is_alone_joins_others_or_takes_another() -> None:
    """The last member is alone: it joins those like it, or, if barred, takes one that is free."""
    dense = np.zeros((6, 3))
    dense[:3, 0] = dense[3:5, 1] = 1.0
    dense[5] = (0.8, 0.1, 0.6)
    vectors, parts = sparse.csr_array(dense), np.array([0, 0, 0, 1, 1, 2])
    assert loners_joined(parts, vectors).tolist() == [0, 0, 0, 1, 1, 0]
    barred = np.array([[0, 5], [3, 5]])
    assert loners_joined(parts, vectors, barred).tolist() == parts.tolist()
    taken = loners_completed(parts, vectors, np.array([0, 3, 5]))
    assert taken.tolist() == [0, 2, 0, 1, 1, 2]


def _spread(dense: np.ndarray, parts: np.ndarray) -> float:
    """The squared distances of members from the middle of their part."""
    return sum(
        float(((dense[parts == part] - dense[parts == part].mean(axis=0)) ** 2).sum())
        for part in np.unique(parts)
    )


@given(st.integers(0, 2**32), st.integers(4, 24), st.integers(2, 6))
def test_members_move_until_no_single_move_makes_parts_more_compact(
    seed: int, n: int, count: int
) -> None:
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, 5)) < 0.5, rng.random((n, 5)), 0.0)
    before = np.unique(rng.integers(0, count, n), return_inverse=True)[1]
    free = rng.random(n) < 0.8
    after = settled(before, sparse.csr_array(dense), free)
    assert np.array_equal(after[~free], before[~free])
    assert np.array_equal(np.unique(after), np.unique(before))
    assert np.bincount(after)[np.bincount(before) > 1].min(initial=2) > 1
    least = _spread(dense, after)
    assert least <= _spread(dense, before) + 1e-9
    for member in np.flatnonzero(free & (np.bincount(after)[after] > 2)):
        for part in np.unique(after):
            moved = after.copy()
            moved[member] = part
            assert _spread(dense, moved) > least - 1e-8
