"""Similarities of topics, against sums written out, and the best pairs, against all there are."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import TopicTree
from hlta.topics.matching import best_pairs, overlaps, shared_variances, told_by_words
from tests.strategies import trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta import LatentTree

seeds = st.integers(0, 10**6)


@given(trees(max_latents=4))
def test_words_tell_their_share_of_the_information(tree: LatentTree) -> None:
    topics = TopicTree.from_tree(tree, lowest_level=1, n_keywords=None)
    told = told_by_words(tree, None, topics).toarray()
    for row, topic in zip(told, topics, strict=True):
        raised = {
            keyword.word: keyword.mutual_information
            for keyword in topic.keywords
            if keyword.p_topic > keyword.p_background
        }
        total = sum(raised.values())
        shares = [raised.get(word, 0.0) / total if total else 0.0 for word in tree.words]
        assert row == pytest.approx(shares)


def shares(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float64]:
    """Rows that sum to 1, with many zeros; some are 0 throughout."""
    values = rng.random((rows, columns)) * (rng.random((rows, columns)) < 0.5)
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


@given(seeds, st.integers(1, 5), st.integers(1, 5), st.integers(1, 7))
def test_overlaps_are_sums_of_the_smaller_shares(seed: int, n: int, m: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = shares(rng, n, columns), shares(rng, m, columns)
    slow = [[sum(min(x, y) for x, y in zip(a, b, strict=True)) for b in other] for a in one]
    found = overlaps(csr_array(one), csr_array(other))
    assert found == pytest.approx(np.array(slow))
    assert ((found >= 0.0) & (found <= 1.0)).all()


@given(seeds, st.integers(2, 30))
def test_shared_variances_are_squared_correlations(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.random((n, 3)), rng.random((n, 2))
    correlation = np.corrcoef(one, other, rowvar=False)[:3, 3:]
    expected = np.where(correlation > 0.0, correlation**2, 0.0)
    assert shared_variances(one, other) == pytest.approx(expected, abs=1e-9)


@given(seeds, st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.6]))
def test_no_other_pairs_are_better(seed: int, n: int, m: int, least: float) -> None:
    similarity = np.random.default_rng(seed).random((n, m))
    pairs = best_pairs(similarity, (np.ones(n), np.ones(m)), least)
    worth = np.where(similarity >= least, similarity, 0.0)
    if n > m:
        worth = worth.T
    rows = np.arange(min(n, m))
    best = max(worth[rows, list(some)].sum() for some in permutations(range(max(n, m)), min(n, m)))
    assert sum(similarity[pair] for pair in pairs) == pytest.approx(best)
    assert all(similarity[pair] >= least for pair in pairs)
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)


def test_ties_go_to_topics_of_one_size() -> None:
    sizes = np.array([0.1, 0.2, 0.3, 0.4])
    other = np.array([2, 0, 3, 1])
    pairs = best_pairs(np.ones((4, 4)), (sizes, sizes[other]), 0.5)
    assert [other[j] for _, j in pairs] == [0, 1, 2, 3]
