"""Dates as people write them, and the numbers and names of years, months and days."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_DIGITS: Final = re.compile(r"\s*(\d{4})(\d\d)(\d\d)\s*")
_ISO: Final = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?![\d])")
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_SECONDS: Final = re.compile(r"\s*(\d{9,10}|\d{12,13})(?:\.\d*)?\s*")
_FIRST, _LAST = 1500, 2099


def parse_date(text: str) -> tuple[int, ...] | None:
    """Year, month and day, as far as the text gives them; None if it gives no date."""
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


def period_number(unit: str, parts: tuple[int, ...]) -> int:
    """The year, month or day of a date, counted from the beginning of the calendar."""
    if unit == "year":
        return parts[0]
    if unit == "month":
        return parts[0] * 12 + parts[1] - 1
    return date(*parts).toordinal()


def period_name(unit: str, number: int) -> str:
    """The year, month or day with this number, such as "1999", "1999-12" or "1999-12-31"."""
    if unit == "year":
        return str(number)
    if unit == "month":
        return f"{number // 12}-{number % 12 + 1:02}"
    return date.fromordinal(number).isoformat()
