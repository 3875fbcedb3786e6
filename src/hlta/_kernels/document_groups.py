"""Documents grouped by which of an island's variables they contain.

Adding a variable splits the groups that its documents are in, so that a test costs what the
candidate's documents cost and a few logarithms per group, never a pass over all documents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import helper
from hlta._kernels.postings import Postings

# Columns of a group: how many documents it has; how many of them contain the candidate; which
# members they contain, as bits; the group that those with the candidate move to.
SIZE, PART, BITS, MOVED = range(4)


class Groups(NamedTuple):
    """The groups of N documents."""

    of_document: t.OutIds  # (N,): the group of each document, zero at rest
    table: t.OutIntTable  # (groups, 4): columns SIZE to MOVED
    likelihood: t.OutRealTable  # (groups, 2): P(Y = y, pattern of the group)


@helper
def count_candidate(v: int, postings: Postings, count: int, groups: Groups) -> None:
    """How many documents of each group contain variable v, into PART."""
    group, table = groups.of_document, groups.table
    for g in range(count):
        table[g, PART] = 0
    for p in range(postings.start[v], postings.start[v + 1]):
        table[group[postings.document[p]], PART] += 1


@helper
def split_groups(
    v: int,
    member: int,
    p0: float,
    p1: float,
    postings: Postings,
    count: int,
    groups: Groups,
) -> int:
    """Make v the island's variable number `member`, with P(v = 1 | y). Returns the number of groups."""
    group, table, likelihood = groups.of_document, groups.table, groups.likelihood
    for g in range(count):
        table[g, MOVED] = g
        present0, present1 = likelihood[g, 0] * p0, likelihood[g, 1] * p1
        to = g
        # Where all documents move the group itself changes, so there are never more groups than
        # documents and one. The first is spared, for it is where documents are at rest.
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
    """All documents back into the first group."""
    group = groups.of_document
    for m in range(size):
        v = members[m]
        for p in range(postings.start[v], postings.start[v + 1]):
            group[postings.document[p]] = 0


@helper
def project_data(
    first: int, second: int, third: int, count: int, groups: Groups, cells: t.OutReals
) -> None:
    """ProjectData: documents by which of three members (-1: none) and the candidate they contain.

    The candidate's bit is the highest. Cells are cleared first.
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
    """Log-likelihood of all documents, given P(w, x | y) / P(w | y) of member w and the candidate x."""
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
