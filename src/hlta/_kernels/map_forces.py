"""Forces between the points of a map: neighbours attract each other, all points repel each other.

Repulsion is computed on a grid: each point is spread over the 4 x 4 nodes around it with the weights
of a cubic B-spline, the nodes repel each other (`hlta.explorer.layout.repulsion`), and the same splines
interpolate the slope of the resulting field at each point.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import int64

from hlta._kernels import types as t
from hlta._kernels.compiling import inlined, kernel


class Neighbours(NamedTuple):
    """A symmetric graph of n points."""

    indptr: t.Ints  # (n + 1,): point i has neighbours[indptr[i]:indptr[i + 1]]
    neighbours: t.Ids
    weights: t.Reals  # how strongly they attract each other


class Motion(NamedTuple):
    """Where n points are and how they move, as [x, y] of each."""

    position: t.OutRealTable  # (n, 2)
    velocity: t.OutRealTable  # (n, 2): the last step
    gain: t.OutRealTable  # (n, 2): factors of the forces, which grow while the direction persists
    attraction: t.OutRealTable  # (n, 2)


@inlined
def spline(x: float) -> tuple[float, float, float, float]:
    """The weights of the four nodes around a point that lies x beyond the second one, 0 <= x < 1."""
    y = 1.0 - x
    return (
        y * y * y / 6.0,
        (4.0 - 3.0 * x * x * (1.0 + y)) / 6.0,
        (4.0 - 3.0 * y * y * (1.0 + x)) / 6.0,
        x * x * x / 6.0,
    )


@inlined
def slope(x: float) -> tuple[float, float, float, float]:
    """The derivatives of `spline`."""
    y = 1.0 - x
    return (-0.5 * y * y, 0.5 * x * (3.0 * x - 4.0), -0.5 * y * (3.0 * y - 4.0), 0.5 * x * x)


@kernel
def attract(begin: int, end: int, graph: Neighbours, motion: Motion) -> None:
    """`motion.attraction` of points `begin` to `end`: the sum of w (y_j - y_i) / (1 + |y_j - y_i|^2)."""
    position, attraction = motion.position, motion.attraction
    for i in range(begin, end):
        x, y = position[i, 0], position[i, 1]
        right, up = 0.0, 0.0
        for entry in range(graph.indptr[i], graph.indptr[i + 1]):
            j = graph.neighbours[entry]
            dx, dy = position[j, 0] - x, position[j, 1] - y
            pull = graph.weights[entry] / (1.0 + dx * dx + dy * dy)
            right += pull * dx
            up += pull * dy
        attraction[i, 0] = right
        attraction[i, 1] = up


@kernel
def spread(
    position: t.OutRealTable, left: float, bottom: float, step: float, grid: t.OutRealTable
) -> None:
    """Add each point to the nodes around it; node [i, j] is at (left + i step, bottom + j step)."""
    for p in range(position.shape[0]):
        x, y = (position[p, 0] - left) / step, (position[p, 1] - bottom) / step
        column, row = int64(x), int64(y)
        across, along = spline(x - column), spline(y - row)
        for i in range(4):
            for j in range(4):
                grid[column - 1 + i, row - 1 + j] += across[i] * along[j]


@kernel
def move(
    begin: int,
    end: int,
    field: t.RealTable,
    left: float,
    bottom: float,
    step: float,
    push: float,
    momentum: float,
    motion: Motion,
) -> None:
    """Move points `begin` to `end` by attraction and repulsion, with momentum and gains.

    field  float64 (nodes, nodes): the potential of the repulsion at the nodes, see `spread`
    push   the factor of its slope, which is per step of the grid
    """
    position, velocity = motion.position, motion.velocity
    for p in range(begin, end):
        x, y = (position[p, 0] - left) / step, (position[p, 1] - bottom) / step
        column, row = int64(x), int64(y)
        across, along = spline(x - column), spline(y - row)
        steep_across, steep_along = slope(x - column), slope(y - row)
        right, up = 0.0, 0.0
        for i in range(4):
            for j in range(4):
                node = field[column - 1 + i, row - 1 + j]
                right += steep_across[i] * along[j] * node
                up += across[i] * steep_along[j] * node
        force = (motion.attraction[p, 0] - push * right, motion.attraction[p, 1] - push * up)
        for axis in range(2):
            gain = motion.gain[p, axis]
            gain = gain + 0.2 if force[axis] * velocity[p, axis] > 0.0 else max(0.8 * gain, 0.01)
            motion.gain[p, axis] = gain
            velocity[p, axis] = momentum * velocity[p, axis] + gain * force[axis]
            position[p, axis] += velocity[p, axis]
