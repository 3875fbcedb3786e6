"""One island at a time: variables are added while one latent variable explains them (OneIsland).

Documents are grouped by which of the island's variables they contain. Adding a variable splits the
groups that its documents are in, so a test costs what the candidate's documents cost and a few
logarithms a group, never a pass over all documents.
"""

from __future__ import annotations

import numpy as np
from numba import float32, float64, int64, uint8, uint32, void
from numba.core.types import Array, Tuple

from hlta._kernels.compiling import helper, kernel
from hlta._kernels.pair_counts import documents, fill_row, keep_best, postings, statistics
from hlta.algorithm.progressive_em import fit_one, known_cells, learn_three, learn_two

_ids = Array(uint32, 1, "C")
_numbers = Array(int64, 1, "C")
_reals = Array(float64, 1, "C")
_singles = Array(float32, 1, "C")
_matrix = Array(float32, 2, "C", readonly=True)

# What is known of pairs: the documents and the matrix of mutual information, float32 (n, n), or one
# without rows: then a row is counted when it is needed.
sources = Tuple((documents, postings, statistics, _matrix))
# The best partners of each variable among those that were free when its list was made:
#   values float32 (n, K) descending, partners uint32 (n, K), head uint32 (n,)
candidates = Tuple((Array(float32, 2, "C"), Array(uint32, 2, "C"), _ids))
# Working memory:
#   row, reach  float32 (n,)       a row; the highest mutual information with the island
#   nearest     int64 (n,)         the member it is with
#   count       uint32 (n,)        zero at rest
#   group       uint32 (N,)        the group of each document, zero at rest
#   groups      int64 (groups, 4)  of each: SIZE to MOVED
#   likelihood  float64 (groups, 2) P(Y = y, pattern)
memory = Tuple(
    (_singles, _singles, _numbers, _ids, _ids, Array(int64, 2, "C"), Array(float64, 2, "C"))
)
# Documents in the group; those with the candidate; which members they contain; where these go.
SIZE, PART, BITS, MOVED = range(4)


@helper()
def row_of(v, source, space):
    """The mutual information of v with all variables, into the working row unless it is at hand."""
    rows, lists, known, matrix = source
    row = space[0]
    if matrix.shape[0] > 0:
        for j in range(row.size):
            row[j] = matrix[v, j]
    else:
        fill_row(v, rows, lists, known, space[3], row)
    return row


@helper(int64(sources, Array(uint8, 1, "C"), candidates, memory))
def find_pair(source, free, candidate, space):
    """The free variable that has the best free partner; its partner is then at the head of its list.

    Lists hold what was true once: as variables go, a value can only have been too high, so the best
    head is right as soon as it is up to date. Ties go to the lower number.
    """
    values, partners, head = candidate
    places = values.shape[1]
    while True:
        best = -2.0
        found = int64(-1)
        for v in range(free.size):
            if free[v] and values[v, head[v]] > best:
                best = values[v, head[v]]
                found = v
        if free[partners[found, head[found]]] and best >= 0.0:
            return found
        k = int64(head[found])
        while k < places and values[found, k] >= 0.0 and not free[partners[found, k]]:
            k += 1
        if k == places or values[found, k] < 0.0:
            row = row_of(found, source, space)
            free[found] = 0
            keep_best(row, free, values[found], partners[found])
            free[found] = 1
            k = 0
        head[found] = k


@helper()
def widen(v, source, free, space):
    """A new member v brings others nearer to the island."""
    row = row_of(v, source, space)
    reach, nearest = space[1], space[2]
    for j in range(row.size):
        if free[j] and row[j] > reach[j]:
            reach[j] = row[j]
            nearest[j] = v


@helper()
def closest(free, reach):
    """The free variable that is nearest to the island, ties to the lower number."""
    best = float32(-1.0)
    found = int64(-1)
    for j in range(reach.size):
        if free[j] and reach[j] > best:
            best = reach[j]
            found = j
    return found


@helper(void(int64, postings, int64, memory))
def meet(v, lists, count, space):
    """How many documents of each group contain variable v, into `part`."""
    start, where, _ = lists
    group, groups = space[4], space[5]
    for g in range(count):
        groups[g, PART] = 0
    for p in range(start[v], start[v + 1]):
        groups[group[where[p]], PART] += 1


@helper(int64(int64, int64, float64, float64, postings, int64, memory))
def split(v, member, p0, p1, lists, count, space):
    """Make v the island's variable number `member`, with P(v = 1 | y). Returns the number of groups."""
    start, where, _ = lists
    group, groups, likelihood = space[4], space[5], space[6]
    for g in range(count):
        groups[g, MOVED] = g
        present0, present1 = likelihood[g, 0] * p0, likelihood[g, 1] * p1
        to = g
        # Where all documents move the group itself changes, so there are never more groups than
        # documents and one. The first is spared, for it is where documents are at rest.
        if g == 0 or groups[g, PART] < groups[g, SIZE]:
            likelihood[g, 0] *= 1.0 - p0
            likelihood[g, 1] *= 1.0 - p1
            to = count
        if groups[g, PART] > 0:
            if to == count:
                groups[g, SIZE] -= groups[g, PART]
                groups[to, SIZE] = groups[g, PART]
                count += 1
            groups[g, MOVED] = to
            groups[to, BITS] = groups[g, BITS] | (1 << member)
            likelihood[to, 0] = present0
            likelihood[to, 1] = present1
    for q in range(start[v], start[v + 1]):
        d = where[q]
        group[d] = groups[group[d], MOVED]
    return count


@helper()
def number_of(word, members, count):
    """The island's number of a variable."""
    for m in range(count):
        if members[m] == word:
            return m
    return int64(-1)


@helper(void(int64, int64, int64, int64, Array(int64, 2, "C"), _reals))
def project(first, second, third, count, groups, cells):
    """Documents by the presence of members `first` to `third` (-1: none) and of the candidate.

    The candidate's bit is the highest. Cells are cleared first.
    """
    for c in range(cells.size):
        cells[c] = 0.0
    top = cells.size >> 1
    for g in range(count):
        bits = groups[g, BITS]
        c = ((bits >> first) & 1) | (((bits >> second) & 1) << 1)
        if third >= 0:
            c |= ((bits >> third) & 1) << 2
        cells[c] += groups[g, SIZE] - groups[g, PART]
        cells[c + top] += groups[g, PART]


@helper()
def evaluate(count, space, number_w, below):
    """Log-likelihood of all documents. below[w, x, y]: P(w, x | y) / P(w | y), the candidate being x."""
    groups, likelihood = space[5], space[6]
    found = 0.0
    for g in range(count):
        w = (groups[g, BITS] >> number_w) & 1
        zero, one = likelihood[g, 0], likelihood[g, 1]
        part = groups[g, PART]
        without = groups[g, SIZE] - part
        if part > 0:
            found += part * np.log(zero * below[w, 1, 0] + one * below[w, 1, 1])
        if without > 0:
            found += without * np.log(zero * below[w, 0, 0] + one * below[w, 0, 1])
    return found


@helper()
def explain_below(of_w, of_x, edge, pair, single, double):
    """P(w, x | y) / P(w | y) under one latent variable, and with Z above W and the candidate."""
    for w in range(2):
        for x in range(2):
            for y in range(2):
                w_y = of_w[y] if w else 1.0 - of_w[y]
                single[w, x, y] = of_x[y] if x else 1.0 - of_x[y]
                double[w, x, y] = 0.0
                for z in range(2):
                    p = edge[y] if z else 1.0 - edge[y]
                    p *= pair[0, z] if w else 1.0 - pair[0, z]
                    p *= pair[1, z] if x else 1.0 - pair[1, z]
                    double[w, x, y] += p / w_y


@helper(void(postings, _numbers, int64, memory))
def rest(lists, members, count, space):
    """All documents back into the first group."""
    start, where, _ = lists
    group = space[4]
    for m in range(count):
        v = members[m]
        for p in range(start[v], start[v + 1]):
            group[where[p]] = 0


@helper()
def found_island(members, lists, space, cells, p, prior):
    """The latent class model of the first three members. Returns the number of groups."""
    group, groups, likelihood = space[4], space[5], space[6]
    groups[0, SIZE] = group.size
    groups[0, BITS] = 0
    count = 1
    for m in range(3):
        meet(members[m], lists, count, space)
        count = split(members[m], m, 0.5, 0.5, lists, count, space)
    for c in range(8):
        cells[c] = 0.0
    for g in range(count):
        cells[groups[g, BITS]] += groups[g, SIZE]
    learn_three(cells, prior, p)
    for g in range(count):
        for y in range(2):
            likelihood[g, y] = prior[0] if y else 1.0 - prior[0]
            for m in range(3):
                likelihood[g, y] *= p[m, y] if (groups[g, BITS] >> m) & 1 else 1.0 - p[m, y]
    return count


@kernel(
    int64(
        sources,
        Array(uint8, 1, "C"),
        candidates,
        int64,
        float64,
        int64,
        memory,
        _numbers,
        Array(float64, 2, "C"),
        _reals,
    )
)
def grow_island(source, free, candidate, limit, threshold, remaining, space, members, p, prior):
    """Grow an island from the pair of free variables that share most information.

    Parameters
    ----------
    source, candidate, space
        See above.
    free
        uint8 (n,), 1 for variables in no island; members of the island become 0.
    limit
        mu: an island this large grows no further, unless that would leave a variable on its own.
    threshold
        delta of the UD-test.
    remaining
        How many variables are free. If only the pair is, which does not determine a latent variable,
        the variable nearest to it helps, or its first once more where there is no other.
    members, p, prior
        int64, float64 (, 2), float64 (1,), filled in: the island's variables, P(v = 1 | Y) and
        P(Y = 1). There must be room for limit + 1 of them.

    Returns
    -------
    The number of members, at least 2.
    """
    lists = source[1]
    reach, nearest, total, groups = space[1], space[2], space[4].size, space[5]
    cells8, cells16 = np.empty(8), np.empty(16)
    known, pair, same = np.empty((4, 2)), np.empty((2, 2)), np.empty((2, 2))
    of_x, edge = np.empty(2), np.empty(2)
    single, double = np.empty((2, 2, 2)), np.empty((2, 2, 2))

    first = find_pair(source, free, candidate, space)
    second = int64(candidate[1][first, candidate[2][first]])
    alone = remaining == 2
    for j in range(reach.size):
        reach[j] = -1.0
        if alone:
            free[j] = 1
    free[first] = 0
    free[second] = 0
    widen(first, source, free, space)
    widen(second, source, free, space)
    third = closest(free, reach) if free.size > 2 else first
    free[third] = 0
    members[0], members[1], members[2] = first, second, third
    size = 3
    outside = remaining - 3
    count = found_island(members, lists, space, cells8, p, prior)
    if alone:
        for j in range(free.size):
            free[j] = 0
        size = 2

    while outside > 0 and (size < limit or outside == 1):
        widen(members[size - 1], source, free, space)
        x = closest(free, reach)
        w = number_of(nearest[x], members, size)
        meet(x, lists, count, space)
        project(0, 1, -1, count, groups, cells8)
        known_cells(prior[0], p, 0, 1, known)
        fit_one(cells8, known, of_x)
        if outside > 1:
            # The footnote: where a seed variable is W, the third takes its place.
            a, b = (0 if w != 0 else 2), (1 if w != 1 else 2)
            project(a, b, w, count, groups, cells16)
            known_cells(prior[0], p, a, b, known)
            for y in range(2):
                same[0, y] = p[w, y]
                same[1, y] = of_x[y]
            learn_two(cells16, known, same, edge, pair)
            explain_below(same[0], of_x, edge, pair, single, double)
            gain = evaluate(count, space, w, double) - evaluate(count, space, w, single)
            # The second latent variable has two parameters more, each log(N)/2 in BIC.
            if gain - np.log(total) > threshold:
                rest(lists, members, size, space)
                if w < 2:
                    return size  # all others are measured by the seeds: they stay together
                free[members[w]] = 1
                size -= 1
                for m in range(w, size):
                    members[m] = members[m + 1]
                    p[m, 0] = p[m + 1, 0]
                    p[m, 1] = p[m + 1, 1]
                return size
        count = split(x, size, of_x[0], of_x[1], lists, count, space)
        members[size] = x
        p[size, 0] = of_x[0]
        p[size, 1] = of_x[1]
        free[x] = 0
        size += 1
        outside -= 1
    rest(lists, members, max(size, 3), space)
    return size
