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
    topics = TopicTree.from_tree(tree, lowest_level=1)
    columns = topic_nodes(tree, topics) - tree.n_words
    dense = dense_messages(tree, X.toarray()).posterior(tree)[:, columns]
    found = memberships(tree, topics, X, least)
    assert found.shape == (200, len(topics))
    assert found.has_sorted_indices
    np.testing.assert_allclose(found.toarray(), np.where(dense > least, dense, 0.0), rtol=1e-9)


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


def test_some_topics_in_any_order() -> None:
    every = memberships(TREE, TOPICS, X, 0.1)
    some = list(TOPICS)[::-2]
    columns = [list(TOPICS).index(topic) for topic in some]
    found = memberships(TREE, some, X, 0.1)
    np.testing.assert_array_equal(found.toarray(), every.toarray()[:, columns])


def test_threads_do_not_matter() -> None:
    one, three = (memberships(TREE, TOPICS, X, 0.1, n_jobs=jobs) for jobs in (1, 3))
    assert (one != three).nnz == 0


def test_nodes_have_the_names_of_the_topics() -> None:
    nodes = topic_nodes(TREE, TOPICS)
    assert [TREE.names[node] for node in nodes] == [topic.id for topic in TOPICS]


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_odd_thresholds_are_refused(least: float) -> None:
    with pytest.raises(OptionError, match=r"least=.*: use a number, from 0 to 1"):
        memberships(TREE, TOPICS, X, least)


def test_topics_of_another_model_are_refused() -> None:
    small = random_tree(5, 30, 2)
    with pytest.raises(OptionError, match=r"no latent variable 'Z.*'; give topics that were read"):
        memberships(small, TOPICS, X)
