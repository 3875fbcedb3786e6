"""Bridges between islands: what one latent variable tells about another, and their spanning tree.

P(Y = 1 | d) of an island is a constant for every document with none of its words. So it is kept as
that constant and, for the other documents, what differs from it; sums over all documents of the
product of two posteriors then need only the documents that both islands have words in.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float32, float64, int64, uint8, uint32, void
from numba.core.types import Array, Tuple

from hlta._kernels.compiling import helper, kernel
from hlta._kernels.pair_counts import documents, numbers, pointers, postings, term
from hlta.algorithm.progressive_em import fit_edge, known_cells

_singles = Array(float32, 1, "C")
_values = Array(float32, 1, "C", readonly=True)
_reals = Array(float64, 1, "C")
_table = Array(float64, 2, "C", readonly=True)

# start int64 (m+1,), members int64 (n,), probability float64 (n, 2), prior float64 (m,)
islands = Tuple((pointers, pointers, _table, numbers))
# base, total float64 (m,): the posterior without words, and the sum of it over all documents; whether
# pairs that avoid each other count
sums = Tuple((numbers, numbers, boolean))


@kernel(
    int64(
        islands,
        postings,
        int64,
        int64,
        _reals,
        Array(uint32, 1, "C"),
        Array(int64, 1, "C"),
        Array(uint32, 1, "C"),
        _singles,
        _reals,
        _reals,
    )
)
def infer_islands(isles, lists, begin, end, logit, touched, entries, where, values, base, total):
    """Posteriors of islands `begin` to `end`, each by itself.

    logit    float64 (N,)   infinite before and after
    touched  uint32 (N,)    working memory
    entries  int64 (m,)     how many documents have a word of the island, filled in
    where, values           uint32, float32: those documents, and P(Y=1|d) less the base, filled in
    base, total             float64 (m,), filled in
    Returns how many entries were filled in.
    """
    start, members, probability, prior = isles
    first, documents_of, _ = lists
    filled = 0
    for i in range(begin, end):
        rest = np.log(prior[i] / (1.0 - prior[i]))
        for m in range(start[i], start[i + 1]):
            rest += np.log((1.0 - probability[m, 1]) / (1.0 - probability[m, 0]))
        base[i] = 1.0 / (1.0 + np.exp(-rest))
        here = 0
        for m in range(start[i], start[i + 1]):
            factor = probability[m, 1] / probability[m, 0]
            factor *= (1.0 - probability[m, 0]) / (1.0 - probability[m, 1])
            factor = np.log(factor)
            v = members[m]
            for p in range(first[v], first[v + 1]):
                d = documents_of[p]
                if logit[d] == np.inf:
                    logit[d] = rest
                    touched[here] = d
                    here += 1
                logit[d] += factor
        extra = 0.0
        for k in range(here):
            d = touched[k]
            values[filled] = 1.0 / (1.0 + np.exp(-logit[d])) - base[i]
            extra += values[filled]
            where[filled] = d
            logit[d] = np.inf
            filled += 1
        entries[i] = here
        total[i] = logit.size * base[i] + extra
    return filled


@helper()
def joint_on(i, j, shared, known, count):
    """P(Y_i = 1, Y_j = 1) over all documents; `shared` is the sum of products of what differs."""
    base, total, _ = known
    extra_i = total[i] - count * base[i]
    extra_j = total[j] - count * base[j]
    both = shared + (base[i] * extra_j + base[j] * extra_i) + count * (base[i] * base[j])
    return both / count


@helper()
def soft_information(i, j, shared, known, count):
    """Mutual information of two latent variables under their joint posterior over the documents."""
    both = joint_on(i, j, shared, known, count)
    p_i, p_j = known[1][i] / count, known[1][j] / count
    if both < p_i * p_j and not known[2]:
        return float32(0.0)
    found = term(both, p_i * p_j) + term(1.0 - p_i - p_j + both, (1.0 - p_i) * (1.0 - p_j))
    found += term(p_i - both, p_i * (1.0 - p_j)) + term(p_j - both, p_j * (1.0 - p_i))
    return float32(max(0.0, found))


@helper(void(int64, documents, _values, postings, boolean, _reals))
def share(i, rows, values, lists, upper, shared):
    """Add up over the documents of island i what it shares with the others, or with higher ones."""
    indptr, indices = rows
    start, where, place = lists
    for p in range(start[i], start[i + 1]):
        d = where[p]
        mine = indptr[d] + place[p]
        value = float64(values[mine])
        for q in range(mine + 1 if upper else indptr[d], indptr[d + 1]):
            shared[indices[q]] += value * values[q]


@kernel(void(documents, _values, postings, sums, int64, int64, _reals, Array(float32, 2, "C")))
def fill_soft_information(rows, values, lists, known, begin, end, shared, out):
    """Rows `begin` to `end` of the mutual information right of the diagonal, and their mirror image.

    rows, values  by document: its islands, ascending, and what differs from their base
    lists         the same by island, as `kernels.pairs.list_postings` makes them
    shared        float64 (m,), zero before and after
    out           float32 (m, m), 0 on the diagonal
    """
    n = shared.size
    count = float64(rows[0].size - 1)
    for i in range(begin, end):
        share(i, rows, values, lists, True, shared)
        out[i, i] = 0.0
        for j in range(i + 1, n):
            out[i, j] = soft_information(i, j, shared[j], known, count)
            shared[j] = 0.0
    for j in range(begin + 1, n):
        for i in range(begin, min(end, j)):
            out[j, i] = out[i, j]


@kernel()
def fill_soft_row(rows, values, lists, known, i, shared, out):
    """One row of the above, all of it. Compiled when first used."""
    share(i, rows, values, lists, False, shared)
    count = float64(rows[0].size - 1)
    for j in range(out.size):
        out[j] = soft_information(min(i, j), max(i, j), shared[j], known, count)
        shared[j] = 0.0
    out[i] = 0.0


@kernel(int64(_values, int64, Array(uint8, 1, "C"), _singles, Array(int64, 1, "C")))
def reach_further(row, newest, inside, reach, link):
    """Prim's step: a new node brings others nearer to the tree. Returns the nearest, -1 if none is left.

    inside  uint8 (m,)     1 for nodes of the tree
    reach   float32 (m,)   the heaviest edge from each other node into the tree
    link    int64 (m,)     where it goes
    """
    best = float32(-1.0)
    found = -1
    for j in range(row.size):
        if not inside[j]:
            if row[j] > reach[j]:
                reach[j] = row[j]
                link[j] = newest
            if reach[j] > best:
                best = reach[j]
                found = j
    return found


@kernel(
    void(
        islands,
        postings,
        pointers,
        Array(int64, 2, "C", readonly=True),
        int64,
        int64,
        Array(uint8, 1, "C"),
        Array(float64, 2, "C"),
    )
)
def fit_bridges(isles, lists, parent, chosen, begin, end, seen, edge):
    """P(Y = 1 | parent) for islands `begin` to `end`, the root left out.

    Progressive EM on two members of either island, from independence.
    parent  int64 (m,)    the island above each, -1 for the root
    chosen  int64 (m, 2)  positions in `members` of the two members that stand for each island
    seen    uint8 (N,)    zero before and after
    edge    float64 (m, 2), filled in
    """
    start, where, _ = lists
    _, members, probability, prior = isles
    cells = np.empty(16)
    above, joint, below = np.empty((4, 2)), np.empty((4, 2)), np.empty((4, 2))
    for i in range(begin, end):
        up = parent[i]
        if up < 0:
            continue
        for c in range(16):
            cells[c] = 0.0
        cells[0] = seen.size
        for k in range(4):
            v = members[chosen[up, k] if k < 2 else chosen[i, k - 2]]
            for p in range(start[v], start[v + 1]):
                d = where[p]
                cells[seen[d]] -= 1.0
                seen[d] |= uint8(1 << k)
                cells[seen[d]] += 1.0
        for k in range(4):
            v = members[chosen[up, k] if k < 2 else chosen[i, k - 2]]
            for p in range(start[v], start[v + 1]):
                seen[where[p]] = 0
        known_cells(prior[up], probability, chosen[up, 0], chosen[up, 1], above)
        known_cells(prior[i], probability, chosen[i, 0], chosen[i, 1], joint)
        for c in range(4):
            below[c, 0] = joint[c, 0] / (1.0 - prior[i])
            below[c, 1] = joint[c, 1] / prior[i]
        edge[i, 0] = prior[i]
        edge[i, 1] = prior[i]
        fit_edge(cells, above, below, edge[i])
