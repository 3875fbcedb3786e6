"""Large files of lines or rows, cut into blocks that can be read independently.

A file is cut where reading it in one go would cut it, so the documents are the same. To find these
places, it is read once, which is fast: only line breaks and quotes matter, and rows are counted.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from hlta.errors import DocumentsError
from hlta.reading.compression import COMPRESSED, START, kind_of, suffix_of
from hlta.reading.formats.mail import bytes_look_like_mail
from hlta.reading.formats.mbox import looks_like_mbox
from hlta.reading.formats.single_documents import is_plain, is_single
from hlta.reading.sources import JSON_LINES, MANY, REMEDIES, TABLES, of_lines, of_mail
from hlta.reading.tables.blocks import FIRST, lines_of, pieces, whole_lines
from hlta.reading.tables.delimited import Head, begin_table, records_of, rows_of
from hlta.reading.tables.json_documents import json_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hlta.reading.records import ReadOptions, Record, Source

_ENCODING: Final = "utf-8"  # of files that are cut


class Block(NamedTuple):
    """A part of a file.

    begin, end  its bytes
    line        the number of its first line
    is_first    whether it has the first document
    head        the head of the file, if this is a table
    number      the number of its first row, if the file is a table
    """

    begin: int
    end: int
    line: int
    is_first: bool
    head: Head | None = None
    number: int = 1


def blocks_of(path: str, source: Source, *, alone: bool) -> list[Block]:
    """The blocks of a file, or none if it has to be read in one go.

    That is so if it is small, compressed, not in UTF-8, not of lines or rows, or broken, which reading
    then reports.
    """
    if suffix_of(path) in COMPRESSED or os.path.getsize(path) <= FIRST:
        return []
    with suppress(DocumentsError, OSError, UnicodeError), open(path, "rb") as file:
        if _is_cut(file, kind_of(path), source.options, alone=alone):
            return _blocks(path, file, source)
    return []


def _is_cut(file: IO[bytes], kind: str, options: ReadOptions, *, alone: bool) -> bool:
    """Whether the documents of a file are its lines or rows, by its ending and its first bytes."""
    if kind in TABLES or kind in JSON_LINES:
        return kind in TABLES or options.delimiter is None
    if options.delimiter is not None:
        return is_plain(kind)
    if not alone or kind in MANY or kind in REMEDIES or is_single(kind):
        return False
    start = file.read(START)
    file.seek(0)
    return not looks_like_mbox(start) and not bytes_look_like_mail(start)


def _blocks(path: str, file: IO[bytes], source: Source) -> list[Block]:
    """The blocks of a file; none if there is only one, or if its text in UTF-8 differs from its bytes."""
    kind, head = kind_of(path), None
    if kind in TABLES or source.options.delimiter is not None:
        head, texts = begin_table(file, source, TABLES.get(kind, ","))
    else:
        texts = whole_lines(pieces(file, source), source, quoted=False)
    begin, number = len(head.text.encode(_ENCODING)) if head else 0, 1
    found: list[Block] = []
    with open(path, "rb") as raw:
        raw.seek(begin)
        for line, text in texts:
            data = text.encode(_ENCODING)
            if raw.read(len(data)) != data:
                return []
            found.append(Block(begin, begin + len(data), line, not found, head, number))
            begin += len(data)
            if head is not None:
                following = iter([(0, "")])
                rows = rows_of(text, line, head, source.among_others(), following=following)
                if next(following, None) is None:  # the last row continues in the next block
                    return []
                number += len(rows)
            # The first object, which must have a key for the text, must be in the first block.
            of_objects = kind in JSON_LINES and len(found) == 1
            if of_objects and next(json_lines(lines_of(text, line), source), None) is None:
                return []
        return found if not raw.read(1) and len(found) > 1 else []


def documents_of_block(path: str, block: Block, source: Source) -> Iterator[Record]:
    """The documents of a block of a file."""
    kind = kind_of(path)
    with open(path, "rb") as file:
        file.seek(block.begin)
        text = file.read(block.end - block.begin).decode(_ENCODING)
    records: Iterable[Record]
    if block.head is not None:
        if block.is_first:
            block.head.tell(source)
        rows = rows_of(text, block.line, block.head, source)
        records = records_of(rows, block.head.columns, block.number, "record", source)
    elif kind in JSON_LINES:
        records = json_lines(lines_of(text, block.line), source, first=block.is_first)
    else:
        records = of_lines(lines_of(text, block.line), source)
    return of_mail(records, source)
