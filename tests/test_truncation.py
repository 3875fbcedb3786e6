"""Parts of a tree: what they keep, and the distribution that is left."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import OptionError
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY, Parameters
from hlta.tree.truncation import restricted, truncated
from tests.examples import HIERARCHY
from tests.oracles import dense_messages
from tests.strategies import many_states, trees, trees_of_many_states
from tests.synthetic import planted
from tests.trees import small_tree


def words_below(tree: LatentTree, top: int) -> list[int]:
    """Words on the way down from a node, links apart."""
    below, words = [top], []
    for v in below:
        lower = [int(c) for c in tree.children[v] if tree.level[c] < tree.level[v]]
        words += [c for c in lower if c < tree.n_words]
        below += [c for c in lower if c >= tree.n_words]
    return sorted(words)


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(2, 6))
def test_words_below_a_top_latent_keep_their_joint_distribution(seed: int, most: int) -> None:
    """And those of different top latents are independent of each other."""
    tree = planted(10, seed)
    tree = tree if most == 2 else many_states(tree, seed, most=most)
    every = np.array(list(product((0, 1), repeat=10)))
    whole = np.exp(dense_messages(tree, every).log_likelihood)
    groups = [words_below(tree, int(v)) for v in tree.levels[1]]
    expected = np.ones(len(every))
    for words in groups:
        code = every[:, words] @ (2 ** np.arange(len(words)))
        expected *= np.bincount(code, weights=whole)[code]
    found = np.exp(dense_messages(truncated(tree, 1), every).log_likelihood)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_truncation_at_the_top_cuts_the_links_alone() -> None:
    tree = planted(60, 1)
    level = int(tree.level.max())
    cut = truncated(tree, level)
    lower = np.flatnonzero(tree.level < level)
    np.testing.assert_array_equal(cut.parent[lower], tree.parent[lower])
    np.testing.assert_array_equal(cut.probability[lower], tree.probability[lower])
    np.testing.assert_array_equal(
        cut.probability[:, 0] == cut.probability[:, 1], tree.level == level
    )


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("most", [2, 6])
def test_truncation_keeps_the_levels_up_to_one(level: int, most: int) -> None:
    tree = many_states(planted(150, 1), 0, most=most)
    cut = truncated(tree, level)
    for kept, nodes in zip(cut.levels, tree.levels, strict=False):
        assert len(kept) == len(nodes)
    assert len(cut.levels) == level + 1
    np.testing.assert_allclose(cut.marginals, tree.marginals[: cut.n_nodes], rtol=1e-9)
    states = tree.parameters.states[: cut.n_latents]
    np.testing.assert_array_equal(cut.parameters.states, states)
    assert cut.parameters.most_states == states.max()  # no padding for states that were cut off
    expected = tree.state_marginals[: cut.n_latents, : states.max()]
    np.testing.assert_allclose(cut.state_marginals, expected, rtol=1e-9)


@settings(max_examples=60)
@given(st.one_of(trees(), trees_of_many_states(most=6)))
def test_extreme_parameters_stay_within_bounds(tree: LatentTree) -> None:
    for level in range(1, int(tree.level.max()) + 1):
        cut = truncated(tree, level)
        nodes = np.flatnonzero(tree.level <= level)
        np.testing.assert_allclose(cut.marginals, tree.marginals[nodes], rtol=1e-9)


def test_a_sum_that_rounds_to_1_is_brought_within_bounds() -> None:
    """A word that is as good as certain, below a latent variable that is cut off."""
    probability = np.tile([0.1, 0.8], (10, 1))
    probability[6], probability[9] = MAX_PROBABILITY, 0.9
    tree = small_tree(probability=probability)
    cut = truncated(tree, 1)
    assert (cut.probability[6] <= MAX_PROBABILITY).all()
    np.testing.assert_allclose(cut.probability[6], 1.0, rtol=1e-15)


def test_states_that_are_cut_off_leave_no_padding() -> None:
    states, word, latent = (
        np.array([2, 2, 5], dtype=np.int32),
        np.zeros((7, 5)),
        np.zeros((3, 5, 5)),
    )
    word[:6, :2], word[6] = [0.1, 0.6], 0.3
    latent[:2, :, :2], latent[2] = 0.5, 0.2
    cut = truncated(small_tree(probability=Parameters(states, word, latent)), 1)
    assert cut.parameters.is_binary
    np.testing.assert_allclose(cut.probability[6:], [[0.3, 0.3], [0.5, 0.5], [0.5, 0.5]])


def test_words_that_hang_from_higher_levels_become_independent() -> None:
    probability = np.tile([0.1, 0.8], (10, 1))
    probability[9] = 0.3
    tree = LatentTree(
        words=tuple("abcdefg"),
        parent=np.array([7, 7, 7, 8, 8, 8, 9, 9, 9, -1]),  # "g" from the second level
        level=np.repeat([0, 1, 2], [7, 2, 1]),
        probability=probability,
    )
    cut = truncated(tree, 1)
    assert cut.words == tree.words
    assert cut.probability[6].tolist() == [tree.marginals[6]] * 2


def test_restriction_numbers_the_nodes_that_are_left() -> None:
    tree = planted(9, 0)
    nodes = np.array([*range(9), *tree.levels[1]])
    parent, probability = tree.parent.copy(), tree.probability.copy()
    first, *others = tree.levels[1].tolist()
    parent[first], parent[others] = -1, first
    probability[first] = 0.25
    part = restricted(tree, nodes, parent, probability)
    assert part.n_nodes == len(nodes)
    assert part.root == 9
    assert part.parent[10:].tolist() == [9] * len(others)
    np.testing.assert_array_equal(part.probability, probability[nodes])
    np.testing.assert_array_equal(part.parent[:9], tree.parent[:9])


def test_truncation_keeps_names() -> None:
    cut = truncated(planted(30, 0).with_words([f"w{k}" for k in range(30)]), 1)
    assert all(name.startswith("Z1-") for name in cut.latent_names)


@pytest.mark.parametrize("level", [0, 3, 1.0])
def test_a_level_that_is_not_there_is_refused(level: int) -> None:
    with pytest.raises(OptionError, match="use a whole number, from 1 to 2"):
        truncated(HIERARCHY, level)
