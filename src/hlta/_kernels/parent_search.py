"""Where a variable belongs: its mutual information with every latent variable it could hang below.

A latent variable knows its own children best, as its posterior is made of them. To compare fairly,
what a child itself told its parent is taken back first, and what the parent told the child too.
"""

from __future__ import annotations

from math import sqrt

from numba import float32, float64, int64, uint8, uint64, void
from numba.core.types import Array, Tuple

from hlta._kernels.compiling import helper, kernel
from hlta._kernels.pair_counts import documents, numbers, pointers, postings, term

_values = Array(float32, 1, "C", readonly=True)
_out_numbers = Array(int64, 1, "C")
_out_reals = Array(float64, 1, "C")
ONE = uint64(1)
NEAR = 1e-6  # probabilities of 0 and 1 are moved by this much


@helper()
def shared_by(both, p, q):
    """The mutual information of two variables that are on with p and q, and together with both."""
    shared = term(both, p * q) + term(1.0 - p - q + both, (1.0 - p) * (1.0 - q))
    return shared + term(p - both, p * (1.0 - q)) + term(q - both, q * (1.0 - p))


@kernel(
    void(
        Tuple((postings, _values)),
        Tuple((documents, _values, numbers)),
        pointers,
        pointers,
        Array(uint8, 1, "C", readonly=True),
        int64,
        int64,
        _out_reals,
        _out_numbers,
        Array(float64, 2, "C"),
    )
)
def find_parents(lower, upper, chosen, current, alive, begin, end, together, best, found):
    """The parent that each of the variables `chosen[begin:end]` shares most information with.

    lower     by variable: its documents and P(variable = 1 | d) there, as far as it counts
    upper     by document: latent variables and P(latent = 1 | d), as far as it counts; their sums
    chosen    int64 (k,)       variables to look at
    current   int64 (k,)       the latent variable each hangs below now, -1 for none
    alive     uint8 (m,)       which latent variables may be chosen
    together  float64 (m,)     working memory, zero before and after
    best      int64 (k,)       filled in; -1 where there is none
    found     float64 (k, 4)   filled in: information with the best and with the current one, P(both
                               are 1) for the best, P(variable = 1)
    Only pairs that are on together more often than by chance count.
    """
    (start, where, _), weight = lower
    (indptr, indices), values, sums = upper
    count = float64(indptr.size - 1)
    for k in range(uint64(begin), uint64(end)):
        v = uint64(chosen[k])
        total = 0.0
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(where[p])
            mine = float64(weight[p])
            total += mine
            for q in range(uint64(indptr[d]), uint64(indptr[d + ONE])):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        best[k] = -1
        found[k, 0] = -1.0
        found[k, 1] = 0.0
        found[k, 2] = 0.0
        found[k, 3] = p_v
        for z in range(together.size):
            both = together[z] / count
            together[z] = 0.0
            p_z = sums[z] / count
            more = both - p_v * p_z
            if more <= 0.0 and z != current[k]:
                continue
            # Information is at most chi-square, which takes no logarithms.
            apart = p_v * p_z * (1.0 - p_v) * (1.0 - p_z)
            if z != current[k] and more * more <= found[k, 0] * apart:
                continue
            shared = shared_by(both, p_v, p_z)
            if z == current[k]:
                found[k, 1] = shared if more > 0.0 else 0.0
            if alive[z] and more > 0.0 and shared > found[k, 0]:
                found[k, 0] = shared
                found[k, 2] = both
                best[k] = z


@helper()
def both_on(a, b, ratio):
    """P(both are on) of two variables that are on with a and b, and have this odds ratio."""
    if abs(ratio - 1.0) < 1e-9:
        return a * b
    total = 1.0 + (a + b) * (ratio - 1.0)
    root = sqrt(max(total * total - 4.0 * ratio * (ratio - 1.0) * a * b, 0.0))
    return (total - root) / (2.0 * (ratio - 1.0))


@helper()
def without_child(a, b, p0, p1, ratio):
    """P(parent = 1) without what the child told it, from the posteriors a of parent, b of child."""
    if b >= 1.0:
        return a / (a + (1.0 - a) * p1 / p0)
    if b <= 0.0:
        return a / (a + (1.0 - a) * (1.0 - p1) / (1.0 - p0))
    a = min(max(a, NEAR), 1.0 - NEAR)
    b = min(max(b, NEAR), 1.0 - NEAR)
    on = both_on(a, b, ratio)
    odds = max(a - on, 1e-12) / max(1.0 - a - b + on, 1e-12) * (1.0 - p0) / (1.0 - p1)
    return odds / (1.0 + odds)


@helper()
def without_parent(a, b, p0, p1, ratio, prior):
    """P(child = 1) without what the parent told it beyond its prior."""
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


@kernel(
    void(
        Tuple((postings, _values)),
        Tuple((documents, _values, numbers)),
        Tuple((postings, _values)),
        Array(float64, 2, "C", readonly=True),
        pointers,
        pointers,
        int64,
        int64,
        Tuple((_out_reals, _out_reals, _out_reals)),
        _out_numbers,
        Array(float64, 2, "C"),
    )
)
def compare_parents(lower, upper, holders, given, chosen, current, begin, end, memory, best, found):
    """How much each variable `chosen[begin:end]` shares with its parent, and with the best other one.

    lower     by variable: its documents and P(variable = 1 | d) there, as far as it counts
    upper     by document: latent variables and P(latent = 1 | d), as far as it counts; their sums
    holders   the same by latent variable
    given     float64 (n, 2)   P(variable = 1 | parent)
    chosen    int64 (k,)       variables to look at
    current   int64 (k,)       the latent variable each hangs below
    memory    float64 (m,), (documents,), (documents,): all zero before and after
    best      int64 (k,)       filled in; -1 where there is none
    found     float64 (k, 4)   filled in: information with the best and with the current one, P(both
                               are 1) for the best, P(variable = 1)
    What variable and parent told each other is taken back; only pairs that are on together more
    often than by chance count.
    """
    (start, where, _), weight = lower
    (indptr, indices), values, sums = upper
    (first, holder, _), held = holders
    together, told, own = memory
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
            d = uint64(where[p])
            b = float64(weight[p])
            entries, stop = uint64(indptr[d]), uint64(indptr[d + ONE])
            mine = b
            if b < 1.0:
                a = 0.0
                for q in range(entries, stop):
                    if uint64(indices[q]) == z:
                        a = float64(values[q])
                mine = without_parent(a, b, p0, p1, ratio, prior)
            told[d] = b
            own[d] = mine
            total += mine
            for q in range(entries, stop):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        here = 0.0
        both = 0.0
        for p in range(uint64(first[z]), uint64(first[z + ONE])):
            d = uint64(holder[p])
            rest = without_child(float64(held[p]), told[d], p0, p1, ratio)
            here += rest
            both += rest * own[d]
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(where[p])
            told[d] = 0.0
            own[d] = 0.0
        p_z = here / count
        both /= count
        found[k, 1] = shared_by(both, p_v, p_z) if both > p_v * p_z else 0.0
        best[k] = -1
        found[k, 0] = -1.0
        found[k, 2] = 0.0
        found[k, 3] = p_v
        for y in range(uint64(together.size)):
            both = together[y] / count
            together[y] = 0.0
            p_y = sums[y] / count
            more = both - p_v * p_y
            if more <= 0.0 or y == z:
                continue
            if more * more <= found[k, 0] * p_v * p_y * (1.0 - p_v) * (1.0 - p_y):
                continue
            shared = shared_by(both, p_v, p_y)
            if shared > found[k, 0]:
                found[k, 0] = shared
                found[k, 2] = both
                best[k] = int64(y)
