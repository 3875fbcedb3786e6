"""Rows of a table of text, one by one, and guesses of its delimiter and quotes."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST: Final = 1 << 26
"""The most characters of a field, or of a line."""
DELIMITERS: Final = (",", ";", "\t", "|")
_ROWS, _CHARACTERS = 20, 1 << 16  # at the beginning of a table, from which its delimiter is guessed


class Dialect(NamedTuple):
    """The character that separates the fields of a table, and whether quotes enclose fields."""

    delimiter: str
    quoted: bool = True


class Rows:
    """The rows of a block of text; a row that does not end in it continues in the `following` ones.

    The first block begins in line `first`. After each row, `line` is where it began, and `unclosed`
    says whether a quote in it was still open when the text ended, and `is_joined` whether a quote that
    is not closed, or not doubled, has probably joined it with the next ones.
    """

    def __init__(
        self,
        block: str,
        dialect: Dialect,
        *,
        following: Iterable[tuple[int, str]] = (),
        first: int = 1,
        strict: bool = False,
    ) -> None:
        csv.field_size_limit(LONGEST)
        self._begin(block)
        self._following = iter(following)
        self._first = self.line = first
        self.unclosed = False
        self._dialect = dialect
        self._lines_of_row: list[str] = []
        self._reader = self._reader_of(self._lines(), strict=strict)

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> list[str]:
        """The next row, if there is one in the block."""
        if self._block.tell() == self._length:
            raise StopIteration
        self.line = self.next_line
        self._lines_of_row.clear()
        return next(self._reader)

    @property
    def next_line(self) -> int:
        """The number of the line after the last row."""
        return self._first + int(self._reader.line_num)

    @property
    def is_joined(self) -> bool:
        """Whether text follows the quote that ends a field, in a row of several lines."""
        if len(self._lines_of_row) < 2:
            return False
        try:
            next(self._reader_of(self._lines_of_row, strict=True))
        except csv.Error:
            return True
        return False

    def rest(self) -> str:
        """What is left of the block."""
        return self._block.read()

    def _reader_of(self, lines: Iterable[str], *, strict: bool) -> Any:
        return csv.reader(
            lines,
            delimiter=self._dialect.delimiter,
            quoting=csv.QUOTE_MINIMAL if self._dialect.quoted else csv.QUOTE_NONE,
            strict=strict,
        )

    def _begin(self, block: str) -> None:
        self._block, self._length = io.StringIO(block, newline="\n"), len(block)

    def _lines(self) -> Iterator[str]:
        yield from self._lines_of_block()
        for _, block in self._following:
            self._begin(block)
            yield from self._lines_of_block()
        self.unclosed = True

    def _lines_of_block(self) -> Iterator[str]:
        for line in map(_without_bare_cr, self._block):
            self._lines_of_row.append(line)
            yield line


def _without_bare_cr(line: str) -> str:
    """A line with a space for each CR before its end, where `csv` would end a row or fail."""
    if "\r" not in line:
        return line
    end = "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""
    return line[: len(line) - len(end)].replace("\r", " ") + end


# ---- dialects --------------------------------------------------------------------------------


def guess_dialect(start: str, usual: str, given: str | None, *, whole: bool) -> Dialect:
    """The dialect of a table that begins with `start`, or is just that if it is the `whole`.

    `usual` is the delimiter that the name of the file suggests. In tab-separated text, quotes rarely
    enclose fields. They do if with them, each row has as many fields as the first, and without them,
    either some row has not, or the number of rows is the same.
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
    """Whether quotes enclose fields in tab-separated text."""
    if not (start.startswith('"') or '\t"' in start or '\n"' in start):
        return False
    text = start if whole else start[: start.rfind("\n") + 1]
    with_quotes = _number_of_rows(text, quoted=True, whole=whole)
    without = _number_of_rows(text, quoted=False, whole=whole)
    return with_quotes is not None and without in {None, with_quotes}


def _number_of_rows(text: str, *, quoted: bool, whole: bool) -> int | None:
    """How many rows there are, if all have as many fields as the first; otherwise None.

    Without quotes, it is also None for rows of one field each.
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
