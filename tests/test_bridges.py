"""Posteriors of islands, what they share, and the bridges that join them."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from hlta._kernels.soft_information import (
    IslandTables,
    SoftPosteriors,
    fill_soft_information,
    fill_soft_row,
)
from hlta._support.arrays import offsets, read_only
from hlta.documents.given_matrices import as_documents
from hlta.learning.paper.bridges import FlatModel, bridge_islands, infer_posteriors
from hlta.learning.paper.mutual_information import Pairs, measure_pairs
from hlta.learning.paper.spanning_tree import orient, spanning_tree
from hlta.monitor import Monitor
from tests import slow_structure
from tests.oracles import Floats, dense_information, information, island_posteriors

few = settings(max_examples=20)
seeds = st.integers(0, 1000)
FLOAT32 = 2.0**-23  # relative: what float32 resolves


class Example(NamedTuple):
    X: NDArray[np.int8]
    pairs: Pairs
    islands: IslandTables


def example(seed: int, *, count: int = 60, m: int = 9, include_negative: bool = False) -> Example:
    """Documents, and islands with parameters of their own, some of which go together."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 5, m)
    n = int(sizes.sum())
    on = rng.random((count, m)) < 0.3
    on[:, 1:3] |= on[:, :1]
    island_of = np.repeat(np.arange(m), sizes)
    p = np.stack((rng.uniform(0.02, 0.2, n), rng.uniform(0.4, 0.9, n)), axis=1)
    drawn = (rng.random((count, n)) < np.where(on[:, island_of], p[:, 1], p[:, 0])).astype(np.int8)
    members = rng.permutation(n)  # islands own variables in any order
    start, prior = offsets(sizes), rng.uniform(0.1, 0.6, m)
    islands = IslandTables(read_only(start), read_only(members), read_only(p), read_only(prior))
    X = np.empty_like(drawn)
    X[:, members] = drawn
    pairs = measure_pairs(as_documents(X), include_negative=include_negative, monitor=Monitor())
    return Example(X, pairs, islands)


def dense(posteriors: SoftPosteriors) -> Floats:
    """P(Y = 1 | d), documents by islands, as it is stored: base and float32 differences."""
    rows = posteriors.rows
    out = np.tile(posteriors.statistics.base, (len(rows.indptr) - 1, 1))
    for d in range(len(out)):
        held = slice(rows.indptr[d], rows.indptr[d + 1])
        out[d, rows.indices[held]] += posteriors.values[held]
    return out


def edges_of(flat: FlatModel) -> list[tuple[int, int]]:
    return [(v, int(up)) for v, up in enumerate(flat.parent) if up >= 0]


@few
@given(seeds)
def test_posteriors_agree_with_bayes_rule(seed: int) -> None:
    X, pairs, islands = example(seed)
    posteriors = infer_posteriors(pairs, islands)
    expected = island_posteriors(X, islands)
    base = island_posteriors(np.zeros_like(X[:1]), islands)[0]
    np.testing.assert_allclose(posteriors.statistics.base, base, rtol=1e-9)
    difference = dense(posteriors) - base
    np.testing.assert_allclose(difference, expected - base, rtol=FLOAT32, atol=1e-9)
    total = dense(posteriors).sum(axis=0)
    np.testing.assert_allclose(posteriors.statistics.total, total, rtol=1e-9)


@few
@given(seeds, st.booleans())
def test_shared_information_agrees_with_its_oracle(seed: int, include_negative: bool) -> None:
    _, pairs, islands = example(seed, include_negative=include_negative)
    m = len(islands.prior)
    posteriors = infer_posteriors(pairs, islands)
    expected = dense_information(dense(posteriors), include_negative=include_negative)
    matrix = np.empty((m, m), dtype=np.float32)
    for block in ((0, 4), (4, m)):
        fill_soft_information(posteriors, *block, np.zeros(m), matrix)
    np.testing.assert_allclose(matrix, expected, rtol=FLOAT32, atol=1e-9)
    row, memory = np.empty(m, np.float32), np.zeros(m)
    for i in range(m):
        fill_soft_row(posteriors, i, memory, row)
        np.testing.assert_allclose(row, matrix[i], rtol=FLOAT32, atol=1e-9)
        assert not memory.any()  # at rest again


@few
@given(seeds, st.sampled_from([9, 40]))
def test_bridges_are_a_heaviest_tree_if_rows_are_counted_when_needed_too(seed: int, m: int) -> None:
    X, pairs, islands = example(seed, m=m)
    weight = dense_information(island_posteriors(X, islands))
    flat = bridge_islands(pairs, islands, monitor=Monitor())
    counted = bridge_islands(pairs, islands, dense_limit=0, monitor=Monitor())
    np.testing.assert_array_equal(flat.parent, counted.parent)
    assert flat.link.tobytes() == counted.link.tobytes()
    edges = edges_of(flat)
    assert len(edges) == len(islands.prior) - 1
    heaviest = minimum_spanning_tree(csr_array(1.0 - weight - np.eye(len(weight)))).sum()
    assert sum(1.0 - weight[a, b] for a, b in edges) == pytest.approx(heaviest, abs=1e-5)
    assert flat.probability[islands.members].tobytes() == islands.probability.tobytes()
    for i, members in enumerate(np.split(islands.members, islands.start[1:-1])):
        assert (flat.latent_of[members] == i).all()


@pytest.mark.slow
@few
@given(seeds)
def test_links_agree_with_their_oracle(seed: int) -> None:
    X, pairs, islands = example(seed)
    flat = bridge_islands(pairs, islands, monitor=Monitor())

    def by_information(i: int) -> slow_structure.Island:
        """Its two members that tell most about its latent variable."""
        members = islands.members[islands.start[i] : islands.start[i + 1]]
        p, prior = islands.probability[islands.start[i] : islands.start[i + 1]], islands.prior[i]
        marginal = p[:, 0] * (1.0 - prior) + p[:, 1] * prior
        shown = information(p[:, 1] * prior, marginal, np.full(len(p), prior))
        order = np.argsort(-shown, kind="stable")
        return slow_structure.Island(members[order].tolist(), p[order], float(prior))

    for v, up in edges_of(flat):
        expected = slow_structure.fit_bridge(X, by_information(up), by_information(v))
        np.testing.assert_allclose(flat.link[v], expected, rtol=1e-9)
    root = int(np.flatnonzero(flat.parent < 0)[0])
    assert flat.link[root].tolist() == [islands.prior[root]] * 2


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 30))
def test_no_spanning_tree_weighs_more(seed: int, size: int) -> None:
    half = np.triu(np.random.default_rng(seed).random((size, size)), 1).astype(np.float32)
    weight = half + half.T
    edges = spanning_tree(weight.__getitem__, size)
    heaviest = minimum_spanning_tree(csr_array(np.triu(2.0 - weight.astype(float), 1))).sum()
    assert sum(2.0 - float(weight[a, b]) for a, b in edges) == pytest.approx(heaviest, rel=1e-9)


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 40))
def test_orient_keeps_the_edges_and_makes_paths_short(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    edges = np.array([[v, rng.integers(0, v)] for v in range(1, size)])
    parent = orient(edges)
    expected = {frozenset((v, int(up))) for v, up in enumerate(parent) if up >= 0}
    assert {frozenset(edge) for edge in edges.tolist()} == expected

    def height(root: int) -> int:
        graph = csr_array((np.ones(len(edges)), edges.T), shape=(size, size))
        order, before = breadth_first_order(graph, root, directed=False)
        depth = {root: 0}
        for v in order[1:].tolist():
            depth[v] = depth[int(before[v])] + 1
        return max(depth.values())

    root = int(np.flatnonzero(parent < 0)[0])
    assert height(root) == min(height(v) for v in range(size))
