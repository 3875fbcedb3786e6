"""Shares are the means of P(topic | document) over the documents of each part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.documents.matrix import as_documents
from hlta.topics.divisions import Division, shares
from hlta.tree import queries as module
from tests.strategies import random_tree

if TYPE_CHECKING:
    import pytest

TREE = random_tree(2, 25, 8)
NODES = np.arange(TREE.n_words, TREE.n_nodes)[::-2]
X = as_documents(TREE.sample(300, seed=1))
RNG = np.random.default_rng(0)
DIVISIONS = [
    Division("year", ("1999", "2000", "2001"), RNG.integers(-1, 2, 300)),  # none in 2001
    Division("group", ("a", "b"), RNG.integers(0, 2, 300)),
]


def test_means_over_the_documents_of_each_part() -> None:
    P = TREE.posteriors(X).dense()[:, NODES - TREE.n_words]
    for division, values in zip(DIVISIONS, shares(TREE, NODES, X, DIVISIONS), strict=True):
        assert values.shape == (len(division.names), len(NODES))
        for part, row in enumerate(values):
            members = division.number == part
            expected = P[members].mean(axis=0) if members.any() else np.zeros(len(NODES))
            np.testing.assert_allclose(row, expected, rtol=1e-12)


def test_chunks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shares(TREE, NODES, X, DIVISIONS)
    monkeypatch.setattr(module, "AT_ONCE", 7 * TREE.state_marginals.size)
    for expected, values in zip(whole, shares(TREE, NODES, X, DIVISIONS), strict=True):
        np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_threads_do_not_matter() -> None:
    one, three = (shares(TREE, NODES, X, DIVISIONS, n_jobs=jobs) for jobs in (1, 3))
    for a, b in zip(one, three, strict=True):
        np.testing.assert_array_equal(a, b)


def test_without_divisions_there_is_nothing_to_do() -> None:
    assert shares(TREE, NODES, X, []) == []
