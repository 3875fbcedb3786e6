"""The same distribution with another root, words or states in another order, or fewer levels."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.errors import OptionError, TreeError
from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.parameters import MAX_PROBABILITY
from hlta.tree.state_order import DECIDING_WORDS, order_states
from hlta.tree.truncation import truncate
from tests.examples import HIERARCHY
from tests.oracles import dense_messages
from tests.strategies import many_states, random_tree, trees, trees_of_many_states
from tests.synthetic import planted
from tests.trees import small_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta import LatentTree


@settings(max_examples=60)
@given(
    st.one_of(
        trees(probability=st.floats(0.01, 0.99)),
        trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0)),
    )
)
def test_any_top_level_latent_variable_can_be_the_root(tree: LatentTree) -> None:
    documents = np.random.default_rng(0).integers(0, 2, (5, tree.n_words))
    for latent in tree.levels[-1]:
        other = tree.reroot(int(latent))
        assert other.root == latent
        np.testing.assert_allclose(
            other.log_likelihood(documents), tree.log_likelihood(documents), rtol=1e-9, atol=1e-11
        )
        np.testing.assert_allclose(other.marginals, tree.marginals, rtol=1e-9)
        np.testing.assert_allclose(other.state_marginals, tree.state_marginals, rtol=1e-9)
        np.testing.assert_allclose(
            other.posteriors(documents).states(), tree.posteriors(documents).states(), rtol=1e-8
        )


@pytest.mark.parametrize(
    ("latent", "message"),
    [
        (7, "'Z1-1' is at level 1; the root must be at the top"),
        (3, "latent=3: use a whole number, from 7 to 9"),
        (10, "latent=10: use a whole number, from 7 to 9"),
        ("Z1-1", "latent='Z1-1': use a whole number, from 7 to 9"),
    ],
)
def test_only_a_top_level_latent_variable_can_be_the_root(latent: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        small_tree().reroot(latent)


@pytest.mark.parametrize("most", [2, 5])
def test_words_in_another_order_have_the_columns_of_another_matrix(most: int) -> None:
    tree = many_states(random_tree(0, 30, 10), 0, most=most)
    order = np.random.default_rng(0).permutation(30)
    other = tree.with_words([tree.words[i] for i in order])
    documents = tree.sample(50, seed=0)
    np.testing.assert_allclose(
        other.log_likelihood(documents[:, order]), tree.log_likelihood(documents), rtol=1e-12
    )
    assert other != tree
    assert other.with_words(tree.words) == tree


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("abcdefx", "'x' is not a word"),
        ("abcdef", "6 distinct words given, but the tree has 7"),
        ("abcdefgg", "7 distinct words given, but the tree has 7; give each of them once"),
    ],
)
def test_words_of_another_vocabulary_are_refused(words: str, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        small_tree().with_words(list(words))


# ---- the order of states -------------------------------------------------------------------------


ordinary_trees = trees(max_latents=5, max_words=6, probability=st.floats(0.01, 0.99))

trees_with_states = trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=6)


def top_words(tree: LatentTree, v: int, count: int) -> NDArray[np.int64]:
    """The entries of the words below a latent variable that its states tell apart best."""
    table = word_marginals(tree)
    entries = np.arange(table.start[v], table.start[v + 1])
    prior = np.tile(tree.state_marginals[v], (len(entries), 1))
    information = mutual_information(table.states[entries], prior)
    return entries[np.lexsort((table.word[entries], -information))][:count]


@settings(max_examples=60)
@given(st.one_of(ordinary_trees, trees_with_states))
def test_states_ascend_with_the_top_words(tree: LatentTree) -> None:
    ordered = order_states(tree)
    table = word_marginals(ordered)
    for v, count in enumerate(tree.parameters.states.tolist()):
        top = top_words(ordered, v, DECIDING_WORDS)
        assert (np.diff(table.states[top, :count].sum(axis=0)) >= -1e-9).all()
    np.testing.assert_array_equal(ordered.parameters.states, tree.parameters.states)


@settings(max_examples=60)
@given(trees_with_states, st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4))
def test_as_many_states_are_background_as_make_the_size(
    tree: LatentTree, sizes: list[float]
) -> None:
    size = np.array(sizes)[: tree.n_latents]
    ordered = order_states(tree, size)
    found = ordered.marginals[tree.n_words :]
    for v, count in enumerate(tree.parameters.states.tolist()):
        share = ordered.state_marginals[v, :count]
        possible = np.array([share[first:].sum() for first in range(1, count)])
        above = tree.parent[tree.n_words + v]
        is_below = above >= 0 and tree.level[tree.n_words + v] < tree.level[above]
        most = 1.1 * found[above - tree.n_words] if is_below else np.inf
        allowed = possible[possible <= max(most, possible.min()) - 1e-9]
        assert found[v] <= max(most, possible.min()) + 1e-9
        if len(allowed):
            assert abs(found[v] - size[v]) <= np.abs(allowed - size[v]).min() + 1e-9
    assert (order_states(tree).parameters.background == 1).all()


@settings(max_examples=40)
@given(st.one_of(ordinary_trees, trees_with_states))
def test_the_distribution_stays_the_same(tree: LatentTree) -> None:
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    ordered = order_states(tree)
    np.testing.assert_allclose(
        ordered.log_likelihood(every), tree.log_likelihood(every), rtol=1e-6, atol=1e-6
    )


# ---- fewer levels --------------------------------------------------------------------------------


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
    found = np.exp(dense_messages(truncate(tree, 1), every).log_likelihood)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_truncation_at_the_top_cuts_the_links_alone() -> None:
    tree = planted(60, 1)
    level = int(tree.level.max())
    cut = truncate(tree, level)
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
    cut = truncate(tree, level)
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
        cut = truncate(tree, level)
        nodes = np.flatnonzero(tree.level <= level)
        np.testing.assert_allclose(cut.marginals, tree.marginals[nodes], rtol=1e-9)


def test_a_sum_that_rounds_to_1_is_brought_within_bounds() -> None:
    """A word that is as good as certain, below a latent variable that is cut off."""
    probability = np.tile([0.1, 0.8], (10, 1))
    probability[6], probability[9] = MAX_PROBABILITY, 0.9
    tree = small_tree(probability=probability)
    cut = truncate(tree, 1)
    assert (cut.probability[6] <= MAX_PROBABILITY).all()
    np.testing.assert_allclose(cut.probability[6], 1.0, rtol=1e-15)


@pytest.mark.parametrize("level", [0, 3, 1.0])
def test_a_level_that_is_not_there_is_refused(level: int) -> None:
    with pytest.raises(OptionError, match="use a whole number, from 1 to 2"):
        truncate(HIERARCHY, level)
