"""Documents divided into periods or groups, and the share of each part that is on each topic."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from hlta.documents.dates import day_first, is_ambiguous, iso, parse_date, says_more_than_year
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_UNITS: Final = (("year", 1000), ("month", 48), ("day", 92))  # coarse to fine, and the most of each
UNITS: Final = tuple(unit for unit, _ in _UNITS)
_ENOUGH: Final = 0.95  # of the dates give a unit: the few that do not are left out
_MOST_GROUPS: Final = 500
_ISO: Final = "write dates as 2024-11-25, with years from 1500 to 2099"


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


def by_period(dates: Iterable[str] | None, unit: str | None = None) -> Division | None:
    """Years; or months or days, if nearly all dates have them and they are few; None for one period.

    With a `unit`, its periods, however many. Dates that are coarser than the unit have no period.
    A warning names dates of which a part, or nothing, can be read.
    """
    parsed = _parsed(list(dates or ()))
    sizes = np.array([0 if parts is None else len(parts) for parts in parsed])
    division = None
    for size, (name, most) in enumerate(_UNITS, start=1):
        fine = sizes >= size
        if not fine.any() or fine.sum() < _ENOUGH * (sizes > 0).sum():
            break
        given = [iso(parts[:size]) for parts in parsed if parts]
        periods = np.array(given)[fine[sizes > 0]].astype(f"datetime64[{name[0].upper()}]")
        last = int((periods.max() - periods.min()).astype(np.int64))
        if unit is None and last >= most:
            break
        every = periods.min() + np.arange(last + 1).astype(f"timedelta64[{name[0].upper()}]")
        number = np.full(len(parsed), -1)
        number[fine] = (periods - every[0]).astype(np.int64)
        division = Division(name, tuple(every.astype(str).tolist()), number)
        if name == unit:
            break
    if unit is not None and division is not None and division.unit != unit:
        raise DocumentsError(
            f"unit={unit!r}: too many dates only give the {division.unit}; use "
            f"unit={division.unit!r}, or {_ISO}"
        )
    return division if division is not None and len(division.names) > 1 else None


def _parsed(dates: Sequence[str]) -> list[tuple[int, ...] | None]:
    """Year, month and day of each date, as far as they are known."""
    order = day_first(dates)
    parsed = [parse_date(text, order) for text in dates]
    # An example of each, and how many there are.
    ambiguous, coarse, unread = Counter[str](), Counter[str](), Counter[str]()
    for text, parts in zip(dates, parsed, strict=True):
        if parts is None:
            unread[text] += bool(text.strip())
        elif len(parts) == 1 and says_more_than_year(text):
            (ambiguous if is_ambiguous(text) else coarse)[text] += 1
    _warn(ambiguous, "could have the day or the month first, so only the year is read")
    _warn(coarse, "could only be read as a year")
    _warn(unread, "could not be read as dates, so these documents are in no period")
    return parsed


def _warn(dates: Counter[str], what: str) -> None:
    """Warn of dates, with the most frequent one as an example."""
    if count := dates.total():
        ((example, _),) = dates.most_common(1)
        which = f"{example!r:.40}" if count == 1 else f"{count:,} dates, such as {example!r:.40},"
        warnings.warn(f"{which} {what}; {_ISO}", stacklevel=4)


def by_group(groups: Iterable[str] | None) -> Division | None:
    """Groups, largest first; None if there are fewer than two."""
    values = list(groups or ())
    count = Counter(filter(None, values))
    names = sorted(count, key=lambda name: (-count[name], name))[:_MOST_GROUPS]
    if len(names) < 2:
        return None
    number = {name: k for k, name in enumerate(names)}
    return Division("group", tuple(names), np.array([number.get(value, -1) for value in values]))


def with_none(division: Division, groups: Iterable[str]) -> Division:
    """The same division with a last part, "", for the documents in no group, if there are any."""
    none = np.array([not group for group in groups], dtype=bool)
    if not none.any():
        return division
    number = np.where(none, len(division.names), division.number)
    return Division(division.unit, (*division.names, ""), number)


def crossed(one: Division, other: Division, between: str) -> Division:
    """The parts of one division, each divided by the other; names are joined by `between`."""
    width = len(other.names)
    names = tuple(f"{a}{between}{b}" for a in one.names for b in other.names)
    known = (one.number >= 0) & (other.number >= 0)
    return Division(one.unit, names, np.where(known, one.number * width + other.number, -1))


def shares(
    tree: LatentTree,
    nodes: NDArray[np.intp],
    documents: Documents,
    divisions: Sequence[Division],
    *,
    n_jobs: int | None = None,
) -> list[NDArray[np.float64]]:
    """The mean of P(latent | document) over the documents of each part: parts by nodes, exactly."""
    if not divisions:
        return []
    sums = [np.zeros((len(division.names), len(nodes))) for division in divisions]
    for first, portion, on in tree.portions(documents, n_jobs=n_jobs):
        posteriors = on[:, nodes - tree.n_words]
        for k, division in enumerate(divisions):
            part = division.number[first : first + len(portion)]
            known = np.flatnonzero(part >= 0)
            entries = (np.ones(len(known)), (part[known], known))
            sums[k] += csr_array(entries, shape=(len(division.names), len(portion))) @ posteriors
    return [
        total / np.maximum(division.counts, 1)[:, None]
        for total, division in zip(sums, divisions, strict=True)
    ]
