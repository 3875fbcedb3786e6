"""Rows of a table, one by one, over the ends of blocks."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.reading.tables.rows import Dialect, Rows

COMMA = Dialect(",")
FIELDS = st.text('ab,;"\n ')


def all_rows(text: str, cuts: list[int], dialect: Dialect) -> list[tuple[int, list[str]]]:
    """The rows with their lines, where a line may end a block at each of the cuts."""
    lines = text.splitlines(keepends=True)
    places = [0, *sorted({cut for cut in cuts if cut < len(lines)}), len(lines)]
    blocks = iter(
        [(begin + 1, "".join(lines[begin:end])) for begin, end in pairwise(places) if end > begin]
    )
    found = []
    for line, block in blocks:
        rows = Rows(block, dialect, following=blocks, first=line)
        found += [(rows.line, row) for row in rows]
        assert not rows.unclosed
    return found


@given(
    st.lists(st.lists(FIELDS, min_size=2, max_size=3)),
    st.lists(st.integers(1, 30)),
    st.sampled_from(",;\t|"),
)
def test_rows_do_not_depend_on_blocks(
    written: list[list[str]], cuts: list[int], delimiter: str
) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(written)
    found = all_rows(file.getvalue(), cuts, Dialect(delimiter))
    assert [row for _, row in found] == written
    before = 0
    for (line, _), row in zip(found, written, strict=True):
        assert line == 1 + before
        before += 1 + sum(field.count("\n") for field in row)


def test_quotes_may_mean_nothing() -> None:
    rows = Rows('say "hi\tb\n"c\td\n', Dialect("\t", quoted=False))
    assert list(rows) == [['say "hi', "b"], ['"c', "d"]]


def test_an_open_quote_is_seen() -> None:
    rows = Rows('a,b\n1,"open\n', COMMA, following=[(3, "x,y\n")])
    seen = [(rows.line, row, rows.unclosed) for row in rows]
    assert seen == [(1, ["a", "b"], False), (2, ["1", "open\nx,y\n"], True)]


def test_an_error_ends_one_row() -> None:
    rows = Rows('a,b\n"c"d,e\nf,g\n', COMMA, strict=True)
    assert next(rows) == ["a", "b"]
    with pytest.raises(csv.Error):
        next(rows)
    assert (next(rows), rows.line) == (["f", "g"], 3)


def test_cr_within_a_line_is_a_space() -> None:
    rows = Rows('a\rb,"c\rd"\r\ne,f\r\n', COMMA)
    assert next(rows) == ["a b", "c d"]
    assert rows.next_line == 2
    assert rows.rest() == "e,f\r\n"
