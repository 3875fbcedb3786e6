"""The benchmark's nHDP finds the model that documents were sampled from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import psi

from benchmarks.compare.completion import complete
from benchmarks.compare.nhdp import NestedHDP, Settings, shape
from benchmarks.compare.nhdp_loops import Shape, digamma, shared_out, subtree
from benchmarks.compare.predictors import Independent

WORDS = 120
SETTINGS = Settings(branching=(4, 3), batch_size=200, steps=80)


def sampled(documents: int, seed: int) -> tuple[csr_array, np.ndarray, np.ndarray]:
    """Documents of the model itself, with what was drawn: topics, and words from each node."""
    rng = np.random.default_rng(7)  # the tree is always the same
    tree = shape(SETTINGS.branching)
    phi = rng.dirichlet(np.full(WORDS, 0.1), len(tree.parent))
    groups = [np.arange(4), *(np.arange(4 + 3 * k, 7 + 3 * k) for k in range(4))]
    choice = []
    for group in groups:
        sticks = np.append(rng.beta(1.0, 2.0, len(group) - 1), 1.0)
        choice.append(sticks * np.concatenate(([1.0], np.cumprod(1.0 - sticks[:-1]))))
    rng = np.random.default_rng(seed)
    rows, used = [], np.zeros(len(phi))
    for _ in range(documents):
        # A Dirichlet process over finitely many atoms is a Dirichlet distribution.
        own = [rng.dirichlet(SETTINGS.beta * p + 1e-9) for p in choice]
        stop = rng.beta(*SETTINGS.stop, 4)
        theta = np.concatenate(
            (own[0] * stop, *((own[0][k] * (1.0 - stop[k])) * own[1 + k] for k in range(4)))
        )
        words = rng.multinomial(100, theta / theta.sum())
        used += words
        rows.append(sum(rng.multinomial(n, phi[v]) for v, n in enumerate(words)))
    return csr_array(np.array(rows)), phi, used / used.sum()


@pytest.fixture(scope="module")
def learned() -> NestedHDP:
    counts, _, _ = sampled(2000, 0)
    return NestedHDP(SETTINGS, 1).fit(counts)


@pytest.mark.slow
def test_topics_are_found_again(learned: NestedHDP) -> None:
    """Of all that the words came from, next to all is in a node that says the same."""
    _, phi, used = sampled(2000, 0)
    found = learned.phi
    norms = np.linalg.norm(phi, axis=1)[:, None] * np.linalg.norm(found, axis=1)
    cosine = (phi @ found.T / norms).max(axis=1)
    assert used @ (cosine > 0.9) > 0.85
    assert used @ (cosine > 0.8) > 0.9


@pytest.mark.slow
def test_families_stay_together(learned: NestedHDP) -> None:
    """A child that is much used is found in the branch of the one that its parent is found in."""
    _, phi, used = sampled(2000, 0)
    best = (phi @ learned.phi.T).argmax(axis=1)
    parent = learned.tree.parent
    branch = np.where(parent[best] < 0, best, parent[best])
    often = [v for v in range(4, 16) if used[v] > 0.02]
    together = [branch[v] == branch[parent[v]] for v in often]
    assert len(often) >= 5
    assert np.mean(together) > 0.7


@pytest.mark.slow
def test_other_documents_are_predicted_as_by_the_truth(learned: NestedHDP) -> None:
    counts, phi, used = sampled(300, 5)
    truth = NestedHDP(SETTINGS)
    truth.tree, truth.words_on, truth.chosen = learned.tree, 1e7 * phi, 1e4 * used
    train, _, _ = sampled(2000, 0)
    blind = Independent(np.asarray((train > 0).mean(axis=0)).ravel() + 1e-4)
    binary = csr_array((counts > 0).astype(int))
    best, ours, worst = (complete(binary, model).word for model in (truth, learned, blind))
    assert best - worst > 0.1
    assert best - ours < 0.2 * (best - worst)


@pytest.mark.slow
def test_all_words_are_shared_out(learned: NestedHDP) -> None:
    counts, _, _ = sampled(2000, 0)
    model = NestedHDP(SETTINGS, 1)
    model.tree, model.chosen = learned.tree, learned.chosen.copy()
    model.words_on = learned.words_on.copy()
    model._update(counts, np.arange(2000), 1.0)
    np.testing.assert_allclose(model.words_on.sum(axis=0), counts.sum(axis=0))
    assert (model.words_on >= 0).all()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_model() -> None:
    counts, _, _ = sampled(100, 3)
    settings = Settings(branching=(3, 3), steps=3, batch_size=50)
    one, two = (NestedHDP(settings, 5).fit(counts).phi for _ in range(2))
    np.testing.assert_array_equal(one, two)


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


@pytest.mark.parametrize("seed", range(20))
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
