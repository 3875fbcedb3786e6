"""Documents grouped by which members of an island they contain.

A new member splits the groups of the documents that contain it. So a UD-test visits the candidate's
documents and takes a few logarithms per group, but never passes over all documents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import helper
from hlta._kernels.postings import Postings

# Columns of a group: the number of its documents; how many of them contain the candidate; the
# members that they contain, as bits; the group that its documents with the candidate move to.
SIZE, PART, BITS, MOVED = range(4)


class Groups(NamedTuple):
    """The groups of N documents."""

    of_document: t.OutIds  # (N,): the group of each document, zero between islands
    table: t.OutIntTable  # (groups, 4): columns SIZE to MOVED
    likelihood: t.OutRealTable  # (groups, 2): P(Y = y, all members' values in the group)


@helper
def count_candidate(v: int, postings: Postings, count: int, groups: Groups) -> None:
    """Count the documents of each group that contain variable v, into PART."""
    group, table = groups.of_document, groups.table
    for g in range(count):
        table[g, PART] = 0
    for p in range(postings.start[v], postings.start[v + 1]):
        table[group[postings.document[p]], PART] += 1


@helper
def split_groups(
    v: int, member: int, p0: float, p1: float, postings: Postings, count: int, groups: Groups
) -> int:
    """Make v, already counted in PART, member number `member`; returns the new number of groups."""
    group, table, likelihood = groups.of_document, groups.table, groups.likelihood
    for g in range(count):
        table[g, MOVED] = g
        present0, present1 = likelihood[g, 0] * p0, likelihood[g, 1] * p1
        to = g
        # A group whose documents all contain v changes in place, so there are at most N + 1
        # groups. Group 0 is exempt: all documents start in it, before there are any members.
        if g == 0 or table[g, PART] < table[g, SIZE]:
            likelihood[g, 0] *= 1.0 - p0
            likelihood[g, 1] *= 1.0 - p1
            to = count
        if table[g, PART] > 0:
            if to == count:
                table[g, SIZE] -= table[g, PART]
                table[to, SIZE] = table[g, PART]
                count += 1
            table[g, MOVED] = to
            table[to, BITS] = table[g, BITS] | (1 << member)
            likelihood[to, 0] = present0
            likelihood[to, 1] = present1
    for q in range(postings.start[v], postings.start[v + 1]):
        d = postings.document[q]
        group[d] = table[group[d], MOVED]
    return count


@helper
def reset_groups(postings: Postings, members: t.OutInts, size: int, groups: Groups) -> None:
    """Move all documents back into group 0, which only those with a member have left."""
    group = groups.of_document
    for m in range(size):
        v = members[m]
        for p in range(postings.start[v], postings.start[v + 1]):
            group[postings.document[p]] = 0


@helper
def project_data(
    first: int, second: int, third: int, count: int, groups: Groups, cells: t.OutReals
) -> None:
    """ProjectData: count documents per cell of two members, or three if `third` >= 0, and the candidate.

    The members are bits 0, 1 and 2 of a cell's number, the candidate is the highest bit. The counts go
    to `cells`, float64 (8,) or (16,).
    """
    for c in range(cells.size):
        cells[c] = 0.0
    table, top = groups.table, cells.size >> 1
    for g in range(count):
        bits = table[g, BITS]
        c = ((bits >> first) & 1) | (((bits >> second) & 1) << 1)
        if third >= 0:
            c |= ((bits >> third) & 1) << 2
        cells[c] += table[g, SIZE] - table[g, PART]
        cells[c + top] += table[g, PART]


@helper
def log_likelihood(count: int, groups: Groups, w: int, below: t.OutRealCube) -> float:
    """Total log-likelihood; below[W, X, y] is P(W, X | y) / P(W | y): W is member `w`, X a candidate."""
    table, likelihood = groups.table, groups.likelihood
    total = 0.0
    for g in range(count):
        bit = (table[g, BITS] >> w) & 1
        zero, one = likelihood[g, 0], likelihood[g, 1]
        part = table[g, PART]
        without = table[g, SIZE] - part
        if part > 0:
            total += part * np.log(zero * below[bit, 1, 0] + one * below[bit, 1, 1])
        if without > 0:
            total += without * np.log(zero * below[bit, 0, 0] + one * below[bit, 0, 1])
    return total
