"""Counts of pairs and their mutual information against dense arithmetic."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta.documents.given_matrices import as_documents
from hlta.learning.paper.association import includes_negative, share_of_avoidance
from hlta.learning.paper.mutual_information import PARTNERS, Pairs, measure_pairs
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from tests.jobs import on_jobs
from tests.oracles import dense_information

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


@settings(max_examples=40)
@given(seeds, st.integers(1, 40), st.integers(2, 45), st.booleans(), st.sampled_from([0.2, 0.5]))
def test_the_matrix_agrees_with_dense_counts(
    seed: int, count: int, n: int, include_negative: bool, density: float
) -> None:
    X = random_documents(seed, count, n, density)
    matrix = measure(X, include_negative=include_negative).tables.matrix
    expected = dense_information(X, include_negative=include_negative)
    np.testing.assert_allclose(matrix, expected, rtol=FLOAT32, atol=1e-9)
    np.testing.assert_array_equal(matrix, matrix.T)


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


@pytest.mark.parametrize("matrix", [False, True])
def test_threads_change_nothing(matrix: bool) -> None:
    X = random_documents(2, 200, 300)  # more than one task
    one, three = (on_jobs(n_jobs, measure, X, matrix=matrix) for n_jobs in (1, 3))
    assert one.tables.matrix.tobytes() == three.tables.matrix.tobytes()
    assert one.values.tobytes() == three.values.tobytes()
    assert one.partners.tobytes() == three.partners.tobytes()


def positive(n: int = 6) -> NDArray[np.int8]:
    """Variables that go together."""
    rng = np.random.default_rng(0)
    on = rng.random((2000, 1)) < 0.3
    return (rng.random((2000, n)) < np.where(on, 0.8, 0.1)).astype(np.int8)


def opposites() -> NDArray[np.int8]:
    """Two variables, each on where the other is off."""
    on = positive(1)
    return np.hstack((on, 1 - on))


@settings(max_examples=30)
@given(seeds, st.integers(2, 12))
def test_the_share_is_that_of_squared_correlations(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((50, n)) < 0.5).astype(np.int8)
    X[:2] = [[0], [1]]  # all vary
    correlation = np.asarray(np.corrcoef(X.T))
    np.fill_diagonal(correlation, 0.0)
    best = correlation[np.arange(n), np.abs(correlation).argmax(axis=1)]
    # Of two partners as good as each other either may count.
    ranked = np.sort(np.abs(correlation), axis=1)
    assume((ranked[:, -1] - ranked[:, -2]).min() > 1e-9)
    expected = (best[best < 0.0] ** 2).sum() / (best**2).sum()
    assert share_of_avoidance(as_documents(X)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("association", "X", "expected", "notes"),
    [
        ("positive", opposites(), False, []),
        ("any", positive(), True, []),
        ("auto", positive(), False, []),
        ("auto", opposites(), True, ['association="auto" chose "any": 100% of']),
    ],
)
def test_the_option_decides_or_the_data(
    association: str, X: NDArray[np.int8], expected: bool, notes: list[str], monkeypatch: Any
) -> None:
    shown: list[str] = []
    monitor = Monitor()
    monkeypatch.setattr(monitor, "note", shown.append)
    options = StructureOptions(association=association)
    assert includes_negative(as_documents(X), options, monitor) is expected
    assert [note[: len(start)] for note, start in zip(shown, notes, strict=True)] == notes
