"""Pairs of variables: the number of documents in which both are present, and mutual information.

Counting takes time in proportion to the w(w-1)/2 pairs of a document with w variables present. Row
i of the counts is filled from the documents of variable i alone, so it stays in the fastest cache,
and threads can share out the rows. If variable i is present in n_i of N documents, and
T(k) = k log k comes from a table, the mutual information is

    N I(i;j) = T(N) + sum of T over the four cells - T(n_i) - T(N-n_i) - T(n_j) - T(N-n_j)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import float32, int64

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel, kernel_on_demand
from hlta._kernels.postings import Postings, Rows


class PairStatistics(NamedTuple):
    """What mutual information takes besides pair counts."""

    log_table: t.Reals  # (N + 1,): T(k) = k log k
    frequency: t.Ints  # (n,): the number of documents with each variable
    include_negative: bool  # if false, pairs that co-occur less often than by chance get 0


@helper
def counted_information(
    table: t.Reals, total: int, of_i: int, of_j: int, both: int, include_negative: bool
) -> t.Single:
    """I(i;j) from counts: symmetric in i and j to the last bit, and at least 0.

    Arrays are passed one by one: the references of a named tuple would be counted at every call.
    """
    # Most pairs never co-occur: `both == 0` comes first, to skip the product and the look-ups.
    if not include_negative and (both == 0 or both * total < of_i * of_j):
        return float32(0.0)
    joint = table[both] + table[total - of_i - of_j + both]
    joint += table[of_i - both] + table[of_j - both]
    alone = (table[of_i] + table[total - of_i]) + (table[of_j] + table[total - of_j])
    return float32(max(0.0, (table[total] + joint - alone) / total))


@helper
def weigh_neighbours(
    v: int,
    rows: Rows,
    postings: Postings,
    statistics: PairStatistics,
    count: t.OutIds,
    neighbours: t.OutIds,
    information: t.OutSingles,
) -> int:
    """List the variables that co-occur with v, in no order, v among them; returns how many.

    Their numbers go to `neighbours` uint32 (n,), their mutual information with v to `information`
    float32 (n,), 0 for v itself. With `include_negative`, all variables are listed. `count` uint32 (n,)
    is working memory, zero before and after.
    """
    indptr, indices = rows.indptr, rows.indices
    table, frequency = statistics.log_table, statistics.frequency
    total, include_negative = table.size - 1, statistics.include_negative
    met = int64(0)
    for p in range(postings.start[v], postings.start[v + 1]):
        d = postings.document[p]
        for q in range(indptr[d], indptr[d + 1]):
            j = indices[q]
            if count[j] == 0:
                neighbours[met] = j
                met += 1
            count[j] += 1
    if include_negative:
        met = frequency.size
        for j in range(met):
            neighbours[j] = j
    of_v = frequency[v]
    for k in range(met):
        j = neighbours[k]
        both = int64(count[j])
        information[k] = counted_information(
            table, total, of_v, frequency[j], both, include_negative
        )
        count[j] = 0
        if j == v:
            information[k] = 0.0
    return met


@kernel
def fill_information(
    rows: Rows,
    postings: Postings,
    statistics: PairStatistics,
    begin: int,
    end: int,
    count: t.OutIdTable,
    out: t.OutSingleTable,
) -> None:
    """Rows `begin` to `end` of the mutual information right of the diagonal, mirrored below it.

    `count` uint32 (end - begin, n) is working memory with any content; `out` float32 (n, n) gets 0 on
    the diagonal.

    NumPy: `both = X.T @ X`, then the formula above.
    """
    indptr, indices = rows.indptr, rows.indices
    table, frequency = statistics.log_table, statistics.frequency
    total, include_negative = table.size - 1, statistics.include_negative
    n = frequency.size
    for v in range(begin, end):
        row = count[v - begin]
        for j in range(v, n):
            row[j] = 0
        for p in range(postings.start[v], postings.start[v + 1]):
            d = postings.document[p]
            for q in range(indptr[d] + postings.place[p] + 1, indptr[d + 1]):
                row[indices[q]] += 1
        of_v = frequency[v]
        out[v, v] = 0.0
        for j in range(v + 1, n):
            both = int64(row[j])
            out[v, j] = counted_information(
                table, total, of_v, frequency[j], both, include_negative
            )
    # A few rows at a time, so that the mirror image is written one cache line at a time.
    for j in range(begin + 1, n):
        for v in range(begin, min(end, j)):
            out[j, v] = out[v, j]


@helper
def keep_best(
    neighbours: t.Ids,
    information: t.Singles,
    met: int,
    free: t.OutFlags,
    values: t.OutSingles,
    partners: t.OutIds,
) -> None:
    """The K free variables with the most `information`, descending, ties to the lower number.

    The first `met` of `neighbours` have the information listed, all other variables 0. `values` float32
    (K,) and `partners` uint32 (K,) are filled; unused places get -1 and 0. `free` is restored.
    """
    size = values.size
    for k in range(size):
        values[k] = -1.0
        partners[k] = 0
    kept = int64(0)
    for i in range(met):
        j, value = neighbours[i], information[i]
        if value > 0.0 and value >= values[size - 1] and free[j]:
            k = min(kept, size)
            while k > 0 and (
                value > values[k - 1] or (value == values[k - 1] and j < partners[k - 1])
            ):
                if k < size:
                    values[k] = values[k - 1]
                    partners[k] = partners[k - 1]
                k -= 1
            if k < size:
                values[k] = value
                partners[k] = j
                kept = min(kept + 1, size)
    positive, j = kept, int64(0)
    for k in range(positive):
        free[partners[k]] = 0
    while kept < size and j < free.size:
        if free[j]:
            values[kept] = 0.0
            partners[kept] = j
            kept += 1
        j += 1
    for k in range(positive):
        free[partners[k]] = 1


@kernel_on_demand
def count_partners(
    rows: Rows,
    postings: Postings,
    statistics: PairStatistics,
    begin: int,
    end: int,
    count: t.OutIds,
    neighbours: t.OutIds,
    information: t.OutSingles,
    values: t.OutSingleTable,
    partners: t.OutIdTable,
) -> None:
    """The best partners of variables `begin` to `end`, from one row of counts at a time; none is kept.

    `count`, `neighbours` and `information` are working memory as in `weigh_neighbours`; `values` float32
    (n, K) and `partners` uint32 (n, K) are filled, see `keep_best`.
    """
    free = np.ones(count.size, dtype=np.uint8)
    for v in range(begin, end):
        free[v] = 0
        met = weigh_neighbours(v, rows, postings, statistics, count, neighbours, information)
        keep_best(neighbours, information, met, free, values[v], partners[v])
        free[v] = 1
