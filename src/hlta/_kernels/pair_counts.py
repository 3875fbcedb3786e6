"""Pairs of variables: in how many documents they meet, and what one tells about the other.

A document with w variables present holds w(w-1)/2 pairs, and that is what counting costs. Row i of
the pair counts is filled from the documents of variable i alone, so that it stays in the fastest
cache and rows can be shared out among threads. With n_i documents for variable i of N, and T(k) =
k log k from a table, the mutual information is

    N I(i;j) = T(N) + sum of T over the four cells - T(n_i) - T(N-n_i) - T(n_j) - T(N-n_j)
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float32, float64, int64, uint8, uint32, void
from numba.core.types import Array, Tuple

from hlta._kernels.compiling import helper, kernel

ids = Array(uint32, 1, "C", readonly=True)
pointers = Array(int64, 1, "C", readonly=True)
numbers = Array(float64, 1, "C", readonly=True)
_out_ids = Array(uint32, 1, "C")
_out_pointers = Array(int64, 1, "C")
_out_matrix = Array(float32, 2, "C")

# indptr int64 (documents+1,), indices uint32 (presences,), ascending within a document
documents = Tuple((pointers, ids))
# The same by variable. start int64 (n+1,); for each presence, documents ascending: its document and
# its place in that document's row, both uint32 (presences,).
postings = Tuple((pointers, ids, ids))
# What mutual information needs: T float64 (N+1,); frequency int64 (n,); whether pairs that avoid
# each other count, or are taken for unrelated
statistics = Tuple((numbers, pointers, boolean))


@kernel(void(documents, _out_pointers, _out_ids, _out_ids))
def list_postings(rows, following, where, place):
    """Transpose presences: `following[v]` is where the list of variable v begins, and moves to its end.

    NumPy: `order = np.argsort(indices, kind="stable")`; `where` is then the document of each, and
    `place` its number in the row.
    """
    indptr, indices = rows
    for d in range(indptr.size - 1):
        begin = indptr[d]
        for p in range(begin, indptr[d + 1]):
            v = indices[p]
            slot = following[v]
            where[slot] = d
            place[slot] = p - begin
            following[v] = slot + 1


@helper()
def term(p, q):
    """P log(p / q), 0 for what never happens."""
    return p * np.log(p / q) if p > 0.0 else 0.0


@helper()
def information(table, total, of_i, of_j, both, any_sign):
    """I(i;j) from counts. Symmetric in i and j to the last bit; 0 or more."""
    # Most pairs never meet: then there is nothing to multiply, let alone to look up.
    if not any_sign and (both == 0 or both * total < of_i * of_j):
        return float32(0.0)
    joint = table[both] + table[total - of_i - of_j + both]
    joint += table[of_i - both] + table[of_j - both]
    alone = (table[of_i] + table[total - of_i]) + (table[of_j] + table[total - of_j])
    return float32(max(0.0, (table[total] + joint - alone) / total))


@helper()
def fill_row(v, rows, lists, known, count, out):
    """Mutual information of variable v with all others; 0 with itself.

    `count` uint32 (n,) is working memory, zero before and after. `out` float32 (n,).
    """
    indptr, indices = rows
    start, where, _ = lists
    table, frequency, any_sign = known
    total = table.size - 1
    for p in range(start[v], start[v + 1]):
        d = where[p]
        for q in range(indptr[d], indptr[d + 1]):
            count[indices[q]] += 1
    of_v = frequency[v]
    for j in range(frequency.size):
        out[j] = information(table, total, of_v, frequency[j], int64(count[j]), any_sign)
        count[j] = 0
    out[v] = 0.0


@kernel(void(documents, postings, statistics, int64, int64, Array(uint32, 2, "C"), _out_matrix))
def fill_information(rows, lists, known, begin, end, count, out):
    """Rows `begin` to `end` of the mutual information right of the diagonal, and their mirror image.

    `count` uint32 (rows, n) is working memory. `out` float32 (n, n), 0 on the diagonal.

    NumPy: `both = X.T @ X`, then the formula above.
    """
    indptr, indices = rows
    start, where, place = lists
    table, frequency, any_sign = known
    total = table.size - 1
    n = frequency.size
    for v in range(begin, end):
        row = count[v - begin]
        for j in range(v, n):
            row[j] = 0
        for p in range(start[v], start[v + 1]):
            d = where[p]
            for q in range(indptr[d] + place[p] + 1, indptr[d + 1]):
                row[indices[q]] += 1
        of_v = frequency[v]
        out[v, v] = 0.0
        for j in range(v + 1, n):
            out[v, j] = information(table, total, of_v, frequency[j], int64(row[j]), any_sign)
    # A few rows at a time, so that the mirror image is written a line of the cache at a time.
    for j in range(begin + 1, n):
        for v in range(begin, min(end, j)):
            out[j, v] = out[v, j]


@helper(
    void(
        Array(float32, 1, "C", readonly=True),
        Array(uint8, 1, "C"),
        Array(float32, 1, "C"),
        Array(uint32, 1, "C"),
    )
)
def keep_best(row, free, values, partners):
    """The variables of `free` with the highest `row`, descending, ties to the lower number.

    `values` float32 (K,) and `partners` uint32 (K,) are filled; unused places get -1.
    """
    size = values.size
    for k in range(size):
        values[k] = -1.0
        partners[k] = 0
    for j in range(row.size):
        if free[j] and row[j] > values[size - 1]:
            k = size - 1
            while k > 0 and row[j] > values[k - 1]:
                values[k] = values[k - 1]
                partners[k] = partners[k - 1]
                k -= 1
            values[k] = row[j]
            partners[k] = j


@kernel()
def count_partners(rows, lists, known, begin, end, count, row, values, partners):
    """The best partners of variables `begin` to `end`, each row counted and forgotten.

    `count` uint32 (n,) and `row` float32 (n,) are working memory as in `fill_row`; `values` float32
    (n, K) and `partners` uint32 (n, K) are filled. Compiled when first used: most vocabularies are
    small enough for a matrix.
    """
    free = np.ones(row.size, dtype=np.uint8)
    for v in range(begin, end):
        free[v] = 0
        fill_row(v, rows, lists, known, count, row)
        keep_best(row, free, values[v], partners[v])
        free[v] = 1
