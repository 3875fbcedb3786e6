"""Rows of Excel workbooks as documents; one of the first rows of a sheet names the columns."""

from __future__ import annotations

import posixpath
import re
from datetime import datetime, timedelta
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from hlta._support.messages import plural
from hlta.errors import DocumentsError
from hlta.reading.compression import MOST_RATIO
from hlta.reading.formats.markup import BEGIN, END, TEXT, Archive, open_archive
from hlta.reading.records import MOST_ABOVE, Record, Source, find_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


WORKBOOKS: Final = frozenset({".xlsx", ".xlsm"})
_SHOWN: Final = 20  # names of sheets in a message
_RELATIONSHIPS: Final = "xl/_rels/workbook.xml.rels"
# Numbers of the built-in formats of dates, also in East Asian calendars.
_DATE_FORMATS: Final = frozenset(map(str, (*range(14, 18), 22, *range(27, 37), *range(50, 59))))
_LONGEST_FORMAT: Final = 255  # characters
_NO_DATE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')  # parts of a format of numbers
_LETTERS = re.compile(r"[A-Z]{1,3}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")  # a character that XML cannot hold


def workbook(data: bytes, source: Source) -> Iterator[Record]:
    """One document per row, of all sheets that have a column for the text; other sheets are skipped."""
    with open_archive(data, MOST_RATIO) as archive:
        wanted = {"sheet", "workbookPr"}
        settings = [one for one in archive.elements("xl/workbook.xml") if one[0] in wanted]
        cells = _cells(archive, dict(settings).get("workbookPr", {}).get("date1904", "0"))
        refused: list[tuple[str, DocumentsError]] = []
        read = False
        numbers = count(1)
        for title, member in _sheets(archive, settings, source):
            try:
                for record in _records(archive, member, cells, numbers, source):
                    read = True
                    yield record
            except _ColumnsError as error:
                refused.append((f"{source.name}, sheet {title!r}", error))
        if not read:
            raise refused[0][1] if refused else DocumentsError("it has no sheet with rows")
        for where, problem in refused:
            source.skip(where, str(problem))


class _ColumnsError(DocumentsError):
    """A sheet does not have the columns that are needed, or has too few rows."""


def _records(
    archive: Archive, member: str, cells: _Cells, numbers: Iterator[int], source: Source
) -> Iterator[Record]:
    skipped = source.options.skip_rows
    below = (row for number, row in _rows(archive, member, cells) if number > (skipped or 0))
    first = list(islice(below, MOST_ABOVE))
    if skipped and not first:
        raise _ColumnsError(f"skip_rows={skipped}: it has no more rows; give a smaller number")
    if not first:
        return
    above = 0
    if skipped is None:
        above = find_names([list(row.values()) for row in first], source.options)
    names = first[above]
    try:
        columns = source.columns([name for name in names.values() if name])
    except DocumentsError as error:
        raise _ColumnsError(str(error)) from None
    source.tell(source.name, columns)
    if above:
        source.skip(
            f"{source.name}, {plural(above, 'row')}", "above the row that names the columns"
        )
    rows = chain(first[above + 1 :], below)
    places = {name: place for place, name in names.items()}
    used = [(name, places[name]) for name in columns.used]
    for row in rows:
        entry = {name: row.get(place, "") for name, place in used}
        number = next(numbers)
        if entry[columns.text].strip():
            yield columns.record(entry, source.id_of(number))
        else:
            source.skip(f"{source.name}, row {number:,}", "it has no text")


def _rows(archive: Archive, member: str, cells: _Cells) -> Iterator[tuple[int, dict[int, str]]]:
    """The number of each row and the texts of its cells by their columns; empty rows are left out."""
    row: dict[int, str] = {}
    attributes: dict[str, str] = {}
    number = place = 0
    for step, name, given, value in _values(archive, member, "row", "c"):
        if name == "c" and step == END:
            if shown := cells.text_of(value, attributes):
                row[place] = shown
        elif name == "c":
            letters = _LETTERS.match(given.get("r", ""))
            place = _column(letters[0]) if letters else place + 1
            attributes = given
        elif step == BEGIN:
            reference = given.get("r", "")
            number = int(reference) if _NUMBER.fullmatch(reference) else number + 1
            row, place = {}, 0
        elif row:
            yield number, row


def _values(
    archive: Archive, member: str, *names: str
) -> Iterator[tuple[int, str, dict[str, str], str]]:
    """Begins and ends of elements with these names, each with the text since the one before.

    Text is that in elements `v` and `t`, without phonetic guides.
    """
    found: list[str] = []
    is_value = is_spoken = False
    for step, what, given in archive.events(member):
        if step == TEXT:
            if is_value:
                found.append(what)
        elif what in names:
            yield step, what, given, _unescape("".join(found))
            found.clear()
        else:
            is_spoken = step == BEGIN if what == "rPh" else is_spoken
            is_value = step == BEGIN and what in {"v", "t"} and not is_spoken


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text) if "_x" in text else text


class _Cells(NamedTuple):
    """Reads the values of cells: numbers of texts that cells share, and numbers of days.

    are_dates  for each style, whether numbers are shown as dates
    first_day  the day from which days are counted
    """

    texts: list[str]
    are_dates: list[bool]
    first_day: datetime

    def text_of(self, value: str, attributes: dict[str, str]) -> str:
        """The text of a cell."""
        kind = attributes.get("t", "n")
        if kind == "e":  # an error, such as #N/A
            return ""
        try:
            if kind == "s":
                return self.texts[int(value)]
            if kind == "n" and value and self.are_dates[int(attributes.get("s", "0"))]:
                return (self.first_day + timedelta(days=float(value))).date().isoformat()
        except (ValueError, LookupError, OverflowError):
            pass
        return value


def _cells(archive: Archive, from_1904: str) -> _Cells:
    shared = _values(archive, "xl/sharedStrings.xml", "si")
    texts = [text for step, _, _, text in shared if step == END]
    first_day = datetime(1904, 1, 1) if from_1904 in {"1", "true"} else datetime(1899, 12, 30)
    return _Cells(texts, _are_dates(archive), first_day)


def _are_dates(archive: Archive) -> list[bool]:
    formats: dict[str, str] = {}
    used: list[str] = []
    of_cells = False
    for step, what, given in archive.events("xl/styles.xml"):
        if what == "cellXfs":
            of_cells = step == BEGIN
        elif step == BEGIN and what == "numFmt":
            formats[given.get("numFmtId", "")] = given.get("formatCode", "")[:_LONGEST_FORMAT]
        elif step == BEGIN and what == "xf" and of_cells:
            used.append(given.get("numFmtId", ""))
    dates = {n for n, code in formats.items() if re.search("[dmy]", _NO_DATE.sub("", code), re.I)}
    return [number in _DATE_FORMATS or number in dates for number in used]


def _sheets(
    archive: Archive, elements: Iterable[tuple[str, dict[str, str]]], source: Source
) -> list[tuple[str, str]]:
    """The names of the sheets to read, and the members of the archive that hold them."""
    visible = [
        (given.get("name", ""), given.get("id", ""))
        for name, given in elements
        if name == "sheet" and given.get("state", "visible") == "visible"
    ]
    members = {
        given.get("Id", ""): posixpath.normpath(
            posixpath.join("xl", given.get("Target", ""))
        ).lstrip("/")
        for name, given in archive.elements(_RELATIONSHIPS)
        if name == "Relationship"
    }
    titles, wanted = [title for title, _ in visible], source.options.sheet
    if wanted is not None and wanted not in titles:
        shown = ", ".join(f"{title!r:.40}" for title in titles[:_SHOWN])
        raise DocumentsError(
            f"{source.name}: there is no sheet {wanted!r:.40}; the sheets are {shown}"
        )
    sheets: dict[str, str] = {}  # a member that several sheets name is read once
    for title, id_ in visible:
        if wanted in {None, title}:
            sheets.setdefault(members.get(id_, ""), title)
    return [(title, member) for member, title in sheets.items() if member in archive.names]


def _column(letters: str) -> int:
    """The number of a column by its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
