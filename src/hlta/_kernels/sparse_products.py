"""Dense products of sparse matrices."""

from __future__ import annotations

from typing import NamedTuple

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel


class SparseTable(NamedTuple):
    """A sparse matrix, row by row."""

    start: t.Ints  # (rows + 1,): row i owns the entries start[i] to start[i + 1]
    column: t.Ids  # (entries,)
    value: t.Reals  # (entries,)


@kernel
def add_product(
    left: SparseTable, right: SparseTable, begin: int, end: int, out: t.OutRealTable
) -> None:
    """Add rows `begin` to `end` of the product of two matrices.

    `out` float64 (end - begin, columns of `right`) is added to. NumPy: `out += left[begin:end] @ right`.
    """
    for i in range(begin, end):
        row = out[i - begin]
        for p in range(left.start[i], left.start[i + 1]):
            k, factor = left.column[p], left.value[p]
            for q in range(right.start[k], right.start[k + 1]):
                row[right.column[q]] += factor * right.value[q]
