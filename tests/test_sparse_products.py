"""Products of sparse matrices, and sums over their rows and columns, against dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta._kernels.row_sums import sum_documents, sum_variables
from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import read_only
from hlta.documents.matrix import as_documents


def table(matrix: np.ndarray) -> SparseTable:
    sparse = csr_array(matrix)
    start, column = sparse.indptr.astype(np.int64), sparse.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(sparse.data))


@pytest.mark.parametrize(("begin", "end"), [(0, 9), (2, 5), (4, 4)])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_products_are_those_of_dense_matrices(begin: int, end: int, density: float) -> None:
    rng = np.random.default_rng(end)
    left, right = (
        rng.normal(size=shape) * (rng.random(shape) < density) for shape in ((9, 6), (6, 11))
    )
    out = rng.normal(size=(end - begin, 11))
    expected = out + left[begin:end] @ right
    add_product(table(left), table(right), begin, end, out)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("chosen", [[], [3], [0, 7, 7, 2], list(range(60))])
def test_sums_are_those_of_dense_matrices(chosen: list[int]) -> None:
    rng = np.random.default_rng(len(chosen))
    X = rng.random((60, 23)) < 0.2
    X[7] = False  # a document without words
    rows, numbers = as_documents(X).rows, np.array(chosen, dtype=np.int64)
    of_documents, of_words = rng.random(len(chosen)), rng.random(23)
    by_word, by_document = np.full(23, np.nan), np.full(len(chosen), np.nan)
    sum_documents(rows, read_only(numbers), read_only(of_documents), by_word)
    sum_variables(rows, read_only(numbers), read_only(of_words), by_document)
    np.testing.assert_allclose(by_word, X[numbers].T @ of_documents, rtol=1e-9)
    np.testing.assert_allclose(by_document, X[numbers] @ of_words, rtol=1e-9)
