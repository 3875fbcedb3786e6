"""Where shares changed or differ by more than chance explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats

CHANCE: Final = 0.05
"""How often anything is said to change or differ where nothing does, at most."""
FEW: Final = 30
"""Periods and groups of fewer documents are not compared."""


def surely_within(share: Floats, documents: Floats) -> tuple[Floats, Floats]:
    """Intervals of shares, all of which are right, but for a chance of 5%.

    This is Chernoff's bound, with Bonferroni's correction for the number of shares. As Hoeffding showed,
    it holds for means of any values between 0 and 1, and for few values and small means, where Wilson's
    interval does not.

    Parameters
    ----------
    share : float64 (shares,)
        Means of values between 0 and 1.
    documents : float64 (shares,)
        How many values each is the mean of.

    Returns
    -------
    low, high : float64 (shares,)

    Examples
    --------
    >>> low, high = surely_within(np.array([0.0, 0.3]), np.array([100.0, 100.0]))
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.18], [0.04, 0.44])
    """
    most = np.log(2.0 * max(1, len(share)) / CHANCE) / documents
    return _farthest(share, 0.0, most), _farthest(share, 1.0, most)


def _farthest(share: Floats, end: float, most: Floats) -> Floats:
    """The shares farthest towards `end` from which the given ones diverge by no more than `most`."""
    from scipy.special import rel_entr

    inside, outside = share, np.full_like(share, end)
    for _ in range(50):
        middle = (inside + outside) / 2.0
        near = rel_entr(share, middle) + rel_entr(1.0 - share, 1.0 - middle) <= most
        inside, outside = np.where(near, middle, inside), np.where(near, outside, middle)
    return inside


def turning_points(
    low: Sequence[float], high: Sequence[float], *, empty: Sequence[bool]
) -> list[int]:
    """The places at which a series begins to rise or fall, and the last one that it reaches.

    From each of these places to the next, the share surely changed: the intervals from `low` to `high`
    do not overlap. Of several places that would do, it is the one that is surest to be high, or low.
    A place that is `empty`, where no document is on the topic, can be low, but never high. The list is
    empty if the share never surely changed.

    Examples
    --------
    >>> low, high = [0.0, 0.0, 0.2, 0.3, 0.1, 0.0], [0.1, 0.05, 0.3, 0.4, 0.2, 0.2]
    >>> turning_points(low, high, empty=[False] * 6)
    [1, 3, 4]
    """
    least = [0.0 if none else value for value, none in zip(low, empty, strict=True)]
    lowest = highest = 0
    turns: list[int] = []
    rises = False
    for at in range(1, len(least)):
        if not turns:
            if least[at] > high[lowest]:
                turns, rises = [lowest, at], True
            elif high[at] < least[highest]:
                turns, rises = [highest, at], False
            lowest = at if high[at] < high[lowest] else lowest
            highest = at if least[at] > least[highest] else highest
        elif high[at] < least[turns[-1]] if rises else least[at] > high[turns[-1]]:
            turns.append(at)
            rises = not rises
        elif least[at] > least[turns[-1]] if rises else high[at] < high[turns[-1]]:
            turns[-1] = at
    return turns
