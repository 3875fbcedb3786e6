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
from tests.oracles import Floats, enumerate_joint
from tests.strategies import random_tree, trees


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
@given(trees(max_latents=4, max_words=5, probability=st.floats(0.02, 0.98)), st.integers(0, 1000))
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
@given(trees())
def test_extreme_parameters_neither_hang_nor_leave_the_matrix(tree: LatentTree) -> None:
    documents = tree.sample(50, seed=0)
    documents.check_format(full_check=True)
    assert documents.has_canonical_format
    assert documents.shape == (50, tree.n_words)
    assert set(documents.data.tolist()) <= {1}
    certain = tree.marginals[: tree.n_words] > 1 - 1e-9
    assert (documents.toarray()[:, certain] == 1).all()


def test_words_of_a_large_tree_are_as_frequent_as_their_marginals_say() -> None:
    tree, n = random_tree(0, n_words=500, n_latents=150), 20_000
    marginal = tree.marginals[:500]
    frequency = np.asarray(tree.sample(n, seed=3).sum(axis=0))
    z = (frequency - n * marginal) / np.sqrt(n * marginal * (1 - marginal))
    assert abs(z).max() < 5.0


def test_pairs_of_words_are_as_frequent_as_the_tree_says() -> None:
    """By expected counts: a tree fitted to its own documents stays where it is."""
    tree, n = random_tree(0, n_words=50, n_latents=15), 50_000
    table = tree.expected_counts(tree.sample(n, seed=3)).table
    rows = table.sum(axis=2)
    reached = rows > 100.0
    p = tree.probability[reached]
    z = (table[:, :, 1][reached] - p * rows[reached]) / np.sqrt(p * (1 - p) * rows[reached])
    assert abs(z).max() < 5.0  # posterior counts vary less than states would


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
