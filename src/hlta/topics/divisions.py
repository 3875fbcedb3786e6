"""Documents divided into periods, or into groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.dates import parse_date, period_name, period_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus

_MANY_MONTHS: Final = 48
_MANY_DAYS: Final = 92
_MOST_GROUPS: Final = 200


@dataclass(frozen=True, eq=False)
class Division:
    """Documents divided into parts.

    Attributes
    ----------
    unit : str
        What a part is: "year", "month", "day" or "group".
    names : tuple of str
        The names of the parts. Of periods, all from the first to the last, even without documents.
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


def by_period(corpus: Corpus) -> Division | None:
    """The periods of a corpus; None if it has no dates, or all are in one period."""
    return None if corpus.dates is None else periods(corpus.dates)


def periods(dates: Iterable[str]) -> Division | None:
    """Years; or months or days, if all dates have them and they are few. None for a single period."""
    parsed = [parse_date(text) for text in dates]
    known = [parts for parts in parsed if parts is not None]
    if not known:
        return None
    finest = min(len(parts) for parts in known)
    unit, numbers = "year", [period_number(parts, 1) for parts in parsed]
    for size, name, most in ((2, "month", _MANY_MONTHS), (3, "day", _MANY_DAYS)):
        if finest < size:
            break
        finer = [period_number(parts, size) for parts in parsed]
        span = [number for number in finer if number is not None]
        if max(span) - min(span) >= most:
            break
        unit, numbers = name, finer
    present = [number for number in numbers if number is not None]
    first, last = min(present), max(present)
    if first == last:
        return None
    names = tuple(period_name(unit, number) for number in range(first, last + 1))
    return Division(unit, names, np.array([-1 if n is None else n - first for n in numbers]))


def by_group(corpus: Corpus) -> Division | None:
    """The groups of a corpus, largest first; None if there are fewer than two."""
    if corpus.groups is None:
        return None
    names = _most_frequent(corpus.groups)
    if len(names) < 2:
        return None
    number = {name: k for k, name in enumerate(names)}
    members = np.array([number.get(value, -1) for value in corpus.groups])
    return Division("group", names, members)


def _most_frequent(values: Iterable[str]) -> tuple[str, ...]:
    count: dict[str, int] = {}
    for value in values:
        if value:
            count[value] = count.get(value, 0) + 1
    return tuple(sorted(count, key=lambda name: (-count[name], name))[:_MOST_GROUPS])
