"""`LatentTree`: its shape, its marginals, and trees with other parameters."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hlta.errors import OptionError, TreeError
from hlta.tree.latent_tree import LatentTree
from tests.strategies import ordinary, trees, trees_of_many_states
from tests.trees import PROBABILITY, changed, small_tree, three_states

few = settings(max_examples=60)


def test_nodes_have_counts_names_levels_and_children() -> None:
    tree = small_tree()
    assert (tree.n_words, tree.n_latents, tree.n_nodes, tree.n_parameters) == (7, 3, 10, 19)
    assert tree.names[-4:] == ("g", "Z1-1", "Z1-2", "Z2-1")
    assert small_tree(latent_names=["x", "y", "z"]).latent_names == ("x", "y", "z")
    assert tree.root == 9
    assert [nodes.tolist() for nodes in tree.levels] == [list(range(7)), [7, 8], [9]]
    assert [nodes.tolist() for nodes in tree.children[7:]] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert tree.children[0].size == 0
    assert repr(tree) == "LatentTree(7 words, latents per level 2/1)"


def test_a_tree_cannot_be_changed_by_what_it_was_made_from_nor_through_its_arrays() -> None:
    given = three_states()._replace(background=np.array([2, 1, 1], dtype=np.int32))
    for made_from, tree in (
        ((probability := PROBABILITY.copy(),), small_tree(probability=probability)),
        (given, small_tree(probability=given)),
    ):
        before = copy.deepcopy(tree)
        for array in made_from:
            array.fill(2)
        assert tree == before
        arrays = (tree.parent, tree.level, tree.marginals, tree.state_marginals, *tree.parameters)
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    with pytest.raises(FrozenInstanceError):
        tree.words = ()  # type: ignore[misc]


def test_equality_compares_names_structure_and_parameters() -> None:
    word = changed(three_states().word, (0, 0), 0.2)
    different = [
        small_tree(),
        small_tree(probability=changed(PROBABILITY, (0, 0), 0.2)),
        small_tree(latent_names=("x", "y", "z")),
        small_tree(probability=three_states()),
        small_tree(probability=three_states()._replace(word=word)),
        "a tree",
    ]
    for one, other in product(different, repeat=2):
        assert (one == other) == (one is other)
    for tree in different[:-1]:
        assert copy.deepcopy(tree) == pickle.loads(pickle.dumps(tree)) == tree


def test_trees_of_more_states_have_more_parameters_and_no_table() -> None:
    tree = small_tree(probability=three_states())
    # Three words under 3 states and three under 2; g, and both latent variables, under 2.
    assert tree.n_parameters == 3 * 3 + 3 * 2 + 2 + 2 * 2 + 2 * 1 + 1
    with pytest.raises(TreeError, match="has 3 states, so its tree has no table"):
        _ = tree.probability
    assert small_tree().with_probability(three_states()) == tree
    assert tree.with_probability(PROBABILITY) == small_tree()
    with pytest.raises(TreeError, match="strictly between"):
        tree.with_probability(np.zeros((10, 2)))


@few
@given(
    trees(max_latents=4, max_words=5, probability=ordinary)
    | trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=5)
)
def test_marginals_are_those_of_all_documents(tree: LatentTree) -> None:
    documents = np.array(list(product((0, 1), repeat=tree.n_words)))
    weight = np.exp(tree.log_likelihood(documents))
    np.testing.assert_allclose(weight.sum(), 1.0, rtol=1e-10)
    np.testing.assert_allclose(
        tree.marginals[: tree.n_words], weight @ documents, rtol=1e-10, atol=1e-12
    )
    posterior = weight @ tree.posteriors(documents).dense()
    np.testing.assert_allclose(tree.marginals[tree.n_words :], posterior, rtol=1e-9)
    states = np.tensordot(weight, tree.posteriors(documents).states(), axes=1)
    np.testing.assert_allclose(tree.state_marginals, states, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(tree.state_marginals.sum(axis=1), 1.0, rtol=1e-12)
    assert not tree.state_marginals[~tree.parameters.has_state].any()


@pytest.mark.parametrize("n", [2**31, 10**15, -1, 1.0, True, None, "3", np.float64(2.0)], ids=repr)
def test_an_absurd_number_of_documents_is_not_drawn(n: Any) -> None:
    with pytest.raises(OptionError, match=r"^n=.*: use a whole number, from 0 to \d+$"):
        small_tree().sample(n)
    three: Any = np.uint8(3)
    assert small_tree().sample(three).shape == (3, 7)
