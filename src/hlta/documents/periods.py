"""Periods, which are decades, years, quarters, months, weeks or days: their numbers and names."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hlta.documents.dates import Parts

UNITS: Final = {"decade": 1, "year": 1, "quarter": 2, "month": 2, "week": 3, "day": 3}
"""Units, the longest first, and how many parts of a date (year, month, day) tell its period."""
_DECADE: Final = re.compile(r"(\d{3})0['\u2019]?s", re.ASCII | re.IGNORECASE)
_QUARTER: Final = re.compile(r"(\d{4})-?q([1-4])", re.ASCII | re.IGNORECASE)
_WEEK: Final = re.compile(r"(\d{4})-?w(\d\d)", re.ASCII | re.IGNORECASE)


def period_number(parts: Parts, unit: str) -> int:
    """The number of the period that a date is in; consecutive periods have consecutive numbers."""
    year, month, day = (*parts, 1, 1)[:3]
    match unit:
        case "decade":
            return year // 10
        case "year":
            return year
        case "quarter":
            return 4 * year + (month - 1) // 3
        case "month":
            return 12 * year + month - 1
    days = date(year, month, day).toordinal()  # 1 is a Monday
    return (days - 1) // 7 if unit == "week" else days


def period_name(number: int, unit: str) -> str:
    """The name of a period: 1990s, 1993, 1993-Q2, 1993-04, 1993-W14 (as in ISO 8601) or 1993-04-03."""
    match unit:
        case "decade":
            return f"{number}0s"
        case "year":
            return f"{number}"
        case "quarter":
            return f"{number // 4}-Q{number % 4 + 1}"
        case "month":
            return f"{number // 12}-{number % 12 + 1:02}"
        case "week":
            year, week, _ = date.fromordinal(7 * number + 1).isocalendar()
            return f"{year}-W{week:02}"
    return date.fromordinal(number).isoformat()


def period_bounds(name: str) -> tuple[str, str]:
    """The dates with which a period begins and ends, such as 1993-04 and 1993-06 for 1993-Q2.

    For a year, a month, a day and any other text, both are the text itself.
    """
    if match := _DECADE.fullmatch(name):
        return f"{match[1]}0", f"{match[1]}9"
    if match := _QUARTER.fullmatch(name):
        last = 3 * int(match[2])
        return f"{match[1]}-{last - 2:02}", f"{match[1]}-{last:02}"
    if match := _WEEK.fullmatch(name):
        try:
            days = [date.fromisocalendar(int(match[1]), int(match[2]), day) for day in (1, 7)]
        except ValueError:  # a year without so many weeks
            return name, name
        return days[0].isoformat(), days[1].isoformat()
    return name, name
