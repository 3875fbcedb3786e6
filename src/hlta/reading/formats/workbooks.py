"""Rows of Excel workbooks as documents; the first row of a sheet names the columns."""

from __future__ import annotations

import posixpath
import re
from datetime import datetime, timedelta
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Final

from hlta._support.messages import counted
from hlta.errors import DocumentsError
from hlta.reading.compression import MOST_RATIO
from hlta.reading.formats.archives import Archive, opened
from hlta.reading.formats.markup import Elements, local
from hlta.reading.records import MOST_ABOVE, Record, Source, find_names

if TYPE_CHECKING:
    from collections.abc import Iterator


WORKBOOKS: Final = frozenset({".xlsx", ".xlsm"})
_SHOWN: Final = 20  # names of sheets in a message
_RELATIONSHIPS: Final = "xl/_rels/workbook.xml.rels"
# Numbers of formats that every workbook has: those of days, also in East Asian calendars.
_DATE_FORMATS: Final = frozenset(map(str, (*range(14, 18), 22, *range(27, 37), *range(50, 59))))
_NO_DATE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')  # parts of a format of numbers
_LETTERS = re.compile(r"[A-Z]{1,3}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")  # a character that XML cannot hold


def workbook(data: bytes, source: Source) -> Iterator[Record]:
    """One document per row, of all sheets that have a column for the text; other sheets are skipped."""
    with opened(data, MOST_RATIO) as archive:
        cells = _Cells(archive)
        refused: DocumentsError | None = None
        read = False
        numbers = count(1)
        for title, member in _sheets(archive, source):
            try:
                for record in _records(archive, member, cells, numbers, source):
                    read = True
                    yield record
            except _ColumnsError as error:
                refused = refused or error
                source.skip(f"{source.name}, sheet {title!r}", str(error))
        if not read:
            raise refused or DocumentsError(f"{source.name} has no sheet with rows")


class _ColumnsError(DocumentsError):
    """A sheet has no column for the text."""


def _records(
    archive: Archive, member: str, cells: _Cells, numbers: Iterator[int], source: Source
) -> Iterator[Record]:
    skipped = source.options.skip_rows
    below = (row for number, row in _rows(archive, member, cells) if number > (skipped or 0))
    first = list(islice(below, MOST_ABOVE))
    if skipped and not first:
        raise _ColumnsError(f"skip_rows={skipped}: it has no more rows; give a smaller number")
    above = 0
    if skipped is None:
        above = find_names([list(row.values()) for row in first], source.options)
    names = first[above] if first else {}
    try:
        columns = source.columns([name for name in names.values() if name])
    except DocumentsError as error:
        raise _ColumnsError(str(error)) from None
    source.tell(source.name, columns)
    if above:
        source.skip(
            f"{source.name}, {counted(above, 'row')}", "above the row that names the columns"
        )
    rows = chain(first[above + 1 :], below)
    places = {name: place for place, name in names.items()}
    used = [(name, places[name]) for name in columns.used]
    for row in rows:
        entry = {name: row.get(place, "") for name, place in used}
        number = next(numbers)
        if entry[columns.text]:
            yield columns.record(entry, source.numbered(number))
        else:
            source.skip(f"{source.name}, row {number:,}", "it has no text")


def _rows(archive: Archive, member: str, cells: _Cells) -> Iterator[tuple[int, dict[int, str]]]:
    """The number of each row and the texts of its cells by their columns; empty rows are left out."""
    sheet = _Sheet(cells)
    for _ in archive.parsing(member, sheet):
        rows, sheet.rows = sheet.rows, []
        yield from rows


class _Values(Elements):
    """The text of elements `v` and `t`, but not how it is pronounced."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._open = False
        self._spoken = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self._spoken |= name == "rPh"
        self._open = name in {"v", "t"} and not self._spoken

    def end(self, name: str) -> None:
        self._spoken &= name != "rPh"
        self._open = False

    def text(self, text: str) -> None:
        if self._open:
            self._found.append(text)

    def take(self) -> str:
        """The text so far, which begins anew."""
        text = "".join(self._found)
        self._found.clear()
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


class _Sheet(_Values):
    """Collects the rows of a sheet."""

    def __init__(self, cells: _Cells) -> None:
        super().__init__()
        self.rows: list[tuple[int, dict[int, str]]] = []
        self._number = 0
        self._cells = cells
        self._row: dict[int, str] = {}
        self._place = 0
        self._attributes: dict[str, str] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        super().begin(name, attributes)
        if name == "row":
            number = attributes.get("r", "")
            self._number = int(number) if _NUMBER.fullmatch(number) else self._number + 1
            self._row, self._place = {}, 0
        elif name == "c":
            letters = _LETTERS.match(attributes.get("r", ""))
            self._place = _column(letters[0]) if letters else self._place + 1
            self._attributes = attributes
            self.take()

    def end(self, name: str) -> None:
        super().end(name)
        if name == "c":
            shown = self._cells.shown(self.take(), self._attributes)
            if shown:
                self._row[self._place] = shown
        elif name == "row" and self._row:
            self.rows.append((self._number, self._row))


class _Cells:
    """What values of cells stand for: texts that cells share, and days by their numbers."""

    def __init__(self, archive: Archive) -> None:
        texts, styles, settings = _SharedTexts(), _Styles(), _Settings()
        archive.parse("xl/sharedStrings.xml", texts)
        archive.parse("xl/styles.xml", styles)
        archive.parse("xl/workbook.xml", settings)
        self._texts = texts.found
        self._are_dates = styles.are_dates()
        self._first_day = datetime(1904, 1, 1) if settings.from_1904 else datetime(1899, 12, 30)

    def shown(self, value: str, attributes: dict[str, str]) -> str:
        """The text of a cell."""
        kind = attributes.get("t", "n")
        if kind == "e":  # an error, such as #N/A
            return ""
        try:
            if kind == "s":
                return self._texts[int(value)]
            if kind == "n" and value and self._are_dates[int(attributes.get("s", "0"))]:
                return (self._first_day + timedelta(days=float(value))).date().isoformat()
        except (ValueError, LookupError, OverflowError):
            pass
        return value


class _SharedTexts(_Values):
    """The texts that cells refer to by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end(self, name: str) -> None:
        super().end(name)
        if name == "si":
            self.found.append(self.take())


class _Styles(Elements):
    """How cells are formatted."""

    def __init__(self) -> None:
        self._formats: dict[str, str] = {}
        self._used: list[str] = []
        self._of_cells = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._of_cells |= name == "cellXfs"
        if name == "numFmt":
            self._formats[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "xf" and self._of_cells:
            self._used.append(attributes.get("numFmtId", ""))

    def end(self, name: str) -> None:
        self._of_cells &= name != "cellXfs"

    def are_dates(self) -> list[bool]:
        """Of each style, whether numbers are shown as days."""
        return [
            number in _DATE_FORMATS
            or re.search("[dmy]", _NO_DATE.sub("", self._formats.get(number, "")), re.I) is not None
            for number in self._used
        ]


class _Settings(Elements):
    """The sheets of a workbook that are shown, and the day from which it counts."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.from_1904 = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        given = {local(key): value for key, value in attributes.items()}
        if name == "sheet" and given.get("state", "visible") == "visible":
            self.sheets.append((given.get("name", ""), given.get("id", "")))
        elif name == "workbookPr":
            self.from_1904 = given.get("date1904", "0") in {"1", "true"}


class _Members(Elements):
    """Which members of the archive the parts of a workbook are in."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship":
            target = posixpath.join("xl", attributes.get("Target", ""))
            self.found[attributes.get("Id", "")] = posixpath.normpath(target).lstrip("/")


def _sheets(archive: Archive, source: Source) -> list[tuple[str, str]]:
    """The names of the sheets to read, and the members of the archive that hold them."""
    settings, members = _Settings(), _Members()
    archive.parse("xl/workbook.xml", settings)
    archive.parse(_RELATIONSHIPS, members)
    titles, wanted = [title for title, _ in settings.sheets], source.options.sheet
    if wanted is not None and wanted not in titles:
        shown = ", ".join(f"{title!r:.40}" for title in titles[:_SHOWN])
        raise DocumentsError(
            f"{source.name}: there is no sheet {wanted!r:.40}; the sheets are {shown}"
        )
    sheets: dict[str, str] = {}  # a member that several sheets name is read once
    for title, id_ in settings.sheets:
        if wanted in {None, title}:
            sheets.setdefault(members.found.get(id_, ""), title)
    return [(title, member) for member, title in sheets.items() if member in archive.names]


def _column(letters: str) -> int:
    """The number of a column by its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
