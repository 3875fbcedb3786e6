"""Flat lists of topics, against trying all of them at each step."""

import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hlta import HLTA, OptionError, Topic, TopicTree
from hlta.topics.cuts import best_cut, level_cut
from hlta.topics.nodes import topic_nodes
from hlta.topics.shares import evidence_for
from tests.synthetic import planted

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


def told_by(shown: Told, chosen: Sequence[int]) -> float:
    return float(np.maximum(shown[chosen].max(axis=0), 0.0).sum(dtype=np.float64))


def longer_lists(every: Sequence[Topic], shown: Told, chosen: list[int]) -> list[list[int]]:
    """The lists with one topic more: every topic that is apart from them, and every division.

    Of two topics that take the place of one, the first tells most beside the others, if there is one
    that is apart from it, and the second tells most beside these.
    """

    def best(beside: list[int], numbers: list[int]) -> int:
        return max(numbers, key=lambda k: told_by(shown, [*beside, k]))

    def all_apart(numbers: Sequence[int]) -> bool:
        return apart([every[k] for k in numbers])

    others = [k for k in range(len(every)) if k not in chosen]
    found = [[*chosen, k] for k in others if all_apart([*chosen, k])]
    for place, divided in enumerate(chosen):
        below = [k for k in others if every[k] in list(every[divided])]
        firsts = [k for k in below if any(k != j and all_apart([k, j]) for j in below)]
        if firsts:
            rest = [k for k in chosen if k != divided]
            one = best(rest, firsts)
            two = best([*rest, one], [k for k in below if k != one and all_apart([k, one])])
            found.append([*chosen[:place], one, two, *chosen[place + 1 :]])
    return found


@pytest.mark.parametrize("seed", range(15))
def test_every_step_adds_most_and_a_level_has_one_topic_per_leaf(seed: int) -> None:
    roots, shown = random_forest(seed)
    every = [topic for root in roots for topic in root]
    chosen: list[int] = []
    for count in range(1, sum(not topic.children for topic in every) + 1):
        possible = longer_lists(every, shown, chosen)
        chosen = best_cut(roots, shown, count)
        assert len(set(chosen)) == len(chosen) == count
        assert chosen in possible
        assert told_by(shown, chosen) == pytest.approx(max(told_by(shown, one) for one in possible))
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


def test_a_cut_tells_more_of_other_documents_than_a_level(topics: TopicTree) -> None:
    tree = topics.model
    assert tree is not None
    X = tree.sample(3000, seed=5)

    def shown(chosen: list[Topic]) -> float:
        latents = topic_nodes(tree, chosen) - tree.n_words
        evidence = evidence_for(tree, topics.counts, latents)
        said = X @ evidence.words + evidence.size
        return float(np.maximum(said.max(axis=1), 0.0).mean())

    # Which of the best topics tells most depends on the documents drawn: they differ by a tenth.
    assert shown(topics.cut(1)) > 0.85 * max(shown([topic]) for topic in topics)
    for level in (1, 2, topics.roots[0].level):
        every = topics.level(level)
        assert shown(topics.cut(len(every))) >= 0.9 * shown(every)


def test_cuts_have_as_many_topics_as_asked_for(topics: TopicTree) -> None:
    for n in (1, 2, 5, 17, topics.most_in_cut):
        chosen = topics.cut(n)
        assert len(chosen) == len({topic.id for topic in chosen}) == n
        assert apart(chosen)
        again = pickle.loads(pickle.dumps(topics)).cut(n)
        assert [topic.id for topic in again] == [topic.id for topic in chosen]
    flat = topics.flat(topics.cut(7))
    assert [root.id for root in flat] == [topic.id for topic in topics.cut(7)]
    assert all(root.parent is None and not root.children for root in flat.roots)


@pytest.mark.parametrize("n", [-1, 0, 1000, 2.5])
def test_a_number_or_a_level_out_of_range_is_refused(topics: TopicTree, n: int) -> None:
    with pytest.raises(OptionError, match=rf"n={n}: use a whole number, from 1 to \d+"):
        topics.cut(n)
    with pytest.raises(OptionError, match=f"level={n}"):
        topics.level(n)


def test_an_estimator_has_as_many_topics_as_asked_for_if_there_are(X: csr_array) -> None:
    model = HLTA(samples=1, em_steps=1, n_topics=9).fit(X)
    assert len(model.topics_) == len(model.topics_.roots) == 9
    assert model.transform(X[:5]).shape == (5, 9)
    with pytest.warns(UserWarning, match="n_topics=5000: the model has only"):
        model = HLTA(samples=1, em_steps=1, n_topics=5000).fit(X)
    assert len(model.topics_) == model.topics_.most_in_cut < 5000
