"""Which topics occur in the same documents: probabilities by enumeration, information by tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta.topics import related as related_module
from hlta.topics.related import (
    Joint,
    joint_in_documents,
    joint_in_model,
    linked_topics,
    pair_information,
    related_topics,
)
from hlta.tree.marginals import mutual_information
from tests.examples import HIERARCHY
from tests.oracles import Floats, enumerate_states, information
from tests.strategies import many_states, random_tree

if TYPE_CHECKING:
    from hlta import LatentTree


def enumerated(tree: LatentTree) -> Floats:
    """P(both on) of every pair of latent variables, from all combinations of their states."""
    states, log_probability = enumerate_states(tree)
    on = tree.parameters.is_on[np.arange(tree.n_latents), states].astype(np.float64)
    both: Floats = (on * np.exp(log_probability)[:, None]).T @ on
    return both


def of_pairs(both: Floats) -> Joint:
    """From the probabilities of all pairs."""
    return Joint(np.diag(both), lambda begin, end: both[begin:end])


def information_of(both: Floats) -> Floats:
    return pair_information(both, np.diag(both), np.diag(both))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [2, 3, 5])
def test_pairs_of_topics_in_the_model(most: int, seed: int) -> None:
    tree = random_tree(seed, 12, 6)
    tree = tree if most == 2 else many_states(tree, seed, most=most)
    n, m = tree.n_words, tree.n_latents
    chosen = np.arange(n, n + m)[::-2]
    expected = enumerated(tree)[np.ix_(chosen - n, chosen - n)]
    joint = joint_in_model(tree, chosen)
    both = np.vstack([joint.rows(0, 2), joint.rows(2, m)])
    np.testing.assert_allclose(joint.share, np.diag(expected), rtol=1e-9)
    np.testing.assert_allclose(both, expected, rtol=1e-9)


def test_the_most_related_topics_that_are_not_of_the_family_are_named() -> None:
    # 0 has children 1 and 2, 1 has child 3; 4 is a root with child 5.
    both = np.full((6, 6), 0.2)
    np.fill_diagonal(both, 0.25)
    related = related_topics(of_pairs(both), [-1, 0, 0, 1, -1, 4], 9)
    names = [{other for other, _ in row} for row in related]
    assert names == [{5}, {4, 5}, {3, 4, 5}, {2, 4, 5}, {1, 2, 3}, {0, 1, 2, 3}]
    p, parent = np.full(6, 0.5), [-1, -1, -1, 0, 1, 2]
    both = np.outer(p, p)
    np.fill_diagonal(both, p)
    both[3, 4] = both[4, 3] = 0.3
    both[3, 5] = both[5, 3] = 0.4
    weaker, stronger = information_of(both)[3, 4:].tolist()
    assert 0.0 < weaker < stronger
    assert related_topics(of_pairs(both), parent, 9)[3] == [(5, stronger), (4, weaker)]
    assert related_topics(of_pairs(both), parent, 1)[3] == [(5, stronger)]
    assert related_topics(of_pairs(both), parent, 9, least=weaker)[3] == [(5, stronger)]


def test_pairs_in_documents() -> None:
    P = np.array([[0.5, 0.0, 1.0], [0.25, 1.0, 0.0]])
    joint = joint_in_documents(csr_array(P))
    both = np.vstack([joint.rows(0, 1), joint.rows(1, 3)])
    np.testing.assert_allclose(both, P.T @ P / 2)
    np.testing.assert_allclose(joint.share, P.mean(axis=0))


def test_the_rows_in_memory_at_a_time_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    on = (rng.random((300, 9)) < 0.4).astype(float)
    parent = [-1, 0, 0, 1, -1, 4, 4, 5, 7]
    joint = of_pairs(on.T @ on / 300)
    at_once = related_topics(joint, parent, 4)
    asked: list[int] = []

    def noted(begin: int, end: int) -> Floats:
        asked.append(end - begin)
        return joint.rows(begin, end)

    monkeypatch.setattr(related_module, "_AT_ONCE", 20)
    assert related_topics(joint._replace(rows=noted), parent, 4) == at_once
    assert asked == [2, 2, 2, 2, 1]


def test_links_have_the_information_of_the_edge() -> None:
    nodes = np.array([12, 13, 8, 10])
    links = {(nodes[up], nodes[k]): shared for up, k, shared in linked_topics(HIERARCHY, nodes)}
    assert set(links) == {(12, 13), (12, 8), (13, 10)}
    for (up, child), shared in links.items():
        # Latent 10 avoids its parent: its information is that of the swapped states.
        prior = HIERARCHY.state_marginals[[up - HIERARCHY.n_words]]
        expected = mutual_information(HIERARCHY.probability[[child]], prior)
        assert shared == pytest.approx(expected[0], rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_links_of_many_states_have_the_information_of_being_on(seed: int) -> None:
    tree = many_states(random_tree(seed, 12, 6), seed, most=2 + seed % 5)
    nodes = np.arange(12, 18)
    both = enumerated(tree)
    links = linked_topics(tree, nodes)
    assert {(12 + up, 12 + child) for up, child, _ in links} == {
        (int(tree.parent[v]), int(v)) for v in nodes if v != tree.root
    }
    for up, child, shared in links:
        p, q, on = (np.array(both[pair]) for pair in ((up, up), (child, child), (up, child)))
        expected = information(on, p, q, include_negative=True)
        assert shared == pytest.approx(float(expected), rel=1e-7, abs=1e-12)
