"""BuildIslands (Algorithm 3): variables partitioned into uni-dimensional groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.document_groups import Groups
from hlta._kernels.nearest import Partners, Reach
from hlta._kernels.one_island import Island, one_island
from hlta._kernels.soft_information import IslandTables
from hlta._support.arrays import read_only

if TYPE_CHECKING:
    from hlta.learning.paper.mutual_information import Pairs
    from hlta.monitor import Monitor


def build_islands(pairs: Pairs, *, limit: int, threshold: float, monitor: Monitor) -> IslandTables:
    """Build islands one by one until every variable belongs to one.

    `limit` is the paper's mu, `threshold` its delta.
    """
    n = pairs.n_variables
    free = np.ones(n, dtype=np.uint8)
    partners = Partners(pairs.values.copy(), pairs.partners.copy(), np.zeros(n, dtype=np.uint32))
    space, groups, island = _working_memory(n, pairs.n_documents, limit)
    members = np.empty(n, dtype=np.int64)
    probability = np.empty((n, 2))
    prior = np.empty(n)
    ends = [0]
    with monitor.stage("islands", n):
        while ends[-1] < n:
            begin = ends[-1]
            size = one_island(
                pairs.tables, free, partners, limit, threshold, n - begin, space, groups, island
            )
            members[begin : begin + size] = island.members[:size]
            probability[begin : begin + size] = island.probability[:size]
            prior[len(ends) - 1] = island.prior[0]
            ends.append(begin + size)
            monitor.advance(size)
    start, prior = np.array(ends, dtype=np.int64), prior[: len(ends) - 1]
    return IslandTables(
        read_only(start), read_only(members), read_only(probability), read_only(prior)
    )


def _working_memory(n: int, documents: int, limit: int) -> tuple[Reach, Groups, Island]:
    space = Reach(
        neighbours=np.empty(n, dtype=np.uint32),
        information=np.empty(n, dtype=np.float32),
        reach=np.empty(n, dtype=np.float32),
        nearest=np.empty(n, dtype=np.int64),
        meetings=np.zeros(n, dtype=np.uint32),
    )
    groups = Groups(
        of_document=np.zeros(documents, dtype=np.uint32),
        table=np.empty((documents + 2, 4), dtype=np.int64),
        likelihood=np.empty((documents + 2, 2)),
    )
    # An island of mu members may still take in the last free variable.
    room = limit + 1
    island = Island(np.empty(room, dtype=np.int64), np.empty((room, 2)), np.empty(1))
    return space, groups, island
