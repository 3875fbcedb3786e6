"""The benchmark's nHDP finds the model that documents were sampled from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import psi

from benchmarks.compare.nhdp import NestedHDP, Settings, shape
from benchmarks.compare.nhdp_loops import Shape, digamma, shared_out, subtree


@pytest.mark.slow
def test_topics_with_words_of_their_own_are_found_and_the_seed_decides() -> None:
    rng = np.random.default_rng(0)
    topic = rng.integers(3, size=150)
    X = csr_array(rng.poisson(np.where(np.arange(12) // 4 == topic[:, None], 3.0, 0.05)))
    settings = Settings(branching=(3, 3), steps=20, batch_size=50)
    one, two = (NestedHDP(settings, 5).fit(X).phi for _ in range(2))
    np.testing.assert_array_equal(one, two)
    for own in range(3):  # most of what some topic says is said with these words
        assert one[:, 4 * own : 4 * own + 4].sum(axis=1).max() > 0.8 * one.sum(axis=1).max()


def test_digamma() -> None:
    x = np.concatenate((np.geomspace(1e-3, 1e6, 200), [1.0, 2.0, 0.5]))
    np.testing.assert_allclose([digamma(v) for v in x], psi(x), rtol=1e-10, atol=1e-12)


def greedy(
    likely: np.ndarray, times: np.ndarray, log_choice: np.ndarray, tree: Shape, settings: Settings
) -> list[int]:
    """The subtree from the whole bound of every candidate, computed anew each time."""
    a, b = settings.stop
    halt, on = psi(a) - psi(a + b), psi(b) - psi(a + b)
    take, leave = psi(1.0) - psi(1.0 + settings.beta), psi(settings.beta) - psi(1 + settings.beta)

    def prior(v: int, nodes: list[int]) -> float:
        """What it costs a word to get there, given which siblings came before at every level."""
        total = halt if tree.width[v] else 0.0
        while v >= 0:
            place = nodes.index(v) if v in nodes else len(nodes)
            passed = sum(tree.parent[u] == tree.parent[v] for u in nodes[:place])
            total += take + leave * passed
            v = tree.parent[v]
            total += on if v >= 0 else 0.0
        return float(total)

    def bound(nodes: list[int]) -> float:
        each = [likely[v] + prior(v, nodes) for v in nodes]
        return float(np.logaddexp.reduce(each) @ times)

    nodes: list[int] = []
    before = 0.0
    while len(nodes) < settings.most_nodes:
        ready = [
            v
            for v in range(len(tree.parent))
            if v not in nodes and (tree.parent[v] < 0 or tree.parent[v] in nodes)
        ]
        if not ready:
            break
        best = max(ready, key=lambda v: bound([*nodes, v]) + log_choice[v])
        after = bound([*nodes, best])
        if nodes and after - before < settings.least_gain * abs(before):
            break
        before = after
        nodes.append(best)
    return nodes


@pytest.mark.parametrize("seed", range(10))
def test_the_subtree_against_the_plain_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    settings = Settings(branching=(4, 3, 2), most_nodes=12, beta=float(rng.uniform(0.5, 2.0)))
    tree = shape(settings.branching)
    likely = np.log(rng.dirichlet(np.full(9, 0.2), len(tree.parent)) + 1e-4)
    times, log_choice = rng.integers(1, 4, 9).astype(float), np.log(rng.random(len(tree.parent)))
    found = subtree(
        likely,
        times,
        log_choice,
        tree,
        settings.beta,
        settings.stop,
        settings.most_nodes,
        settings.least_gain,
    )
    assert found.tolist() == greedy(likely, times, log_choice, tree, settings)
    shared, share = shared_out(likely[found], times, found, tree, settings.beta, settings.stop, 50)
    np.testing.assert_allclose(shared.sum(axis=0), 1.0)
    assert (share > 0).all()
    assert share.sum() < 1.0
