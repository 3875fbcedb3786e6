"""Counts of pairs and their mutual information against dense arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.learning.paper import mutual_information
from hlta.learning.paper.mutual_information import PARTNERS, Pairs, measure_pairs, postings_of
from hlta.monitor import Monitor
from tests.oracles import dense_information, list_postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

seeds = st.integers(0, 1000)
FLOAT32 = 2.0**-23  # relative: what float32 resolves


def random_documents(seed: int, count: int, n: int, density: float = 0.2) -> NDArray[np.int8]:
    """Dense 0/1 with a word in all documents, one in none and two that are the same."""
    rng = np.random.default_rng(seed)
    common = rng.random((count, 1)) < 0.3
    likely = density + 0.3 * common * (np.arange(n) % 3 == 0)
    X: NDArray[np.int8] = (rng.random((count, n)) < likely).astype(np.int8)
    if n >= 4:
        X[:, 0], X[:, 1], X[:, 3] = 1, 0, X[:, 2]
    return X


def measure(X: NDArray[np.int8], **options: Any) -> Pairs:
    return measure_pairs(as_documents(X), **options, monitor=Monitor())


@settings(max_examples=30)
@given(seeds, st.integers(1, 40), st.integers(2, 45))
def test_the_matrix_agrees_with_dense_counts(seed: int, count: int, n: int) -> None:
    X = random_documents(seed, count, n)
    matrix = measure(X, n_jobs=1).tables.matrix
    np.testing.assert_allclose(matrix, dense_information(X), rtol=FLOAT32, atol=1e-9)


@settings(max_examples=20)
@given(seeds)
def test_pairs_that_avoid_each_other_count_if_asked(seed: int) -> None:
    X = random_documents(seed, 60, 20, density=0.5)
    matrix = measure(X, include_negative=True).tables.matrix
    expected = dense_information(X, include_negative=True)
    np.testing.assert_allclose(matrix, expected, rtol=FLOAT32, atol=1e-9)
    assert (expected > dense_information(X)).any()


@settings(max_examples=20)
@given(seeds, st.booleans())
def test_the_matrix_is_symmetric_nonnegative_and_0_with_itself(
    seed: int, include_negative: bool
) -> None:
    X = random_documents(seed, 40, 37)
    matrix = measure(X, include_negative=include_negative).tables.matrix
    np.testing.assert_array_equal(matrix, matrix.T)
    assert (matrix >= 0.0).all()
    assert not np.diag(matrix).any()


@pytest.mark.parametrize("include_negative", [False, True])
@pytest.mark.parametrize(("matrix", "places"), [(False, PARTNERS), (True, 1)])
def test_partners_are_the_best_ones_and_ties_go_to_the_lower_number(
    matrix: bool, places: int, include_negative: bool
) -> None:
    X = random_documents(1, 80, 60)
    pairs = measure(X, matrix=matrix, include_negative=include_negative)
    whole = measure(X, matrix=True, include_negative=include_negative).tables.matrix.copy()
    np.fill_diagonal(whole, -1.0)
    order = np.argsort(-whole, axis=1, kind="stable")[:, :places]
    np.testing.assert_array_equal(pairs.partners, order)
    np.testing.assert_array_equal(pairs.values, np.take_along_axis(whole, order, axis=1))


@pytest.mark.parametrize(
    ("density", "include_negative", "few", "most", "kept"),
    [
        (0.1, False, 60, 1000, True),
        (0.1, False, 59, 1000, False),
        (0.5, False, 59, 1000, True),
        (0.5, False, 30, 59, False),
        (0.1, True, 59, 1000, True),
        (0.1, True, 30, 59, False),
    ],
)
def test_a_matrix_is_kept_where_variables_are_few_or_meet_often(
    density: float,
    include_negative: bool,
    few: int,
    most: int,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten documents have the first variables of 60: 0.1 or 2.5 meetings per pair."""
    monkeypatch.setattr(mutual_information, "_FEW", few)
    monkeypatch.setattr(mutual_information, "DENSE_LIMIT", most)
    X = np.zeros((10, 60), dtype=np.int8)
    X[:, : round(60 * density)] = 1
    assert (len(measure(X, include_negative=include_negative).tables.matrix) > 0) is kept


@pytest.mark.parametrize("matrix", [False, True])
def test_threads_change_nothing(matrix: bool) -> None:
    X = random_documents(2, 200, 300)  # more than one task
    one, three = (measure(X, n_jobs=n_jobs, matrix=matrix) for n_jobs in (1, 3))
    assert one.tables.matrix.tobytes() == three.tables.matrix.tobytes()
    assert one.values.tobytes() == three.values.tobytes()
    assert one.partners.tobytes() == three.partners.tobytes()


@settings(max_examples=20)
@given(seeds, st.integers(1, 40), st.integers(1, 20))
def test_postings_agree_with_their_oracle(seed: int, count: int, n: int) -> None:
    X = random_documents(seed, count, n)
    documents = as_documents(X)
    start, document, place = postings_of(documents.rows, documents.document_frequency)
    pairs = list(zip(document.tolist(), place.tolist(), strict=True))
    assert [pairs[start[v] : start[v + 1]] for v in range(n)] == list_postings(X)
