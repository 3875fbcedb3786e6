"""Documents divided into periods, or into groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.dates import parse_date, period_name, period_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_UNITS: Final = (("year", 1000), ("month", 48), ("day", 92))  # coarse to fine, and the most of each
_MOST_GROUPS: Final = 200


@dataclass(frozen=True, eq=False)
class Division:
    """Documents divided into parts.

    Attributes
    ----------
    unit : str
        What a part is: "year", "month", "day" or "group".
    names : tuple of str
        The names of the parts; periods are consecutive, so some may have no documents.
    number : int64 (documents,)
        The part of each document, -1 for none.
    """

    unit: str
    names: tuple[str, ...]
    number: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of documents in each part."""
        return np.bincount(self.number[self.number >= 0], minlength=len(self.names))


def by_period(dates: Iterable[str] | None) -> Division | None:
    """Years; or months or days, if all dates have them and they are few. None for a single period."""
    parsed = [parse_date(text) for text in dates or ()]
    known = np.array([parts is not None for parts in parsed])
    given = [parts for parts in parsed if parts is not None]
    finest = min(map(len, given), default=0)
    division = None
    for unit, most in _UNITS[:finest]:
        present = [period_number(unit, parts) for parts in given]
        first, last = min(present), max(present)
        if last - first >= most:
            break
        number = np.full(len(parsed), -1)
        number[known] = np.array(present) - first
        names = tuple(period_name(unit, period) for period in range(first, last + 1))
        division = Division(unit, names, number)
    return division if division is not None and len(division.names) > 1 else None


def by_group(groups: Iterable[str] | None) -> Division | None:
    """Groups, largest first; None if there are fewer than two."""
    values = list(groups or ())
    count = Counter(filter(None, values))
    names = sorted(count, key=lambda name: (-count[name], name))[:_MOST_GROUPS]
    if len(names) < 2:
        return None
    number = {name: k for k, name in enumerate(names)}
    return Division("group", tuple(names), np.array([number.get(value, -1) for value in values]))
