"""From a graph of neighbours to places in the plane: t-SNE, by gradient descent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._kernels import map_forces
from hlta._support.arrays import TINY, ranges, read_only
from hlta._support.threads import map_in_order
from hlta.explorer.layout.repulsion import Field, Repulsion

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats

_SHARD: Final = 4096
_SPREAD_AT_FIRST: Final = 0.01
_PULL: Final = 0.01  # of the way to the middle, in each step, or groups would drift apart for ever


class Phase(NamedTuple):
    """Some steps of the descent."""

    steps: int
    exaggeration: float  # factor of the attraction between neighbours, 1 for that of t-SNE
    momentum: float


PHASES: Final = (Phase(100, 12.0, 0.5), Phase(100, 12.0, 0.8), Phase(400, 1.0, 0.8))
"""First the points gather in groups, then the groups unfold."""


def descend(graph: csr_array, start: Floats) -> Floats:
    """Places in which neighbours are near each other and others apart: float64 (points, 2).

    It is the gradient descent of t-SNE (van der Maaten and Hinton, 2008) with the affinities in
    `graph`. Threads share the work, but no sum is split, so their number changes no bit of the result.

    Parameters
    ----------
    graph
        Symmetric (points, points): affinities, which sum to about 1 for each point.
    start
        Float64 (points, 2): where the points are at first; their scale does not matter.
    """
    n = len(start)
    neighbours = map_forces.Neighbours(
        read_only(graph.indptr.astype(np.int64)),
        read_only(graph.indices.astype(np.uint32)),
        read_only(graph.data),
    )
    scale = _SPREAD_AT_FIRST / max(np.abs(start).max(), TINY)
    position: Floats = (start * scale).astype(np.float32).astype(np.float64)
    motion = map_forces.Motion(position, np.zeros((n, 2)), np.ones((n, 2)), np.zeros((n, 2)))
    repulsion, shards = Repulsion(), ranges(n, _SHARD)

    def field_or_attraction(shard: tuple[int, int] | None) -> Field | None:
        if shard is None:
            return repulsion.field(position)
        map_forces.attract(*shard, neighbours, motion)
        return None

    for phase in PHASES:
        for _ in range(phase.steps):
            field = map_in_order(field_or_attraction, [None, *shards])[0]
            assert field is not None
            move = partial(_move, motion, field, phase)
            map_in_order(move, shards)
            position *= 1.0 - _PULL
    return position


def _move(motion: map_forces.Motion, field: Field, phase: Phase, shard: tuple[int, int]) -> None:
    """Move the points of a shard."""
    push = len(motion.position) / (2.0 * field.total * field.step * phase.exaggeration)
    map_forces.move(
        *(*shard, read_only(field.potential), field.left, field.bottom, field.step),
        *(push, phase.momentum, motion),
    )
