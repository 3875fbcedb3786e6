"""Coherence by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import LatentTree, TopicTree
from hlta.evaluate.coherence import topic_coherence

TREE = LatentTree(
    ("a", "b", "c"), [3, 3, 3, -1], [0, 0, 0, 1], [[0.1, 0.9], [0.1, 0.7], [0.1, 0.5], [0.3, 0.3]]
)
X = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0]])


def test_pairs_are_counted_in_documents() -> None:
    topics = TopicTree.from_tree(TREE)
    assert topics.roots[0].words == ["a", "b", "c"]
    # D(b, a) = 2, D(a) = 3; D(c, a) = 1; D(c, b) = 1, D(b) = 2.
    expected = np.log(3 / 3) + np.log(2 / 3) + np.log(2 / 2)
    assert topic_coherence(topics, X, TREE.words, n_words=3) == pytest.approx([expected])
    assert topic_coherence(topics, X, TREE.words, n_words=2) == pytest.approx([0.0])
    turned = topic_coherence(topics, X[:, ::-1], TREE.words[::-1], n_words=3)
    assert turned == pytest.approx([expected])


def test_topics_with_too_few_words_have_none() -> None:
    assert np.isnan(topic_coherence(TopicTree.from_tree(TREE), X, TREE.words)).all()
