"""Documents from files: a folder, lines, tables; compressed or not; one after the other."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import os
import sys
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from hlta.corpus.mail import looks_like_mail, strip_mail
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT_SUFFIXES: Final = frozenset({"", ".txt", ".text", ".md", ".rst", ".tex", ".eml"})
TABLES: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})
_OPENERS: Final[dict[str, Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_TEXT_COLUMNS: Final = ("text", "abstract", "body", "content", "document", "description")
_LONGEST_FIELD = 1 << 30


@dataclass(frozen=True)
class Record:
    """A document as it was read."""

    text: str
    id: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files become documents.

    text, title, id  names of columns or keys, of tables and JSON lines; None: those with usual names
    encoding         of the files; None: UTF-8, UTF-16 by its mark, or else Windows-1252
    mail             "auto": texts with mail headers lose them, quotes and signatures; "keep": they stay
    """

    text: str | None = None
    title: str | None = None
    id: str | None = None
    encoding: str | None = None
    mail: str = "auto"


def read_documents(
    path: str | os.PathLike[str],
    options: ReadOptions | None = None,
    *,
    on_skip: Callable[[str, str], None] | None = None,
) -> Iterator[Record]:
    """Read documents one after the other.

    Parameters
    ----------
    path
        A folder of text files, searched recursively; a CSV or TSV file, or JSON lines; any other
        file has a document a line; "-" is standard input. Files may be compressed (.gz, .xz, .bz2).
    options
        See `ReadOptions`.
    on_skip
        Told of every file of a folder that is not read, and why.
    """
    options = options or ReadOptions()
    name = os.fspath(path)
    if name == "-":
        records = _lines(sys.stdin.buffer, "standard input", options)
    elif Path(name).is_dir():
        records = _folder(Path(name), options, on_skip or (lambda *_: None))
    elif Path(name).exists():
        records = _file(Path(name), options)
    else:
        raise DocumentsError(f"{name} does not exist; give a file or a folder")
    for record in records:
        if options.mail == "auto" and looks_like_mail(record.text):
            record = Record(strip_mail(record.text), record.id, record.title)  # noqa: PLW2901
        yield record


def _folder(
    folder: Path, options: ReadOptions, on_skip: Callable[[str, str], None]
) -> Iterator[Record]:
    found = False
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(root, name)
            shown = str(path.relative_to(folder))
            if name.startswith(".") or path.suffix.lower() not in TEXT_SUFFIXES | _numbered(path):
                on_skip(shown, f"files {path.suffix or name} are not read from a folder")
                continue
            try:
                data = path.read_bytes()
                if b"\x00" in data[:4096] and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
                    on_skip(shown, "it holds no text")
                    continue
                text = decode(data, options.encoding, str(path))
            except OSError as error:
                on_skip(shown, error.strerror or str(error))
                continue
            if not text.strip():
                on_skip(shown, "it is empty")
                continue
            found = True
            yield Record(text, shown)
    if not found:
        raise DocumentsError(
            f"{folder} has no text files; text files end in "
            f"{', '.join(sorted(TEXT_SUFFIXES - {''}))}, or in nothing"
        )


def _numbered(path: Path) -> set[str]:
    """Suffixes that are a number, as in article.123, are none."""
    return {path.suffix.lower()} if path.suffix[1:].isdigit() else set()


def _file(path: Path, options: ReadOptions) -> Iterator[Record]:
    suffix = path.suffix.lower()
    opener = _OPENERS.get(suffix)
    kind = Path(path.stem).suffix.lower() if opener else suffix
    if suffix in {".zst", ".pdf", ".html", ".parquet", ".zip", ".docx"}:
        raise DocumentsError(
            f"{path}: {suffix} files are not read; convert it to text or JSON lines"
        )
    try:
        with opener(path, "rb") if opener else path.open("rb") as file:
            if kind in JSON_LINES:
                yield from _json_lines(file, str(path), options)
            elif kind in TABLES:
                yield from _table(file, str(path), TABLES[kind], options)
            else:
                yield from _lines(file, str(path), options)
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise DocumentsError(f"{path} is damaged: {error}") from None
    except OSError as error:
        raise DocumentsError(f"{path} cannot be read: {error.strerror or error}") from None


def decode(data: bytes, encoding: str | None, name: str) -> str:
    """Bytes as text, in the encoding given or the one they seem to be in."""
    if encoding is not None:
        try:
            return data.decode(encoding)
        except LookupError:
            raise DocumentsError(
                f"encoding={encoding!r} is not known; try utf-8 or latin-1"
            ) from None
        except UnicodeDecodeError as error:
            raise DocumentsError(
                f"{name} is not {encoding}: byte {error.start} is {data[error.start]:#04x}; "
                "give its encoding, or none to have it guessed"
            ) from None
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _text_lines(file: IO[bytes], name: str, options: ReadOptions) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        if number == 1 and b"\x00" in line[:4096]:
            raise DocumentsError(f"{name} holds no text: there is a zero byte in its first line")
        yield decode(line, options.encoding, f"{name}, line {number},")


def _lines(file: IO[bytes], name: str, options: ReadOptions) -> Iterator[Record]:
    for number, line in enumerate(_text_lines(file, name, options), start=1):
        if line.strip():
            yield Record(line.rstrip("\r\n"), str(number))


def _json_lines(file: IO[bytes], name: str, options: ReadOptions) -> Iterator[Record]:
    for number, line in enumerate(_text_lines(file, name, options), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise DocumentsError(f"{name}, line {number}, is no JSON: {error}") from None
        if not isinstance(entry, dict):
            raise DocumentsError(f"{name}, line {number}, is no JSON object; use one with a text")
        yield _record(entry, list(entry), f"{name}, line {number}", number, options)


def _table(file: IO[bytes], name: str, delimiter: str, options: ReadOptions) -> Iterator[Record]:
    csv.field_size_limit(_LONGEST_FIELD)
    lines = _text_lines(file, name, options)
    # Quotes mean nothing in tab-separated text as it is mostly written.
    if delimiter == "\t":
        rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        rows = csv.reader(lines, delimiter=delimiter)
    try:
        columns = next(rows, None)
        if columns is None:
            raise DocumentsError(f"{name} is empty; its first line must name the columns")
        for row in rows:
            if not row:
                continue
            where = f"{name}, line {rows.line_num}"
            if len(row) != len(columns):
                raise DocumentsError(
                    f"{where}, has {len(row)} fields, the first line {len(columns)}"
                )
            entry = dict(zip(columns, row, strict=True))
            yield _record(entry, columns, where, rows.line_num, options)
    except csv.Error as error:
        raise DocumentsError(f"{name}, line {rows.line_num}, is no table: {error}") from None


def _record(
    entry: dict[str, Any], columns: list[str], where: str, number: int, options: ReadOptions
) -> Record:
    body = _column(options.text, _TEXT_COLUMNS, columns, where, needed=True)
    title = _column(options.title, ("title", "headline", "subject"), columns, where)
    key = _column(options.id, ("id", "doc_id", "key"), columns, where)
    heading = _string(entry[title]) if title else ""
    text = "\n".join(
        chain(filter(None, (heading if title != body else "",)), (_string(entry[body]),))
    )
    return Record(text, _string(entry[key]) if key else str(number), heading)


def _column(
    named: str | None,
    usual: tuple[str, ...],
    columns: list[str],
    where: str,
    *,
    needed: bool = False,
) -> str:
    if named is not None:
        if named not in columns:
            raise DocumentsError(
                f"{where}: there is no column {named!r}; there are {', '.join(columns)}"
            )
        return named
    lower = {column.lower(): column for column in columns}
    found = next((lower[name] for name in usual if name in lower), "")
    if needed and not found:
        raise DocumentsError(
            f"{where}: no column is named {', '.join(usual)}; name the one with the text, "
            f"one of {', '.join(columns)}"
        )
    return found


def _string(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)
