"""Coherence by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import LatentTree, TopicTree
from hlta.evaluate.coherence import topic_coherence, topic_npmi
from hlta.evaluate.lists import WordList

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


def test_words_that_documents_lack_count_as_never_there() -> None:
    topics = [WordList(["a", "zebra"])]
    assert topic_coherence(topics, X, TREE.words, n_words=2) == pytest.approx([np.log(1 / 3)])
    assert topic_npmi(topics, X, TREE.words, n_words=2) == pytest.approx([-1.0])


def test_npmi_by_hand() -> None:
    topics = [WordList(["a", "b", "c"]), WordList(["a"])]
    p = {"a": 3 / 5, "b": 2 / 5, "c": 2 / 5}
    pairs = {"ab": 2 / 5, "ac": 1 / 5, "bc": 1 / 5}
    expected = np.mean([np.log(q / (p[u] * p[v])) / -np.log(q) for (u, v), q in pairs.items()])
    found = topic_npmi(topics, X, TREE.words, n_words=3)
    assert found[0] == pytest.approx(expected)
    assert np.isnan(found[1])
    always = np.ones((4, 2))
    assert topic_npmi([WordList(["a", "b"])], always, ["a", "b"], n_words=2) == pytest.approx([1.0])
