"""How points of a map repel each other, in time that grows with the number of points, not of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._kernels import map_forces

if TYPE_CHECKING:
    from hlta._support.arrays import Floats

_STEP: Final = 0.5  # between nodes; repulsion falls to a half at distance 1
_BEFORE: Final = 2  # nodes to the left of all points; splines need one, and rounding one
_BEYOND: Final = 6  # nodes in addition to one for each step of the width, `_BEFORE` included
_LEAST: Final = 32  # nodes in a row
_MOST: Final = 1024
_MOST_OF_FEW: Final = 64  # nodes in a row, at most, for few points, which need no fine grid
_MORE: Final = 8  # times the root of the number of points: nodes in addition to these
_ROOM: Final = 1.1  # times the nodes needed, so that points can spread
_LEAST_TOTAL: Final = 0.01  # per point: the grid is no more exact than that


class Field(NamedTuple):
    """The potential of the repulsion, the sum of 1 / (1 + distance^2) over all points."""

    potential: Floats  # (nodes, nodes), at (left + i step, bottom + j step)
    left: float
    bottom: float
    step: float
    total: float  # the sum over all ordered pairs of different points


class Repulsion:
    """The field of points that move; the grid and its kernel are kept while their size is suitable."""

    def __init__(self) -> None:
        self._nodes = 0
        self._step = 0.0
        self._kernel = np.zeros((0, 0))

    def field(self, position: Floats) -> Field:
        """The field of the points, by convolution on a grid around them."""
        from scipy.fft import irfft2, rfft2

        lowest = position.min(axis=0)
        most = min(_MOST, _MOST_OF_FEW + int(_MORE * len(position) ** 0.5))
        self._fit((position.max(axis=0) - lowest).max(), most)
        left, bottom = lowest - _BEFORE * self._step
        charge = np.zeros((self._nodes, self._nodes))
        map_forces.spread(position, left, bottom, self._step, charge)
        around = (2 * self._nodes, 2 * self._nodes)  # twice as wide: the convolution is cyclic
        everywhere = irfft2(rfft2(charge, around) * self._kernel, around)
        potential = np.ascontiguousarray(everywhere[: self._nodes, : self._nodes])
        n = len(position)
        total = max((potential * charge).sum() - n, _LEAST_TOTAL * n)
        return Field(potential, left, bottom, self._step, total)

    def _fit(self, width: float, most: int) -> None:
        """Make a grid for this width, of about `most` nodes in a row at most, unless the old one fits."""
        from scipy.fft import next_fast_len

        step = max(_STEP, width / (most - _BEYOND))
        needed = int(width / step) + _BEYOND
        if step != self._step or not needed <= self._nodes <= 2 * needed + _LEAST:
            room = max(_LEAST, needed, min(most, int(_ROOM * needed)))
            self._nodes, self._step = next_fast_len(room, real=True), step
            self._kernel = _transformed_kernel(2 * self._nodes, step)


def _transformed_kernel(nodes: int, step: float) -> Floats:
    """The Fourier transform of 1 / (1 + distance^2), divided by that of the splines at both ends."""
    from scipy.fft import fft, rfft2

    distance = np.minimum(np.arange(nodes), nodes - np.arange(nodes)) * step
    kernel = rfft2(1.0 / (1.0 + distance[:, None] ** 2 + distance**2)).real
    spline = np.zeros(nodes)
    spline[[-1, 0, 1]] = np.array([1.0, 4.0, 1.0]) / 6.0
    smoothing = fft(spline).real
    smoothed: Floats = np.outer(smoothing, smoothing[: kernel.shape[1]]) ** 2
    return np.asarray(kernel / smoothed)
