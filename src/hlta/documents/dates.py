"""Dates as people write them: year, month and day, as far as a text gives them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Parts = tuple[int, ...]  # year, month and day, or fewer of them

EARLIEST, LATEST = "1500", "2099"  # years; a date in another year is not read as a date
_NAMES: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DIGITS: Final = re.compile(r"\s*(\d{4})(\d\d)(\d\d)\s*")
_ISO: Final = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?![\d])")
_FOUR_DIGITS: Final = re.compile(r"[0-9]{4}")
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_ONLY_YEAR: Final = re.compile(r"\D*\d{4}(?:\.0+)?\D*")
_SECONDS: Final = re.compile(r"\s*(\d{9,10}|\d{12,13})(?:\.\d*)?\s*")
# 25/11/2024, 25-11-2024 and 25/11/24, with the day or the month first; with dots, as in 25.11.2024, the
# day is first. 24-11-25 does not match, as it may begin with the year.
_NUMBERS: Final = re.compile(
    r"\s*(\d{1,2})\s?([/.-])\s?(\d{1,2})\s?\2\s?(\d{4}|(?<!-)(?<!-\s)\d\d)(?!\d)"
)
_HAS_DAY: Final = re.compile(r"(?<!%)(?:%%)*%[djxcDF]|%[UVW].*%[uwaA]|%[uwaA].*%[UVW]", re.DOTALL)
_HAS_MONTH: Final = re.compile(r"(?<!%)(?:%%)*%[mbB]")
_CENTURY: Final = 69  # 69 is 1969, and 68 is 2068, as in POSIX
_MONTH_YEAR: Final = re.compile(r"\s*(\d{1,2})\s?[/.-]\s?(\d{4})(?!\d)")
_WEEKDAY: Final = r"\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]*\s+)?"
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_BETWEEN, _END = r"[\s.,/-]+", r"(?![\d])"
_NAMED: Final = tuple(
    re.compile(_WEEKDAY + _BETWEEN.join(order) + _END, re.IGNORECASE)
    for order in (
        (_DAY + "(?: of)?", _MONTH, r"(?P<year>\d{4})"),
        (_MONTH, _DAY, r"(?P<year>\d{4})"),
        (_MONTH, r"(?P<year>\d{4})"),
        (r"(?P<year>\d{4})", _MONTH, _DAY),
        (r"(?P<year>\d{4})", _MONTH),
    )
)


def day_first(dates: Iterable[str]) -> bool | None:
    """Whether dates such as 03/04/2024 have the day first, as dates such as 25/11/2024 show.

    None if there are no such dates, or if they contradict each other.
    """
    found = {order for text in dates if (order := _order(text)) is not None}
    return found.pop() if len(found) == 1 else None


def _day_and_month(text: str) -> tuple[int, int]:
    """The first two numbers of a date that may have the day or the month first; (0, 0) for others."""
    match = _NUMBERS.match(text)
    return (0, 0) if match is None or match[2] == "." else (int(match[1]), int(match[3]))


def _order(text: str) -> bool | None:
    """Whether this date has the day first, if just one of the numbers is above 12; None for others."""
    one, two = _day_and_month(text)
    return one > two if max(one, two) > 12 >= min(one, two) else None


def is_ambiguous(text: str) -> bool:
    """Whether the first two numbers differ and either could be the day: only other dates can tell."""
    one, two = _day_and_month(text)
    return one != two and min(one, two) >= 1 and max(one, two) <= 12


def check_date_format(given: str) -> None:
    """Refuse a date format that has no year, or that `datetime.strptime` cannot read."""
    day = datetime(2024, 11, 25, tzinfo=UTC)
    alike = day.replace(year=1996)  # a year with the same weekdays, so that only the year differs
    try:
        written = day.strftime(given)
        has_year = written != alike.strftime(given)
        known = has_year and datetime.strptime(written, given).year == day.year
    except (TypeError, ValueError, re.error):
        known = False
    if not known:
        raise OptionError(
            f"date_format={given!r:.40}: use the codes of strptime, such as %d/%m/%Y, with a year "
            "(%Y or %y)"
        )


def parse_in_format(text: str, given: str) -> str | None:
    """A date in the format `given` as YYYY-MM-DD, as far as the format has these; None for others."""
    try:
        found = datetime.strptime(text.strip(), given)
    except ValueError:
        return None
    last = 3 if _HAS_DAY.search(given) else 2 if _HAS_MONTH.search(given) else 1
    return iso((found.year, found.month, found.day)[:last])


def shape(text: str) -> str:
    """What a date looks like: 9 for each digit, and one a for letters that follow each other."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d", "9", text.strip()))


def says_more_than_year(text: str) -> bool:
    """Whether the digits of a text are anything but one year, such as 2020 or 2020.0."""
    return _ONLY_YEAR.fullmatch(text) is None


def parse_date(text: str, day_first: bool | None = None) -> Parts | None:
    """Year, month and day, as far as the text gives them; None if it gives no date.

    `day_first` says how to read dates such as 03/04/2024; if it is None, they give only the year.
    """
    if match := _SECONDS.fullmatch(text):
        seconds = int(match[1][:-3] if len(match[1]) > 10 else match[1])
        moment = datetime.fromtimestamp(seconds, UTC)
    elif written := _read_by_looks(text, day_first):
        return written if _exists(written) else written[:1] if _exists(written[:1]) else None
    else:
        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            year = _YEAR.search(text)
            return (int(year[1]),) if year else None
    parts = (moment.year, moment.month, moment.day)
    return parts if _exists(parts) else None


def _read_by_looks(text: str, day_first: bool | None) -> Parts | None:
    """The year, month and day of a date that one of the patterns above matches."""
    for form in _NAMED:
        if match := form.match(text):
            found = match.groupdict()
            month = 1 + _NAMES.index(found["month"][:3].lower())
            return int(found["year"]), month, *((int(found["day"]),) if "day" in found else ())
    if match := _NUMBERS.match(text):
        one, two, year = int(match[1]), int(match[3]), int(match[4])
        if len(match[4]) == 2:
            year += 1900 if year >= _CENTURY else 2000
            either = match[2] != "." and _exists((year, one, two))
            if not (either or _exists((year, two, one))):
                return None  # it may begin with the year
        order = True if match[2] == "." or one == two else _order(text)
        order = day_first if order is None else order
        return (year,) if order is None else (year, two, one) if order else (year, one, two)
    if match := _MONTH_YEAR.match(text):
        return int(match[2]), int(match[1])
    if match := _DIGITS.fullmatch(text) or _ISO.match(text):
        return tuple(int(part) for part in match.groups() if part)
    return None


def iso_date(text: str, day_first: bool | None = None) -> str:
    """A date as YYYY-MM-DD, as far as the text gives it; text without a date is returned unchanged."""
    parts = parse_date(text, day_first)
    return text if parts is None else iso(parts)


def iso(parts: Sequence[int]) -> str:
    """Year, month and day as YYYY-MM-DD; or year and month, or the year alone."""
    return "-".join(f"{part:02}" for part in parts)


def within(date: str, first: str, last: str) -> bool:
    """Whether an ISO date lies between two others, both included, at their precision.

    A date that is less precise than one of them does not.
    """
    if not _FOUR_DIGITS.match(date) or len(date) < max(len(first), len(last)):
        return False
    return date[: len(first)] >= first and date[: len(last)] <= last


def is_reversed(first: str, last: str) -> bool:
    """Whether a period between two ISO dates, both included, ends before it begins."""
    return first[: len(last)] > last


def _exists(parts: Parts) -> bool:
    if not int(EARLIEST) <= parts[0] <= int(LATEST):  # such as 9999-12-31, for "never"
        return False
    try:
        date(*parts, *(1,) * (3 - len(parts)))
    except ValueError:
        return False
    return True
