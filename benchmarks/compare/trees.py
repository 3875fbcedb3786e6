"""Latent trees: HLTA in five modes, CorEx, and independent words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.compare.learned import Learned
from benchmarks.compare.predictors import Independent, Tree
from hlta.evaluate.word_lists import WordList

if TYPE_CHECKING:
    from benchmarks.compare.corpora import Split

_PSEUDO_COUNT = 0.1  # documents added that have a word, and as many that lack it


def independent(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """Independent words: the baseline that every model must beat."""
    documents = split.train.shape[0]
    count = np.asarray(split.train.sum(axis=0), dtype=float).ravel()
    return Learned(Independent((count + _PSEUDO_COUNT) / (documents + 2 * _PSEUDO_COUNT)))


def _hlta(split: Split, seed: int, **options: Any) -> Learned:
    from hlta import HLTA, Corpus

    model = HLTA(random_state=seed, **options).fit(Corpus(split.train, split.words))
    topics = [WordList(topic.words, topic.level) for topic in model.topics_]
    return Learned(Tree(model.tree_), topics)


def hlta_once(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """HLTA with one structure, refined."""
    return _hlta(split, seed, samples=1)


def hlta_default(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """HLTA with its defaults: samples vote on the structure."""
    return _hlta(split, seed)


def hlta_states(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """HLTA with its defaults and the number of states that predicts held-out documents best."""
    return _hlta(split, seed, states="auto")


def hlta_batch(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """The paper's HLTA with batch EM."""
    return _hlta(split, seed, em="batch", structure_sample=None, refine=False, states=2)


def hlta_step(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """The paper's HLTA with stepwise EM."""
    return _hlta(split, seed, em="stepwise", refine=False, states=2)


def corex(split: Split, topics: int, seed: int) -> Learned:
    """CorEx with layers in the ratio 20 : 4 : 1.

    All layers give topics; the words of a topic are among the words below it.
    """
    from corextopic import corextopic

    from benchmarks.compare.corex import Layer, as_tree
    from hlta import TopicTree
    from hlta.tree.state_order import order_states

    top = max(2, round(topics / 25))
    states = split.train.astype(float)
    dense = states.toarray()
    layers = []
    for size in (20 * top, 4 * top, top):
        model = corextopic.Corex(n_hidden=size, seed=seed)
        model.fit(states)
        parent = model.clusters if model.clusters.ndim == 1 else model.alpha.argmax(axis=0)
        layers.append(Layer(dense, np.asarray(model.p_y_given_x), parent))
        states = dense = np.asarray(model.labels, dtype=float)
    tree = order_states(as_tree(split.words, layers))
    found = TopicTree.from_tree(tree, lowest_level=1)
    return Learned(Tree(tree), [WordList(topic.words, topic.level) for topic in found])
