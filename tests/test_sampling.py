"""Sampled documents follow the distribution of their tree."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hlta.errors import OptionError
from hlta.tree.latent_tree import LatentTree
from tests.strategies import random_tree, trees


def frequencies(tree: LatentTree, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Observed and expected counts of every possible document."""
    every = np.array(list(product((0, 1), repeat=tree.n_words)))
    expected = n * np.exp(tree.log_likelihood(every))
    code = tree.sample(n, seed=seed) @ (2 ** np.arange(tree.n_words)[::-1])
    return np.bincount(code, minlength=len(every)), expected


@settings(max_examples=25, deadline=None, derandomize=True)
@given(trees(max_latents=4, max_words=5, probability=st.floats(0.02, 0.98)), st.integers(0, 1000))
def test_documents_follow_the_distribution(tree: LatentTree, seed: int) -> None:
    observed, expected = frequencies(tree, 50_000, seed)
    rare = expected < 5.0
    if rare.any() and expected[rare].sum() > 0.0:
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0.5
    p_value = stats.chisquare(
        observed[kept], expected[kept] * observed[kept].sum() / expected[kept].sum()
    ).pvalue
    assert p_value > 1e-5


@settings(max_examples=40, deadline=None)
@given(trees())
def test_extreme_parameters_neither_hang_nor_leave_the_matrix(tree: LatentTree) -> None:
    documents = tree.sample(50, seed=0)
    documents.check_format(full_check=True)
    assert documents.has_canonical_format
    assert documents.shape == (50, tree.n_words)
    assert set(documents.data.tolist()) <= {1}
    certain = tree.marginals[: tree.n_words] > 1 - 1e-9
    assert (documents.toarray()[:, certain] == 1).all()


def test_word_frequencies_and_likelihood_of_a_large_tree() -> None:
    tree = random_tree(0, n_words=500, n_latents=150)
    n = 20_000
    documents = tree.sample(n, seed=3)
    marginal = tree.marginals[:500]
    z = (np.asarray(documents.sum(axis=0)) - n * marginal) / np.sqrt(n * marginal * (1 - marginal))
    assert abs(z).max() < 5.0
    halves = tree.log_likelihood(documents).reshape(2, -1)
    error = halves.std() / np.sqrt(n / 2)
    assert abs(halves[0].mean() - halves[1].mean()) < 5.0 * np.sqrt(2) * error


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_the_seed_decides_not_the_threads(n_jobs: int) -> None:
    tree = random_tree(1, n_words=50, n_latents=20)
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
