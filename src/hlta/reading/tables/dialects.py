"""What separates and quotes the fields of a table, guessed from its beginning."""

from __future__ import annotations

import csv
from itertools import islice
from typing import Final

from hlta.reading.tables.rows import Dialect, Rows

DELIMITERS: Final = (",", ";", "\t", "|")
_ROWS, _CHARACTERS = 20, 1 << 16  # of a table, which tell its delimiter


def guess_dialect(start: str, usual: str, given: str | None, *, whole: bool) -> Dialect:
    """The dialect of a table that begins with `start`, or is no more than that if it is the `whole`.

    `usual` is the delimiter that the name of the file speaks for. In tab-separated text, quotes mostly
    mean nothing; they count if every row has as many fields as the first because of them, or if no
    row changes but for the quotes around its fields.
    """
    delimiter = given or _guess_delimiter(start, usual)
    return Dialect(delimiter, delimiter != "\t" or _quotes_between_tabs(start, whole=whole))


def _guess_delimiter(start: str, usual: str) -> str:
    """The delimiter with which most of the first rows have as many fields as the very first."""
    sample = start[: start.rfind("\n", 0, _CHARACTERS) + 1] or start[:_CHARACTERS]
    best, most = usual, (0.0, False)
    for delimiter in DELIMITERS:
        try:
            rows = list(islice(filter(None, Rows(sample, Dialect(delimiter))), _ROWS))
        except csv.Error:
            continue
        if rows and len(rows[0]) > 1:
            alike = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
            if (alike, delimiter == usual) > most:
                best, most = delimiter, (alike, delimiter == usual)
    return best


def _quotes_between_tabs(start: str, *, whole: bool) -> bool:
    """Whether quotes hold fields together in tab-separated text."""
    if not (start.startswith('"') or '\t"' in start or '\n"' in start):
        return False
    text = start if whole else start[: start.rfind("\n") + 1]
    with_quotes = _number_of_rows(text, quoted=True, whole=whole)
    without = _number_of_rows(text, quoted=False, whole=whole)
    return with_quotes is not None and without in {None, with_quotes}


def _number_of_rows(text: str, *, quoted: bool, whole: bool) -> int | None:
    """How many rows there are, if all have as many fields as the first; otherwise None.

    Without quotes, rows of one field each say nothing.
    """
    rows = Rows(text, Dialect("\t", quoted), strict=True)
    width, count = 0, 0
    try:
        for row in filter(None, rows):
            width = width or len(row)
            if len(row) != width or (width == 1 and not quoted):
                return None
            count += 1
    except csv.Error:
        if whole or not rows.unclosed:
            return None
    return count
