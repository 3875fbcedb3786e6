"""Documents divided by their dates, and into groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.errors import DocumentsError
from hlta.topics.divisions import Division, by_group, by_period, cross, group_names, with_none


def parts_of(division: Division, count: int) -> list[list[str]]:
    """The names of the parts that each document is in."""
    assert (np.diff(division.rows) >= 0).all()
    found: list[list[str]] = [[] for _ in range(count)]
    for row, part in zip(division.rows.tolist(), division.parts.tolist(), strict=True):
        found[row].append(division.names[part])
    return found


def numbers_of(division: Division, count: int) -> list[int]:
    """The part of each document, -1 without one."""
    number = np.full(count, -1)
    number[division.rows] = division.parts
    assert len(set(division.rows.tolist())) == len(division.rows)
    return number.tolist()


@pytest.mark.parametrize(
    ("dates", "unit", "names", "numbers"),
    [
        (["1999", "2001", ""], "year", ["1999", "2000", "2001"], [0, 2, -1]),
        (["2020-02-28", "2020-03-01"], "day", ["2020-02-28", "2020-02-29", "2020-03-01"], [0, 2]),
        (["2020-11", "2021-02-03"], "month", ["2020-11", "2020-12", "2021-01", "2021-02"], [0, 3]),
        (["2010-11", "2021-02-03"], "year", None, [0, 11]),
        (["Sat, 3 Apr 1993 10:00:00 GMT", "4 Apr 1993 10:00:00"], "day", None, [0, 1]),
        (["in spring 1987", "c. 1989"], "year", ["1987", "1988", "1989"], [0, 2]),
        (["1577836800", "1580515200.0"], "day", None, [0, 31]),
        (["2020/5/7 12:00", "2020.6.1"], "day", None, [0, 25]),
        (["20210304", "20210306"], "day", None, [0, 2]),
        (["2019.0", "2020.0"], "year", ["2019", "2020"], [0, 1]),
        (["03/04/2024", "25/04/2024"], "day", None, [0, 22]),  # the other tells which is the day
        (["03/04/2024", "03/25/2024"], "day", None, [0, 21]),
    ],
)
def test_periods(dates: list[str], unit: str, names: list[str] | None, numbers: list[int]) -> None:
    division = by_period(dates)
    assert division is not None
    assert division.unit == unit
    if names is not None:
        assert list(division.names) == names
    assert numbers_of(division, len(dates)) == numbers
    assert division.counts.sum() == sum(number >= 0 for number in numbers)


def test_a_few_coarse_dates_do_not_make_the_others_coarse() -> None:
    months = [f"2020-{1 + k % 12:02}" for k in range(39)]
    division = by_period([*months, "2020"])
    assert division is not None
    assert (division.unit, len(division.names)) == ("month", 12)
    assert numbers_of(division, 40) == [k % 12 for k in range(39)] + [-1]
    assert by_period([*months, *["2020"] * 3]) is None  # too many: the year is all that is known
    wanted = by_period([*months, "2019"], "month")
    assert wanted is not None
    assert wanted.names[0] == "2020-01"


@pytest.mark.parametrize(
    ("dates", "warning", "numbers"),
    [
        (["03/04/2024", "05/06/2025"], "2 dates like '03/04/2024' .* month first", [0, 1]),
        (["25/11/2024", "11/25/2025", "03/04/2025"], "'03/04/2025' could have", [0, 1, 1]),
        (["2020-02-31", "2021"], "'2020-02-31' could only be read as a year", [0, 1]),
        (
            ["20-1-13", "2020", "2021", "never", "21-2-14", ""],
            "3 dates, 2 of them like '20-1-13', could not be read",
            [-1, 0, 1, -1, -1, -1],
        ),
    ],
)
def test_what_is_not_read_of_dates_is_told(
    dates: list[str], warning: str, numbers: list[int]
) -> None:
    with pytest.warns(UserWarning, match=warning):
        division = by_period(dates)
    assert division is not None
    assert numbers_of(division, len(dates)) == numbers


def test_a_unit_that_dates_lack_is_refused() -> None:
    with pytest.raises(DocumentsError, match="only give the year; use unit='year', or write"):
        by_period(["2019", "2020-05"], "month")


@pytest.mark.filterwarnings("ignore:.*(could|write dates)")
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_may_stand_for_a_date(dates: list[str]) -> None:
    division = by_period(dates)
    assert division is None or set(division.rows.tolist()) <= set(range(len(dates)))


def test_groups_on_several_lines_each_have_the_document() -> None:
    groups = ["a\nb", "b", "", " b \n\nc\nb", "a"]
    assert group_names(groups[3]) == ["b", "c"]
    division = by_group(groups)
    assert division is not None
    assert division.unit == "group"
    assert division.names == ("b", "a", "c")  # by size, then by name
    assert parts_of(division, len(groups)) == [["a", "b"], ["b"], [], ["b", "c"], ["a"]]
    assert division.counts.tolist() == [3, 2, 1]
    values = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])
    for begin in (0, 1, 3):
        sums = division.sums(0, values[:begin]) + division.sums(begin, values[begin:])
        assert sums.tolist() == [[11.0], [17.0], [8.0]]
    every = with_none(division, groups)
    assert parts_of(every, 5) == [["a", "b"], ["b"], [""], ["b", "c"], ["a"]]
    assert with_none(division, [group or "x" for group in groups]) is division


def test_periods_and_groups_are_crossed() -> None:
    dates = ["2001", "2002", "2002", "", "2001"]
    groups = ["a\nb", "b", "", "a", "b"]
    years, names = by_period(dates), by_group(groups)
    assert years is not None
    assert names is not None
    both = cross(years, names, "/")
    assert both.names == ("2001/b", "2001/a", "2002/b", "2002/a")
    parts = [sorted(of_document) for of_document in parts_of(both, 5)]
    assert parts == [["2001/a", "2001/b"], ["2002/b"], [], [], ["2001/b"]]
    assert both.counts.tolist() == [2, 1, 1, 0]


@pytest.mark.filterwarnings("ignore:.*could not be read as dates")
def test_one_part_divides_nothing() -> None:
    for dates in (None, [], ["", "n.d."], ["2020", "2020"], ["0000", "99999", "\0"]):
        assert by_period(dates) is None
    for groups in (None, ["a", "a"], ["", "a"], ["a\na", " a "]):
        assert by_group(groups) is None
