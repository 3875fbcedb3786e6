"""Documents from a folder, a table, lines or standard input, one after the other."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from hlta._support.files import MODEL
from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, damage, holds_text, kind_of, naming_damage, open_bytes
from hlta.reading.extract import HTML, PDF, html_text, looks_like_mail, pdf_text, strip_mail
from hlta.reading.records import ReadOptions, Record, Source
from hlta.reading.tables import json_array, json_lines, lines, parquet, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT: Final = frozenset({"", ".txt", ".text", ".md", ".rst", ".tex", ".eml"})
TABLES: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})
COLUMNAR: Final = frozenset({".parquet", ".arrow", ".feather", ".ipc"})
_NO_TEXT: Final = frozenset({".zip", ".tar", ".docx", ".xlsx", ".doc", ".pptx", ".odt", ".epub"})


def read_documents(
    path: str | os.PathLike[str],
    options: ReadOptions | None = None,
    *,
    on_skip: Callable[[str, str], None] | None = None,
) -> Iterator[Record]:
    """Read documents one after the other; memory does not grow with their number.

    `path` is a folder of text, HTML and PDF files, searched recursively; a CSV, TSV, JSON, JSON
    lines, Parquet or Arrow file; any other file, with one document per line; or "-", standard input.
    Files may be compressed (.gz, .xz, .bz2, .zst). `on_skip` is called with the place and the reason
    for everything that is skipped. The subject of a mail becomes its title.
    """
    name = os.fspath(path)
    source = Source(name, options or ReadOptions(), on_skip or (lambda *_: None))
    if name == "-":
        records = _lines(sys.stdin.buffer, source._replace(name="standard input"))
    elif Path(name).is_dir():
        records = _folder(Path(name), source)
    elif Path(name).exists():
        records = _file(Path(name), source)
    else:
        raise DocumentsError(f"{name!r} does not exist; give a file or a folder")
    for record in records:
        if source.options.mail == "keep" or not looks_like_mail(record.text):
            yield record
        else:
            subject, body = strip_mail(record.text)
            yield record._replace(text=f"{subject}\n{body}", title=record.title or subject)


def _folder(folder: Path, source: Source) -> Iterator[Record]:
    """One document per file; the first folder below is its group."""
    any_document = False
    skipped: list[str] = []

    def leave(what: str, reason: str) -> None:
        if not skipped:
            skipped.append(f"{what!r}: {reason}")
        source.skip(what, reason)

    def leave_folder(error: OSError) -> None:
        leave(os.path.relpath(error.filename, folder), error.strerror or str(error))

    for root, folders, names in os.walk(folder, onerror=leave_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        within = os.path.relpath(root, folder) if root != str(folder) else ""
        if MODEL in names:
            leave(within or ".", "it holds results of hlta")
            folders.clear()
            continue
        for name in sorted(names):
            path = os.path.join(root, name)
            shown = os.path.join(within, name)
            try:
                title, text = _document(path, source.options.encoding)
            except Exception as error:
                problem = damage(error)
                if problem is None and not isinstance(error, (OSError, DocumentsError)):
                    raise
                leave(shown, problem or getattr(error, "strerror", None) or str(error))
                continue
            if not text.strip():
                leave(shown, "it has no text")
                continue
            any_document = True
            yield Record(text, shown, title, group=within.split(os.sep, 1)[0])
    if not any_document:
        endings = ", ".join(sorted({*TEXT, *HTML, *PDF} - {""}))
        example = f". Not read: {skipped[0]}" if skipped else ""
        raise DocumentsError(
            f"{str(folder)!r} has no documents, which are files without a suffix or with one of "
            f"{endings}{example}"
        )


def _document(path: str, encoding: str | None) -> tuple[str, str]:
    """The title, empty if it has none, and the text of one file of a folder."""
    kind = kind_of(path)
    if os.path.basename(path).startswith("."):
        raise DocumentsError("hidden files are not read")
    if kind in PDF:
        return pdf_text(path)
    if kind not in TEXT | HTML and not kind[1:].isdigit():  # article.123 has no suffix
        raise DocumentsError(f"files that end in {kind} are not read from a folder")
    with open_bytes(path) as file:
        data = file.read()
    if not holds_text(data):
        raise DocumentsError("it holds no text: there are zero bytes at its beginning")
    text = Decoder(encoding).text(data, "it")
    return html_text(text) if kind in HTML else ("", text)


def _file(path: Path, source: Source) -> Iterator[Record]:
    """The documents of a file that holds many."""
    kind = kind_of(path)
    name = source.name
    if kind in _NO_TEXT:
        raise DocumentsError(f"{name!r}: {kind} files are not read; unpack or convert it first")
    if kind in HTML | PDF:
        raise DocumentsError(f"{name!r} is a single document; give the folder with all of them")
    if kind in COLUMNAR:
        if kind != path.suffix.lower():
            raise DocumentsError(
                f"{name!r}: decompress it first; {kind} files are not read compressed"
            )
        yield from parquet(path, source)
        return
    with naming_damage(path), open_bytes(path) as file:
        if kind in JSON_LINES:
            yield from json_lines(file, source)
        elif kind == ".json":
            yield from json_array(file, source)
        elif kind in TABLES:
            yield from table(file, source, TABLES[kind])
        else:
            yield from _lines(file, source)


def _lines(file: IO[bytes], source: Source) -> Iterator[Record]:
    """One document per line; empty lines are left out."""
    for number, line in lines(file, source):
        yield Record(line.rstrip("\r"), str(number))
