"""Narrow topics against a latent class model over the topic's own words, document by document."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import OptionError, TopicTree
from hlta.topics.narrow import narrow_topics
from hlta.tree.state_order import order_states
from tests.strategies import random_tree


def test_only_the_size_is_learned() -> None:
    tree = order_states(random_tree(3, 30, 12))
    topics = TopicTree.from_tree(tree, lowest_level=1)
    X = tree.sample(300, seed=1).toarray()
    found = narrow_topics(tree, topics, X, n_words=4, steps=10)
    assert found.ids == tuple(topic.id for topic in topics)
    column = {word: number for number, word in enumerate(tree.words)}
    for t, topic in enumerate(topics):
        keywords = [k for k in topic.keywords if k.p_topic > k.p_background][:4]
        present = X[:, [column[k.word] for k in keywords]] == 1
        chance = np.ones((len(X), 2))
        for k, here in zip(keywords, present.T, strict=True):
            for y, p in enumerate((k.p_background, k.p_topic)):
                chance[:, y] *= np.where(here, p, 1.0 - p)
        size = topic.size
        for _ in range(10):
            on = size * chance[:, 1]
            size = (on / (on + (1.0 - size) * chance[:, 0])).mean()
        on = size * chance[:, 1]
        expected = on / (on + (1.0 - size) * chance[:, 0])
        assert found.sizes[t] == pytest.approx(size, rel=1e-6, abs=1e-9)
        some = present.any(axis=1)
        got = found.memberships[:, [t]].toarray().ravel()
        np.testing.assert_allclose(got[some], expected[some], rtol=1e-6, atol=1e-9)
        assert not got[~some].any()
        if (~some).any():
            assert found.elsewhere[t] == pytest.approx(expected[~some][0], rel=1e-6, abs=1e-9)


def test_odd_options_are_refused() -> None:
    tree = random_tree(3, 10, 3)
    topics = TopicTree.from_tree(tree)
    with pytest.raises(OptionError, match="n_words=17: use a whole number, from 1 to 16"):
        narrow_topics(tree, topics, np.ones((2, 10)), n_words=17)
