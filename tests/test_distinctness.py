"""Diversity, redundancy and stability by hand; what levels contribute, by enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import OptionError
from hlta.evaluate.distinctness import topic_diversity, topic_redundancy, topic_stability
from hlta.evaluate.level_likelihoods import level_likelihoods
from hlta.evaluate.word_lists import WordList
from tests.oracles import enumerate_joint
from tests.synthetic import planted

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
    with pytest.raises(OptionError, match="two runs"):
        topic_stability([[A]])


@pytest.mark.parametrize("seed", range(5))
def test_levels_add_up(seed: int) -> None:
    tree = planted(14, seed)
    n = tree.n_words
    X = tree.sample(6, seed=seed).toarray()
    found = level_likelihoods(tree, X)
    assert len(found) == len(tree.levels) + 1
    assert found[-1] == pytest.approx(enumerate_joint(tree, X).log_likelihood.mean())
    p = tree.marginals[:n]
    alone = (X * np.log(p) + (1 - X) * np.log1p(-p)).sum(axis=1).mean()
    assert found[0] == pytest.approx(alone)
    # Level 1 alone: each latent variable with its words, apart from all others.
    by_hand = np.zeros(len(X))
    for v in tree.levels[1]:
        words = [w for w in tree.children[v] if w < n]
        parts = [
            np.log(q) + np.where(X[:, words], np.log(t), np.log1p(-t)).sum(axis=1)
            for q, t in (
                (tree.marginals[v], tree.probability[words, 1]),
                (1 - tree.marginals[v], tree.probability[words, 0]),
            )
        ]
        by_hand += np.logaddexp(*parts)
    assert found[1] == pytest.approx(by_hand.mean())
