"""Delimiters and quotes, guessed from the beginning of a table."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.reading.tables.dialects import DELIMITERS, guess_dialect
from hlta.reading.tables.rows import Dialect

ROWS = [
    ["id", "text", "date"],
    ["1", "Prices rose, then fell; nobody knew why | or when", "2020-01-01"],
    ["2", 'She said "no",\nand left', "2020-01-02"],
    ["3", "plain, and simple, and long", ""],
]


def written(rows: list[list[str]], delimiter: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return file.getvalue()


@pytest.mark.parametrize("usual", DELIMITERS)
@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_a_delimiter_is_that_which_all_rows_agree_on(delimiter: str, usual: str) -> None:
    text = written(ROWS, delimiter)
    assert guess_dialect(text, usual, None, whole=True) == Dialect(delimiter)


@given(
    st.lists(st.lists(st.text('a ,;|\t"\n'), min_size=3, max_size=3), min_size=1),
    st.sampled_from(DELIMITERS),
)
def test_a_delimiter_is_found_whatever_the_rows_hold(rows: list[list[str]], delimiter: str) -> None:
    text = written([["id", "text", "date"], *rows], delimiter)
    assert guess_dialect(text, ",", None, whole=True).delimiter == delimiter


@pytest.mark.parametrize(
    ("text", "usual", "expected"),
    [
        ("text\nhello, world\n", ",", ","),
        ("text\nhello; world\n", "\t", "\t"),
        ("a,b\n1,2,3\n1\n1\n", ",", ","),
        ("a;b,c\n1;2,3\n", ",", ","),
        ("a;b,c\n1;2\n3;4\n", ",", ";"),
        ("", ",", ","),
    ],
)
def test_the_usual_delimiter_is_taken_unless_another_fits_better(
    text: str, usual: str, expected: str
) -> None:
    assert guess_dialect(text, usual, None, whole=True).delimiter == expected


def test_a_delimiter_that_is_given_is_taken() -> None:
    assert guess_dialect("a,b\n1,2\n", ",", "~", whole=True) == Dialect("~")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('a\tb\n1\t"two\nlines"\n', True),  # as pandas writes it
        ('a\tb\n1\t"say ""hi"""\n', True),
        ('a\tb\n1\t"two\nlines"\n2\t5" disk\n', True),
        ('a\tb\n1\tsay "hi"\n', False),
        ('a\tb\n1\t"hi" he said\n', False),
        ('a\tb\n1\t"open\n2\tx\n', False),
        ('a\tb\n1\t"open\n2\tclosed"\n', False),  # rows agree without quotes
        ("a\tb\n1\tx\n", False),
        ('text\n"two\nlines"\n', True),
    ],
)
def test_quotes_between_tabs_count_if_rows_need_them(text: str, quoted: bool) -> None:
    assert guess_dialect(text, "\t", None, whole=True) == Dialect("\t", quoted)


def test_a_row_that_is_cut_off_decides_nothing() -> None:
    start = 'a\tb\n1\t"two\nlines"\n2\t"cut\noff'
    assert guess_dialect(start, "\t", None, whole=False).quoted
    assert not guess_dialect(start, "\t", None, whole=True).quoted
