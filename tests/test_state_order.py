"""The background comes first: top words are rarer in it, and the distribution stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.state_order import DECIDING_WORDS, order_states
from tests.examples import HIERARCHY
from tests.strategies import many_states, trees, trees_of_many_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta import LatentTree

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


def test_two_states_in_a_tree_with_more_are_the_only_ones_swapped() -> None:
    tree = many_states(HIERARCHY, 0, most=4)
    swapped = tree.swap_states([9])
    assert swapped.parameters.latent.shape == tree.parameters.latent.shape
    expected = tree.state_marginals.copy()
    expected[1, :2] = expected[1, 1::-1]
    np.testing.assert_allclose(swapped.state_marginals, expected, rtol=1e-12)
    assert swapped.swap_states([9]) == tree
