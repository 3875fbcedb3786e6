"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import Corpus
from hlta.documents.dates import day_first, is_ambiguous, iso_date, parse_date, says_more_than_year


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Sat, 3 Apr 1993 10:00:00 GMT", "1993-04-03"),
        ("Sat Apr  3 10:00:00 1993", "1993-04-03"),
        ("2020/5", "2020-05"),
        ("2024-11-25T10:00:00Z", "2024-11-25"),
        ("20241125", "2024-11-25"),
        ("1577836800", "2020-01-01"),
        ("3. 4. 2024 10:30", "2024-04-03"),
        ("11/25/2024 10:30 AM", "2024-11-25"),
        ("11/2024", "2024-11"),
        ("Friday, January 5th, 2024", "2024-01-05"),
        ("the 5th of May 2024", "2024"),
        ("5th of May, 2024", "2024-05-05"),
        ("05-Sept-2024", "2024-09-05"),
        ("MAY 2024", "2024-05"),
        ("2024, June", "2024-06"),
        ("03/04/2024", "2024"),
        ("31.02.2024", "2024"),
        ("31 Feb 2024", "2024"),
        ("Mayor 2024", "2024"),
        ("c. 1989", "1989"),
        ("in spring", "in spring"),
        ("13/1/20", "13/1/20"),
        ("9999-12-31", "9999-12-31"),
        ("9999999999", "9999999999"),  # seconds until 2286
        ("", ""),
    ],
)
def test_dates_are_written_alike(text: str, written: str) -> None:
    assert iso_date(text) == written


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["03/04/2024", "25/11/2024"], True),
        (["03/04/2024", "11/25/2024"], False),
        (["03/04/2024", "5/5/2024", "2024-11-25", "25.11.2024", "30/30/2024"], None),
        (["25/11/2024", "11/25/2024"], None),
        ([], None),
    ],
)
def test_the_whole_column_tells_which_number_is_the_day(
    dates: list[str], expected: bool | None
) -> None:
    assert day_first(dates) is expected


@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)), st.sampled_from("/-"), st.booleans())
def test_numbers_are_read_in_either_order(day: date, between: str, first: bool) -> None:
    order = "%d{0}%m{0}%Y" if first else "%m{0}%d{0}%Y"
    text = day.strftime(order.format(between))
    assert parse_date(text, first) == (day.year, day.month, day.day)
    known = day.day > 12 or day.day == day.month
    assert is_ambiguous(text) is not known
    assert parse_date(text) == ((day.year, day.month, day.day) if known else (day.year,))


@given(
    st.dates(date(1500, 1, 1), date(2099, 12, 31)),
    st.sampled_from(
        ("%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b. %d %Y", "%A, %d %B %Y", "%Y-%b-%d", "%d.%m.%Y")
    ),
)
def test_months_have_english_names(day: date, form: str) -> None:
    assert parse_date(day.strftime(form)) == (day.year, day.month, day.day)


@pytest.mark.parametrize(
    ("text", "more"), [("2019", False), ("2019.0", False), ("c. 1989", False), ("1987/88", True)]
)
def test_what_tells_more_than_a_year(text: str, more: bool) -> None:
    assert says_more_than_year(text) is more


def test_documents_know_the_order_of_their_dates() -> None:
    corpus = Corpus([[1, 0], [0, 1]], ["a", "b"], dates=["03/04/2024", "25/04/2024"])
    assert corpus.day_first is True
    assert corpus.take([0]).day_first is None
    assert Corpus([[1, 0], [0, 1]], ["a", "b"]).day_first is None
