"""Consensus: partitions that votes agree on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from hlta.algorithm import consensus
from hlta.algorithm.consensus import _steady, _themes, agreed_partitions
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


def test_a_level_that_would_be_no_narrower_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def all_in_one(similarity: Any, width: int, *_: Any) -> Any:
        calls.append(width)
        return np.zeros(len(similarity), dtype=np.intp)

    monkeypatch.setattr(consensus, "_themes", all_in_one)
    rng = np.random.default_rng(0)
    vote = Vote(tuple(rng.integers(0, count, 600) for count in (200, 60, 20)))
    partitions = agreed_partitions([vote], n_top=2)
    assert len(calls) == 1  # the levels above would have more groups than one
    assert not partitions[-1].any()


def test_a_part_is_steady_if_it_comes_back() -> None:
    parts = np.repeat(np.arange(4), 5)
    scattered = np.array([0, 1, 2, 3, 4])
    vote = Vote((np.concatenate((parts[:15], scattered)),))  # the last part meets all others
    assert _steady(parts, [vote]).tolist() == [True] * 3 + [False]


def test_what_is_alone_and_not_steady_joins_others() -> None:
    """Three pairs, and three members that are like none of these."""
    like = np.full((9, 9), 0.1)
    for pair in range(3):
        like[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = 0.9
    like[8, 0] = like[0, 8] = 0.2
    np.fill_diagonal(like, 1.0)
    steady = np.ones(9, dtype=bool)
    assert len(np.unique(_themes(like, 6, steady))) == 6
    steady[6:] = False
    groups = _themes(like, 3, steady)
    assert sorted(np.bincount(groups).tolist(), reverse=True) >= [4, 2, 2]
    assert len(np.unique(groups)) == 3
    assert groups[8] == groups[0] == groups[1] != groups[2]
