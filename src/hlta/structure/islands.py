"""Islands: groups of variables that one latent variable explains (BuildIslands, Algorithms 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta.kernels import islands as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.monitor import Monitor
    from hlta.structure.pairwise import Pairs


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
    head = np.zeros(n, dtype=np.uint32)
    candidates = pairs.values.copy(), pairs.partners.copy(), head
    members = np.empty(n, dtype=np.int64)
    probability = np.empty((n, 2))
    prior = np.empty(n)
    ends = [0]
    with monitor.stage("islands", n):
        while ends[-1] < n:
            begin, number = ends[-1], len(ends) - 1
            island = members[begin:], probability[begin:], prior[number : number + 1]
            remaining = n - begin
            if remaining > 2:
                first = kernels.find_pair(pairs.source, free, candidates, space)
                second = int(candidates[1][first, head[first]])
                size = kernels.grow_island(
                    pairs.source, free, first, second, limit, threshold, remaining, space, *island
                )
            else:
                # One more was just refused by an island, or there never were more than two.
                size, three = 2, (np.empty(3, np.int64), np.empty((3, 2)), island[2])
                kernels.join_pair(pairs.source, free, *np.flatnonzero(free), space, *three)
                island[0][:], island[1][:] = three[0][:2], three[1][:2]
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
