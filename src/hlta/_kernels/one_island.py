"""OneIsland (Algorithm 4) and the UD-test: variables join while one latent variable explains them.

Compiled functions must follow those they call, so read from the bottom: `one_island`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel
from hlta._kernels.document_groups import (
    BITS,
    SIZE,
    Groups,
    count_candidate,
    log_likelihood,
    project_data,
    reset_groups,
    split_groups,
)
from hlta._kernels.nearest import (
    PairTables,
    Partners,
    Reach,
    closest_pair,
    nearest_free,
    update_nearest,
)
from hlta._kernels.postings import Postings
from hlta._kernels.progressive_em import fill_pair_cells, learn_lcm, pem_lcm, pem_ltm_2l


class Island(NamedTuple):
    """The island under construction, with room for mu + 1 members."""

    members: t.OutInts  # (mu + 1,): the variables, in the order in which they joined
    probability: t.OutRealTable  # (mu + 1, 2): P(member = 1 | Y)
    prior: t.OutReals  # (1,): P(Y = 1)


@helper
def start_island(postings: Postings, groups: Groups, island: Island) -> int:
    """Group documents by the first three members, run LearnLCM; returns the number of groups."""
    table, likelihood = groups.table, groups.likelihood
    members, p, prior = island.members, island.probability, island.prior
    cells = np.empty(8)
    table[0, SIZE] = groups.of_document.size
    table[0, BITS] = 0
    count = int64(1)
    for m in range(3):
        count_candidate(members[m], postings, count, groups)
        count = split_groups(members[m], m, 0.5, 0.5, postings, count, groups)
    for c in range(8):
        cells[c] = 0.0
    for g in range(count):
        cells[table[g, BITS]] += table[g, SIZE]
    learn_lcm(cells, prior, p)
    for g in range(count):
        for y in range(2):
            likelihood[g, y] = prior[0] if y else 1.0 - prior[0]
            for m in range(3):
                likelihood[g, y] *= p[m, y] if (table[g, BITS] >> m) & 1 else 1.0 - p[m, y]
    return count


@helper
def remove_member(
    w: int, members: t.OutInts, p: t.OutRealTable, size: int, free: t.OutFlags
) -> int:
    """Remove member number `w` and free its variable; returns how many members are left."""
    free[members[w]] = 1
    size -= 1
    for m in range(w, size):
        members[m] = members[m + 1]
        p[m, 0] = p[m + 1, 0]
        p[m, 1] = p[m + 1, 1]
    return size


@helper
def fit_candidate(
    p: t.RealTable, prior: float, count: int, groups: Groups, of_x: t.OutReals
) -> None:
    """The model m1: P(X = 1 | Y) of the candidate X, into `of_x`, by Pem-Lcm on X and members 0 and 1."""
    cells, known = np.empty(8), np.empty((4, 2))
    project_data(0, 1, -1, count, groups, cells)
    fill_pair_cells(prior, p, 0, 1, known)
    pem_lcm(cells, known, of_x)


@helper
def fill_below(
    of_y: t.RealTable,
    edge: t.Reals,
    of_z: t.RealTable,
    below1: t.OutRealCube,
    below2: t.OutRealCube,
) -> None:
    """Fill [w, x, y] of two tables with P(w, x | y) / P(w | y), where P(w | y) is that of m1.

    of_y, of_z      float64 (2, 2): P(W = 1 | .) and P(X = 1 | .)
    edge            float64 (2,): P(Z = 1 | Y)
    below1, below2  float64 (2, 2, 2): filled in, with P(w, x | y) of m1 and of m2
    """
    for w in range(2):
        for x in range(2):
            for y in range(2):
                w_y = of_y[0, y] if w else 1.0 - of_y[0, y]
                below1[w, x, y] = of_y[1, y] if x else 1.0 - of_y[1, y]
                below2[w, x, y] = 0.0
                for z in range(2):
                    p = edge[y] if z else 1.0 - edge[y]
                    p *= of_z[0, z] if w else 1.0 - of_z[0, z]
                    p *= of_z[1, z] if x else 1.0 - of_z[1, z]
                    below2[w, x, y] += p / w_y


@helper
def ud_test(
    w: int,
    p: t.RealTable,
    prior: float,
    of_x: t.Reals,
    count: int,
    groups: Groups,
    threshold: float,
) -> bool:
    """Whether the UD-test passes: BIC(m2) - BIC(m1) <= delta.

    m1 has one latent variable Y, and P(X | Y) is `of_x`; m2 has a second one, Z, above member
    number `w` and X.
    """
    cells, known = np.empty(16), np.empty((4, 2))
    of_y, of_z, edge = np.empty((2, 2)), np.empty((2, 2)), np.empty(2)
    below1, below2 = np.empty((2, 2, 2)), np.empty((2, 2, 2))
    # The footnote to Algorithm 6: if W is one of the first two members, the third replaces it.
    a, b = (0 if w != 0 else 2), (1 if w != 1 else 2)
    project_data(a, b, w, count, groups, cells)
    fill_pair_cells(prior, p, a, b, known)
    for y in range(2):
        of_y[0, y] = p[w, y]
        of_y[1, y] = of_x[y]
    pem_ltm_2l(cells, known, of_y, edge, of_z)
    fill_below(of_y, edge, of_z, below1, below2)
    gain = log_likelihood(count, groups, w, below2) - log_likelihood(count, groups, w, below1)
    # m2 has two more parameters, each of which costs log(N) / 2 in BIC.
    return not gain - np.log(groups.of_document.size) > threshold


@kernel
def one_island(
    pairs: PairTables,
    free: t.OutFlags,
    partners: Partners,
    limit: int,
    threshold: float,
    remaining: int,
    space: Reach,
    groups: Groups,
    island: Island,
) -> int:
    """OneIsland (Algorithm 4). Returns the number of members, at least 2.

    Parameters
    ----------
    pairs, partners
        See `hlta._kernels.nearest`.
    space, groups
        Working memory; `groups.of_document` and `space.meetings` are 0 before and after.
    island
        Filled in.
    free
        uint8 (n,), 1 for variables in no island (the paper's V); members become 0.
    limit
        mu: an island this large grows no further, unless just one variable would be left over.
    threshold
        delta of the UD-test.
    remaining
        Number of free variables. Two do not determine a latent variable: if there are only two, the
        nearest variable of another island helps to estimate it without joining, or, if there is no
        other variable, the first member counts twice.
    """
    postings, reach = pairs.postings, space.reach
    members, p, prior = island.members, island.probability, island.prior
    of_x = np.empty(2)

    # The first three members, and the latent class model of the three.
    first = closest_pair(pairs, free, partners, space)
    second = int64(partners.partners[first, partners.head[first]])
    alone = remaining == 2
    for j in range(reach.size):
        reach[j] = 0.0
        space.nearest[j] = 0
        if alone:
            free[j] = 1
    free[first] = 0
    free[second] = 0
    update_nearest(first, 0, pairs, free, space)
    update_nearest(second, 1, pairs, free, space)
    third = nearest_free(free, reach) if free.size > 2 else first
    free[third] = 0
    members[0], members[1], members[2] = first, second, third
    size = 3
    outside = remaining - 3
    count = start_island(postings, groups, island)
    if alone:
        for j in range(free.size):
            free[j] = 0
        size = 2

    while outside > 0 and (size < limit or outside == 1):
        update_nearest(members[size - 1], size - 1, pairs, free, space)
        x = nearest_free(free, reach)
        w = space.nearest[x]
        count_candidate(x, postings, count, groups)
        fit_candidate(p, prior[0], count, groups, of_x)
        if outside > 1 and not ud_test(w, p, prior[0], of_x, count, groups, threshold):
            reset_groups(postings, members, size, groups)
            # The first two members served to estimate all others, so W leaves unless it is one of them.
            return size if w < 2 else remove_member(w, members, p, size, free)
        count = split_groups(x, size, of_x[0], of_x[1], postings, count, groups)
        members[size] = x
        p[size, 0] = of_x[0]
        p[size, 1] = of_x[1]
        free[x] = 0
        size += 1
        outside -= 1
    reset_groups(postings, members, max(size, 3), groups)
    return size
