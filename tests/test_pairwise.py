"""Counts of pairs and their mutual information against dense arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hlta.algorithm.mutual_information import measure_pairs, share_of_avoidance
from hlta.documents.matrix import Documents, as_documents
from hlta.monitor import Monitor
from tests.oracles import dense_information

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_documents(seed: int, count: int, n: int, density: float = 0.2) -> NDArray[np.int8]:
    """Dense 0/1 with a word in all documents, one in none and two that are the same."""
    rng = np.random.default_rng(seed)
    common = rng.random((count, 1)) < 0.3
    X = (rng.random((count, n)) < density + 0.3 * common * (np.arange(n) % 3 == 0)).astype(np.int8)
    if n >= 4:
        X[:, 0], X[:, 1], X[:, 3] = 1, 0, X[:, 2]
    return X


def documents_of(X: NDArray[np.int8]) -> Documents:
    return as_documents(sparse.csr_array(X))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 40), st.integers(2, 45))
def test_matrix_is_that_of_dense_counts(seed: int, count: int, n: int) -> None:
    X = random_documents(seed, count, n)
    pairs = measure_pairs(documents_of(X), n_jobs=1, monitor=Monitor())
    np.testing.assert_allclose(pairs.matrix, dense_information(X), rtol=1e-5, atol=1e-7)
    assert (pairs.matrix == pairs.matrix.T).all()
    assert (pairs.matrix >= 0.0).all()
    assert (np.diag(pairs.matrix) == 0.0).all()


@pytest.mark.parametrize("dense_limit", [0, 1000])
def test_partners_are_the_best_ones(dense_limit: int) -> None:
    X = random_documents(1, 80, 60)
    pairs = measure_pairs(documents_of(X), dense_limit=dense_limit, monitor=Monitor())
    matrix = measure_pairs(documents_of(X), monitor=Monitor()).matrix.copy()
    np.fill_diagonal(matrix, -1.0)
    places = pairs.values.shape[1]
    assert places == (16 if dense_limit == 0 else 1)
    order = np.argsort(-matrix, axis=1, kind="stable")[:, :places]
    np.testing.assert_array_equal(pairs.partners, order)
    np.testing.assert_array_equal(pairs.values, np.take_along_axis(matrix, order, axis=1))


def test_threads_change_nothing() -> None:
    documents = documents_of(random_documents(2, 200, 90))
    one = measure_pairs(documents, n_jobs=1, monitor=Monitor())
    three = measure_pairs(documents, n_jobs=3, monitor=Monitor())
    assert one.matrix.tobytes() == three.matrix.tobytes()


def test_postings_are_the_transpose() -> None:
    X = random_documents(3, 50, 20)
    documents = documents_of(X)
    start, where, place = measure_pairs(documents, monitor=Monitor()).postings
    for v in range(20):
        held = where[start[v] : start[v + 1]]
        np.testing.assert_array_equal(held, np.flatnonzero(X[:, v]))
        at = documents.indptr[held] + place[start[v] : start[v + 1]]
        assert (documents.indices[at] == v).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_pairs_that_avoid_each_other_count_if_asked(seed: int) -> None:
    X = random_documents(seed, 60, 20, density=0.5)
    matrix = measure_pairs(documents_of(X), any_sign=True, monitor=Monitor()).matrix
    np.testing.assert_allclose(matrix, dense_information(X, any_sign=True), rtol=1e-5, atol=1e-7)


def test_the_share_of_avoidance() -> None:
    rng = np.random.default_rng(0)
    on = rng.random((2000, 1)) < 0.3
    X = (rng.random((2000, 6)) < np.where(on, 0.8, 0.1)).astype(np.int8)
    assert share_of_avoidance(documents_of(X)) == 0.0
    X[:, 3:] = 1 - X[:, 3:]
    assert share_of_avoidance(documents_of(X)) < 0.5  # half of the partners go the same way
    X[:, 1:] = 1
    X[:, 1] = 1 - X[:, 0]
    assert share_of_avoidance(documents_of(X)) == 1.0
    assert share_of_avoidance(documents_of(np.ones((5, 4), dtype=np.int8))) == 0.0
