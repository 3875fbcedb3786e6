"""The rows of a data frame of pandas or Polars as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlta.documents.frames import is_frame, plain
from hlta.errors import DocumentsError
from hlta.monitor import Monitor
from hlta.reading.corpus_reader import corpus_of_records
from hlta.reading.recording import MetadataWriter, with_group_name
from hlta.reading.records import Columns, ReadOptions, Record, check_kept, find_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hlta.documents.corpus import Corpus
    from hlta.options import TextOptions


def corpus_of_frame(
    frame: Any, columns: Mapping[str, Any], text_options: TextOptions, *, keep_texts: bool
) -> Corpus:
    """The corpus of a data frame; `columns` are those of `ReadOptions`."""
    if not is_frame(frame):
        raise DocumentsError(
            f"frame is of type {type(frame).__name__}; give a data frame of pandas or Polars"
        )
    options = ReadOptions(**columns)
    names = [str(name) for name in frame.columns]
    found = find_columns(names, options, "the data frame")
    check_kept(names, options, "the data frame")
    writer = MetadataWriter(options.to_keep, keep_texts=keep_texts)
    corpus = corpus_of_records(frame_records(frame, found), text_options, writer, Monitor())
    return with_group_name(corpus, found.group)


def frame_records(frame: Any, columns: Columns) -> Iterator[Record]:
    """A document per row, numbered from 0; missing values are empty, except that of a text."""
    names = {str(name): name for name in frame.columns}
    values = [_column(frame, names[name]) for name in columns.used]
    text = columns.used.index(columns.text)
    for number, row in enumerate(zip(*values, strict=True)):
        if not isinstance(row[text], str):
            raise DocumentsError(
                f"row {number:,} of column {columns.text!r}, counted from 0, holds {row[text]!r:.40}, "
                'which is not text; leave such rows out, or fill them with ""'
            )
        entry = dict(zip(columns.used, map(plain, row), strict=True))
        yield columns.record(entry, number)


def _column(frame: Any, name: Any) -> Any:
    column = frame[name]
    if is_frame(column):
        raise DocumentsError(f"the data frame has several columns {name!r}; rename all but one")
    return column
