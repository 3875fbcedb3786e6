"""Periods by number, by name and by the dates with which they begin and end; the page agrees."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.documents.dates import iso, within
from hlta.documents.periods import UNITS, period_bounds, period_name, period_number
from tests.page_code import answers, needs_node

SCRIPT = """
import { readFileSync } from "node:fs";
import { boundsOf, periodOf } from "SOURCE/look/dates";

const given = JSON.parse(readFileSync(0, "utf8"));
const names = given.dates.map(([date, unit]) => periodOf(date, unit));
const bounds = [...names, ...given.names].map(boundsOf);
console.log(JSON.stringify({ names, bounds }));
"""

KNOWN = {
    "1990s": ("1990", "1999"),
    "1990S": ("1990", "1999"),
    "1990's": ("1990", "1999"),
    "1993-Q2": ("1993-04", "1993-06"),
    "1993q4": ("1993-10", "1993-12"),
    "2020-W53": ("2020-12-28", "2021-01-03"),
    "2021w01": ("2021-01-04", "2021-01-10"),
}
UNKNOWN = ("1993", "2021-W53", "2021-W00", "2021-W5", "2021-Q5", "2021-Q11", "spring", "90s")

days = st.dates(date(1502, 1, 1), date(2097, 12, 31))
units = st.sampled_from(list(UNITS))


def parts(day: date, unit: str = "day") -> tuple[int, ...]:
    return (day.year, day.month, day.day)[: UNITS[unit]]


@given(days, st.integers(-400, 400), units)
def test_a_period_holds_the_dates_between_its_bounds(day: date, apart: int, unit: str) -> None:
    other = day + timedelta(days=apart)
    number = period_number(parts(day), unit)
    first, last = period_bounds(period_name(number, unit))
    same = period_number(parts(other), unit) == number
    assert within(iso(parts(other)), first, last) == same
    assert within(iso(parts(day, unit)), first, last)  # a date that is no finer than it must be


@given(days, units)
def test_periods_follow_each_other(day: date, unit: str) -> None:
    step = period_number(parts(day + timedelta(days=1)), unit) - period_number(parts(day), unit)
    assert step in (0, 1)
    assert step == 1 or unit != "day"


@pytest.mark.parametrize(("name", "bounds"), KNOWN.items())
def test_names_of_periods_stand_for_dates(name: str, bounds: tuple[str, str]) -> None:
    assert period_bounds(name) == bounds


@pytest.mark.parametrize("name", UNKNOWN)
def test_other_texts_are_returned(name: str) -> None:
    assert period_bounds(name) == (name, name)


@needs_node
def test_the_page_finds_the_same_periods(tmp_path: Path) -> None:
    first = date(1500, 1, 1)
    every = [first + timedelta(days=97 * k) for k in range(2000)]
    every += [date(year, *day) for year in range(1990, 2031) for day in ((1, 1), (12, 31))]
    asked = [(iso(parts(day, unit)), unit) for day in every for unit in UNITS]
    names = [period_name(period_number(parts(day), unit), unit) for day in every for unit in UNITS]
    given = {
        "dates": [*asked, ("2019", "quarter"), ("2019-05", "week")],
        "names": [*KNOWN, *UNKNOWN],
    }
    found = answers(SCRIPT, given, tmp_path)
    assert found["names"] == [*names, "", ""]  # the last two dates are too coarse
    every_name = [*found["names"], *KNOWN, *UNKNOWN]
    assert found["bounds"] == [list(period_bounds(name)) for name in every_name]
