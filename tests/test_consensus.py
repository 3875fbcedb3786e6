"""Consensus: partitions that votes agree on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from hlta.algorithm.clustering import BARRED, NO_PAIRS
from hlta.algorithm.consensus import (
    _distinct,
    _groups,
    _islands,
    _lowest_width,
    _narrower,
    agreed_partitions,
)
from hlta.algorithm.seeds import NO_SEEDS, Seeds
from hlta.algorithm.votes import Vote
from tests.synthetic import VOTED, cast_votes

ISLANDS, GROUPS, TOPS = VOTED


def test_votes_that_agree_win() -> None:
    islands, groups, tops = agreed_partitions(cast_votes(1, share=0.0), n_top=3)
    assert adjusted_rand_score(islands, ISLANDS) == 1.0
    assert adjusted_rand_score(groups, GROUPS) == 1.0
    assert len(np.unique(tops)) == 3


def test_many_noisy_votes_come_nearer_to_the_truth_than_one() -> None:
    def found(count: int) -> float:
        return float(adjusted_rand_score(agreed_partitions(cast_votes(count), n_top=3)[0], ISLANDS))

    assert found(40) > 0.9 > found(1)


@pytest.mark.parametrize("n_top", [1, 3, 8, 100])
def test_each_partition_joins_parts_of_the_one_before(n_top: int) -> None:
    partitions = agreed_partitions(cast_votes(10), n_top=n_top)
    for fine, coarse in pairwise(partitions):
        assert len(np.unique(np.column_stack((fine, coarse)), axis=0)) == len(np.unique(fine))
        assert len(np.unique(coarse)) < len(np.unique(fine))
    assert len(np.unique(partitions[-1])) <= n_top
    assert np.bincount(partitions[0]).min() >= 2


def test_the_order_of_words_and_votes_changes_nothing() -> None:
    cast, order = cast_votes(12), np.random.default_rng(5).permutation(len(ISLANDS))
    other = [Vote(tuple(p[order] for p in vote.topics)) for vote in cast[::-1]]
    both = zip(agreed_partitions(cast, n_top=4), agreed_partitions(other, n_top=4), strict=True)
    for one, two in both:
        assert adjusted_rand_score(one[order], two) == 1.0


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_words_are_one_island(n: int) -> None:
    parts = agreed_partitions([Vote((np.arange(n),))], n_top=2)
    assert [p.tolist() for p in parts] == [[0] * n]


def test_a_level_that_is_no_narrower_is_left_out() -> None:
    islands, groups, tops = VOTED
    assert _distinct([islands, groups, groups, tops, tops], 0) == [islands, groups, tops]
    seeded = _distinct(
        [islands, groups, groups, tops, tops], 3
    )  # topics of seeds keep their levels
    assert seeded == [islands, groups, groups, tops]


def test_levels_narrow_evenly() -> None:
    assert [_lowest_width(*size) for size in ((400, 16), (1800, 16), (10, 8), (2, 1))] == [
        52,
        173,
        6,
        1,
    ]
    assert [_narrower(count, 16) for count in (200, 57, 16, 12)] == [57, 0, 0, 0]


def test_what_is_alone_joins_others_unless_it_is_whole() -> None:
    """Three pairs, and three members that are like none of these, the last a bit like the first pair."""
    like = np.full((9, 9), 0.1)
    for pair in range(3):
        like[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = 0.9
    like[8, 0] = like[0, 8] = 0.2
    whole = np.zeros(9, dtype=bool)
    groups = _groups(like, 3, whole)
    assert len(np.unique(groups)) == 3
    assert groups[8] == groups[0] == groups[1] != groups[2] == groups[3]
    whole[8] = True
    groups = _groups(like, 3, whole)
    assert np.bincount(groups)[groups[8]] == 1
    assert len(np.unique(groups)) == 4


def test_of_members_that_must_not_meet_one_stays_alone() -> None:
    like = np.full((4, 4), 0.5)
    like[0, 1] = like[1, 0] = 0.9
    groups = _groups(like, 1, np.zeros(4, dtype=bool), np.array([[2, 3]]))
    assert len(np.unique(groups)) == 2
    assert groups[2] != groups[3]


def test_the_least_distinct_group_joins_the_nearest_where_it_can() -> None:
    """Seven pairs, whose members are less and less like each other; the last is a bit like the first."""
    like = np.full((14, 14), 0.05)
    for pair in range(7):
        like[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = 0.9 - 0.1 * pair
    like[12:, :2] = like[:2, 12:] = 0.1
    like[2:4, 4:6] = like[4:6, 2:4] = 0.2  # linkage alone would join these
    whole = np.zeros(14, dtype=bool)
    assert _groups(like, 6, whole).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 0]
    like[12:, :12] = like[:12, 12:] = -BARRED
    groups = _groups(like, 6, whole)
    assert np.flatnonzero(groups == groups[12]).tolist() == [12, 13]
    assert len(np.unique(groups)) == 6


def test_groups_that_must_not_meet_do_not_join_the_same_one() -> None:
    """Of 23 pairs, the last two are the least distinct, and both are most like the first."""
    like = np.full((46, 46), 0.05)
    for pair in range(23):
        like[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = 0.9 if pair < 21 else 0.3
    like[42:, :2] = like[:2, 42:] = 0.2
    none_whole = np.zeros(46, dtype=bool)
    free, bound = (
        _groups(like, 20, none_whole, pairs) for pairs in (NO_PAIRS, np.array([[42, 44]]))
    )
    assert free[42] == free[44] == free[0]
    assert bound[42] != bound[44]


def test_ties_are_not_broken_by_the_order() -> None:
    """Twelve members in pairs that are equally close: either all of these are groups, or none is."""
    like = np.full((12, 12), 0.1)
    for pair in range(6):
        like[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = 0.9
    for width in (2, 4, 6):
        groups = _groups(like, width, np.zeros(12, dtype=bool))
        assert len(np.unique(groups)) in (1, 6)


def test_an_island_follows_most_of_its_words_but_not_those_of_seeds() -> None:
    vectors = sparse.csr_array(np.repeat(np.eye(4), 3, axis=0))  # four islands of three words
    themes = np.array([0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    islands, roots = _islands(themes, vectors, 0.2, NO_SEEDS)
    assert islands.tolist() == np.repeat(islands[::3], 3).tolist()
    assert roots.tolist() == [0] * 6 + [1] * 6
    seeds = Seeds((frozenset({2, 6, 7}),))
    islands, roots = _islands(themes, vectors, 0.2, seeds)
    assert len({*roots[[2, 6, 7]].tolist()}) == 1
    assert roots[3] != roots[6]
    apart = Seeds(apart=(frozenset({1, 2}),))
    islands, roots = _islands(themes, vectors, 0.2, apart)
    assert islands[1] != islands[2]
    assert roots[1] != roots[2]
