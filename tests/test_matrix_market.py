"""MatrixMarket files as others write them, against SciPy's reader."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.io import mmwrite
from scipy.sparse import coo_array

from hlta import DocumentsError
from hlta.reading.matrices.matrix_files import read_matrix
from hlta.reading.matrices.matrix_market import read_matrix_market

COORDINATES = "%%MatrixMarket matrix coordinate integer general\n"
NAME = Path("x.mtx")


def read(text: str | bytes) -> list[list[float]]:
    data = text.encode() if isinstance(text, str) else text
    matrix = read_matrix_market(io.BytesIO(data), NAME)
    dense: list[list[float]] = matrix.toarray().tolist()
    return dense


@settings(max_examples=60)
@given(
    arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 99)),
    st.sampled_from([np.int64, np.uint8, np.float64]),
    st.booleans(),
    st.booleans(),
)
def test_what_scipy_writes_is_read(matrix: Any, kind: Any, sparse: bool, symmetric: bool) -> None:
    if symmetric and matrix.shape[0] == matrix.shape[1]:
        matrix = np.maximum(matrix, matrix.T)
    matrix = matrix.astype(kind)
    buffer = io.BytesIO()
    mmwrite(buffer, coo_array(matrix) if sparse else matrix)
    np.testing.assert_array_equal(read(buffer.getvalue()), matrix)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COORDINATES + "2 3 2\n1 1 5\n2 3 1\n", [[5, 0, 0], [0, 0, 1]]),
        (COORDINATES + "% a remark\n\n%\n 2  3 2 \n 1 1\t5\n\n2 3 1", [[5, 0, 0], [0, 0, 1]]),
        (COORDINATES + "1 2 3\n1 1 5\n1 1 1\n1 2 1\n", [[6, 1]]),
        (COORDINATES + "2 2 0\n", [[0, 0], [0, 0]]),
        ("%%matrixmarket Matrix Coordinate PATTERN general\n2 2 1\n2 1\n", [[0, 0], [1, 0]]),
        ("%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 2.5e0\n", [[0, 2.5]]),
        (
            "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 4\n",
            [[3, 4], [4, 0]],
        ),
        (
            "%%MatrixMarket matrix array integer general\n2 3\n1\n2\n3\n4\n5\n6\n",
            [[1, 3, 5], [2, 4, 6]],
        ),
        ("%%MatrixMarket matrix array real general\n1 2\n0.5\n0\n", [[0.5, 0]]),
        (
            "%%MatrixMarket matrix array integer symmetric\n3 3\n1 2 3\n4 5\n6\n",
            [[1, 2, 3], [2, 4, 5], [3, 5, 6]],
        ),
        ("%%MatrixMarket matrix array integer general\n0 8\n", []),
    ],
)
def test_layouts_fields_and_symmetries(text: str, expected: list[list[float]]) -> None:
    assert read(text) == expected


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "x.mtx.gz", "wb") as file:
        file.write((COORDINATES + "1 2 1\n1 2 5\n").encode())
    (tmp_path / "vocab.txt").write_text("a\nb\n")
    assert read_matrix(tmp_path / "x.mtx.gz").counts.toarray().tolist() == [[0, 5]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin with %%MatrixMarket matrix"),
        ("%%MatrixMarket matrix\n", "does not begin with %%MatrixMarket matrix"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "'complex' matrices are not"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", "'pattern' matrices are not read"),
        (
            "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
            "'hermitian' matrices are not",
        ),
        (
            "%%MatrixMarket matrix list real general\n1 1 0\n",
            "'list' matrices are not read, only coo",
        ),
        (COORDINATES, "line 1, must be 3 whole numbers"),
        (COORDINATES + "2 3\n1 1 1\n", "line 2, must be 3 whole numbers"),
        (COORDINATES + "2 -3 1\n1 1 1\n", "line 2, must be 3 whole numbers"),
        (COORDINATES + "2 x 1\n1 1 1\n", "line 2, holds 'x' where a whole number"),
        (
            COORDINATES + "2 3 2\n1 1 1\n",
            "has 3 numbers after its head, which announces 2 lines of 3",
        ),
        (COORDINATES + "2 3 1\n1 1 1\n1 1 1\n", "has 6 numbers after its head"),
        (COORDINATES + "2 3 1\n3 1 1\n", "line 3: row 3 is not from 1 to 2"),
        (COORDINATES + "2 3 1\n1 0 1\n", "line 3: column 0 is not from 1 to 3"),
        (COORDINATES + "2 3 1\n1 1 1.5\n", "holds '1.5' where a whole number"),
        (COORDINATES + f"2 3 1\n1 1 {2**63}\n", "holds '9223372036854775808' where"),
        (COORDINATES + "2 8 2\n1 7 1\0", "has 3 numbers"),
        (COORDINATES + "2 8 1\n1 7 1\0", r"holds '1\\x00' where"),
        (COORDINATES + "2 8 1\n1 7 1\u00e9", "holds '1é' where"),
        (COORDINATES + f"{2**62} 8 1\n1 7 1", "announces 4,611,686,018,427,387,904 documents"),
        ("%%MatrixMarket matrix coordinate integer symmetric\n2 3 0\n", "has 2 rows and 3 columns"),
        (
            "%%MatrixMarket matrix array integer general\n2 3\n1\n2\n",
            "which announces 6 lines of 1",
        ),
        (f"%%MatrixMarket matrix array integer general\n{2**62} 0\n", "announces 4,611,686"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(DocumentsError, match=f"'x.mtx'.*{message}"):
        read(text)


@settings(max_examples=200)
@given(st.data())
def test_any_damage_is_refused_or_does_no_harm(data: st.DataObject) -> None:
    text = bytearray((COORDINATES + "%\n2 3 3\n1 1 5\n2 3 1\n2 1 12\n").encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        matrix = read_matrix_market(io.BytesIO(text), NAME)
    except DocumentsError:
        return
    assert matrix.nnz <= len(text)
