"""Coherence by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import OptionError, TopicTree
from hlta.evaluate import WordList, topic_coherence, topic_npmi
from tests.examples import FLAT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

X = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0]])


def test_pairs_are_counted_in_documents() -> None:
    topics = TopicTree.from_tree(FLAT)
    assert topics.roots[0].words == ["a", "b", "c"]
    # D(b, a) = 2, D(a) = 3; D(c, a) = 1; D(c, b) = 1, D(b) = 2.
    expected = np.log(3 / 3) + np.log(2 / 3) + np.log(2 / 2)
    assert topic_coherence(topics, X, FLAT.words, n_words=3) == pytest.approx([expected])
    assert topic_coherence(topics, X, FLAT.words, n_words=2) == pytest.approx([0.0])
    turned = topic_coherence(topics, X[:, ::-1], FLAT.words[::-1], n_words=3)
    assert turned == pytest.approx([expected])


def test_topics_with_too_few_words_have_none() -> None:
    assert np.isnan(topic_coherence(TopicTree.from_tree(FLAT), X, FLAT.words)).all()


@pytest.mark.parametrize("score", [topic_coherence, topic_npmi])
def test_topics_with_words_that_no_document_has_are_not_scored(
    score: Callable[..., NDArray[np.float64]],
) -> None:
    names = [["a", "zebra"], ["zebra", "a"], ["zebra", "gnu"], ["a", "d"], ["a", "b"]]
    scores = score(
        [WordList(words) for words in names], np.hstack((X, X[:, :1] * 0)), "abcd", n_words=2
    )
    np.testing.assert_array_equal(np.isfinite(scores), [False, False, False, False, True])


def test_repeated_words_count_once() -> None:
    once, twice = (
        topic_coherence([WordList(words)], X, FLAT.words, n_words=3)
        for words in (["a", "b", "c"], ["a", "a", "b", "a", "c"])
    )
    assert once == twice
    assert np.isnan(topic_coherence([WordList(["a"] * 4)], X, FLAT.words))


def test_npmi_by_hand() -> None:
    topics = [WordList(["a", "b", "c"]), WordList(["a"])]
    p = {"a": 3 / 5, "b": 2 / 5, "c": 2 / 5}
    pairs = {("a", "b"): 2 / 5, ("a", "c"): 1 / 5, ("b", "c"): 1 / 5}
    expected = np.mean([np.log(q / (p[u] * p[v])) / -np.log(q) for (u, v), q in pairs.items()])
    scores = topic_npmi(topics, X, FLAT.words, n_words=3)
    assert scores[0] == pytest.approx(expected)
    assert np.isnan(scores[1])
    always = np.ones((4, 2))
    assert topic_npmi([WordList(["a", "b"])], always, ["a", "b"], n_words=2) == pytest.approx([1.0])


@pytest.mark.parametrize("score", [topic_coherence, topic_npmi])
def test_one_word_makes_no_pair(score: Callable[..., NDArray[np.float64]]) -> None:
    with pytest.raises(OptionError, match="n_words=1: use a whole number, 2 or more"):
        score([WordList(["a"])], X, FLAT.words, n_words=1)
