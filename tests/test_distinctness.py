"""Diversity, redundancy and stability by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import OptionError
from hlta.evaluate import WordList, topic_diversity, topic_redundancy, topic_stability

A = WordList(["a", "b", "c"])
B = WordList(["b", "c", "d"])
C = WordList(["x", "y", "z"])


def test_diversity() -> None:
    assert topic_diversity([A, B, C], n_words=3) == pytest.approx(7 / 9)
    assert topic_diversity([A, B, C], n_words=1) == 1.0
    assert np.isnan(topic_diversity([]))


def test_repeated_words_count_once() -> None:
    assert topic_diversity([WordList(["a", "a", "a", "b"])], n_words=2) == 1.0
    twice = WordList(["a", "a", "b", "b", "c"])
    np.testing.assert_allclose(topic_redundancy([A, twice], n_words=3), [1.0, 1.0])
    assert topic_stability([[A], [twice]], n_words=3) == 1.0


def test_redundancy() -> None:
    np.testing.assert_allclose(topic_redundancy([A, B, C], n_words=3), [0.5, 0.5, 0.0])
    assert np.isnan(topic_redundancy([A])).all()


def test_stability() -> None:
    assert topic_stability([[A, C], [C, A]]) == 1.0
    # A finds B (1/2), C itself; B finds A, C itself.
    assert topic_stability([[A, C], [B, C]]) == pytest.approx((0.5 + 1 + 0.5 + 1) / 4)
    assert topic_stability([[A], [C]]) == 0.0


@pytest.mark.parametrize("runs", [[], [[A]], [[A], []]])
def test_stability_needs_two_runs_with_topics(runs: list[list[WordList]]) -> None:
    with pytest.raises(OptionError, match="two runs or more, and each needs at least one topic"):
        topic_stability(runs)
