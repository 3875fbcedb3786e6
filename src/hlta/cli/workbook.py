"""Tables as Excel workbooks: `-o table.xlsx`."""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from hlta._support.cells import from_cell
from hlta._support.checks import needing
from hlta.cli.results import output_file
from hlta.errors import OptionError
from hlta.reading.tables.rows import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORKBOOK: Final = ".xlsx"
# Columns that hold text, even where it looks like a number; "topic_2" holds topics of level 2.
_TEXT: Final = re.compile(
    r"document|date|group|period|passage|(main_)?topic.*|.*title.*|first|second|gained|lost"
)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_MOST_ROWS: Final = 1 << 20
_LONGEST: Final = 32_767  # characters of a cell
_PLAIN: Final = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}


def is_workbook(target: Path) -> bool:
    """Whether the name of a table ends as that of a workbook."""
    return target.suffix.lower() == _WORKBOOK


def check_form(output: Path | None, *, as_json: bool) -> None:
    """Refuse --output together with --json."""
    if output is not None and as_json:
        raise OptionError("--output writes a table, and --json prints JSON; choose one")


@contextmanager
def output_table(target: Path, *sources: str | Path | None, overwrite: bool) -> Iterator[Path]:
    """A CSV file to write, which becomes the target when the block ends; see `output_file`.

    A target that ends in .xlsx becomes a workbook with the same table.
    """
    if not is_workbook(target):
        with output_file(target, *sources, overwrite=overwrite) as file:
            yield file
        return
    with needing("workbooks (.xlsx) need XlsxWriter", extra="excel"):
        import xlsxwriter
    with output_file(target, *sources, overwrite=overwrite) as file, TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        yield table
        csv.field_size_limit(LONGEST)
        with (
            table.open(encoding="utf-8", errors="replace", newline="") as text,
            xlsxwriter.Workbook(file, _PLAIN) as book,
        ):
            _write_rows(csv.reader(text), book)


def _write_rows(rows: Iterator[list[str]], book: Any) -> None:
    names, sheet = next(rows), book.add_worksheet()
    are_text = [_TEXT.fullmatch(name) is not None for name in names]
    sheet.write_row(0, 0, names, book.add_format({"bold": True}))
    number = 0
    for number, row in enumerate(rows, start=1):
        if number == _MOST_ROWS:
            raise OptionError(f"a workbook holds {_MOST_ROWS:,} rows; use a name that ends in .csv")
        for place, (value, is_text) in enumerate(zip(row, are_text, strict=True)):
            if _NUMBER.fullmatch(value) and not is_text:
                sheet.write_number(number, place, float(value))
            elif value:
                text = from_cell(value)
                cut = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
                sheet.write_string(number, place, cut)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, number, len(names) - 1)
