"""`LatentTree`: what it refuses, what it offers, and its relatives."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.errors import OptionError, TreeError
from hlta.tree.latent_tree import LatentTree
from hlta.tree.validation import infer_levels
from tests.strategies import random_tree, trees

few = settings(max_examples=60, deadline=None)


def toy(**changes: Any) -> LatentTree:
    """Words a-f under Z1-1 and Z1-2 (three each), both under the root Z2-1 beside the word g."""
    arrays: dict[str, Any] = {
        "words": tuple("abcdefg"),
        "parent": [7, 7, 7, 8, 8, 8, 9, 9, 9, -1],
        "level": [0] * 7 + [1, 1, 2],
        "probability": [[0.1, 0.6]] * 9 + [[0.3, 0.3]],
    }
    return LatentTree(**(arrays | changes))


def changed(index: Any, value: Any, values: Any) -> Any:
    array = np.array(values, dtype=float if np.ndim(values) == 2 else int)
    array[index] = value
    return array


parents, levels, table = toy().parent, toy().level, toy().probability


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"words": ("a", "b", "c", "d", "e", "f", "a")},
            "'a' 2 times; every word must be distinct",
        ),
        ({"words": ()}, "words is empty"),
        ({"words": (*"abcdef", "")}, "every word must be a non-empty string"),
        ({"words": (*"abcdef", 7)}, "words holds 7"),
        ({"parent": changed(8, 8, parents)}, "cycle through 'Z1-2'"),
        ({"parent": changed([7, 8], [8, 7], parents)}, "cycle through"),
        ({"parent": changed(8, -1, parents)}, r"2 roots .* \[8, 9\]"),
        ({"parent": changed(9, 8, parents)}, "no root"),
        ({"parent": changed([0, 9], [-1, 8], parents)}, "root is the word 'a'"),
        ({"parent": changed(2, 10, parents)}, "parent of 'c' is node 10, which does not exist"),
        ({"parent": changed(2, -2, parents)}, "parent of 'c' is node -2"),
        ({"parent": changed(2, 3, parents)}, "parent of 'c' is the word 'd'"),
        ({"parent": changed(7, 0, parents)}, "parent of latent node 7 is the word 'a'"),
        ({"parent": changed([0, 1, 2], 8, parents)}, "'Z1-1' has no child"),
        ({"parent": changed(2, 2**32 + 7, parents)}, "parent holds numbers beyond 32 bits"),
        ({"parent": parents[:7]}, "at least one latent variable"),
        ({"parent": parents.astype(float)}, "parent must be a one-dimensional array of integers"),
        ({"level": levels[:9]}, "level has 9 entries, parent has 10"),
        ({"level": changed(3, 1, levels)}, "level of the word 'd' is 1"),
        ({"level": changed(7, 0, levels)}, "level of latent variable 'Z0-1' is 0"),
        ({"level": changed(7, 3, levels)}, "'Z3-1' at level 3 hangs below 'Z2-1' at level 2"),
        ({"parent": changed([0, 1], 8, parents)}, "not regular: 'Z1-1' has 2 neighbours"),
        ({"probability": table[:9]}, r"shape \(9, 2\); it must be \(10, 2\)"),
        ({"probability": changed((4, 1), -0.2, table)}, r"P\(e = 1 \| parent = 1\) is -0.2"),
        ({"probability": changed((4, 0), np.nan, table)}, r"P\(e = 1 \| parent = 0\) is nan"),
        ({"probability": changed((4, 0), 0.0, table)}, "strictly between 0 and 1"),
        ({"probability": changed((4, 0), 1.0, table)}, "strictly between 0 and 1"),
        ({"probability": changed((4, 0), 1.5, table)}, "is 1.5"),
        ({"probability": changed((9, 1), 0.4, table)}, "root 'Z2-1' has no parent, but two"),
        ({"latent_names": ("x", "x", "y")}, "'x' 2 times"),
        ({"latent_names": ("x", "y")}, "2 entries for 3 latent variables"),
        ({"latent_names": ("x", "a", "y")}, "'a' is the name of a word as well"),
        ({"latent_names": ("x", "", "y")}, "non-empty string"),
    ],
)
def test_refuses(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        toy(**changes)


def test_the_root_too_must_be_regular() -> None:
    with pytest.raises(TreeError, match="not regular: 'Z1-1' has 2 neighbours"):
        LatentTree(("a", "b"), [2, 2, -1], [0, 0, 1], np.full((3, 2), 0.5))


def test_an_irregular_tree_is_possible_on_request() -> None:
    tree = toy(parent=changed([0, 1], 8, parents), allow_irregular=True)
    assert [len(children) for children in tree.children[7:]] == [1, 5, 3]


def test_shape() -> None:
    tree = toy()
    assert (tree.n_words, tree.n_latents, tree.n_nodes, tree.n_parameters) == (7, 3, 10, 19)
    assert tree.root == 9
    assert tree.latent_names == ("Z1-1", "Z1-2", "Z2-1")
    assert tree.names[-4:] == ("g", "Z1-1", "Z1-2", "Z2-1")
    assert [nodes.tolist() for nodes in tree.levels] == [list(range(7)), [7, 8], [9]]
    assert [c.tolist() for c in tree.children[7:]] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert tree.children[0].size == 0
    assert repr(tree) == "LatentTree(7 words, latents per level 2/1)"


def test_is_frozen_and_owns_its_arrays() -> None:
    probability = table.copy()
    tree = toy(probability=probability)
    probability[:] = 0.5
    np.testing.assert_array_equal(tree.probability, table)
    for array in (tree.parent, tree.level, tree.probability, tree.marginals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        tree.words = ()  # type: ignore[misc]


def test_equality() -> None:
    assert toy() == toy()
    assert toy() != toy(probability=changed((0, 0), 0.2, table))
    assert toy() != toy(latent_names=("x", "y", "z"))
    assert toy() != "a tree"


@few
@given(trees(max_latents=4, max_words=5, probability=st.floats(0.01, 0.99)))
def test_marginals_are_those_of_all_documents(tree: LatentTree) -> None:
    documents = np.array(list(product((0, 1), repeat=tree.n_words)))
    weight = np.exp(tree.log_likelihood(documents))
    np.testing.assert_allclose(weight.sum(), 1.0, rtol=1e-10)
    np.testing.assert_allclose(
        tree.marginals[: tree.n_words], weight @ documents, rtol=1e-10, atol=1e-12
    )
    np.testing.assert_allclose(
        tree.marginals[tree.n_words :], weight @ tree.posteriors(documents).dense(), rtol=1e-9
    )


@few
@given(trees(probability=st.floats(0.01, 0.99)))
def test_any_top_level_latent_can_be_the_root(tree: LatentTree) -> None:
    rng = np.random.default_rng(0)
    documents = rng.integers(0, 2, (5, tree.n_words))
    for latent in tree.levels[-1]:
        other = tree.reroot(int(latent))
        assert other.root == latent
        np.testing.assert_allclose(
            other.log_likelihood(documents), tree.log_likelihood(documents), rtol=1e-9, atol=1e-11
        )
        np.testing.assert_allclose(other.marginals, tree.marginals, rtol=1e-9)
        np.testing.assert_allclose(
            other.posteriors(documents).dense(), tree.posteriors(documents).dense(), rtol=1e-8
        )


def test_only_a_top_level_latent_can_be_the_root() -> None:
    with pytest.raises(OptionError, match="'Z1-1' is at level 1; the root must be at the top"):
        toy().reroot(7)
    with pytest.raises(OptionError, match="latent variables are nodes 7 to 9"):
        toy().reroot(3)


def test_words_in_another_order() -> None:
    tree = random_tree(0, 30, 10)
    order = np.random.default_rng(0).permutation(30)
    other = tree.with_words([tree.words[i] for i in order])
    documents = tree.sample(50, seed=0)
    np.testing.assert_allclose(
        other.log_likelihood(documents[:, order]), tree.log_likelihood(documents), rtol=1e-12
    )
    assert other.with_words(tree.words) == tree


@pytest.mark.parametrize(
    ("words", "message"),
    [("abcdefx", "'x' is not a word"), ("abcdef", "6 distinct words given, the tree has 7")],
)
def test_words_of_another_vocabulary_are_refused(words: str, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        toy().with_words(list(words))


def test_other_parameters() -> None:
    tree = toy()
    assert tree.levels  # cached, and handed on
    other = tree.with_probability(np.full((10, 2), 0.5))
    assert other.marginals[0] == 0.5
    assert tree.marginals[0] != 0.5
    with pytest.raises(TreeError, match="strictly between"):
        tree.with_probability(np.zeros((10, 2)))


def test_levels_of_a_hierarchy_a_chain_and_linked_tops() -> None:
    assert infer_levels([6, 6, 6, 7, 7, 7, 8, 8, -1], 6).tolist() == [0] * 6 + [1, 1, 2]
    assert infer_levels(parents, 7).tolist() == [0] * 7 + [1, 1, 1]
    chain = [4, 5, 6, 6, -1, 4, 5]
    assert infer_levels(chain, 4).tolist() == [0] * 4 + [1] * 3
    linked = [6, 6, 7, 7, 8, 8, 9, 9, 10, -1, 9]
    assert infer_levels(linked, 6).tolist() == [0] * 6 + [1, 1, 1, 2, 2]
