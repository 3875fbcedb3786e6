"""Maximum spanning trees against SciPy's, and roots in the middle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from hlta.learning.paper.spanning_tree import orient, spanning_tree


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 30))
def test_no_spanning_tree_weighs_more(seed: int, size: int) -> None:
    half = np.triu(np.random.default_rng(seed).random((size, size)), 1).astype(np.float32)
    weight = half + half.T
    edges = spanning_tree(weight.__getitem__, size)
    heaviest = minimum_spanning_tree(csr_array(np.triu(2.0 - weight.astype(float), 1))).sum()
    assert sum(2.0 - float(weight[a, b]) for a, b in edges) == pytest.approx(heaviest, rel=1e-9)


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(1, 30))
def test_edges_lead_from_new_nodes_into_a_tree_of_all(seed: int, size: int) -> None:
    weight = np.random.default_rng(seed).random((size, size)).astype(np.float32)
    inside = {0}
    for new, old in spanning_tree(weight.__getitem__, size).tolist():
        assert new not in inside
        assert old in inside
        inside.add(new)
    assert inside == set(range(size))


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 40))
def test_orient_keeps_the_edges_and_makes_paths_short(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    edges = np.array([[v, rng.integers(0, v)] for v in range(1, size)])
    parent = orient(edges)
    assert {frozenset(edge) for edge in edges.tolist()} == {
        frozenset((v, int(up))) for v, up in enumerate(parent) if up >= 0
    }

    def height(root: int) -> int:
        graph = csr_array((np.ones(len(edges)), edges.T), shape=(size, size))
        order, before = breadth_first_order(graph, root, directed=False)
        depth = {root: 0}
        for v in order[1:].tolist():
            depth[v] = depth[int(before[v])] + 1
        return max(depth.values())

    root = int(np.flatnonzero(parent < 0)[0])
    assert height(root) == min(height(v) for v in range(size))
