"""Parts of a tree: what they keep, and the distribution that is left."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import OptionError
from hlta.tree.parameters import MAX_PROBABILITY
from hlta.tree.truncation import truncated
from tests.examples import HIERARCHY
from tests.oracles import dense_messages
from tests.strategies import many_states, trees, trees_of_many_states
from tests.synthetic import planted
from tests.trees import small_tree

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree


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


@pytest.mark.parametrize("level", [0, 3, 1.0])
def test_a_level_that_is_not_there_is_refused(level: int) -> None:
    with pytest.raises(OptionError, match="use a whole number, from 1 to 2"):
        truncated(HIERARCHY, level)
