"""The benchmark's nHDP finds a tree that documents were sampled from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from benchmarks.compare.nhdp import NestedHDP, Settings

WIDTH = 6


def planted(documents: int, seed: int) -> tuple[csr_array, np.ndarray]:
    """Three nodes below the root, three below each, every node with words of its own."""
    rng = np.random.default_rng(seed)
    nodes = 3 + 9
    phi = np.full((nodes, nodes * WIDTH), 0.02 / (nodes * WIDTH))
    for k in range(nodes):
        phi[k, k * WIDTH : (k + 1) * WIDTH] += 0.98 * rng.dirichlet(np.full(WIDTH, 5.0))
    phi /= phi.sum(axis=1, keepdims=True)
    rows = []
    for _ in range(documents):
        top = rng.dirichlet(np.full(3, 0.1))
        stop = rng.beta(1.0, 2.0 / 3.0, 3)
        children = rng.dirichlet(np.full(3, 0.1), 3)
        theta = np.concatenate((top * stop, ((top * (1 - stop))[:, None] * children).ravel()))
        rows.append(rng.multinomial(80, theta @ phi / (theta @ phi).sum()))
    return csr_array(np.array(rows)), phi


@pytest.fixture(scope="module")
def learned() -> tuple[NestedHDP, np.ndarray]:
    counts, phi = planted(1200, 0)
    settings = Settings(branching=(3, 3), epochs=6, batch_size=100)
    return NestedHDP(settings, seed=1).fit(counts), phi


def test_topics_are_found_again(learned: tuple[NestedHDP, np.ndarray]) -> None:
    model, phi = learned
    found = model.phi
    cosine = (phi @ found.T) / np.outer(np.linalg.norm(phi, axis=1), np.linalg.norm(found, axis=1))
    assert len(found) == len(phi)
    pairs = linear_sum_assignment(-cosine)
    assert np.median(cosine[pairs]) > 0.9
    assert (cosine[pairs] > 0.7).sum() >= 9


def test_families_stay_together(learned: tuple[NestedHDP, np.ndarray]) -> None:
    """A node and its children end up in one branch, though not always with the right one on top."""
    model, phi = learned
    best = (phi @ model.phi.T).argmax(axis=1)
    parent = model.tree.parent
    branch = np.where(parent[best] < 0, best, parent[best])
    assert (parent < 0).sum() == 3
    families = [branch[[k, *range(3 + 3 * k, 6 + 3 * k)]] for k in range(3)]
    assert all(len(set(family.tolist())) == 1 for family in families)
    assert len({family[0] for family in families}) == 3
    assert sum(parent[best[k]] < 0 for k in range(3)) >= 1


def test_the_words_of_a_document_are_shared_out_in_full() -> None:
    counts, _ = planted(50, 3)
    model = NestedHDP(Settings(branching=(3, 3), epochs=1, batch_size=25)).fit(counts)
    before = model.tree.topics.copy()
    model._update(counts, np.arange(50), 1.0, 1.0)
    eta = model.settings.eta
    assert before.shape == model.tree.topics.shape
    assert (model.tree.topics - eta).sum() == pytest.approx(counts.sum())
    assert (model.tree.topics >= eta - 1e-9).all()


def test_the_same_seed_gives_the_same_model() -> None:
    counts, _ = planted(100, 3)
    settings = Settings(branching=(3, 3), epochs=1, batch_size=50)
    one, two = (NestedHDP(settings, seed=5).fit(counts).phi for _ in range(2))
    np.testing.assert_array_equal(one, two)
