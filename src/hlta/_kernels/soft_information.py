"""MI between the latent variables of two islands, from their posteriors (Section 5.2.3).

P(Y = 1 | d) is the same in all documents without any of the island's words. So the posterior is kept as
this constant, the base, and its deviations in the other documents. The sum of P(Y = 1 | d) P(Y' = 1 | d)
over all documents then takes only the documents in which both islands have words.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import float32, float64

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel, kernel_on_demand
from hlta._kernels.information import mutual_information
from hlta._kernels.postings import Postings, Rows


class IslandTables(NamedTuple):
    """A partition of the variables: each part is a latent class model with latent variable Y."""

    start: t.Ints  # (islands + 1,): island i owns members[start[i]:start[i + 1]]
    members: t.Ints  # (variables,): in the order in which they joined
    probability: t.RealTable  # (variables, 2): P(member = 1 | Y), in the order of `members`
    prior: t.Reals  # (islands,): P(Y = 1)


class SoftStatistics(NamedTuple):
    """What the MI of two islands takes besides the documents that they share."""

    base: t.Reals  # (islands,): the posterior in a document without the island's words
    total: t.Reals  # (islands,): the sum of the posterior over all documents
    include_negative: bool  # if false, pairs that co-occur less often than by chance get 0


class SoftPosteriors(NamedTuple):
    """Posteriors of islands, by their deviations from the base."""

    rows: Rows  # by document: its islands, ascending
    values: t.Singles  # (entries,): P(Y = 1 | d) less the base
    postings: Postings  # the same by island
    statistics: SoftStatistics  # the bases, and what else MI takes


@helper
def soft_information(
    i: int, j: int, shared: float, statistics: SoftStatistics, count: float
) -> t.Single:
    """MI of two latent variables under P(Y, Y' | D, m, m'), the mean over `count` documents.

    `shared` is the sum over documents of the product of the two deviations.
    """
    base, total = statistics.base, statistics.total
    extra_i = total[i] - count * base[i]
    extra_j = total[j] - count * base[j]
    both = shared + (base[i] * extra_j + base[j] * extra_i) + count * (base[i] * base[j])
    both /= count
    p_i, p_j = total[i] / count, total[j] / count
    if both < p_i * p_j and not statistics.include_negative:
        return float32(0.0)
    return float32(max(0.0, mutual_information(both, p_i, p_j)))


@helper
def add_shared(
    i: int, rows: Rows, values: t.Singles, postings: Postings, upper: bool, shared: t.OutReals
) -> None:
    """Add to `shared` the products of i's deviations with those of all j (if `upper`, of j > i only)."""
    indptr, indices = rows.indptr, rows.indices
    for p in range(postings.start[i], postings.start[i + 1]):
        d = postings.document[p]
        mine = indptr[d] + postings.place[p]
        value = float64(values[mine])
        for q in range(mine + 1 if upper else indptr[d], indptr[d + 1]):
            shared[indices[q]] += value * values[q]


@kernel
def fill_soft_information(
    posteriors: SoftPosteriors, begin: int, end: int, shared: t.OutReals, out: t.OutSingleTable
) -> None:
    """Rows `begin` to `end` of the mutual information right of the diagonal, mirrored below it.

    shared  float64 (m,), zero before and after
    out     float32 (m, m), 0 on the diagonal
    """
    rows, values, postings = posteriors.rows, posteriors.values, posteriors.postings
    statistics = posteriors.statistics
    n = shared.size
    count = float64(rows.indptr.size - 1)
    for i in range(begin, end):
        add_shared(i, rows, values, postings, True, shared)
        out[i, i] = 0.0
        for j in range(i + 1, n):
            out[i, j] = soft_information(i, j, shared[j], statistics, count)
            shared[j] = 0.0
    for j in range(begin + 1, n):
        for i in range(begin, min(end, j)):
            out[j, i] = out[i, j]


@kernel_on_demand
def fill_soft_row(
    posteriors: SoftPosteriors, i: int, shared: t.OutReals, out: t.OutSingles
) -> None:
    """Row i of the matrix of `fill_soft_information`, when there are too many islands to keep it."""
    rows, values, postings = posteriors.rows, posteriors.values, posteriors.postings
    statistics = posteriors.statistics
    add_shared(i, rows, values, postings, False, shared)
    count = float64(rows.indptr.size - 1)
    for j in range(out.size):
        out[j] = soft_information(min(i, j), max(i, j), shared[j], statistics, count)
        shared[j] = 0.0
    out[i] = 0.0
