"""Memberships: posteriors above a threshold, of the topics that are asked for; narrow topics."""

from collections.abc import Sequence
from mmap import mmap
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import Keyword, LatentTree, OptionError, TopicTree
from hlta._support import spool
from hlta.topics.memberships import memberships, narrow_topics, topic_nodes
from hlta.tree.state_order import order_states
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


# ---- narrow topics -------------------------------------------------------------------------------


SMALL = order_states(random_tree(3, 30, 12))
OF_SMALL = TopicTree.from_tree(SMALL, lowest_level=1)
DRAWN = SMALL.sample(300, seed=1).toarray()


class LatentClassModel(NamedTuple):
    """What one document-by-document latent class model gives: a size, a posterior per document."""

    size: float
    posterior: NDArray[np.float64]


def fit(keywords: Sequence[Keyword], present: NDArray[np.bool_], size: float) -> LatentClassModel:
    """Ten steps of EM for the size alone."""
    chance = np.ones((len(present), 2))
    for keyword, here in zip(keywords, present.T, strict=True):
        for state, p in enumerate((keyword.p_background, keyword.p_topic)):
            chance[:, state] *= np.where(here, p, 1.0 - p)

    def posterior(size: float) -> NDArray[np.float64]:
        on: NDArray[np.float64] = size * chance[:, 1]
        return on / (on + (1.0 - size) * chance[:, 0])

    for _ in range(10):
        size = float(posterior(size).mean())
    return LatentClassModel(size, posterior(size))


def test_only_the_size_is_learned() -> None:
    narrow = narrow_topics(SMALL, OF_SMALL, DRAWN, n_words=4, steps=10)
    assert narrow.ids == tuple(topic.id for topic in OF_SMALL)
    column = {word: number for number, word in enumerate(SMALL.words)}
    for t, topic in enumerate(OF_SMALL):
        keywords = [k for k in topic.keywords if k.p_topic > k.p_background][:4]
        present = DRAWN[:, [column[k.word] for k in keywords]] == 1
        expected = fit(keywords, present, topic.size)
        assert narrow.sizes[t] == pytest.approx(expected.size, rel=1e-6, abs=1e-9)
        some = present.any(axis=1)
        members = narrow.memberships[:, [t]].toarray().ravel()
        np.testing.assert_allclose(members[some], expected.posterior[some], rtol=1e-6, atol=1e-9)
        assert not members[~some].any()
        for elsewhere in expected.posterior[~some]:
            assert narrow.elsewhere[t] == pytest.approx(elsewhere, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("wrong", [{"n_words": 17}, {"n_words": 0}, {"steps": 0}])
def test_odd_options_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="use a whole number"):
        narrow_topics(SMALL, OF_SMALL, DRAWN, **wrong)


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
