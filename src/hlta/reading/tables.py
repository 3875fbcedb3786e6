"""Rows of tables and lines of JSON as documents, in blocks that do not grow with the file."""

from __future__ import annotations

import csv
import io
import json
from itertools import count
from typing import IO, TYPE_CHECKING, Any, Final

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, holds_text, wide_decoder
from hlta.reading.records import Columns, Record, find_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import polars as pl

    from hlta.reading.records import Source

BLOCK: Final = 1 << 24  # bytes read at a time
_LONGEST_ROW: Final = 1 << 30
_REMEMBERED: Final = 1000  # sets of keys of JSON objects
_ROWS: Final = 20_000  # of a Parquet file, read at a time


def table(file: IO[bytes], source: Source, delimiter: str) -> Iterator[Record]:
    """Read CSV and the like, one document per row. The first line names the columns.

    Polars reads blocks of rows. A block that it refuses, or in which a row may be short, is read row
    by row, so that errors name the line.
    """
    quote = None if delimiter == "\t" else '"'  # in tab-separated text, quotes mostly mean nothing
    columns: Columns | None = None
    names: list[str] = []
    number = 1
    for line, text in blocks(file, source, quoted=quote is not None):
        if columns is None:
            rows = _csv_reader(text, delimiter, quote)
            names = next(rows, [])
            if not any(names):
                break
            columns = find_columns(names, source.options, source.name)
            text = text.split("\n", rows.line_num)[-1]  # noqa: PLW2901
            line += rows.line_num  # noqa: PLW2901
        frame = _fast_rows(text, names, delimiter, quote, columns.used)
        if frame is None:
            rows = _csv_reader(text, delimiter, quote)
            frame = _careful_rows(rows, names, columns.used, line, source)
        yield from _records(frame, columns, number, "record", source)
        number += len(frame)
    if columns is None:
        raise DocumentsError(f"{source.name} is empty; its first line must name the columns")


def _records(
    frame: pl.DataFrame, columns: Columns, first: int, kind: str, source: Source
) -> Iterator[Record]:
    """Make documents of the rows of a table; the title becomes a part of the text."""
    import polars as pl

    def part(name: str | None) -> pl.Expr:
        if name is None:
            return pl.lit("", dtype=pl.String)
        column = pl.col(name)
        if isinstance(frame.schema[name], pl.List):
            column = column.cast(pl.List(pl.String)).list.join("\n")
        return column.cast(pl.String).fill_null("")

    text, title, id_ = part(columns.text), part(columns.title), part(columns.id)
    number = pl.int_range(first, first + len(frame)).cast(pl.String)
    rows = frame.select(
        pl.when(title == "").then(text).otherwise(pl.concat_str(title, text, separator="\n")),
        pl.when(id_ == "").then(number).otherwise(id_).alias("id"),
        title.alias("title"),
        part(columns.date).alias("date"),
        part(columns.group).alias("group"),
        empty=text == "",
    )
    for k, row in enumerate(rows.iter_rows(), start=first):
        if row[-1]:
            source.skip(f"{source.name}, {kind} {k:,}", "it has no text")
        else:
            yield Record._make(row[:-1])


def lines(file: IO[bytes], source: Source) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for first, text in blocks(file, source, quoted=False):
        for number, line in enumerate(text.split("\n"), start=first):
            if line and not line.isspace():
                yield number, line


def json_lines(file: IO[bytes], source: Source) -> Iterator[Record]:
    """Read one JSON object per line."""

    def entries() -> Iterator[tuple[int, Any]]:
        for number, line in lines(file, source):
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                source.broken(f"{source.name}, line {number:,}", f"is not valid JSON: {error}")

    return _objects(entries(), "line", source)


def json_array(file: IO[bytes], source: Source) -> Iterator[Record]:
    """Read a JSON array of objects or of texts, all of it at once."""
    name = source.name
    try:
        entries = json.loads(Decoder(source.options.encoding).text(file.read(), name))
    except (ValueError, RecursionError) as error:
        raise DocumentsError(
            f"{name} is not valid JSON: {error}; if it has one object per line, call it .jsonl"
        ) from None
    if not isinstance(entries, list):
        raise DocumentsError(f"{name} is not a JSON array; use an array of objects or of texts")
    return _objects(enumerate(entries, start=1), "entry", source)


def _objects(entries: Iterable[tuple[int, Any]], kind: str, source: Source) -> Iterator[Record]:
    """Documents of numbered objects, whose keys may differ; the first must have one for the text.

    An array may also hold texts themselves.
    """
    known: dict[tuple[str, ...], Columns | None] = {}
    for number, entry in entries:
        where = f"{source.name}, {kind} {number:,}"
        if kind == "entry" and isinstance(entry, str) and entry:
            yield Record(entry, str(number))
            continue
        if not isinstance(entry, dict):
            source.broken(where, "is not a JSON object")
            continue
        keys = tuple(entry)
        if keys not in known:
            if len(known) > _REMEMBERED:
                known = dict(list(known.items())[:1])
            try:
                known[keys] = find_columns(keys, source.options, where)
            except DocumentsError:
                if not known:
                    raise
                known[keys] = None
        columns = known[keys]
        if columns is None or not entry[columns.text]:
            source.skip(where, "it has no text")
        else:
            yield columns.record(entry, number)


def parquet(path: Path, source: Source) -> Iterator[Record]:
    """Read a Parquet or Arrow file, some thousand rows at a time."""
    import polars as pl

    scan = pl.scan_parquet if path.suffix.lower() == ".parquet" else pl.scan_ipc
    try:
        lazy = scan(path)
        columns = find_columns(lazy.collect_schema().names(), source.options, source.name)
        lazy = lazy.select(columns.used)
        for begin in count(0, _ROWS):
            rows = lazy.slice(begin, _ROWS).collect()
            yield from _records(rows, columns, begin + 1, "row", source)
            if len(rows) < _ROWS:
                return
    except pl.exceptions.PolarsError as error:
        raise DocumentsError(f"{path} cannot be read: {error}") from None


def blocks(file: IO[bytes], source: Source, *, quoted: bool) -> Iterator[tuple[int, str]]:
    """Yield whole lines of about `BLOCK` bytes together, with the number of the first.

    Line breaks between quotes do not end a line if `quoted`.
    """
    name, encoding = source.name, source.options.encoding
    line = 1
    rest = b""
    data = file.read(max(BLOCK, 4))  # enough for a byte order mark
    if not holds_text(data):
        raise DocumentsError(f"{name!r} holds no text: there are zero bytes at its beginning")
    wide = wide_decoder(data, encoding)
    decoder = Decoder(None if wide else encoding)
    while data or rest:
        ended = not data
        whole = rest + (wide.decode(data, ended).encode() if wide else data)
        end = len(whole) if ended else _last_end(whole, quoted=quoted)
        if not end and len(whole) > _LONGEST_ROW:
            raise DocumentsError(
                f"{name}, line {line:,}, does not end within {_LONGEST_ROW:,} bytes; "
                "is there a quote that is never closed?"
            )
        if end:
            yield line, decoder.text(whole[:end], f"{name}, from line {line:,} on,")
            line += whole.count(b"\n", 0, end)
        rest = whole[end:]
        data = b"" if ended else file.read(BLOCK)


def _last_end(data: bytes, *, quoted: bool) -> int:
    """The place after the last line break that is not between quotes."""
    end = data.rfind(b"\n") + 1
    while quoted and data.count(b'"', 0, end) % 2:
        # The last quote opens a field that is not closed yet: its row began before it.
        end = data.rfind(b"\n", 0, data.rfind(b'"', 0, end)) + 1
    return end


def _fast_rows(
    text: str, names: list[str], delimiter: str, quote: str | None, used: list[str]
) -> pl.DataFrame | None:
    """The used columns of a block, or None if it must be read row by row."""
    import polars as pl

    columns = [str(k) for k in range(len(names))]  # names may repeat
    try:
        rows = pl.read_csv(
            text.encode("utf-8", "surrogatepass"),
            has_header=False,
            separator=delimiter,
            quote_char=quote,
            schema=dict.fromkeys(columns, pl.String),
            raise_if_empty=False,
        )
    except pl.exceptions.PolarsError:
        return None
    if rows[columns[-1]].null_count():  # a row that is too short has nothing there
        return None
    return rows.select(pl.col(columns[names.index(name)]).alias(name) for name in used)


def _careful_rows(
    rows: Any, names: list[str], used: list[str], first: int, source: Source
) -> pl.DataFrame:
    """The same, row by row; broken rows are named."""
    import polars as pl

    place = [names.index(column) for column in used]
    values: list[list[str]] = []
    while True:
        where = f"{source.name}, line {first + rows.line_num:,}"
        try:
            row = next(rows, None)
        except csv.Error as error:
            source.broken(where, f"is not a row of a table: {error}")
            continue
        if row is None:
            return pl.DataFrame(values, dict.fromkeys(used, pl.String), orient="row")
        if len(row) == len(names):
            values.append([row[k] for k in place])
        elif row:
            source.broken(where, f"has {len(row)} fields, but the first line has {len(names)}")


def _csv_reader(text: str, delimiter: str, quote: str | None) -> Any:
    csv.field_size_limit(_LONGEST_ROW)
    rows = io.StringIO(text, newline="")
    if quote is None:
        return csv.reader(rows, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    return csv.reader(rows, delimiter=delimiter)
