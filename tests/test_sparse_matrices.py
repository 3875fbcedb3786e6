"""SciPy's matrices: damage of any array is found before SciPy reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from hlta.documents.matrix import as_documents
from hlta.documents.sparse_matrices import checked
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMATS = ("csr", "csc", "bsr", "coo", "dia", "dok", "lil")
DENSE = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1], [0, 3, 0, 0]])
WILD = 2**30


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=30)
@given(arrays(np.int8, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 3)))
def test_every_format_comes_through(kind: str, matrix: NDArray[np.int8]) -> None:
    given = sparse.csr_array(matrix).asformat(kind)
    np.testing.assert_array_equal(checked(given).toarray(), matrix)
    np.testing.assert_array_equal(as_documents(given).to_csr().toarray(), matrix != 0)


def damaged(kind: str, part: str, value: Any) -> Any:
    """A matrix in which one array is another one."""
    matrix = sparse.csr_array(DENSE).asformat(kind)
    setattr(matrix, part, value)
    return matrix


@pytest.mark.parametrize(
    ("kind", "part", "value", "message"),
    [
        ("csr", "indices", np.full(6, WILD), "column numbers from 1073741824"),
        ("csr", "indices", np.zeros(6), "not a vector of whole numbers"),
        ("csr", "indices", np.full(6, 2**64 - 1, dtype=np.uint64), "go up to 18446744073709551615"),
        ("csr", "indptr", np.array([0, 1, 1, 2]), "it has 4 pointers, not 5"),
        ("csr", "indptr", np.array([0, 2, 2, 5, 2**40]), "pointers do not ascend"),
        ("csr", "data", np.ones(2), "2 values for 6 entries"),
        ("csr", "data", np.array(["a"] * 6), "values of dtype <U1"),
        ("csr", "data", np.array([{}] * 6), "values of dtype object"),
        ("csc", "indices", np.full(6, WILD), "numbers from 1073741824"),
        ("csc", "indices", np.full(6, -1), "numbers from -1"),
        ("bsr", "indices", np.full(16, WILD), "numbers from 1073741824"),
        ("bsr", "indptr", np.array([0, WILD, WILD]), "pointers"),
        ("bsr", "data", np.ones((3, 3, 3)), "blocks do not divide its shape"),
        ("bsr", "data", np.ones((6, 0, 2)), "blocks do not divide its shape"),
        ("coo", "coords", (np.full(6, WILD), np.zeros(6, dtype=int)), "row numbers from"),
        ("coo", "coords", (np.zeros(6, dtype=int), np.full(6, -9)), "column numbers from -9"),
        ("coo", "coords", (np.zeros(3, dtype=int), np.zeros(6, dtype=int)), "3 row numbers"),
        ("coo", "data", np.ones(99), "99 values"),
        ("coo", "data", np.array(1.0), "values are an array of 0 dimensions, not 1"),
        ("coo", "coords", (np.array(1), np.array(2)), "row numbers are not a vector"),
        ("csr", "data", np.ones((6, 1)), "values are an array of 2 dimensions, not 1"),
        ("dia", "offsets", np.array([0.5] * 4), "offsets are not a vector of whole numbers"),
        ("dia", "offsets", np.array([1]), "1 offsets"),
        ("dia", "data", np.array(3), "1 diagonals"),
        ("lil", "rows", np.array([[1, WILD], [], [0], []], dtype=object), "as many columns as"),
        ("lil", "rows", np.array([[1, WILD], [], [0, 2, 3], [1]], dtype=object), "from 0 to 10737"),
        ("lil", "rows", np.array([[1], [0]], dtype=object), "its rows are not lists"),
        ("lil", "data", np.array([[1, [2]], [], [1, 1, 1], [1]], dtype=object), "not numbers"),
        ("dok", "_dict", {(0, WILD): 1}, "column numbers from 1073741824"),
        ("dok", "_dict", {(-1, 0): 1}, "row numbers from -1"),
        ("dok", "_dict", {(2**70, 0): 1}, "not a vector of whole numbers"),
        ("dok", "_dict", {7: 1}, "not pairs of whole numbers"),
    ],
)
def test_a_damaged_array_is_refused(kind: str, part: str, value: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        as_documents(damaged(kind, part, value))


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia"])
def test_unusual_types_of_numbers_are_read(kind: str) -> None:
    """Values of types that SciPy refuses, and short or unsigned places."""
    for dtype in (">i4", ">f8", "<f2", ">u2"):
        values = sparse.csr_array(DENSE).asformat(kind).data.astype(dtype)
        np.testing.assert_array_equal(checked(damaged(kind, "data", values)).toarray(), DENSE)
    if kind in ("csr", "csc", "bsr"):
        matrix = damaged(kind, "indptr", sparse.csr_array(DENSE).asformat(kind).indptr.astype("i2"))
        matrix.indices = matrix.indices.astype(np.uint8)
        np.testing.assert_array_equal(checked(matrix).toarray(), DENSE)


def test_diagonals_beyond_the_matrix_are_empty() -> None:
    matrix = damaged("dia", "offsets", np.array([-(2**62), 1, 9, 2**62]))
    matrix.data = np.ones((4, 7))
    expected = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    np.testing.assert_array_equal(checked(matrix).toarray(), expected)
