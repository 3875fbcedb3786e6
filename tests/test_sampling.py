"""Sampled documents follow the distribution of their tree."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hlta._kernels.drawing import next_occupied
from hlta.errors import OptionError
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY
from tests.oracles import Floats, enumerate_joint
from tests.strategies import many_states, random_tree, trees, trees_of_many_states
from tests.trees import small_tree


class Frequencies(NamedTuple):
    """Counts of every possible document."""

    observed: Floats
    expected: Floats


def frequencies(tree: LatentTree, n: int, seed: int) -> Frequencies:
    """What a sample has of every possible document, and what enumeration expects."""
    every = np.array(list(product((0, 1), repeat=tree.n_words)))
    expected = n * np.exp(enumerate_joint(tree, every).log_likelihood)
    code = tree.sample(n, seed=seed) @ (2 ** np.arange(tree.n_words)[::-1])
    return Frequencies(np.bincount(code, minlength=len(every)).astype(np.float64), expected)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.one_of(
        trees(max_latents=4, max_words=5, probability=st.floats(0.02, 0.98)),
        trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=5),
    ),
    st.integers(0, 1000),
)
def test_documents_follow_the_distribution(tree: LatentTree, seed: int) -> None:
    observed, expected = frequencies(tree, 50_000, seed)
    rare = expected < 5.0  # together they are one cell
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < 5.0:
        assert observed[-1] < 30
        observed, expected = observed[:-1], expected[:-1]
    expected *= observed.sum() / expected.sum()
    assert stats.chisquare(observed, expected).pvalue > 1e-5


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.0, 3.0), min_size=1, max_size=12), st.integers(0, 11), st.floats(0.0, 20.0)
)
def test_the_next_occupied_child_is_where_the_hazard_is_used_up(
    hazards: list[float], start: int, reached: float
) -> None:
    hazard = np.repeat(np.cumsum(hazards)[:, None], 2, axis=1)
    start = min(start, len(hazards))
    later = [k for k in range(start, len(hazards)) if hazard[k, 1] > reached]
    found = next_occupied(hazard, 1, start, len(hazards), reached)
    assert found == min(later, default=len(hazards))


@settings(max_examples=40, deadline=None)
@given(st.one_of(trees(), trees_of_many_states(most=6)))
def test_extreme_parameters_neither_hang_nor_leave_the_matrix(tree: LatentTree) -> None:
    documents = tree.sample(50, seed=0)
    documents.check_format(full_check=True)
    assert documents.has_canonical_format
    assert documents.shape == (50, tree.n_words)
    assert set(documents.data.tolist()) <= {1}
    certain = tree.marginals[: tree.n_words] > 1 - 1e-9
    assert (documents.toarray()[:, certain] == 1).all()


def test_the_words_beside_a_certain_one_are_drawn_too() -> None:
    """A subtree that is never empty uses up no more than its share of the hazard."""
    probability = np.tile([0.4, 0.7], (10, 1))
    probability[[0, 1, 2, 3]], probability[9] = MAX_PROBABILITY, 0.5
    tree = small_tree(probability=probability)
    frequency = np.asarray(tree.sample(20_000, seed=0).sum(axis=0))
    np.testing.assert_allclose(frequency / 20_000, tree.marginals[:7], rtol=0.0, atol=0.02)
    assert (frequency[:4] == 20_000).all()


@pytest.mark.parametrize("most", [2, 5])
def test_words_of_a_large_tree_are_as_frequent_as_their_marginals_say(most: int) -> None:
    tree, n = many_states(random_tree(0, n_words=500, n_latents=150), 0, most=most), 20_000
    marginal = tree.marginals[:500]
    frequency = np.asarray(tree.sample(n, seed=3).sum(axis=0))
    z = (frequency - n * marginal) / np.sqrt(n * marginal * (1 - marginal))
    assert abs(z).max() < 5.0


@pytest.mark.parametrize("most", [2, 4])
def test_pairs_of_words_are_as_frequent_as_the_tree_says(most: int) -> None:
    """By expected counts: a tree fitted to its own documents stays where it is."""
    tree, n = random_tree(0, n_words=50, n_latents=15), 50_000
    tree = tree if most == 2 else many_states(tree, 0, most=most)
    counts = tree.expected_counts(tree.sample(n, seed=3))
    word = np.stack((1.0 - tree.parameters.word, tree.parameters.word), axis=2)
    for table, parameters in ((counts.word, word), (counts.latent, tree.parameters.latent)):
        rows = np.broadcast_to(table.sum(axis=2, keepdims=True), table.shape)
        reached = (rows > 100.0) & (parameters > 0.0)
        p, rows = parameters[reached], rows[reached]
        z = (table[reached] - p * rows) / np.sqrt(p * (1 - p) * rows)
        assert abs(z).max() < 5.0  # posterior counts vary less than states would


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
@pytest.mark.parametrize("most", [2, 5])
def test_the_seed_decides_not_the_threads(most: int, n_jobs: int) -> None:
    tree = many_states(random_tree(1, n_words=50, n_latents=20), 1, most=most)
    one = tree.sample(10_000, seed=5, n_jobs=1)
    assert (one != tree.sample(10_000, seed=5, n_jobs=n_jobs)).nnz == 0
    assert (one != tree.sample(10_000, seed=6, n_jobs=n_jobs)).nnz > 0


def test_a_generator_moves_on() -> None:
    tree = random_tree(1, n_words=50, n_latents=20)
    rng = np.random.default_rng(0)
    first, second = tree.sample(100, rng), tree.sample(100, rng)
    assert (first != second).nnz > 0


def test_documents_longer_than_expected_find_room() -> None:
    """Few documents, all words together or none: far longer than the average."""
    parent = np.full(501, 500)
    parent[-1] = -1
    probability = np.tile([1e-6, 1 - 1e-6], (501, 1))
    probability[-1] = 0.02
    level = np.append(np.zeros(500, dtype=int), 1)
    tree = LatentTree(tuple(f"w{i}" for i in range(500)), parent, level, probability)
    lengths = np.diff(tree.sample(9000, seed=0).indptr)
    assert set(np.unique(lengths // 490).tolist()) == {0, 1}
    assert 100 < (lengths > 490).sum() < 260


def test_no_documents() -> None:
    tree = random_tree(1, n_words=50, n_latents=20)
    assert tree.sample(0, seed=0).shape == (0, 50)


@pytest.mark.parametrize("n", [-1, 2.5, True])
def test_a_wrong_number_of_documents_is_refused(n: float) -> None:
    with pytest.raises(OptionError, match="n="):
        random_tree(1, 10, 3).sample(n)  # type: ignore[arg-type]
