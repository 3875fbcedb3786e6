"""The main topic of a document, against the documents of small models, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings

from hlta import HLTA, TopicTree
from hlta.documents.matrix import as_documents
from hlta.topics import main_topics as module
from hlta.topics.main_topics import main_topics, word_evidence
from tests.oracles import enumerate_joint
from tests.strategies import trees_of_many_states_with_documents
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta import LatentTree
    from hlta.topics.topic import Topic
    from tests.oracles import Floats


def by_documents(tree: LatentTree, topics: list[Topic]) -> Floats:
    """How likely a word drawn from a document on each topic is each word, over that of any document.

    Of all possible documents, each as often as the model says.
    """
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    beliefs = enumerate_joint(tree, every)
    column = [tree.latent_names.index(topic.id) for topic in topics]
    on = beliefs.posterior(tree)[:, column] * np.exp(beliefs.log_likelihood)[:, None]
    drawn = every.T @ on  # words by topics
    usual = every.T @ np.exp(beliefs.log_likelihood)
    ratio: Floats = (drawn / drawn.sum(axis=0)) / (usual / usual.sum())[:, None]
    return ratio


@settings(max_examples=30)
@given(trees_of_many_states_with_documents(most=4, strengths=(0.5, 1.0, 2.0), max_words=5))
def test_words_speak_for_the_topics_whose_documents_have_them(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, X = case
    topics = list(TopicTree.from_tree(tree, lowest_level=1))
    evidence = word_evidence(tree, topics)
    np.testing.assert_allclose(evidence, np.log(by_documents(tree, topics)), rtol=1e-6, atol=1e-9)
    for document, found in zip(X, main_topics(tree, topics, as_documents(X)), strict=True):
        speaks = [sum(evidence[w, k] for w in np.flatnonzero(document)) for k in range(len(topics))]
        best = max(speaks)
        assert (0.0 if found < 0 else speaks[found]) == pytest.approx(max(best, 0.0), abs=1e-9)


def test_documents_some_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = planted(60, 1)
    topics, X = list(TopicTree.from_tree(tree)), as_documents(tree.sample(50, seed=0))
    whole = main_topics(tree, topics, X)
    monkeypatch.setattr(module, "_AT_ONCE", 7 * (len(topics) + 1))
    np.testing.assert_array_equal(main_topics(tree, topics, X), whole)
    assert len(set(whole.tolist())) > 2


def test_no_topic_where_no_word_speaks_for_any() -> None:
    X = planted(90, 2).sample(900, seed=2)
    model = HLTA(samples=5, em_steps=5).fit(X)
    assert model.predict(np.zeros((1, 90), dtype=int)).tolist() == [-1]
    assert model.predict(X[:3], topics=[]).tolist() == [-1, -1, -1]


def test_a_model_predicts_by_the_topics_given() -> None:
    X = planted(90, 2).sample(900, seed=2)
    model = HLTA(samples=5, em_steps=5).fit(X)
    for topics in (model.topics_.roots, model.topics_.cut(8), model.topics_.level(1)):
        said = X @ word_evidence(model.tree_, topics, model._edited.known.corrections)
        main = model.predict(X, topics=iter(topics))
        np.testing.assert_array_equal(main, np.where(said.max(axis=1) > 0, said.argmax(axis=1), -1))
    np.testing.assert_array_equal(model.predict(X), model.predict(X, topics=model.topics_.roots))
