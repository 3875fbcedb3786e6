"""Dates as people write them, and the years, months or days to count them by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_DIGITS: Final = re.compile(r"\s*(\d{4})(\d\d)(\d\d)\s*")
_ISO: Final = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?![\d])")
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_SECONDS: Final = re.compile(r"\s*(\d{9,10}|\d{12,13})(?:\.\d*)?\s*")
_FIRST, _LAST = 1500, 2099
_MANY_MONTHS: Final = 48
_MANY_DAYS: Final = 92


@dataclass(frozen=True, eq=False)
class Periods:
    """Which period each document is of.

    unit    "year", "month" or "day"
    names   of all periods from the first to the last, those without documents too
    number  int64 (documents,): -1 where there is no date
    """

    unit: str
    names: tuple[str, ...]
    number: NDArray[np.int64]


def periods(dates: Iterable[str]) -> Periods | None:
    """Years, or months or days if the dates tell them and there are few; None for a single period."""
    found = [_parsed(text) for text in dates]
    known = [parts for parts in found if parts is not None]
    if not known:
        return None
    finest = min(len(parts) for parts in known)
    unit, numbers = "year", [_count(parts, 1) for parts in found]
    for size, name, most in ((2, "month", _MANY_MONTHS), (3, "day", _MANY_DAYS)):
        if finest < size:
            break
        finer = [_count(parts, size) for parts in found]
        span = [number for number in finer if number is not None]
        if max(span) - min(span) >= most:
            break
        unit, numbers = name, finer
    present = [number for number in numbers if number is not None]
    first, last = min(present), max(present)
    if first == last:
        return None
    names = tuple(_name(unit, number) for number in range(first, last + 1))
    return Periods(unit, names, np.array([-1 if n is None else n - first for n in numbers]))


def _parsed(text: str) -> tuple[int, ...] | None:
    """Year, month and day, as far as the text tells them."""
    if match := _SECONDS.fullmatch(text):
        seconds = int(match[1][:-3] if len(match[1]) > 10 else match[1])
        moment = datetime.fromtimestamp(seconds, UTC)
        return moment.year, moment.month, moment.day
    if match := _DIGITS.fullmatch(text) or _ISO.match(text):
        parts = tuple(int(part) for part in match.groups() if part)
        return parts if _exists(parts) else parts[:1] if _exists(parts[:1]) else None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        year = _YEAR.search(text)
        return (int(year[1]),) if year else None
    parts = moment.year, moment.month, moment.day
    return parts if _exists(parts) else None


def _exists(parts: tuple[int, ...]) -> bool:
    if not _FIRST <= parts[0] <= _LAST:  # such as 9999-12-31, for "never"
        return False
    try:
        date(*parts, *(1,) * (3 - len(parts)))
    except ValueError:
        return False
    return True


def _count(parts: tuple[int, ...] | None, size: int) -> int | None:
    """Years, months or days since the beginning of the calendar."""
    if parts is None:
        return None
    if size == 1:
        return parts[0]
    if size == 2:
        return parts[0] * 12 + parts[1] - 1
    return date(*parts).toordinal()


def _name(unit: str, number: int) -> str:
    if unit == "year":
        return str(number)
    if unit == "month":
        return f"{number // 12}-{number % 12 + 1:02}"
    return date.fromordinal(number).isoformat()
