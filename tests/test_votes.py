"""Votes: which words are how close, and how much of each topic comes back."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import LatentTree
from hlta.learning.votes import Vote, stability, word_stability, word_vectors
from tests.synthetic import cast_votes


def similarity(cast: list[Vote]) -> np.ndarray:
    """Slowly: half for an island, the other half for the share of upper levels."""
    n = len(cast[0].topics[0])
    out = np.zeros((n, n))
    for vote in cast:
        lowest, *upper = vote.topics
        for i in range(n):
            for j in range(n):
                above = np.mean([p[i] == p[j] for p in upper]) if upper else lowest[i] == lowest[j]
                out[i, j] += 0.5 * (lowest[i] == lowest[j]) + 0.5 * above
    return out / len(cast)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_products_of_vectors_are_how_often_and_how_closely_words_meet(depth: int) -> None:
    cast = [Vote(vote.topics[:depth]) for vote in cast_votes(4)]
    vectors = word_vectors(cast)
    np.testing.assert_allclose((vectors @ vectors.T).toarray(), similarity(cast))


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
