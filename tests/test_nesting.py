"""Topics that are no larger than the topic above, against loops over the joint distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, LatentTree, batch_em, stepwise_em
from hlta.algorithm.nesting import within_parents
from hlta.errors import OptionError
from hlta.tree.parameters import FLOOR
from tests.oracles import top_down
from tests.strategies import trees, trees_of_many_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from tests.oracles import Floats

ordinary = st.floats(0.01, 0.99)
any_tree = st.one_of(trees(probability=ordinary), trees_of_many_states(most=5))


def topic_sizes(tree: LatentTree) -> tuple[Floats, Floats]:
    """P(on) of each latent variable and of its parent, one state after another; the root's is 1."""
    n, p = tree.n_words, tree.parameters
    state: dict[int, list[float]] = {}
    own, above = np.ones(tree.n_latents), np.ones(tree.n_latents)
    for v in (n + latent for latent in top_down(tree)):
        states = range(p.states[v - n])
        up = int(tree.parent[v])
        if up < 0:
            state[v] = [p.latent[v - n, 0, k] for k in states]
        else:
            state[v] = [
                sum(state[up][j] * p.latent[v - n, j, k] for j in range(p.states[up - n]))
                for k in states
            ]
            above[v - n] = sum(state[up][p.background[up - n] :])
        own[v - n] = sum(state[v][p.background[v - n] :])
    return own, above


@settings(max_examples=200)
@given(any_tree)
def test_no_topic_is_larger_than_its_parent(tree: LatentTree) -> None:
    n = tree.n_words
    found = tree.with_probability(within_parents(tree.parameters, tree))
    own, above = topic_sizes(found)
    climbs = (tree.parent[n:] >= 0) & (tree.level[n:] < tree.level[tree.parent[n:]])
    # What is left outside the parent is at least a millionth of what there was.
    assert (own[climbs] <= above[climbs] + 1e-5).all()


@settings(max_examples=200)
@given(any_tree)
def test_only_what_is_outside_of_the_parent_shrinks(tree: LatentTree) -> None:
    before = tree.parameters
    after = within_parents(before, tree)
    is_on = before.is_on
    for v in range(tree.n_latents):
        up = int(tree.parent[v + tree.n_words]) - tree.n_words
        for j in range(after.latent.shape[1]):
            old, new = before.latent[v, j], after.latent[v, j]
            if up < 0 or is_on[up, j]:
                assert (new == old).all()
            elif old.any():
                assert new.sum() == pytest.approx(1.0)
                floors = FLOOR * is_on[v].sum()
                assert new[is_on[v]].sum() <= old[is_on[v]].sum() + floors
    assert (after.word == before.word).all()


def test_topics_that_are_small_enough_stay_as_they_are() -> None:
    tree = two_topics()
    assert (within_parents(tree.parameters, tree).latent == tree.parameters.latent).all()


def two_topics() -> LatentTree:
    """Three topics of 0.14 below one of 0.2."""
    parent = [6, 6, 7, 7, 8, 8, 9, 9, 9, -1]
    table = [[0.1, 0.6]] * 6 + [[0.05, 0.5]] * 3 + [[0.2, 0.2]]
    return LatentTree(tuple("abcdef"), parent, [0] * 6 + [1] * 3 + [2], table)


@pytest.mark.parametrize("learn", [batch_em, stepwise_em])
def test_em_keeps_topics_within_their_parents(learn: object) -> None:
    tree = two_topics()
    loose = tree.with_probability([[0.1, 0.6]] * 6 + [[0.4, 0.6]] * 3 + [[0.2, 0.2]])
    documents = loose.sample(2000, seed=0)
    free = learn(loose, documents).tree  # type: ignore[operator]
    kept = learn(loose, documents, nested=True).tree  # type: ignore[operator]
    assert (free.marginals[6:9] > 1.1 * free.marginals[9]).any()
    assert (kept.marginals[6:9] <= kept.marginals[9] + 1e-9).all()
    with pytest.raises(OptionError, match="nested='yes'"):
        learn(loose, documents, nested="yes")  # type: ignore[operator]


def test_learned_topics_are_within_their_parents() -> None:
    documents = planted(40).sample(1000, seed=0)
    topics = HLTA(samples=5, lowest_level=1, max_top_topics=3).fit(documents).topics_
    children = [topic for topic in topics if topic.parent]
    assert children
    assert all(topic.size <= topic.parent.size + 1e-9 for topic in children if topic.parent)
