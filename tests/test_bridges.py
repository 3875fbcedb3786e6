"""Posteriors of islands, what they share, and the tree that joins them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
from scipy.special import expit, logit

from hlta.algorithm import bridges
from hlta.algorithm.bridges import bridge_islands, orient
from hlta.algorithm.islands import Islands
from hlta.algorithm.mutual_information import Pairs, measure_pairs
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from tests.oracles import soft_information

if TYPE_CHECKING:
    from numpy.typing import NDArray


def example(seed: int, count: int = 60, m: int = 9) -> tuple[NDArray[np.int8], Pairs, Islands]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 5, m)
    n = int(sizes.sum())
    on = rng.random((count, m)) < 0.3
    on[:, 1:3] |= on[:, :1]
    island_of = np.repeat(np.arange(m), sizes)
    p = np.stack((rng.uniform(0.02, 0.2, n), rng.uniform(0.4, 0.9, n)), axis=1)
    X = (rng.random((count, n)) < np.where(on[:, island_of], p[:, 1], p[:, 0])).astype(np.int8)
    members = rng.permutation(n)  # islands own variables in any order
    islands = Islands(np.concatenate(([0], np.cumsum(sizes))), members, p, rng.uniform(0.1, 0.6, m))
    shuffled = np.empty_like(X)
    shuffled[:, members] = X
    return shuffled, measure_pairs(as_documents(csr_array(shuffled)), monitor=Monitor()), islands


def dense_posteriors(X: NDArray[np.int8], islands: Islands) -> NDArray[np.float64]:
    out = np.empty((len(X), len(islands)))
    for i in range(len(islands)):
        part = slice(islands.start[i], islands.start[i + 1])
        present = X[:, islands.members[part]] == 1
        p = islands.probability[part]
        odds = np.where(present, np.log(p[:, 1] / p[:, 0]), np.log((1 - p[:, 1]) / (1 - p[:, 0])))
        out[:, i] = expit(logit(islands.prior[i]) + odds.sum(axis=1))
    return out


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_posteriors_are_those_of_the_islands(seed: int) -> None:
    X, pairs, islands = example(seed)
    found = bridges._infer(pairs, islands, n_jobs=2)
    base, total, _ = found.sums
    dense = np.tile(base, (len(X), 1))
    indptr, indices = found.rows
    for d in range(len(X)):
        held = slice(indptr[d], indptr[d + 1])
        assert (np.diff(indices[held].astype(int)) > 0).all()
        dense[d, indices[held]] += found.values[held]
    expected = dense_posteriors(X, islands)
    np.testing.assert_allclose(dense, expected, atol=1e-6)
    np.testing.assert_allclose(total, expected.sum(axis=0), rtol=1e-5)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0, 1000]))
def test_the_tree_is_a_heaviest_one(seed: int, dense_limit: int) -> None:
    X, pairs, islands = example(seed)
    p = dense_posteriors(X, islands)
    joint = {
        (a, b): (p if a else 1 - p).T @ (p if b else 1 - p) / len(X) for a in (0, 1) for b in (0, 1)
    }
    weight = soft_information(joint)
    found = bridges._infer(pairs, islands, n_jobs=1)
    edges = bridges._span(found, 1, dense_limit, Monitor())
    assert len(edges) == len(islands) - 1
    heaviest = minimum_spanning_tree(csr_array(1.0 - weight - np.eye(len(weight)))).sum()
    got = sum(1.0 - weight[a, b] for a, b in edges)
    assert got == pytest.approx(heaviest, abs=1e-5)
    graph = csr_array((np.ones(len(edges)), edges.T), shape=weight.shape)
    assert len(breadth_first_order(graph, 0, directed=False)[0]) == len(islands)


def test_rows_counted_when_needed_make_the_same_tree() -> None:
    _, pairs, islands = example(5, count=200, m=40)
    kept = bridge_islands(pairs, islands, n_jobs=2, monitor=Monitor())
    counted = bridge_islands(pairs, islands, n_jobs=1, dense_limit=0, monitor=Monitor())
    np.testing.assert_array_equal(kept.parent, counted.parent)
    assert kept.link.tobytes() == counted.link.tobytes()
    assert kept.probability[islands.members].tobytes() == islands.probability.tobytes()
    np.testing.assert_array_equal(kept.latent_of, islands.island_of)


def test_the_root_is_the_centre() -> None:
    chain = np.array([[i, i + 1] for i in range(8)])
    parent = orient(chain)
    assert np.flatnonzero(parent < 0).tolist() == [4]
    np.testing.assert_array_equal(parent, [1, 2, 3, 4, -1, 4, 5, 6, 7])
    assert orient(np.empty((0, 2), dtype=np.int64)).tolist() == [-1]


def test_an_edge_is_learned_from_documents() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    z = rng.random(20_000) < np.where(y, 0.7, 0.1)
    on = np.stack((y, y, y, z, z), axis=1)
    X = (rng.random(on.shape) < np.where(on, 0.8, 0.05)).astype(np.int8)
    pairs = measure_pairs(as_documents(X), monitor=Monitor())
    islands = Islands(
        np.array([0, 3, 5]),
        np.arange(5),
        np.tile([0.05, 0.8], (5, 1)),
        np.array([0.3, 0.28]),
    )
    flat = bridge_islands(pairs, islands, monitor=Monitor())
    child = int(np.flatnonzero(flat.parent >= 0)[0])
    expected = [0.1, 0.7] if child == 1 else [0.09 / 0.72, 0.21 / 0.28]
    np.testing.assert_allclose(flat.link[child], expected, atol=0.03)
