"""Algorithm 1: the hierarchy that it builds, and the flat models of which it is made."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from hlta.documents.given_matrices import as_documents
from hlta.learning.paper.bridges import FlatModel
from hlta.learning.paper.flat_model import flat_model_to_tree, learn_flat_model
from hlta.learning.paper.hierarchy import build_hierarchy
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from hlta.tree.latent_tree import LatentTree
from tests.synthetic import planted


def names(n: int) -> list[str]:
    return [f"w{i}" for i in range(n)]


def build(X: Any, **options: Any) -> LatentTree:
    documents = as_documents(X)
    shape = StructureOptions(**options)
    return build_hierarchy(documents, names(documents.n_words), shape, False, monitor=Monitor())


@pytest.mark.parametrize("top", [1, 5, 20])
def test_levels_narrow_until_few_are_on_top(top: int) -> None:
    tree = build(planted(150, 0).sample(800, seed=0), max_top_topics=top)
    widths = [len(nodes) for nodes in tree.levels]
    assert widths[-1] <= max(top, 2)
    assert all(width > max(top, 2) for width in widths[1:-1])
    assert all(2 * upper <= lower for lower, upper in pairwise(widths))
    # Parents are one level up, but for links at the top.
    children = np.setdiff1d(np.arange(tree.n_nodes), [tree.root])
    step = tree.level[tree.parent[children]] - tree.level[children]
    at_the_top = tree.level[children] == tree.level.max()
    np.testing.assert_array_equal(step, np.where(at_the_top, 0, 1))
    below = tree.parent[children[~at_the_top]]
    assert np.bincount(below, minlength=tree.n_nodes)[150:].min() >= 2


def test_levels_are_learned_from_the_likelier_states_of_the_flat_model_below() -> None:
    X = planted(150, 0).sample(800, seed=0)
    tree = build(X, max_top_topics=5)
    flat = build(X, max_top_topics=150)  # the first level alone
    assert len(flat.levels) == 2 < len(tree.levels)
    assert tree.names[: flat.n_nodes] == flat.names
    np.testing.assert_array_equal(flat.parent[:150], tree.parent[:150])
    np.testing.assert_array_equal(flat.probability[:150], tree.probability[:150])
    states = (flat.posteriors(X).dense() > 0.5).astype(np.int8)
    upper = build(states, max_top_topics=5)
    roots = upper.parent < 0
    np.testing.assert_array_equal(tree.parent[150:], np.where(roots, -1, upper.parent + 150))
    np.testing.assert_array_equal(tree.probability[150:], upper.probability)


def learn_flat(X: Any, **options: Any) -> FlatModel:
    return learn_flat_model(as_documents(X), StructureOptions(**options), False, Monitor())


def test_options_reach_the_islands() -> None:
    X = planted(60, 0).sample(1000, seed=0)
    assert np.bincount(learn_flat(X, max_island_size=3).latent_of).max() <= 4
    assert learn_flat(X, ud_threshold=1e9, max_island_size=60).n_latents == 1


def test_two_words_may_share_a_latent_variable() -> None:
    X = np.array([[1, 1]] * 30 + [[0, 0]] * 60 + [[1, 0]] * 5)
    tree = flat_model_to_tree(learn_flat(X), "ab", 1)
    assert tree.n_latents == 1
    assert tree.log_likelihood(X).mean() > -0.9
