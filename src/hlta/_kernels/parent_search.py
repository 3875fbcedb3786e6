"""Where a variable belongs: its mutual information with every latent variable of the level above.

A latent variable's posterior is dominated by its own children. To compare parents fairly, take
cavity posteriors: the parent's without the child's message, and the child's without the parent's.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from numba import float64, int64, uint64

from hlta._kernels import types as t
from hlta._kernels.compiling import inlined, kernel, kernel_on_demand
from hlta._kernels.information import mutual_information
from hlta._kernels.postings import WeightedPostings, WeightedRows

ONE = uint64(1)
NEAR = 1e-6  # probabilities are kept within [NEAR, 1 - NEAR]


class Candidates(NamedTuple):
    """The result of a search, an entry per variable that looks for a parent."""

    best: t.OutInts  # (k,): the best parent, -1 where there is none
    best_information: t.OutReals  # (k,): MI with the best parent, in nats; -1 if there is none
    current_information: t.OutReals  # (k,): MI with the current parent
    joint: t.OutReals  # (k,): P(variable = 1, best parent = 1)
    marginal: t.OutReals  # (k,): P(variable = 1)


class CavityMemory(NamedTuple):
    """Working memory of `find_cavity_parents`; all zero before and after."""

    together: t.OutReals  # (m,): the sum of products with each latent variable
    posterior: t.OutReals  # (documents,): the variable's posterior
    cavity: t.OutReals  # (documents,): its cavity posterior, without the parent's message


@kernel
def find_parents(
    lower: WeightedPostings,
    upper: WeightedRows,
    chosen: t.Ints,
    current: t.Ints,
    alive: t.Flags,
    begin: int,
    end: int,
    together: t.OutReals,
    out: Candidates,
) -> None:
    """The parent with which each of the variables `chosen[begin:end]` has the most MI.

    lower     P(variable = 1 | d) by variable, entries that are not negligible
    upper     P(latent = 1 | d) by document, entries that are not negligible
    chosen    int64 (k,)    the variables
    current   int64 (k,)    the parent of each now, -1 for none
    alive     uint8 (m,)    which latent variables may be chosen
    together  float64 (m,)  working memory, zero before and after
    A pair counts only if both are on together more often than by chance.
    """
    start, document, weight = lower.postings.start, lower.postings.document, lower.weight
    indptr, indices = upper.rows.indptr, upper.rows.indices
    values, sums = upper.weight, upper.sums
    count = float64(indptr.size - 1)
    for k in range(uint64(begin), uint64(end)):
        v = uint64(chosen[k])
        total = 0.0
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(document[p])
            mine = float64(weight[p])
            total += mine
            for q in range(uint64(indptr[d]), uint64(indptr[d + ONE])):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        best, best_information, current_information, joint = int64(-1), -1.0, 0.0, 0.0
        for z in range(together.size):
            both = together[z] / count
            together[z] = 0.0
            p_z = sums[z] / count
            more = both - p_v * p_z
            if more <= 0.0 and z != current[k]:
                continue
            # MI is at most chi-square / N, which takes no logarithms.
            spread = p_v * p_z * (1.0 - p_v) * (1.0 - p_z)
            if z != current[k] and more * more <= best_information * spread:
                continue
            shared = mutual_information(both, p_v, p_z)
            if z == current[k]:
                current_information = shared if more > 0.0 else 0.0
            if alive[z] and more > 0.0 and shared > best_information:
                best, best_information, joint = z, shared, both
        out.best[k] = best
        out.best_information[k] = best_information
        out.current_information[k] = current_information
        out.joint[k] = joint
        out.marginal[k] = p_v


@inlined
def both_on(a: float, b: float, ratio: float) -> float:
    """P(both = 1) of two variables with P(1) = a and b and this odds ratio (Plackett)."""
    total = 1.0 + (a + b) * (ratio - 1.0)
    root = sqrt(max(total * total - 4.0 * ratio * (ratio - 1.0) * a * b, 0.0))
    if total > 0.0:  # two forms of the same root: in each case, the other would lose precision
        return 2.0 * ratio * a * b / (total + root)
    return (total - root) / (2.0 * (ratio - 1.0))


@inlined
def without_child(a: float, b: float, p0: float, p1: float, ratio: float) -> float:
    """A parent's cavity posterior, without its child's message; a, b are the two posteriors."""
    if b >= 1.0:
        return a / (a + (1.0 - a) * p1 / p0)
    if b <= 0.0:
        return a / (a + (1.0 - a) * (1.0 - p1) / (1.0 - p0))
    a = min(max(a, NEAR), 1.0 - NEAR)
    b = min(max(b, NEAR), 1.0 - NEAR)
    on = both_on(a, b, ratio)
    odds = max(a - on, 1e-12) / max(1.0 - a - b + on, 1e-12) * (1.0 - p0) / (1.0 - p1)
    return odds / (1.0 + odds)


@inlined
def without_parent(a: float, b: float, p0: float, p1: float, ratio: float, prior: float) -> float:
    """A child's cavity posterior, with its prior for its parent's message; a, b as above."""
    if b >= 1.0:
        return 1.0
    a = min(max(a, NEAR), 1.0 - NEAR)
    b = min(max(b, NEAR), 1.0 - NEAR)
    on = both_on(a, b, ratio)
    if a > 0.5:
        evidence = max(on, 1e-12) / max(a - on, 1e-12) * (1.0 - p1) / p1
    else:
        evidence = max(b - on, 1e-12) / max(1.0 - a - b + on, 1e-12) * (1.0 - p0) / p0
    return evidence * prior / (evidence * prior + 1.0 - prior)


# Longer than a screen: one loop over variables, of whose state every part reads and writes much.
@kernel_on_demand
def find_cavity_parents(
    lower: WeightedPostings,
    upper: WeightedRows,
    holders: WeightedPostings,
    given: t.RealTable,
    chosen: t.Ints,
    current: t.Ints,
    begin: int,
    end: int,
    memory: CavityMemory,
    out: Candidates,
) -> None:
    """MI of each variable `chosen[begin:end]` with its parent, and with the best other one.

    lower     P(variable = 1 | d) by variable, entries that are not negligible
    upper     P(latent = 1 | d) by document, entries that are not negligible
    holders   the same by latent variable
    given     float64 (n, 2)   P(variable = 1 | parent)
    chosen    int64 (k,)       the variables
    current   int64 (k,)       the parent of each
    The variable's posterior is without its parent's message, the parent's without the variable's;
    other parents keep theirs. A pair counts only if both are on together more often than by chance.
    """
    start, document, weight = lower.postings.start, lower.postings.document, lower.weight
    indptr, indices = upper.rows.indptr, upper.rows.indices
    values, sums = upper.weight, upper.sums
    first, holder, held = holders.postings.start, holders.postings.document, holders.weight
    together, posterior, cavity = memory.together, memory.posterior, memory.cavity
    count = float64(indptr.size - 1)
    for k in range(uint64(begin), uint64(end)):
        v = uint64(chosen[k])
        z = uint64(current[k])
        p0 = min(max(given[v, 0], NEAR), 1.0 - NEAR)
        p1 = min(max(given[v, 1], NEAR), 1.0 - NEAR)
        ratio = p1 * (1.0 - p0) / ((1.0 - p1) * p0)
        prior = 0.0
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            prior += float64(weight[p])
        prior = min(max(prior / count, NEAR), 1.0 - NEAR)
        total = 0.0
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(document[p])
            b = float64(weight[p])
            entries, stop = uint64(indptr[d]), uint64(indptr[d + ONE])
            mine = b
            if b < 1.0:
                a = 0.0
                for q in range(entries, stop):
                    if uint64(indices[q]) == z:
                        a = float64(values[q])
                mine = without_parent(a, b, p0, p1, ratio, prior)
            posterior[d] = b
            cavity[d] = mine
            total += mine
            for q in range(entries, stop):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        here = 0.0
        both = 0.0
        for p in range(uint64(first[z]), uint64(first[z + ONE])):
            d = uint64(holder[p])
            rest = without_child(float64(held[p]), posterior[d], p0, p1, ratio)
            here += rest
            both += rest * cavity[d]
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(document[p])
            posterior[d] = 0.0
            cavity[d] = 0.0
        p_z = here / count
        both /= count
        out.current_information[k] = mutual_information(both, p_v, p_z) if both > p_v * p_z else 0.0
        best, best_information, joint = int64(-1), -1.0, 0.0
        for y in range(uint64(together.size)):
            both = together[y] / count
            together[y] = 0.0
            p_y = sums[y] / count
            more = both - p_v * p_y
            if more <= 0.0 or y == z:
                continue
            if more * more <= best_information * p_v * p_y * (1.0 - p_v) * (1.0 - p_y):
                continue
            shared = mutual_information(both, p_v, p_y)
            if shared > best_information:
                best, best_information, joint = int64(y), shared, both
        out.best[k] = best
        out.best_information[k] = best_information
        out.joint[k] = joint
        out.marginal[k] = p_v
