"""Sums over the variables of some documents, and over the documents of each variable."""

from __future__ import annotations

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.postings import Rows


@kernel
def sum_documents(rows: Rows, chosen: t.Ints, weight: t.Reals, sums: t.OutReals) -> None:
    """Add up, for each variable, the weights of the chosen documents in which it is present.

    `chosen` and `weight` have one entry per document, `sums` (variables,) one per variable.
    NumPy: `sums[:] = X[chosen].T @ weight`.
    """
    indptr, indices = rows.indptr, rows.indices
    sums[:] = 0.0
    for k in range(chosen.size):
        d = chosen[k]
        for p in range(indptr[d], indptr[d + 1]):
            sums[indices[p]] += weight[k]


@kernel
def sum_variables(rows: Rows, chosen: t.Ints, weight: t.Reals, sums: t.OutReals) -> None:
    """Add up, for each chosen document, the weights of the variables that are present in it.

    `weight` (variables,) has one entry per variable, `chosen` and `sums` have one per document.
    NumPy: `sums[:] = X[chosen] @ weight`.
    """
    indptr, indices = rows.indptr, rows.indices
    for k in range(chosen.size):
        d = chosen[k]
        total = 0.0
        for p in range(indptr[d], indptr[d + 1]):
            total += weight[indices[p]]
        sums[k] = total
