"""Which topics occur in the same documents: probabilities by enumeration, information by tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta.topics.related import (
    joint_in_documents,
    joint_in_model,
    linked_topics,
    pair_information,
    related_topics,
)
from hlta.tree.marginals import mutual_information
from tests.examples import HIERARCHY
from tests.strategies import random_tree


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_topics_in_the_model(seed: int) -> None:
    tree = random_tree(seed, 12, 6)
    n, m = tree.n_words, tree.n_latents
    states = np.array(list(product((0, 1), repeat=m)))
    weight = np.ones(len(states))
    for k in range(m):
        up = int(tree.parent[n + k])
        above = np.zeros(len(states), dtype=int) if up < 0 else states[:, up - n]
        p = tree.probability[n + k][above]
        weight *= np.where(states[:, k], p, 1 - p)
    chosen = np.arange(n, n + m)[::-2]
    expected = (states * weight[:, None]).T @ states
    both = joint_in_model(tree, chosen)
    np.testing.assert_allclose(both, expected[np.ix_(chosen - n, chosen - n)], atol=1e-12)


def test_information_of_pairs() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((4000, 5)) < 0.3
    X[:, 1] = X[:, 0] ^ (rng.random(4000) < 0.1)
    X[:, 2] = ~X[:, 0] & X[:, 2]  # avoids it
    information = pair_information(X.T.astype(float) @ X / 4000)
    for a, b in product(range(5), repeat=2):
        if a == b:
            continue
        joint = np.histogram2d(X[:, a], X[:, b], bins=2)[0] / 4000
        alone = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None, :]
        expected = (joint * np.log(joint / alone, where=joint > 0, out=np.zeros((2, 2)))).sum()
        avoids = joint[1, 1] <= alone[1, 1]
        assert information[a, b] == pytest.approx(0.0 if avoids else expected, abs=1e-12)


def test_related_topics_are_not_the_family() -> None:
    # 0 has children 1 and 2, 1 has child 3; 4 is a root with child 5.
    parent = [-1, 0, 0, 1, -1, 4]
    both = np.full((6, 6), 0.2)
    np.fill_diagonal(both, 0.25)
    related = related_topics(both, parent, 9)
    names = [{other for other, _ in row} for row in related]
    assert names == [{5}, {4, 5}, {3, 4, 5}, {2, 4, 5}, {1, 2, 3}, {0, 1, 2, 3}]


def test_pairs_in_documents() -> None:
    P = np.array([[0.5, 0.0, 1.0], [0.25, 1.0, 0.0]])
    both = joint_in_documents(csr_array(P))
    expected = P.T @ P / 2
    np.fill_diagonal(expected, P.mean(axis=0))
    np.testing.assert_allclose(both, expected)


def test_only_the_most_related_topics_are_named() -> None:
    parent = [-1, -1, -1, 0, 1, 2]
    p = np.full(6, 0.5)
    both = np.outer(p, p)
    np.fill_diagonal(both, p)
    both[3, 4] = both[4, 3] = 0.3
    both[3, 5] = both[5, 3] = 0.4
    weaker, stronger = pair_information(both)[3, 4:].tolist()
    assert 0.0 < weaker < stronger
    assert related_topics(both, parent, 9)[3] == [(5, stronger), (4, weaker)]
    assert related_topics(both, parent, 1)[3] == [(5, stronger)]
    assert related_topics(both, parent, 9, least=weaker)[3] == [(5, stronger)]


def test_links_have_the_information_of_the_edge() -> None:
    nodes = np.array([12, 13, 8, 10])
    links = {(nodes[up], nodes[k]): shared for up, k, shared in linked_topics(HIERARCHY, nodes)}
    assert set(links) == {(12, 13), (12, 8), (13, 10)}
    for (up, child), shared in links.items():
        # Latent 10 avoids its parent: its information is that of the swapped states.
        expected = mutual_information(HIERARCHY.probability[[child]], HIERARCHY.marginals[[up]])
        assert shared == pytest.approx(expected[0], rel=1e-9)
