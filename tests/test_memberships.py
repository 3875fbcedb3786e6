"""Memberships are the posteriors above a threshold, of the topics that are asked for."""

from __future__ import annotations

from mmap import mmap
from typing import Any

import numpy as np
import pytest

from hlta import OptionError, TopicTree
from hlta._support import spool
from hlta.topics.memberships import memberships, topic_nodes
from tests.oracles import dense_messages
from tests.strategies import many_states, random_tree

TREE = random_tree(5, 30, 9)
TOPICS = TopicTree.from_tree(TREE, lowest_level=1)
X = TREE.sample(200, seed=1)


@pytest.mark.parametrize("least", [0.0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("most", [2, 5])
def test_they_are_the_posteriors_above_the_threshold(most: int, least: float) -> None:
    tree = TREE if most == 2 else many_states(TREE, 0, most=most)
    every = list(TopicTree.from_tree(tree, lowest_level=1))
    for topics in (every, every[::-2]):
        nodes = topic_nodes(tree, topics)
        assert [tree.names[node] for node in nodes] == [topic.id for topic in topics]
        dense = dense_messages(tree, X.toarray()).posterior(tree)[:, nodes - tree.n_words]
        found = memberships(tree, topics, X, least)
        assert found.has_sorted_indices
        np.testing.assert_allclose(found.toarray(), np.where(dense > least, dense, 0.0), rtol=1e-9)
        assert (found != memberships(tree, topics, X, least, n_jobs=3)).nnz == 0


def memory_of(array: Any) -> Any:
    """What holds the elements in the end."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.base if array.base is None else memoryview(array.base).obj


def test_those_of_many_documents_stay_in_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = memberships(TREE, TOPICS, X, 0.1)
    monkeypatch.setattr(spool, "IN_MEMORY", 100)
    found = memberships(TREE, TOPICS, X, 0.1)
    np.testing.assert_array_equal(found.toarray(), expected.toarray())
    assert isinstance(memory_of(found.data), mmap)
    assert isinstance(memory_of(found.indices), mmap)


def test_odd_thresholds_and_topics_of_another_model_are_refused() -> None:
    for least in (-0.1, 1.1, float("nan")):
        with pytest.raises(OptionError, match=r"least=.*: use a number, from 0 to 1"):
            memberships(TREE, TOPICS, X, least)
    with pytest.raises(OptionError, match=r"no latent variable 'Z.*'; give topics that were read"):
        memberships(random_tree(5, 30, 2), TOPICS, X)
