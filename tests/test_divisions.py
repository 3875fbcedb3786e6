"""Documents divided by their dates, and into groups."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.errors import DocumentsError
from hlta.topics.divisions import by_group, by_period, with_none


@pytest.mark.parametrize(
    ("dates", "unit", "names", "numbers"),
    [
        (["1999", "2001", ""], "year", ["1999", "2000", "2001"], [0, 2, -1]),
        (["2020-01-30", "2020-03-01"], "day", None, [0, 31]),
        (["2020-11", "2021-02-03"], "month", ["2020-11", "2020-12", "2021-01", "2021-02"], [0, 3]),
        (["2010-11", "2021-02-03"], "year", None, [0, 11]),
        (["Sat, 3 Apr 1993 10:00:00 GMT", "4 Apr 1993 10:00:00"], "day", None, [0, 1]),
        (["in spring 1987", "c. 1989"], "year", ["1987", "1988", "1989"], [0, 2]),
        (["1577836800", "1580515200.0"], "day", None, [0, 31]),
        (["2020/5/7 12:00", "2020.6.1"], "day", None, [0, 25]),
        (["20210304", "20210306"], "day", None, [0, 2]),
        (["2019.0", "2020.0"], "year", ["2019", "2020"], [0, 1]),
    ],
)
def test_periods(dates: list[str], unit: str, names: list[str] | None, numbers: list[int]) -> None:
    division = by_period(dates)
    assert division is not None
    assert division.unit == unit
    if names is not None:
        assert list(division.names) == names
    assert division.number.tolist() == numbers
    assert division.counts.sum() == sum(number >= 0 for number in numbers)


def test_a_few_coarse_dates_do_not_make_the_others_coarse() -> None:
    months = [f"2020-{1 + k % 12:02}" for k in range(39)]
    division = by_period([*months, "2020"])
    assert division is not None
    assert (division.unit, len(division.names)) == ("month", 12)
    assert division.number.tolist() == [k % 12 for k in range(39)] + [-1]
    assert by_period([*months, *["2020"] * 3]) is None  # too many: the year is all that is known
    wanted = by_period([*months, "2019"], "month")
    assert wanted is not None
    assert wanted.names[0] == "2020-01"


def test_names_of_days() -> None:
    division = by_period(["2020-02-28", "2020-03-01"])
    assert division is not None
    assert division.names == ("2020-02-28", "2020-02-29", "2020-03-01")
    assert division.counts.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "dates", [None, [], ["", "n.d."], ["2020", "2020"], ["0000", "99999", "\0"]]
)
@pytest.mark.filterwarnings("ignore:.*could not be read as dates")
def test_no_periods(dates: list[str] | None) -> None:
    assert by_period(dates) is None


@pytest.mark.parametrize(
    ("dates", "warning", "names", "numbers"),
    [
        (
            ["03/04/2024", "05/06/2025"],
            "2 dates, such as '03/04/2024', could have the day or the month first",
            ["2024", "2025"],
            [0, 1],
        ),
        (
            ["25/11/2024", "11/25/2025", "03/04/2025"],
            "'03/04/2025' could have the day or the month first",
            ["2024", "2025"],
            [0, 1, 1],
        ),
        (
            ["2020-02-31", "2021"],
            "'2020-02-31' could only be read as a year",
            ["2020", "2021"],
            [0, 1],
        ),
        (
            ["13/1/20", "2020", "2021", "13/1/20", "9999-12-31", ""],
            "3 dates, such as '13/1/20', could not be read",
            ["2020", "2021"],
            [-1, 0, 1, -1, -1, -1],
        ),
    ],
)
def test_what_is_not_read_of_dates_is_told(
    dates: list[str], warning: str, names: list[str], numbers: list[int]
) -> None:
    with pytest.warns(UserWarning, match=warning):
        division = by_period(dates)
    assert division is not None
    assert list(division.names) == names
    assert division.number.tolist() == numbers


def test_the_other_dates_tell_the_order_of_day_and_month() -> None:
    division = by_period(["03/04/2024", "25/04/2024"])
    assert division is not None
    assert division.names[0] == "2024-04-03"
    division = by_period(["03/04/2024", "03/25/2024"])
    assert division is not None
    assert division.names[0] == "2024-03-04"


def test_a_unit_that_dates_lack_is_refused() -> None:
    with pytest.raises(DocumentsError, match="only give the year; use unit='year', or write"):
        by_period(["2019", "2020-05"], "month")


@pytest.mark.filterwarnings("ignore:.*(could|write dates)")
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_may_stand_for_a_date(dates: list[str]) -> None:
    division = by_period(dates)
    assert division is None or len(division.number) == len(dates)


def test_groups_are_in_order_of_size() -> None:
    division = by_group(["b", "a", "", "a", "c", "c"])
    assert division is not None
    assert division.unit == "group"
    assert division.names == ("a", "c", "b")
    assert division.number.tolist() == [2, 0, -1, 0, 1, 1]
    assert division.counts.tolist() == [2, 2, 1]


def test_documents_in_no_group_can_be_a_part() -> None:
    groups = ["b", "", "a", "b"]
    division = by_group(groups)
    assert division is not None
    every = with_none(division, groups)
    assert every.names == ("b", "a", "")
    assert every.number.tolist() == [0, 2, 1, 0]
    assert with_none(division, ["b", "x", "a", "b"]) is division


@pytest.mark.parametrize("groups", [None, ["a", "a"], ["", "a"]])
def test_one_group_divides_nothing(groups: list[str] | None) -> None:
    assert by_group(groups) is None
