"""Which variables OneIsland takes: the pair with the highest MI, then the nearest to the island."""

from __future__ import annotations

from typing import NamedTuple

from numba import float32, int64

from hlta._kernels import types as t
from hlta._kernels.compiling import helper
from hlta._kernels.pair_counts import PairStatistics, keep_best, weigh_neighbours
from hlta._kernels.postings import Postings, Rows


class PairTables(NamedTuple):
    """Presences, and the mutual information of pairs of variables as far as it is kept."""

    rows: Rows  # presences by document
    postings: Postings  # presences by variable
    statistics: PairStatistics  # what mutual information takes besides pair counts
    matrix: t.SingleTable  # (n, n): mutual information; (0, n) if rows are counted when needed


class Partners(NamedTuple):
    """The best partners of each variable among those that were free when its list was made."""

    values: t.OutSingleTable  # (n, K): mutual information, descending
    partners: t.OutIdTable  # (n, K): the partners
    head: t.OutIds  # (n,): the first place in the list that has not been passed over


class Reach(NamedTuple):
    """Working memory: how near each of n variables is to the island S."""

    neighbours: t.OutIds  # (n,): variables that co-occur with some variable
    information: t.OutSingles  # (n,): their mutual information with it
    reach: t.OutSingles  # (n,): MI(A, S) of each variable A
    nearest: t.OutInts  # (n,): the number of the member with which A has that MI
    meetings: t.OutIds  # (n,): counts of co-occurrences, zero between calls


@helper
def list_neighbours(v: int, pairs: PairTables, space: Reach) -> int:
    """List all variables or, without a matrix, those of `weigh_neighbours`; returns how many."""
    neighbours, information = space.neighbours, space.information
    if pairs.matrix.shape[0] == 0:
        return weigh_neighbours(
            v, pairs.rows, pairs.postings, pairs.statistics, space.meetings, neighbours, information
        )
    for j in range(neighbours.size):
        neighbours[j] = j
        information[j] = pairs.matrix[v, j]
    return int64(neighbours.size)


@helper
def closest_pair(pairs: PairTables, free: t.OutFlags, partners: Partners, space: Reach) -> int:
    """The free variable with the best free partner; that partner is then at the head of its list.

    If the partner at a head is no longer free, the head's value is an upper bound. So the highest
    head is updated until its partner is free. Ties go to the lower number.
    """
    values, partner, head = partners.values, partners.partners, partners.head
    places = values.shape[1]
    while True:
        best = -2.0
        v = int64(-1)
        for u in range(free.size):
            if free[u] and values[u, head[u]] > best:
                best = values[u, head[u]]
                v = u
        if free[partner[v, head[v]]] and best >= 0.0:
            return v
        k = int64(head[v])
        while k < places and values[v, k] >= 0.0 and not free[partner[v, k]]:
            k += 1
        if k == places or values[v, k] < 0.0:
            met = list_neighbours(v, pairs, space)
            free[v] = 0
            keep_best(space.neighbours, space.information, met, free, values[v], partner[v])
            free[v] = 1
            k = 0
        head[v] = k


@helper
def update_nearest(v: int, number: int, pairs: PairTables, free: t.OutFlags, space: Reach) -> None:
    """Update MI(A, S), the maximum of MI(A, B) over B in S, for variable v, the new member `number`."""
    matrix, reach, nearest = pairs.matrix, space.reach, space.nearest
    if matrix.shape[0] > 0:
        for j in range(reach.size):
            if free[j] and matrix[v, j] > reach[j]:
                reach[j] = matrix[v, j]
                nearest[j] = number
        return
    met = list_neighbours(v, pairs, space)
    for k in range(met):
        j = space.neighbours[k]
        if free[j] and space.information[k] > reach[j]:
            reach[j] = space.information[k]
            nearest[j] = number


@helper
def nearest_free(free: t.OutFlags, reach: t.OutSingles) -> int:
    """The free variable nearest to the island, ties to the lower number; -1 if none is free."""
    best = float32(-1.0)
    nearest = int64(-1)
    for j in range(reach.size):
        if free[j] and reach[j] > best:
            best = reach[j]
            nearest = j
    return nearest
