"""Cells of CSV files: a quote (') precedes text that a spreadsheet would otherwise run as a formula."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Final

from hlta.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

FORMULA: Final = r"^'*[=+\-@\t\r]"
"""Text that a spreadsheet could run as a formula, or that looks as if it were quoted already."""
_FORMULA: Final = re.compile(FORMULA)
_DELIMITERS: Final = ",;\t"  # in the first line, in the order of preference
_SPECIAL: Final = re.compile('[",\r\n]')


def cell(text: str) -> str:
    """The text as a cell, quoted if a spreadsheet could run it as a formula.

    >>> cell("=1+2"), cell("a=b"), cell("'=1")
    ("'=1+2", 'a=b', "''=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def from_cell(text: str) -> str:
    """The text that `cell` turned into this cell.

    >>> from_cell("'=1+2"), from_cell("'tis")
    ('=1+2', "'tis")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def line(cells: Iterable[str]) -> str:
    r"""A line of a CSV file; unlike those of the standard library, it quotes carriage returns.

    >>> line(["a", 'b"c', "d\re"])
    'a,"b""c","d\re"\n'
    """
    return ",".join(map(_quote, cells)) + "\n"


def _quote(text: str) -> str:
    escaped = text.replace('"', '""')
    return f'"{escaped}"' if _SPECIAL.search(text) else text


def read_rows(path: Path, name: str, columns: Sequence[str], use: str) -> Iterator[dict[str, str]]:
    """Read the rows of a table as spreadsheets save it, with commas, semicolons or tabs.

    It raises FormatError, which calls the file `name`; if a column is missing, `use` is the remedy.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            delimiter = next((one for one in _DELIMITERS if one in first), ",")
            rows = csv.DictReader(file, delimiter=delimiter)
            for column in columns:
                if column not in (rows.fieldnames or ()):
                    raise FormatError(f"{name} has no column {column!r}; {use}")
            yield from rows
    except (csv.Error, UnicodeDecodeError) as error:
        raise FormatError(f"{name} is not a CSV file in UTF-8: {error}; save it as one") from None
