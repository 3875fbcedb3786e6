"""Consensus: partitions that votes agree on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from hlta.documents.matrix import as_documents
from hlta.learning import embedding
from hlta.learning.consensus import (
    _distinct,
    _kept_apart,
    _positions,
    _widths,
    agreed_partitions,
    find_islands,
    find_roots,
    levels_between,
    usual_roots,
)
from hlta.learning.embedding import embed_words
from hlta.learning.seeds import Seeds
from hlta.learning.votes import Vote, word_vectors
from hlta.monitor import Monitor
from tests.synthetic import VOTED, cast_votes, in_root_topics

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
    seeded = _distinct([islands, groups, groups, tops, tops], 3)
    assert seeded == [islands, groups, groups, tops]  # topics of seeds keep their levels


@pytest.mark.parametrize("size", [(40, 5), (400, 16), (1800, 16), (3333, 18)])
def test_levels_narrow_at_one_rate_down_to_root_topics(size: tuple[int, int]) -> None:
    n_islands, n_roots = size
    widths = [n_islands, *_widths(n_islands, n_roots), n_roots]
    assert widths == sorted(widths, reverse=True)
    assert n_islands / widths[1] < 11.0
    rates = [a / b for a, b in pairwise(widths[1:])]
    np.testing.assert_allclose(rates, rates[0], rtol=0.05)
    assert 1.0 < rates[0] < 7.0


# ---- root topics -----------------------------------------------------------------------------------


def test_more_documents_have_more_root_topics() -> None:
    numbers = [usual_roots(n) for n in (1, 10, 1_000, 10_000, 10**6)]
    assert numbers == sorted(numbers)
    assert numbers[0] == 2
    assert len(set(numbers)) >= 4


@pytest.mark.parametrize("n_small", [10, 500])
def test_positions_are_those_of_the_table_of_all_likenesses(
    monkeypatch: pytest.MonkeyPatch, n_small: int
) -> None:
    monkeypatch.setattr(embedding, "_SMALL", n_small)
    rows = word_vectors(cast_votes(10))
    alike = rows.toarray() @ rows.toarray().T
    scale = 1.0 / np.sqrt(np.maximum(alike.sum(axis=1), 1.0))
    values, turn = np.linalg.eigh(alike * scale * scale[:, None])
    expected = turn[:, -4:] * np.sqrt(values[-4:])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = _positions(rows, 4)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)


def test_roots_are_those_on_which_votes_agree() -> None:
    found = find_roots(word_vectors(cast_votes(40)), 3)
    assert adjusted_rand_score(found, TOPS) == 1.0


def test_what_is_beside_words_decides_where_votes_say_little() -> None:
    """Five votes, 70% of which are chance."""
    vectors = embed_words(as_documents(in_root_topics()), n_jobs=1, monitor=Monitor())
    votes = cast_votes(5, share=0.7)
    alone, both = (
        agreed_partitions(votes, n_top=3, embedding=beside)[-1] for beside in (None, vectors)
    )
    assert adjusted_rand_score(both, TOPS) > 0.7 > adjusted_rand_score(alone, TOPS)


def test_no_root_has_a_single_word() -> None:
    for number in (1, 5, 20, 108):
        found = find_roots(word_vectors(cast_votes(5)), number)
        assert np.bincount(found).min() >= 2
        assert found.max() < number


def test_roots_keep_to_seeds() -> None:
    together, apart = frozenset({0, 41, 82}), frozenset({1, 2, 3, 4, 5})
    seeds = Seeds((together, frozenset({0, 41})), (apart,))
    found = find_roots(word_vectors(cast_votes(20)), 3, seeds)
    assert len(set(found[list(together)])) == 1
    assert len(set(found[list(apart)])) == len(apart)
    assert np.bincount(found).min() >= 2


def test_what_is_barred_gets_the_next_best_root_or_a_new_one() -> None:
    closeness = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.6], [0.6, 0.5]])
    barred = np.array([[0, 1], [0, 2], [1, 2]])
    first, second, third, free = _kept_apart(np.zeros(4, dtype=np.intp), closeness, barred)
    assert (first, second, free) == (0, 1, 0)
    assert third > 1


# ---- islands, and the levels between ---------------------------------------------------------------


def test_an_island_follows_most_of_its_words_but_not_those_of_seeds() -> None:
    rows = sparse.csr_array(np.repeat(np.eye(4), 3, axis=0))  # four islands of three words
    roots_of_words = np.array([0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    islands, roots = find_islands(rows, roots_of_words)
    assert islands.tolist() == np.repeat(islands[::3], 3).tolist()
    assert roots.tolist() == [0] * 6 + [1] * 6
    islands, roots = find_islands(rows, roots_of_words, Seeds((frozenset({2, 6, 7}),)))
    assert len({*islands[[2, 6, 7]].tolist()}) == 1
    assert roots[3] != roots[6]
    islands, roots = find_islands(rows, roots_of_words, Seeds(apart=(frozenset({1, 2}),)))
    assert islands[1] != islands[2]
    assert roots[1] != roots[2]


def test_levels_join_what_is_alike_within_root_topics_only() -> None:
    """Two root topics of 12 islands each; three and three of these are alike."""
    rng = np.random.default_rng(0)
    near = np.repeat(np.arange(8), 6) * 10.0 + rng.random(48) / 10.0
    rows = sparse.csr_array(np.column_stack((near, np.ones(48))))
    islands, roots = np.arange(48) // 2, np.arange(48) // 24
    (level,) = levels_between(rows, islands, roots)
    whole = np.unique(np.column_stack((level, np.arange(48) // 6)), axis=0)
    assert len(whole) == 8  # each three are whole
    assert len(np.unique(level)) == 5
    other = np.where(islands == 1, 1, roots)  # the second island is of the other root topic now
    (level,) = levels_between(rows, islands, other)
    assert level[0] != level[2]


def test_a_seed_is_alone_where_it_becomes_whole() -> None:
    rows = word_vectors(cast_votes(20))
    inner, whole = frozenset({0, 1, 40}), frozenset({0, 1, 40, 70, 71})
    seeds = Seeds((whole, inner, whole - inner))
    islands, roots = find_islands(rows, find_roots(rows, 3, seeds), seeds)
    levels = levels_between(rows, islands, roots, seeds)
    assert len(levels) >= 2
    for level, words in zip(levels, (inner, whole), strict=False):
        beside = np.flatnonzero(level == level[0])
        assert words <= set(beside.tolist())
        assert {*islands[beside]} == {*islands[list(words)]}
