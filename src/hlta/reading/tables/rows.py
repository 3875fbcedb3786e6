"""Rows of a table of text, one by one, and what separates their fields."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST: Final = 1 << 26
"""Characters of a field, or a line."""


class Dialect(NamedTuple):
    """What parts the fields of a table, and whether quotes hold fields together."""

    delimiter: str
    quoted: bool = True


class Rows:
    """The rows of a block of text; a row that does not end in it goes on in those that follow.

    The first block begins in line `first`. After each row, `line` is where it began, and `unclosed`
    tells whether a quote in it was still open when the text ended.
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
        self._reader = csv.reader(
            self._lines(),
            delimiter=dialect.delimiter,
            quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
            strict=strict,
        )

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> list[str]:
        """The next row, if there is one in the block."""
        if self._block.tell() == self._length:
            raise StopIteration
        self.line = self.next_line
        return next(self._reader)

    @property
    def next_line(self) -> int:
        """The number of the line after the last row."""
        return self._first + self._reader.line_num

    def rest(self) -> str:
        """What is left of the block."""
        return self._block.read()

    def _begin(self, block: str) -> None:
        self._block, self._length = io.StringIO(block, newline="\n"), len(block)

    def _lines(self) -> Iterator[str]:
        yield from map(_without_bare_cr, self._block)
        for _, block in self._following:
            self._begin(block)
            yield from map(_without_bare_cr, self._block)
        self.unclosed = True


def _without_bare_cr(line: str) -> str:
    """A line with a space for each CR before its end, where `csv` would end a row or fail."""
    if "\r" not in line:
        return line
    end = "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""
    return line[: len(line) - len(end)].replace("\r", " ") + end
