"""Documents divided into periods or groups, and the shares of topics in each part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hlta._support.arrays import gather_lists
from hlta._support.messages import warn
from hlta.documents.dates import (
    day_first,
    is_ambiguous,
    parse_date,
    says_more_than_year,
    shape,
)
from hlta.documents.fields import value_list
from hlta.documents.periods import UNITS, period_name, period_number
from hlta.errors import DocumentsError
from hlta.options import IN_PART

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta._support.arrays import Floats, Ints
    from hlta.documents.dates import Parts

_MOST_PERIODS: Final = 100  # that a chart over time shows without being asked for
_PER_PERIOD: Final = 100  # documents on average, at least, if periods are shorter than a year
_ENOUGH: Final = 0.95  # share of the dates that must have a unit; the others are left out
_ROUNDING: Final = float(np.finfo(np.float64).eps)
_MOST_GROUPS: Final = 500  # groups, at most: the most frequent ones
USUALLY: Final = 1.959964
"""The number of standard deviations within which 95% of a normal distribution lie."""
_ISO: Final = (
    "write dates as 2024-11-25, with years from 1500 to 2099, or give their format when documents are "
    "read from files (date_format, --date-format), such as %d/%m/%y"
)


@dataclass(frozen=True, eq=False)
class Division:
    """Documents divided into parts.

    Attributes
    ----------
    unit : str
        What a part is: "group", or a unit of time, such as "year".
    names : tuple of str
        The names of the parts; periods are consecutive, so some may have no documents.
    rows, parts : int64 (entries,)
        Numbers of documents, ascending, and the part that each is in. A document may be in no part
        and, if parts are groups, in several.
    further : int
        How many further groups are left out, because there are too many.
    """

    unit: str
    names: tuple[str, ...]
    rows: Ints
    parts: Ints
    further: int = 0

    @property
    def counts(self) -> Ints:
        """The number of documents in each part."""
        return np.bincount(self.parts, minlength=len(self.names))

    def sums(self, begin: int, values: Floats) -> Floats:
        """The sum in each part of the values of documents, numbered from `begin` on: (parts, columns)."""
        first, last = np.searchsorted(self.rows, (begin, begin + len(values)))
        where = self.parts[first:last], self.rows[first:last] - begin
        shape = len(self.names), len(values)
        table = csr_array((np.ones(last - first), where), shape=shape)
        return np.asarray(table @ values)


def by_period(dates: Iterable[str] | None, unit: str | None = None) -> Division | None:
    """Documents by decade, year, quarter, month, week or day; None if they have fewer than two periods.

    Without a `unit`, it is the finest that nearly all dates have, that gives at most `_MOST_PERIODS`
    and, if it is finer than a year, at least `_PER_PERIOD` documents per period on average; if none
    does, the coarsest that gives two periods. Coarser dates have no period; DocumentsError is raised if
    too many are coarser than a given `unit`. Warnings name dates of which only the year, or nothing, can
    be read.
    """
    parsed = _parse_dates(list(dates or ()))
    sizes = np.array([0 if parts is None else len(parts) for parts in parsed])
    division = None
    for name, size in UNITS.items():
        rows = np.flatnonzero(sizes >= size)
        if not len(rows) or len(rows) < _ENOUGH * (sizes > 0).sum():
            break
        finer = _in_periods(parsed, rows, name)
        enough = size == 1 or len(rows) >= _PER_PERIOD * len(finer.names)
        fits = 1 < len(finer.names) <= _MOST_PERIODS and enough
        if unit is not None or division is None or len(division.names) < 2 or fits:
            division = finer
        if name == unit:
            break
    if unit is not None and division is not None and division.unit != unit:
        raise DocumentsError(
            f"unit={unit!r}: too many dates only give the {division.unit}; use "
            f"unit={division.unit!r}, or {_ISO}"
        )
    return division if division is not None and len(division.names) > 1 else None


def _in_periods(parsed: Sequence[Parts | None], rows: Ints, unit: str) -> Division:
    """The documents in these rows by periods of a unit, from the first to the last."""
    number_of = {parts: period_number(parts, unit) for parts in set(parsed) if parts}
    numbers = np.array([number_of[parsed[row] or ()] for row in rows], dtype=np.int64)
    first, last = int(numbers.min()), int(numbers.max())
    names = tuple(period_name(number, unit) for number in range(first, last + 1))
    return Division(unit, names, rows, numbers - first)


def _parse_dates(dates: Sequence[str]) -> list[Parts | None]:
    """Year, month and day of each date, as far as it has them; None if it cannot be read."""
    order = day_first(dates)
    parsed = [parse_date(text, order) for text in dates]
    # The dates with each problem, and how many there are.
    ambiguous, coarse, unread = Counter[str](), Counter[str](), Counter[str]()
    for text, parts in zip(dates, parsed, strict=True):
        if parts is None:
            unread[text] += bool(text.strip())
        elif len(parts) == 1 and says_more_than_year(text):
            (ambiguous if is_ambiguous(text) else coarse)[text] += 1
    _warn(ambiguous, "could have the day or the month first, so only the year is read")
    _warn(coarse, "could only be read as a year")
    _warn(unread, "could not be read as dates, so these documents are left out of all periods")
    return parsed


def _warn(dates: Counter[str], what: str) -> None:
    """Warn of dates, with an example of what most of them look like."""
    if count := dates.total():
        shapes = Counter[str]()
        for text, times in dates.items():
            shapes[shape(text)] += times
        ((most, alike),) = shapes.most_common(1)
        example = next(text for text in dates if shape(text) == most)
        if count == 1:
            which = f"{example!r:.40}"
        elif alike == count:
            which = f"{count:,} dates like {example!r:.40}"
        else:
            which = f"{count:,} dates, {alike:,} of them like {example!r:.40},"
        warn(f"{which} {what}; {_ISO}")


def by_group(groups: Iterable[str] | None) -> Division | None:
    """Documents by the values of a field, the largest groups first; None for fewer than two groups."""
    values = [value_list(value) for value in groups or ()]
    count = Counter(name for value in values for name in value)
    names = sorted(count, key=lambda name: (-count[name], name))[:_MOST_GROUPS]
    if len(names) < 2:
        return None
    place = {name: k for k, name in enumerate(names)}
    entries = [
        (row, place[name]) for row, value in enumerate(values) for name in value if name in place
    ]
    rows, parts = np.array(entries, dtype=np.int64).T
    return Division("group", tuple(names), rows, parts, len(count) - len(names))


def with_none(division: Division, groups: Iterable[str]) -> Division:
    """The same division with a last part, "", for the documents in no group, if there are any."""
    none = np.flatnonzero([not value_list(value) for value in groups])
    if not len(none):
        return division
    rows = np.concatenate((division.rows, none))
    parts = np.concatenate((division.parts, np.full(len(none), len(division.names))))
    order = np.argsort(rows, kind="stable")
    return replace(division, names=(*division.names, ""), rows=rows[order], parts=parts[order])


def cross(one: Division, other: Division, between: str) -> Division:
    """The parts of one division, each divided by the other; names are joined by `between`."""
    width = len(other.names)
    names = tuple(f"{a}{between}{b}" for a in one.names for b in other.names)
    begin, end = np.searchsorted(other.rows, (one.rows, one.rows + 1))
    counts = end - begin
    _, entries = gather_lists(begin, counts)
    rows, first = (np.repeat(values, counts) for values in (one.rows, one.parts * width))
    return Division(one.unit, names, rows, first + other.parts[entries])


class Shares(NamedTuple):
    """Topics in the parts of a division.

    mean            float64 (parts, topics): the mean share of the documents of each part
    on              int64 (parts, topics): how many of them are on the topic
    effective_size  float64 (topics,): how many documents, each about the topic alone or not at all,
                    give its mean share as precisely as one document does; at least 1, less if texts
                    repeat
    """

    mean: Floats
    on: Ints
    effective_size: Floats


class ShareSums:
    """Adds up the shares of topics in the parts of divisions, a few documents at a time."""

    def __init__(self, divisions: Sequence[Division], n_topics: int) -> None:
        self._divisions, self._count = divisions, 0
        self._moments = np.zeros((2, n_topics))
        self._sums = [np.zeros((2, len(division.names), n_topics)) for division in divisions]

    def add(self, shares: Floats) -> None:
        """Add the shares of the documents that come next, (documents, topics)."""
        self._moments += shares.sum(axis=0), (shares**2).sum(axis=0)
        for total, division in zip(self._sums, self._divisions, strict=True):
            total[0] += division.sums(self._count, shares)
            total[1] += division.sums(self._count, (shares >= IN_PART).astype(np.float64))
        self._count += len(shares)

    def mean(self) -> Floats:
        """The mean share of each topic."""
        return np.asarray(self._moments[0] / max(1, self._count))

    def shares(self, distinct: float) -> list[Shares]:
        """The shares in the parts of each division; `distinct` is as in `distinct_share`."""
        mean, squares = self._moments / max(1, self._count)
        spread = np.maximum(squares - mean**2, _ROUNDING)  # 0 where all shares are the same
        effective_size = distinct * np.maximum(mean * (1.0 - mean) / spread, 1.0)
        return [
            Shares(
                total[0] / np.maximum(division.counts, 1)[:, None],
                np.rint(total[1]).astype(np.int64),
                effective_size,
            )
            for total, division in zip(self._sums, self._divisions, strict=True)
        ]


def wilson(share: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Wilson's 95% confidence interval for a proportion that was observed in `count` documents."""
    z = USUALLY**2 / count
    centre = (share + z / 2.0) / (1.0 + z)
    half = np.sqrt(np.maximum(share * (1.0 - share) * z + (z / 2.0) ** 2, 0.0)) / (1.0 + z)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
