"""Flat lists of topics, against trying all of them at each step."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, OptionError, Topic, TopicTree
from hlta.topics.cuts import best_cut, level_cut
from hlta.topics.main_topics import word_evidence
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Told = NDArray[np.float32]


def random_forest(seed: int) -> tuple[list[Topic], Told]:
    """Topics of up to three levels, uneven, and what each tells about some documents."""
    rng = np.random.default_rng(seed)
    found: list[Topic] = []

    def grow(level: int, parent: Topic | None) -> Topic:
        topic = Topic(f"Z{level}-{len(found)}", level, 0.1, [], parent)
        found.append(topic)
        while level > 1 and rng.random() < 0.6:
            topic.children.append(grow(int(rng.integers(1, level)), topic))
        return topic

    roots = [grow(3, None) for _ in range(int(rng.integers(1, 4)))]
    return roots, rng.normal(0.2, 1.0, (len(found), 30)).astype(np.float32)


def apart(chosen: Sequence[Topic]) -> bool:
    """Whether no topic is below another."""
    return not any(one is not other and one in list(other) for one in chosen for other in chosen)


def is_possible(chosen: Sequence[Topic], every: Sequence[Topic], count: int) -> bool:
    """Whether `chosen` are apart, and as many topics as are still wanted are apart from them."""
    free = [topic for topic in every if not topic.children and apart([*chosen, topic])]
    lowest = [topic for topic in free if topic not in chosen]
    return apart(chosen) and len(chosen) + len(lowest) >= count


@pytest.mark.parametrize("seed", range(25))
def test_every_topic_chosen_adds_most(seed: int) -> None:
    roots, told = random_forest(seed)
    every = [topic for root in roots for topic in root]
    leaves = sum(not topic.children for topic in every)
    for count in range(1, leaves + 1):
        found = best_cut(roots, told, count)
        assert len(set(found)) == len(found) == count
        for step in range(count):
            before = [every[k] for k in found[:step]]
            sums = [
                np.maximum(told[[*found[:step], k]].max(axis=0), 0.0).sum()
                if topic not in before and is_possible([*before, topic], every, count)
                else -np.inf
                for k, topic in enumerate(every)
            ]
            assert sums[found[step]] == pytest.approx(max(sums), rel=1e-5)


def test_a_topic_is_chosen_for_what_others_do_not_tell() -> None:
    topics = [Topic(f"Z1-{k}", 1, 0.1, [], None) for k in range(3)]
    told = np.array([[3, 3, 0, 0], [3, 2, 0, 0], [-9, 0, 1, 1]], dtype=np.float32)
    assert best_cut(topics, told, 2) == [0, 2]


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
    for n in (1, 2, 5, 17, topics.most_in_cut):
        chosen = topics.cut(n)
        assert len(chosen) == len({topic.id for topic in chosen}) == n
        assert apart(chosen)
    assert topics.most_in_cut == len(topics.level(1))


def test_a_cut_tells_more_of_other_documents_than_a_level(topics: TopicTree) -> None:
    model = topics.model
    assert model is not None
    X = model.sample(3000, seed=5)

    def told(chosen: list[Topic]) -> float:
        size = np.array([topic.size for topic in chosen])
        said = X @ word_evidence(model, chosen) + np.log(size)
        return float(np.maximum(said.max(axis=1), 0.0).mean())

    # Which of the best topics tells most depends on the documents drawn: they differ by a tenth.
    assert told(topics.cut(1)) > 0.85 * max(told([topic]) for topic in topics)
    for level in (1, 2, topics.roots[0].level):
        every = topics.level(level)
        assert told(topics.cut(len(every))) >= 0.98 * told(every)


def test_a_shorter_cut_is_the_beginning_of_a_longer_one(topics: TopicTree) -> None:
    longer, shorter = topics.cut(6), topics.cut(3)
    assert [topic.id for topic in shorter] == [topic.id for topic in longer[:3]]


def test_the_order_of_the_words_changes_nothing(topics: TopicTree) -> None:
    assert topics.model is not None
    other = TopicTree.from_tree(topics.model.with_words(topics.model.words[::-1]))
    assert [topic.id for topic in other.cut(9)] == [topic.id for topic in topics.cut(9)]


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
