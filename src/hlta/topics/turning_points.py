"""Where a series of shares surely turned, given how sure each share is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


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
