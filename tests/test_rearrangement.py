"""The same distribution with another root, or with its words in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.errors import OptionError, TreeError
from tests.strategies import many_states, random_tree, trees, trees_of_many_states
from tests.trees import small_tree

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree


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
        (3, "latent variables are nodes 7 to 9"),
        (10, "latent variables are nodes 7 to 9"),
    ],
)
def test_only_a_top_level_latent_variable_can_be_the_root(latent: int, message: str) -> None:
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
