"""Coherence by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import LatentTree, TopicTree
from hlta.evaluate.coherence import topic_coherence, topic_npmi
from hlta.evaluate.word_lists import WordList

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("score", [topic_coherence, topic_npmi])
def test_topics_with_words_that_no_document_has_are_not_scored(score: Callable) -> None:
    names = [["a", "zebra"], ["zebra", "a"], ["zebra", "gnu"], ["a", "d"], ["a", "b"]]
    found = score(
        [WordList(words) for words in names], np.hstack((X, X[:, :1] * 0)), "abcd", n_words=2
    )
    np.testing.assert_array_equal(np.isfinite(found), [False, False, False, False, True])


def test_repeated_words_count_once() -> None:
    once, twice = (
        topic_coherence([WordList(words)], X, TREE.words, n_words=3)
        for words in (["a", "b", "c"], ["a", "a", "b", "a", "c"])
    )
    assert once == twice
    assert np.isnan(topic_coherence([WordList(["a"] * 4)], X, TREE.words))


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
