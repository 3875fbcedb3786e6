"""Consensus: partitions that votes agree on, and how much of each topic comes back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from hlta import LatentTree
from hlta.algorithm import consensus
from hlta.algorithm.consensus import (
    _NO_PAIRS,
    Vote,
    _alone,
    _joined,
    _linked,
    _vectors,
    agreed_partitions,
    stability,
    word_stability,
)
from hlta.algorithm.seeds import Seeds
from tests.synthetic import planted

N = 60
ISLANDS = np.arange(N) // 3
GROUPS = np.arange(N) // 6
TOPS = np.minimum(np.arange(N) // 18, 2)


def noisy(parts: np.ndarray, rng: np.random.Generator, share: float = 0.2) -> np.ndarray:
    """The partition with some words moved to parts drawn at random."""
    moved = rng.random(len(parts)) < share
    return np.where(moved, rng.permutation(parts), parts)


def votes(count: int, seed: int = 0, share: float = 0.2) -> list[Vote]:
    rng = np.random.default_rng(seed)
    return [
        Vote(tuple(noisy(p, rng, share) for p in (ISLANDS, GROUPS, TOPS))) for _ in range(count)
    ]


def similarity(cast: list[Vote]) -> np.ndarray:
    """Slowly: half for an island, the other half for the share of upper levels."""
    out = np.zeros((N, N))
    for vote in cast:
        lowest, *upper = vote.topics
        for i in range(N):
            for j in range(N):
                above = np.mean([p[i] == p[j] for p in upper]) if upper else lowest[i] == lowest[j]
                out[i, j] += 0.5 * (lowest[i] == lowest[j]) + 0.5 * above
    return out / len(cast)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_products_of_vectors_are_how_often_and_how_closely_words_meet(depth: int) -> None:
    cast = [Vote(vote.topics[:depth]) for vote in votes(4)]
    vectors = _vectors(cast)
    np.testing.assert_allclose((vectors @ vectors.T).toarray(), similarity(cast))


def test_votes_that_agree_win() -> None:
    islands, groups, tops = agreed_partitions(votes(1, share=0.0), n_top=3)
    assert adjusted_rand_score(islands, ISLANDS) == 1.0
    assert adjusted_rand_score(groups, GROUPS) == 1.0
    assert len(np.unique(tops)) == 3


def test_many_noisy_votes_come_nearer_to_the_truth_than_one() -> None:
    def found(count: int) -> float:
        return float(adjusted_rand_score(agreed_partitions(votes(count), n_top=3)[0], ISLANDS))

    assert found(40) > 0.9 > found(1)


@pytest.mark.parametrize("n_top", [1, 3, 8, 100])
def test_each_partition_joins_parts_of_the_one_before(n_top: int) -> None:
    partitions = agreed_partitions(votes(10), n_top=n_top)
    for fine, coarse in pairwise(partitions):
        assert len(np.unique(np.column_stack((fine, coarse)), axis=0)) == len(np.unique(fine))
        assert len(np.unique(coarse)) < len(np.unique(fine))
    assert len(np.unique(partitions[-1])) <= n_top
    assert np.bincount(partitions[0]).min() >= 2


def test_the_order_of_words_and_votes_changes_nothing() -> None:
    cast, order = votes(12), np.random.default_rng(5).permutation(N)
    other = [Vote(tuple(p[order] for p in vote.topics)) for vote in cast[::-1]]
    both = zip(agreed_partitions(cast, n_top=4), agreed_partitions(other, n_top=4), strict=True)
    for one, two in both:
        assert adjusted_rand_score(one[order], two) == 1.0


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_words_are_one_island(n: int) -> None:
    parts = agreed_partitions([Vote((np.arange(n),))], n_top=2)
    assert [p.tolist() for p in parts] == [[0] * n]


def test_what_is_alone_joins_what_it_is_most_like() -> None:
    like = np.eye(5)
    like[4, :4] = like[:4, 4] = (0.1, 0.2, 0.1, 0.3)
    for parts, joined in (([0, 0, 1, 1, 2], [0, 0, 1, 1, 1]), ([0, 1, 2, 3, 4], [0] * 5)):
        assert _joined(np.array(parts), _alone(np.array(parts)), like).tolist() == joined


def test_a_level_that_would_be_no_narrower_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    linked, calls = consensus._linked, []

    def all_in_one(similarity: Any, width: int, *others: Any) -> Any:
        calls.append(width)
        if len(calls) == 1:  # level 2
            return linked(similarity, width, *others)
        return np.zeros(len(similarity), dtype=np.intp)

    monkeypatch.setattr(consensus, "_linked", all_in_one)
    rng = np.random.default_rng(0)
    vote = Vote(tuple(rng.integers(0, count, 600) for count in (200, 60, 20)))
    partitions = agreed_partitions([vote], n_top=2)
    assert len(calls) == 2  # the levels above would have more groups than one
    assert not partitions[-1].any()


def test_linkage_joins_nothing_of_two_themes() -> None:
    """Slowly: the two groups of one theme that are most alike on the average join next."""
    rng = np.random.default_rng(3)
    like = rng.random((12, 12))
    like = (like + like.T) / 2.0
    theme = np.arange(12) % 3
    for width in range(1, 13):
        groups = [{k} for k in range(12)]
        while len(groups) > max(3, width):
            pairs = [
                (np.mean([like[i, j] for i in one for j in two]), one, two)
                for n, one in enumerate(groups)
                for two in groups[:n]
                if theme[min(one)] == theme[min(two)]
            ]
            _, one, two = max(pairs, key=lambda pair: pair[0])
            groups = [group for group in groups if group not in (one, two)] + [one | two]
        found = _linked(like, width, _NO_PAIRS, theme)
        assert {frozenset(np.flatnonzero(found == k)) for k in found} == set(map(frozenset, groups))


def test_what_is_alone_joins_nothing_of_another_theme() -> None:
    like = np.eye(5)
    like[4, :4] = like[:4, 4] = (0.1, 0.2, 0.9, 0.3)
    parts, theme = np.array([0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 0])
    assert _joined(parts, _alone(parts), like, theme=theme).tolist() == [0, 0, 1, 1, 0]
    theme[4] = 2
    assert _joined(parts, _alone(parts), like, theme=theme).tolist() == parts.tolist()
    like = np.pad(like, (0, 1), constant_values=0.2)
    parts, theme = np.array([0, 0, 1, 2, 3, 4]), np.array([0, 0, 1, 1, 1, 0])
    assert _joined(parts, _alone(parts), like, theme=theme).tolist() == [0, 0, 1, 1, 1, 0]


def test_words_of_style_are_one_part_from_level_2_upwards() -> None:
    contrast = np.ones(N)
    style = GROUPS % 4 == 0  # a group of each of the three themes
    contrast[style] = 0.1
    islands, *above = agreed_partitions(votes(20), n_top=10, contrast=contrast)
    assert (np.bincount(islands, style) % np.bincount(islands) == 0).all()  # none is mixed
    for parts in above:
        assert len(np.unique(parts[style])) == 1
        assert parts[style][0] not in parts[~style]
    few = agreed_partitions(votes(20), n_top=9, contrast=contrast)  # too few for one of style
    assert all(map(np.array_equal, few, agreed_partitions(votes(20), n_top=9)))


def test_words_that_seeds_bind_are_not_of_style() -> None:
    contrast = np.ones(N)
    contrast[:12] = 0.1
    seeds = Seeds((frozenset(range(6)),))
    partitions = agreed_partitions(votes(20), n_top=10, seeds=seeds, contrast=contrast)
    own, style = partitions[1][:6], partitions[1][6:12]
    assert len(np.unique(own)) == len(np.unique(style)) == 1
    assert own[0] != style[0]


def test_a_vote_names_the_ancestor_of_each_word_at_each_level() -> None:
    tree = planted(150, 0)
    vote = Vote.of(tree)
    above = tree.parent[: tree.n_words]
    for topics in vote.topics:
        assert adjusted_rand_score(topics, above) == 1.0
        above = tree.parent[above]


def test_stability_is_the_mean_overlap_with_the_topic_most_alike() -> None:
    parent = [*[7] * 3, *[8] * 4, -1, 7]
    tree = LatentTree(tuple("abcdefg"), parent, [0] * 7 + [1, 1], np.full((9, 2), 0.3))
    same = Vote((np.array([0, 0, 0, 1, 1, 1, 1]),))
    other = Vote((np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 0, 0, 0, 0, 1, 1])))
    found = stability(tree, [same, other])
    words = word_stability(tree, [same, other])
    assert words.tolist() == [[1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 1.0]]  # the likes are ab and fg
    assert found[0] == pytest.approx((1 + 2 / 3) / 2)  # abc: ab
    assert found[1] == pytest.approx((1 + 2 / 4) / 2)  # defg: fg


def test_words_are_as_stable_as_the_samples_that_confirm_them() -> None:
    tree = planted(150, 0)
    true = Vote.of(tree)
    assert np.nanmin(word_stability(tree, [true, true])) == 1.0
    moved = true.topics[0].copy()
    moved[0] = moved[moved != moved[0]][0]  # a word strays in one vote of four
    astray = Vote((moved, *true.topics[1:]))
    shares = word_stability(tree, [true, true, true, astray])
    assert shares.shape == (int(tree.level.max()), tree.n_words)
    assert shares[0, 0] < 1.0
    assert shares[0, 1:].min() == 1.0
