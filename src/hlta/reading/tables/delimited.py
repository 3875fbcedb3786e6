"""Rows of delimited text as documents, read in blocks whose size does not grow with the file."""

from __future__ import annotations

import csv
import re
from functools import partial
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.forks import check_threads_of_polars
from hlta.errors import DocumentsError
from hlta.reading.records import (
    Columns,
    Record,
    Source,
    find_names,
)
from hlta.reading.tables.blocks import pieces, whole_lines
from hlta.reading.tables.rows import Dialect, Rows, guess_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import polars as pl


_MOST_COLUMNS: Final = 1 << 14
_SAMPLE: Final = 1 << 20  # first characters, in which the names of the columns are looked for
_IF_NO_NAMES: Final = "; if these are not names, give a number: text='1'"


class Head(NamedTuple):
    """What was found at the beginning of a table.

    text   all that precedes the first document
    above  how many of its lines are above the names of the columns
    """

    dialect: Dialect
    names: list[str]
    columns: Columns
    text: str
    above: int

    def tell(self, source: Source) -> None:
        """Report which columns are taken, and which lines above their names are left out."""
        source.tell(source.name, self.columns)
        if self.above and source.options.skip_rows is None:
            which = "line 1" if self.above == 1 else f"lines 1 to {self.above:,}"
            source.skip(f"{source.name}, {which}", "above the line that names the columns")


def table(file: IO[bytes], source: Source, usual_delimiter: str) -> Iterator[Record]:
    """Read CSV and the like, one document per row.

    The first row names the columns, unless columns are asked for by number. Polars reads blocks of
    rows. A block that it refuses, or in which a row may be short, is read row by row, so that errors
    name the line.
    """
    head, blocks = begin_table(file, source, usual_delimiter)
    head.tell(source)
    number = 1
    for line, text in blocks:
        frame = rows_of(text, line, head, source, following=blocks)
        yield from records_of(frame, head.columns, number, "record", source)
        number += len(frame)


def begin_table(
    file: IO[bytes], source: Source, usual_delimiter: str
) -> tuple[Head, Iterator[tuple[int, str]]]:
    """The head of a table, and its blocks of rows, each with the number of its first line."""
    options = source.options
    texts = pieces(file, source)
    start, following = next(texts, ""), list(islice(texts, 1))
    dialect_of = partial(
        guess_dialect, usual=usual_delimiter, given=options.delimiter, whole=not following
    )
    above = options.skip_rows
    if above is None:
        above = find_names(_first_rows(start[:_SAMPLE], dialect_of), options)
    table_text = without_lines(start, above)
    blank = len(table_text) - len(table_text.lstrip("\r\n"))
    above, table_text = above + table_text.count("\n", 0, blank), table_text[blank:]
    if options.skip_rows and not table_text:
        raise DocumentsError(
            f"skip_rows={options.skip_rows}: {source.name} has no more lines; give a smaller number"
        )
    dialect = dialect_of(table_text)
    first = Rows(table_text, dialect, first=above + 1)
    names = _first_row(first, source)
    if len(names) > _MOST_COLUMNS:
        raise DocumentsError(
            f"{source.name} has more than {_MOST_COLUMNS:,} columns; leave out those that are not needed"
        )
    if options.by_number(names):
        names = [str(k) for k in range(1, len(names) + 1)]
        first = Rows(table_text, dialect, first=above + 1)
    columns = source.columns(names, advice=_IF_NO_NAMES)
    rest = first.rest()
    head = Head(dialect, names, columns, start.removesuffix(rest), above)
    texts = chain([rest], following, texts)
    return head, whole_lines(texts, source, quoted=dialect.quoted, first=first.next_line)


def without_lines(text: str, count: int) -> str:
    """The text without its first lines."""
    return text.split("\n", count)[-1] if text.count("\n") >= count else ""


def _first_rows(start: str, dialect_of: Callable[[str], Dialect]) -> Iterator[list[str]]:
    """The first row of the table if it began with the first line, with the second, and so on."""
    while start:
        try:
            yield next(Rows(start, dialect_of(start)), [])
        except csv.Error:
            yield []
        start = without_lines(start, 1)


def rows_of(
    text: str, line: int, head: Head, source: Source, *, following: Iterable[tuple[int, str]] = ()
) -> pl.DataFrame:
    """The used columns of a block, whose last row may continue in the `following` blocks."""
    check_threads_of_polars()
    used = head.columns.used
    frame = _fast_rows(text, head.names, head.dialect, used)
    if frame is None:
        rows = Rows(text, head.dialect, first=line, following=following)
        frame = _careful_rows(rows, head.names, used, source)
    return frame


def _first_row(rows: Rows, source: Source) -> list[str]:
    try:
        row = next(rows, [])
    except csv.Error as error:
        raise DocumentsError(f"{source.name}: the first row cannot be read: {error}") from None
    if not any(row):
        raise DocumentsError(f"{source.name} is empty; its first line must name the columns")
    if rows.unclosed:
        raise DocumentsError(f"{source.name}: the first row has a quote that is never closed")
    return row


def records_of(
    frame: pl.DataFrame, columns: Columns, first: int, kind: str, source: Source
) -> Iterator[Record]:
    """Make documents of the rows of a table, the first of which has the number `first`."""
    import polars as pl

    check_threads_of_polars()
    parts, text = columns.parts.values(), columns.used.index(columns.text)
    for name in columns.used:
        values = frame.schema[name]
        if isinstance(values, pl.List) and isinstance(values.inner, pl.List) and name in parts:
            raise DocumentsError(
                f"{source.name}: the column {name!r:.60} holds lists of lists, where one value or a list "
                "of values belongs; name another column"
            )
    strings = [_as_strings(name, frame.schema[name], name in parts) for name in columns.used]
    for number, row in enumerate(frame.select(strings).iter_rows(), start=first):
        if row[text].strip():
            entry = dict(zip(columns.used, row, strict=True))
            yield columns.record(entry, source.id_of(number))
        else:
            source.skip(f"{source.name}, {kind} {number:,}", "it has no text")


def _as_strings(name: str, kind: Any, is_part: bool) -> pl.Expr:
    """A column as strings, which are empty if it is only kept and its values have no form as strings."""
    import polars as pl

    column, inner = pl.col(name), kind.inner if isinstance(kind, pl.List) else kind
    if not is_part and (inner.is_nested() or inner in (pl.Binary, pl.Duration, pl.Object)):
        return pl.lit("").alias(name)
    if isinstance(kind, pl.List):
        column = column.cast(pl.List(pl.String)).list.join("\n")
    return column.cast(pl.String).fill_null("")


def _fast_rows(
    text: str, names: list[str], dialect: Dialect, used: list[str]
) -> pl.DataFrame | None:
    """The used columns of a block, or None if it must be read row by row."""
    import polars as pl

    if dialect.quoted and _has_stray_quotes(text, dialect.delimiter):
        return None
    columns = [str(k) for k in range(len(names))]  # names may repeat
    ended = text if text.endswith(("\n", "\r")) else f"{text}\n"  # so that no last comma is lost
    try:
        rows = pl.read_csv(
            ended.encode("utf-8", "surrogatepass"),
            has_header=False,
            separator=dialect.delimiter,
            quote_char='"' if dialect.quoted else None,
            schema=dict.fromkeys(columns, pl.String),
            raise_if_empty=False,
        )
    except pl.exceptions.PolarsError:
        return None
    if rows[columns[-1]].null_count():  # a row that is too short has nothing there
        return None
    return rows.select(pl.col(columns[names.index(name)]).alias(name) for name in used)


def _has_stray_quotes(text: str, delimiter: str) -> bool:
    """Whether a quote is neither at the edge of a field nor doubled: readers of CSV differ on these."""
    if '"' not in text:
        return False
    edge = rf"{re.escape(delimiter)}\r\n"
    field = rf'(?<![^{edge}])"[^"]*+(?:""[^"]*+)*+"(?![^{edge}])'
    return '"' in re.sub(field, "", text)


def _careful_rows(rows: Rows, names: list[str], used: list[str], source: Source) -> pl.DataFrame:
    """The used columns, read row by row; broken rows are reported with their lines."""
    import polars as pl

    place = [names.index(column) for column in used]
    values: list[list[str]] = []
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            source.broken(f"{source.name}, line {rows.line:,}", f"is not a row of a table: {error}")
            continue
        if row is None:
            return pl.DataFrame(values, dict.fromkeys(used, pl.String), orient="row")
        where = f"{source.name}, line {rows.line:,}"
        if rows.unclosed:
            source.broken(where, "has a quote that is never closed, so that the rest is one field")
        elif rows.is_joined:
            source.broken(
                f"{source.name}, lines {rows.line:,} to {rows.next_line - 1:,}",
                "are one row, because a quote in them is not closed, or not doubled within a text",
            )
        elif len(row) == len(names):
            values.append([row[k] for k in place])
        elif row:
            source.broken(where, f"has {len(row)} fields, but the first line has {len(names)}")
