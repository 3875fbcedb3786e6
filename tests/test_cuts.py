"""Flat lists of topics, against trying all of them."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, OptionError, Topic, TopicTree
from hlta.topics.cuts import best_cut, level_cut
from hlta.tree.marginals import word_marginals
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_array


def random_forest(seed: int) -> tuple[list[Topic], dict[str, float]]:
    """Topics of up to three levels, uneven, with random gains."""
    rng = np.random.default_rng(seed)
    gain: dict[str, float] = {}

    def grow(level: int, parent: Topic | None) -> Topic:
        topic = Topic(f"Z{level}-{len(gain)}", level, 0.1, [], parent)
        gain[topic.id] = float(rng.random()) * level
        while level > 1 and rng.random() < 0.6:
            topic.children.append(grow(int(rng.integers(1, level)), topic))
        return topic

    return [grow(3, None) for _ in range(int(rng.integers(1, 4)))], gain


def apart(chosen: Sequence[Topic]) -> bool:
    """Whether no topic is below another."""
    return not any(one is not other and one in list(other) for one in chosen for other in chosen)


@pytest.mark.parametrize("seed", range(25))
def test_the_best_cut_is_the_best_of_all_lists(seed: int) -> None:
    roots, gain = random_forest(seed)
    every = [topic for root in roots for topic in root]
    leaves = sum(not topic.children for topic in every)
    for count in range(1, min(leaves, 5) + 1):
        lists = [chosen for chosen in combinations(every, count) if apart(chosen)]
        best = max(sum(gain[topic.id] for topic in chosen) for chosen in lists)
        found = best_cut(roots, lambda topic: gain[topic.id], count)
        assert len(found) == count
        assert apart(found)
        assert sum(gain[topic.id] for topic in found) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(10))
def test_a_level_has_one_topic_per_leaf(seed: int) -> None:
    roots, _ = random_forest(seed)
    for level in (1, 2, 3):
        found = level_cut(roots, level)
        assert apart(found)
        assert all(topic.level >= level for topic in found)
        assert not any(child.level >= level for topic in found for child in topic.children)


@pytest.fixture(scope="module", name="X")
def documents() -> csr_array:
    return planted(150, 1).sample(1500, seed=1)


@pytest.fixture(scope="module")
def topics(X: csr_array) -> TopicTree:
    return HLTA(samples=5, em_steps=5, max_top_topics=6).fit(X).topics_


def test_cuts_have_exactly_as_many_topics_as_asked_for(topics: TopicTree) -> None:
    assert topics.model is not None
    table = word_marginals(topics.model)
    for n in (1, 2, 5, 17, topics.most_in_cut):
        chosen = topics.cut(n)
        assert len(chosen) == len({topic.id for topic in chosen}) == n
        assert apart(chosen)
    assert topics.most_in_cut == len(topics.level(1))
    number = {name: k for k, name in enumerate(topics.model.latent_names)}
    gain = [
        table.information[table.start[number[t.id]] : table.start[number[t.id] + 1]].sum()
        for t in topics.level(1)
    ]
    best = number[topics.cut(2)[0].id], number[topics.cut(2)[1].id]
    assert sum(table.information[table.start[v] : table.start[v + 1]].sum() for v in best) >= sum(
        sorted(gain)[-2:]
    )


def test_topics_of_the_tree_are_the_same_objects_in_a_cut(topics: TopicTree) -> None:
    shown = [topic for topic in topics.cut(8) if topic in topics]
    assert shown
    assert all(topic is topics[topic.id] for topic in shown)


def test_a_flat_tree_has_roots_alone(topics: TopicTree) -> None:
    flat = topics.flat(topics.cut(7))
    assert len(flat) == len(flat.roots) == 7
    assert [root.id for root in flat.roots] == [topic.id for topic in topics.cut(7)]
    assert all(root.parent is None and not root.children for root in flat.roots)


@pytest.mark.parametrize("n", [-1, 0, 1000, 2.5])
def test_a_number_out_of_range_is_refused(topics: TopicTree, n: int) -> None:
    with pytest.raises(OptionError, match=rf"n={n}: use a whole number, from 1 to \d+"):
        topics.cut(n)


@pytest.mark.parametrize("level", [0, 9])
def test_a_level_out_of_range_is_refused(topics: TopicTree, level: int) -> None:
    with pytest.raises(OptionError, match=f"level={level}"):
        topics.level(level)


def test_an_estimator_can_have_a_number_of_topics(X: csr_array) -> None:
    model = HLTA(samples=5, em_steps=2, n_topics=9).fit(X)
    assert len(model.topics_) == len(model.topics_.roots) == 9
    assert model.transform(X[:5]).shape == (5, 9)
    assert len(model.topics_.cut(4)) == 4


def test_too_many_topics_are_as_many_as_there_are_with_a_warning(X: csr_array) -> None:
    with pytest.warns(UserWarning, match="n_topics=5000: the model has only"):
        model = HLTA(samples=5, em_steps=2, n_topics=5000).fit(X)
    assert len(model.topics_) == model.topics_.most_in_cut < 5000


def test_pickled_topics_can_be_cut(topics: TopicTree) -> None:
    again = pickle.loads(pickle.dumps(topics))
    assert [topic.id for topic in again.cut(9)] == [topic.id for topic in topics.cut(9)]
