"""Documents from files, folders or standard input, one after the other."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta._support.messages import plural, printable
from hlta.documents.dates import parse_in_format
from hlta.errors import DocumentsError, HltaError, OptionError
from hlta.reading.budget import within_budget
from hlta.reading.compression import (
    check_regular,
    damage,
    kind_of,
    naming_damage,
    open_bytes,
    read_document,
    with_start,
)
from hlta.reading.encodings import UNKNOWN, holds_text
from hlta.reading.formats.mail import bytes_look_like_mail, looks_like_mail, mail_of_text
from hlta.reading.formats.mbox import MBOX, looks_like_mbox, mbox
from hlta.reading.formats.single_documents import MAIL, is_plain, is_single, read_single
from hlta.reading.formats.workbooks import WORKBOOKS, workbook
from hlta.reading.paths import File, Paths, expand_paths, files_among, files_of, is_alone
from hlta.reading.records import USUAL_NAMES, Columns, ReadOptions, Record, Source
from hlta.reading.skipped import (
    DAMAGED_TEXT,
    NOT_IN_FORMAT,
    OF_MAIL,
    Skipped,
    ending_not_read,
)
from hlta.reading.tables.blocks import lines
from hlta.reading.tables.columnar import columnar
from hlta.reading.tables.delimited import table
from hlta.reading.tables.json_documents import json_array, json_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hlta.reading.records import Skip, Tell


TABLES: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})
COLUMNAR: Final = frozenset({".parquet", ".arrow", ".feather", ".ipc"})
MANY: Final = frozenset({*TABLES, *JSON_LINES, ".json", *COLUMNAR, *WORKBOOKS, *MBOX})
_WHOLE: Final = frozenset({".json", *WORKBOOKS})  # read at once
# What to do with files that are not read.
REMEDIES: Final = {
    **dict.fromkeys((".zip", ".tar", ".7z", ".rar", ".tgz"), "unpack it first"),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), "convert it to .epub"),
    ".doc": "save it as .docx",
    ".xls": "save it as .xlsx",
    ".ppt": "save it as .pptx",
    ".ods": "save it as .xlsx or .csv",
    ".msg": "save it as .eml",
    ".pst": "export it as .mbox",
}
_KINDS: Final = (
    "Files with documents end in .txt, .md, .csv, .jsonl, .docx, .html, .pdf and others, "
    "or have no ending"
)


def read_documents(
    path: Paths,
    options: ReadOptions | None = None,
    *,
    on_skip: Callable[[str, str], None] | None = None,
    on_columns: Callable[[str, Columns], None] | None = None,
) -> Iterator[Record]:
    """Read documents one after the other; memory does not grow with their number.

    `path` is a file with many documents, such as a table or a mailbox; a text file, with one document
    per line; a file with one document; a folder, which is searched recursively; several of these, or
    a pattern, which are read as if they were in one folder; or "-", standard input. Files may be
    compressed (.gz, .xz, .bz2, .zst). `on_skip` is called with the place and the reason for everything
    that is skipped, `on_columns` with the name of each table and its columns. The subject of a mail
    becomes its title.
    """
    names = expand_paths(path)
    yield from read_paths(names, source_of(names, options, on_skip, on_columns))


def read_paths(names: Sequence[str], source: Source) -> Iterator[Record]:
    """The documents of these paths; raises an error if there are none."""
    skipped = Skipped(source.skip)
    records = finish_records(_of_paths(names, source._replace(skip=skipped)), source)
    first = next(records, None)
    if first is None:
        raise nothing_read(names, skipped)
    yield first
    yield from records


def source_of(
    names: Sequence[str], options: ReadOptions | None, on_skip: Skip | None, on_columns: Tell | None
) -> Source:
    """The `Source` of these paths, with the options and the functions to report to."""
    options = options or ReadOptions()
    _check_applicable(names, options)
    source = Source(printable(names[0]), options)
    return source._replace(skip=on_skip or source.skip, tell=on_columns or source.tell)


def _check_applicable(names: Sequence[str], options: ReadOptions) -> None:
    """Refuse options for tables and workbooks if there are none.

    `group="group"` and the like are allowed: they mean the group that files without columns have, too.
    """
    named = [
        (part, name)
        for part in USUAL_NAMES
        if (name := getattr(options, part)) is not None and name != part
    ] + [("keep", name) for name in options.to_keep]
    if options.sheet is None and options.skip_rows is None and not named:
        return
    kinds = {kind_of(file.path) for file in files_of(names, lambda *_: None)}
    where = _name_paths(names)
    with_columns = {*TABLES, *WORKBOOKS, *JSON_LINES, ".json", *COLUMNAR}
    if named and options.delimiter is None and kinds.isdisjoint(with_columns):
        part, name = named[0]
        own = "" if part == "keep" else f", or use {part!r} to take it from the files themselves"
        raise OptionError(
            f"{part}={name!r:.60} names a column, but there is no table in {where}; leave it out{own}"
        )
    if options.sheet is not None and kinds.isdisjoint(WORKBOOKS):
        raise OptionError(
            f"sheet={options.sheet!r:.60} is for workbooks (.xlsx), but there is none in {where}; "
            "leave it out"
        )
    by_line = options.delimiter is None and kinds.isdisjoint({*TABLES, *WORKBOOKS})
    if options.skip_rows is not None and by_line:
        raise OptionError(
            f"skip_rows={options.skip_rows} is for tables of text and workbooks, but there is none in "
            f"{where}; leave it out, or name the delimiter of a table"
        )


def finish_records(records: Iterable[Record], source: Source) -> Iterator[Record]:
    """The documents, with dates in `date_format` as ISO dates; other dates and damage are reported."""
    form = source.options.date_format
    for record in records:
        where = f"{source.name}, document {record.id!r}"
        if UNKNOWN in record.text:
            source.skip(where, DAMAGED_TEXT)
        date = parse_in_format(record.date, form) if form is not None and record.date else ""
        if date is None:
            source.skip(where, NOT_IN_FORMAT.format(form))
        yield record._replace(date=date) if date else record


def _of_paths(names: Sequence[str], source: Source) -> Iterator[Record]:
    """The documents of standard input, of several paths, of a folder, or of a file named alone."""
    name = names[0]
    if name == "-":
        yield from _standard_input(source._replace(name="standard input"))
    elif is_alone(names):
        with _naming(name):
            yield from within_budget(name, source, partial(_of_file, Path(name), alone=True))
    else:
        source = source.among_others()
        for file in files_among(names, source.skip):
            yield from documents_of(file, source, source.skip)


def documents_of(
    file: File, source: Source, leave: Skip, *, elsewhere: bool = False
) -> Iterator[Record]:
    """The documents of a file among others; if it cannot be read, `leave` is called with the reason.

    On a worker of a cluster, `elsewhere`, errors of the disk and the memory are raised: another worker
    may be able to read the file.
    """
    path, shown, group = file
    read = 0
    try:
        check_regular(path)
        for record in within_budget(path, source.within(shown), partial(_of_file, Path(path))):
            read += 1
            yield record._replace(group=record.group or group)
    except Exception as error:
        if elsewhere and (isinstance(error, MemoryError) or getattr(error, "errno", None)):
            raise
        were = "was" if read == 1 else "were"
        before = f"; {plural(read, 'document')} before that {were} read" if read else ""
        name = re.escape(printable(shown))
        leave(shown, re.sub(rf"^{name}[,:] ", "", _reason(error)) + before)


def nothing_read(names: Sequence[str], skipped: Skipped) -> DocumentsError:
    """The error about paths that hold no documents."""
    have = "have" if len(names) > 1 else "has"
    reasons = "; ".join(skipped.by_reason()).rstrip(".")
    example = f". Not read: {reasons}" if reasons else ""
    remedy = "; give at least one text" if is_alone(names) else f". {_KINDS}"
    return DocumentsError(
        f"{_name_paths(names)} {have} no documents that can be read{example}{remedy}"
    )


def _name_paths(names: Sequence[str]) -> str:
    """How a message names these paths."""
    if len(names) > 1:
        return "the paths"
    return "standard input" if names[0] == "-" else repr(names[0])


def _reason(error: Exception) -> str:
    """Why a file cannot be read; an error that has nothing to do with the file is raised again."""
    if isinstance(error, MemoryError):
        return "it does not fit into memory"
    problem = damage(error) or getattr(error, "strerror", None)
    if problem or isinstance(error, (OSError, DocumentsError)):
        return problem or str(error)
    if isinstance(error, (HltaError, ImportError)):
        raise error
    return _unforeseen(error)


def _unforeseen(error: Exception) -> str:
    """The message about an error that no reader foresaw, which is reported as a defect of the file."""
    return f"it cannot be read ({type(error).__name__}: {error})"


def _of_file(path: Path, source: Source, *, alone: bool = False) -> Iterator[Record]:
    """The documents of a file; a text is one or, if it is `alone` and not mail, has one per line."""
    kind, delimiter = kind_of(path), source.options.delimiter
    if kind in REMEDIES:
        if alone:
            raise DocumentsError(f"{source.name!r}: {kind} files are not read; {REMEDIES[kind]}")
        raise DocumentsError(f"files that end in {kind} are not read; {REMEDIES[kind]}")
    if alone and delimiter is not None and (is_single(kind) or kind in MANY - set(TABLES)):
        raise OptionError(
            f"delimiter={delimiter!r} is for tables of text, but {source.name!r} is not one; leave it out"
        )
    if kind in MANY or (delimiter is not None and (alone or is_plain(kind))):
        yield from _many(path, kind, source)
        return
    with with_start(path, whole=not alone or is_single(kind)) as (file, start):
        is_text, is_mail = not is_single(kind), bytes_look_like_mail(start)
        if not alone and is_text and not (is_plain(kind) or is_mail):
            text = holds_text(start, source.options.encoding)
            raise DocumentsError(ending_not_read(kind, text=text))
        if is_text and looks_like_mbox(start):
            yield from mbox(file, source)
        elif alone and is_text and not is_mail:
            yield from of_mail(of_lines(lines(file, source), source), source)
        else:
            record = read_single(read_document(file), kind, source)
            if not record.text.strip():
                raise DocumentsError("it has no text")
            if (is_mail if is_text else kind == MAIL) and source.options.mail != "keep":
                source.skip(source.name, OF_MAIL)
            yield record._replace(id=path.name if alone else source.name)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the file in errors that reading it raises."""
    try:
        with naming_damage(path):
            yield
    except Exception as error:
        if isinstance(error, DocumentsError) and str(error).startswith(("it ", "its ")):
            raise DocumentsError(f"{path!r} cannot be read: {error}") from None
        if isinstance(error, (HltaError, ImportError, MemoryError)):
            raise
        raise DocumentsError(f"{path!r}: {_unforeseen(error)}") from error


def _many(path: Path, kind: str, source: Source) -> Iterator[Record]:
    """The documents of a file that holds many."""
    if kind in COLUMNAR:
        if kind != path.suffix.lower():
            raise DocumentsError(
                f"{source.name!r}: decompress it first; {kind} files are not read compressed"
            )
        yield from of_mail(columnar(path, source), source)
        return
    with open_bytes(path, whole=kind in _WHOLE) as file:
        if kind in MBOX:
            yield from mbox(file, source)
        elif kind in WORKBOOKS:
            yield from workbook(file.read(), source)
        elif kind in JSON_LINES:
            yield from of_mail(json_lines(lines(file, source), source), source)
        elif kind == ".json":
            yield from of_mail(json_array(file, source), source)
        else:
            yield from of_mail(table(file, source, TABLES.get(kind, ",")), source)


def _standard_input(source: Source) -> Iterator[Record]:
    """The rows or lines of standard input."""
    if sys.stdin is None:
        raise DocumentsError("standard input is closed; give a file or a folder")
    file = sys.stdin.buffer
    by_line = source.options.delimiter is None
    records = of_lines(lines(file, source), source) if by_line else table(file, source, ",")
    yield from of_mail(records, source)


def of_lines(numbered: Iterable[tuple[int, str]], source: Source) -> Iterator[Record]:
    """One document per line."""
    for number, line in numbered:
        yield Record(line.rstrip("\r"), source.id_of(number))


def of_mail(records: Iterable[Record], source: Source) -> Iterator[Record]:
    """The documents; those that are mail lose what their authors did not write, such as headers."""
    for record in records:
        if source.options.mail == "keep" or not looks_like_mail(record.text):
            yield record
            continue
        where = f"{source.name}, document {record.id!r}"
        try:
            mail = mail_of_text(record.text, source.skips_within(where))
        except DocumentsError as error:
            source.skip(where, str(error))
            continue
        source.skip(where, OF_MAIL)
        title, date = record.title or mail.title, record.date or mail.date
        yield record._replace(text=mail.text, title=title, date=date)
