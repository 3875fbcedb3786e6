"""Narrow topics: each redefined by its own keywords alone."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import Keyword, LatentTree, OptionError, TopicTree
from hlta.topics.narrow import narrow_topics
from hlta.tree.state_order import order_states
from tests.strategies import random_tree

SMALL = order_states(random_tree(3, 30, 12))
OF_SMALL = TopicTree.from_tree(SMALL, lowest_level=1)
DRAWN = SMALL.sample(300, seed=1).toarray()


def fit(
    keywords: Sequence[Keyword], present: NDArray[np.bool_], size: float
) -> tuple[float, NDArray[np.float64]]:
    """A latent class model by ten steps of EM for the size alone: size, a posterior per document."""
    chance = np.ones((len(present), 2))
    for keyword, here in zip(keywords, present.T, strict=True):
        for state, p in enumerate((keyword.p_background, keyword.p_topic)):
            chance[:, state] *= np.where(here, p, 1.0 - p)

    def posterior(size: float) -> NDArray[np.float64]:
        on: NDArray[np.float64] = size * chance[:, 1]
        return on / (on + (1.0 - size) * chance[:, 0])

    for _ in range(10):
        size = float(posterior(size).mean())
    return size, posterior(size)


def test_only_the_size_is_learned() -> None:
    narrow = narrow_topics(SMALL, OF_SMALL, DRAWN, n_words=4, steps=10)
    assert narrow.ids == tuple(topic.id for topic in OF_SMALL)
    column = {word: number for number, word in enumerate(SMALL.words)}
    for t, topic in enumerate(OF_SMALL):
        keywords = [k for k in topic.keywords if k.p_topic > k.p_background][:4]
        present = DRAWN[:, [column[k.word] for k in keywords]] == 1
        size, posterior = fit(keywords, present, topic.size)
        assert narrow.sizes[t] == pytest.approx(size, rel=1e-6, abs=1e-9)
        some = present.any(axis=1)
        members = narrow.memberships[:, [t]].toarray().ravel()
        np.testing.assert_allclose(members[some], posterior[some], rtol=1e-6, atol=1e-9)
        assert not members[~some].any()
        for elsewhere in posterior[~some]:
            assert narrow.elsewhere[t] == pytest.approx(elsewhere, rel=1e-6, abs=1e-9)


def test_odd_options_and_topics_of_another_model_are_refused() -> None:
    odd: list[dict[str, int]] = [{"n_words": 17}, {"n_words": 0}, {"steps": 0}]
    for wrong in odd:
        with pytest.raises(OptionError, match="use a whole number"):
            narrow_topics(SMALL, OF_SMALL, DRAWN, **wrong)
    with pytest.raises(OptionError, match=r"no latent variable 'Z.*'; give topics that were read"):
        narrow_topics(random_tree(5, 30, 2), OF_SMALL, DRAWN)


def test_probabilities_near_zero_give_numbers() -> None:
    """A product of ten of them is less than the smallest number."""
    probability = np.tile([1e-100, 2e-100], (14, 1))
    probability[13] = 1e-100
    tree = LatentTree([f"w{k}" for k in range(13)], [13] * 13 + [-1], [0] * 13 + [1], probability)
    X = np.zeros((3, 13), dtype=int)
    X[0] = 1
    narrow = narrow_topics(tree, TopicTree.from_tree(tree), X)
    assert np.isfinite(narrow.sizes).all()
    assert np.isfinite(narrow.memberships.data).all()
    assert np.isfinite(narrow.elsewhere).all()
