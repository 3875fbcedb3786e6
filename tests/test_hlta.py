"""Levels on levels: regular, linked at the top alone, parameters where they were learned."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.synthetic import planted
from hlta.algorithm.flat_model import learn_flat_model, learn_structure, plant, stack
from hlta.algorithm.hlta import sample_documents
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from hlta.options import StructureOptions

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree


def learn(X: object, words: int, **options: object) -> LatentTree:
    names = [f"w{i}" for i in range(words)]
    return learn_structure(as_documents(X), names, StructureOptions(**options), monitor=Monitor())


@pytest.mark.parametrize("top", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(3))
def test_the_shape(top: int, seed: int) -> None:
    n = 150 + seed
    tree = learn(planted(n, seed).sample(800, seed=seed), n, max_top_topics=top)
    widths = [len(nodes) for nodes in tree.levels]
    assert widths[-1] <= max(top, 2)
    assert all(w > max(top, 2) for w in widths[1:-1])
    assert all(2 * upper <= lower for lower, upper in pairwise(widths))
    up = tree.parent
    linked = [
        v for v in range(n, tree.n_nodes) if up[v] >= 0 and tree.level[up[v]] == tree.level[v]
    ]
    assert len(linked) == widths[-1] - 1
    assert all(tree.level[v] == tree.level.max() for v in linked)
    rest = np.setdiff1d(np.arange(tree.n_nodes), [*linked, tree.root])
    assert (tree.level[up[rest]] == tree.level[rest] + 1).all()
    for v in range(n, tree.n_nodes):
        assert sum(tree.level[c] < tree.level[v] for c in tree.children[v]) >= 2


def test_stacking_copies_and_cuts() -> None:
    X = as_documents(planted(60, 0).sample(1000, seed=0))
    options = StructureOptions()
    lower = learn_flat_model(X, options, any_sign=False, monitor=Monitor())
    tree = plant(lower, [f"w{i}" for i in range(60)], 1)
    states = as_documents(tree.hard_assignment(X))
    upper = plant(
        learn_flat_model(states, options, any_sign=False, monitor=Monitor()), tree.latent_names, 2
    )
    both = stack(upper, tree)
    assert both.n_nodes == tree.n_nodes + upper.n_latents
    np.testing.assert_array_equal(both.probability[:60], tree.probability[:60])
    middle, top = both.levels[1], both.levels[2]
    np.testing.assert_array_equal(both.probability[middle], upper.probability[: tree.n_latents])
    np.testing.assert_array_equal(both.probability[top], upper.probability[tree.n_latents :])
    np.testing.assert_array_equal(both.parent[:60], tree.parent[:60])
    assert (both.level[both.parent[middle]] == 2).all()
    assert both.names[60:] == tree.latent_names + upper.latent_names


def test_states_are_the_likelier_ones_in_the_flat_model() -> None:
    X = planted(60, 1).sample(300, seed=1)
    flat = plant(
        learn_flat_model(as_documents(X), StructureOptions(), any_sign=False, monitor=Monitor()),
        [f"w{i}" for i in range(60)],
        1,
    )
    np.testing.assert_array_equal(
        flat.hard_assignment(X).toarray() == 1, flat.posteriors(X).dense() > 0.5
    )


def test_two_words_have_one_latent_variable() -> None:
    X = np.array([[1, 1]] * 30 + [[0, 0]] * 60 + [[1, 0]] * 5)
    tree = learn(X, 2)
    assert tree.n_latents == 1
    assert tree.log_likelihood(X).mean() > -0.9


def test_a_sample_is_drawn_without_replacement() -> None:
    documents = as_documents(np.eye(50, dtype=int))
    seed = np.random.SeedSequence(0)
    sample = sample_documents(documents, 20, seed)
    assert len(np.unique(sample.indices)) == len(sample) == 20
    assert sample_documents(documents, 50, seed) is documents
    assert sample_documents(documents, None, seed) is documents
