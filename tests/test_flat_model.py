"""Flat models: latent variables of one level above variables, and flat models on flat models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta.documents.matrix import as_documents
from hlta.learning.paper.bridges import FlatModel
from hlta.learning.paper.flat_model import flat_model_to_tree, learn_flat_model, stack_models
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from tests.synthetic import planted

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree

NAMES = [f"w{i}" for i in range(60)]


def learn(X: Any, **options: Any) -> FlatModel:
    return learn_flat_model(as_documents(X), StructureOptions(**options), False, None, Monitor())


@pytest.fixture(scope="module")
def lower() -> LatentTree:
    return flat_model_to_tree(learn(planted(60, 0).sample(1000, seed=0)), NAMES, 1)


@pytest.fixture(scope="module")
def upper(lower: LatentTree) -> LatentTree:
    states = lower.hard_assignment(planted(60, 0).sample(1000, seed=0))
    return flat_model_to_tree(learn(states), lower.latent_names, 2)


def test_every_latent_variable_has_two_variables_or_more() -> None:
    flat = learn(planted(60, 0).sample(1000, seed=0))
    assert np.bincount(flat.latent_of, minlength=flat.n_latents).min() >= 2
    assert (flat.parent < 0).sum() == 1


def test_options_reach_the_islands() -> None:
    X = planted(60, 0).sample(1000, seed=0)
    assert np.bincount(learn(X, max_island_size=3).latent_of).max() <= 4
    assert learn(X, ud_threshold=1e9, max_island_size=60).n_latents == 1


def test_a_flat_model_becomes_a_tree_with_its_parameters() -> None:
    flat = FlatModel(
        latent_of=np.array([1, 0, 1, 0, 1]),
        probability=np.arange(1, 11).reshape(5, 2) / 20.0,
        parent=np.array([1, -1]),
        link=np.array([[0.1, 0.9], [0.3, 0.3]]),
    )
    tree = flat_model_to_tree(flat, "abcde", 3)
    assert tree.words == tuple("abcde")
    assert tree.latent_names == ("Z3-1", "Z3-2")
    assert tree.parent.tolist() == [6, 5, 6, 5, 6, 6, -1]
    assert tree.level.tolist() == [0] * 5 + [1] * 2
    np.testing.assert_array_equal(tree.probability[:5], flat.probability)
    np.testing.assert_array_equal(tree.probability[5:], flat.link)


def test_two_words_may_share_a_latent_variable() -> None:
    X = np.array([[1, 1]] * 30 + [[0, 0]] * 60 + [[1, 0]] * 5)
    tree = flat_model_to_tree(learn(X), "ab", 1)
    assert tree.n_latents == 1
    assert tree.log_likelihood(X).mean() > -0.9


def test_stacking_keeps_the_lower_levels(lower: LatentTree, upper: LatentTree) -> None:
    both = stack_models(upper, lower)
    assert both.n_nodes == lower.n_nodes + upper.n_latents
    assert both.names == lower.names + upper.latent_names
    np.testing.assert_array_equal(both.parent[:60], lower.parent[:60])
    np.testing.assert_array_equal(both.probability[:60], lower.probability[:60])


def test_stacking_cuts_the_links_among_the_lower_latents(
    lower: LatentTree, upper: LatentTree
) -> None:
    both = stack_models(upper, lower)
    below = both.levels[1]
    assert (both.level[both.parent[below]] == 2).all()
    above = upper.parent[: lower.n_latents] - lower.n_latents
    np.testing.assert_array_equal(both.parent[below], above + lower.n_nodes)


def test_stacking_copies_the_parameters_of_the_upper_model(
    lower: LatentTree, upper: LatentTree
) -> None:
    both, m = stack_models(upper, lower), lower.n_latents
    np.testing.assert_array_equal(both.probability[both.levels[1]], upper.probability[:m])
    np.testing.assert_array_equal(both.probability[both.levels[2]], upper.probability[m:])
