"""Islands: groups of variables that one latent variable explains (BuildIslands, Algorithms 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta.algorithm import one_island as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.algorithm.mutual_information import Pairs
    from hlta.monitor import Monitor


@dataclass(frozen=True, eq=False)
class Islands:
    """A partition of the variables, each part with a latent variable Y.

    start        int64 (islands + 1,): island i owns members[start[i]:start[i + 1]], two or more
    members      int64 (variables,): in the order in which they joined
    probability  float64 (variables, 2): P(member = 1 | Y), in the order of `members`
    prior        float64 (islands,): P(Y = 1)
    """

    start: NDArray[np.int64]
    members: NDArray[np.int64]
    probability: NDArray[np.float64]
    prior: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.prior)

    @property
    def island_of(self) -> NDArray[np.int64]:
        """The island of each variable."""
        out = np.empty(len(self.members), dtype=np.int64)
        out[self.members] = np.repeat(np.arange(len(self)), np.diff(self.start))
        return out


def build_islands(pairs: Pairs, *, limit: int, threshold: float, monitor: Monitor) -> Islands:
    """Take islands away one by one until every variable is in one."""
    n = pairs.n_variables
    free = np.ones(n, dtype=np.uint8)
    space = _memory(pairs)
    candidates = pairs.values.copy(), pairs.partners.copy(), np.zeros(n, dtype=np.uint32)
    members = np.empty(n, dtype=np.int64)
    probability = np.empty((n, 2))
    prior = np.empty(n)
    ends = [0]
    # An island of a pair has a helper beside; one at its limit may take in a last variable.
    island, p, on = np.empty(limit + 1, dtype=np.int64), np.empty((limit + 1, 2)), np.empty(1)
    with monitor.stage("islands", n):
        while ends[-1] < n:
            begin = ends[-1]
            size = kernels.grow_island(
                pairs.source, free, candidates, limit, threshold, n - begin, space, island, p, on
            )
            members[begin : begin + size] = island[:size]
            probability[begin : begin + size] = p[:size]
            prior[len(ends) - 1] = on[0]
            ends.append(begin + size)
            monitor.advance(size)
    start = np.array(ends, dtype=np.int64)
    return Islands(start, members, probability, prior[: len(start) - 1].copy())


def _memory(pairs: Pairs) -> tuple[NDArray[np.generic], ...]:
    n, documents = pairs.n_variables, pairs.n_documents
    return (
        np.empty(n, dtype=np.float32),
        np.empty(n, dtype=np.float32),
        np.empty(n, dtype=np.int64),
        np.zeros(n, dtype=np.uint32),
        np.zeros(documents, dtype=np.uint32),
        np.empty((documents + 2, 4), dtype=np.int64),
        np.empty((documents + 2, 2)),
    )
