"""Products of sparse matrices, added to dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import read_only


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
