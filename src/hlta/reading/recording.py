"""Metadata of documents, such as titles and dates, which is recorded while their texts are read.

Columns that documents are compared by are kept as long as they have few values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hlta._support.formats import METADATA
from hlta._support.letters import with_letters
from hlta._support.messages import warn
from hlta.documents.fields import value_list
from hlta.documents.strings import Strings, StringsWriter
from hlta.errors import DocumentsError
from hlta.reading.records import ALL, MOST_KEPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor
    from hlta.reading.records import Record

MOST_VALUES: Final = 10_000
"""The most values of a column that is named: they are held in memory."""
FEW: Final = 500
"""The most values of a column that is not named: documents are compared by at most so many."""
LONGEST: Final = 200
"""The most characters of a value: longer ones are texts."""
_FOLLOWED: Final = 60  # columns, at most, until it is known which ones have few values
_REPEATED: Final = 2  # documents per value of a column that is not named, on average, at least
_SHOWN: Final = 8  # columns in a message
_REPORT_EVERY: Final = 100  # documents


def as_kept(record: Record, *, keep_texts: bool) -> Record:
    """A document as a corpus keeps it: its text without the title, or none."""
    body = record.text if keep_texts else ""
    body = body.removeprefix(record.title).lstrip() if record.title else body
    return record._replace(title=with_letters(record.title), text=with_letters(body))


class MetadataWriter:
    """Records the metadata of documents while their texts are read."""

    def __init__(self, keep: tuple[str, ...] = (), *, keep_texts: bool) -> None:
        self._keep_texts = keep_texts
        self._writers = {name: StringsWriter() for name in METADATA}
        self._kept = KeptColumns(keep)

    def recording(self, records: Iterable[Record], monitor: Monitor) -> Iterator[str]:
        """Yield the texts one by one; record the metadata of each document."""
        for number, record in enumerate(records, start=1):
            if number % _REPORT_EVERY == 0:
                monitor.advance(_REPORT_EVERY)
            self.append(as_kept(record, keep_texts=self._keep_texts))
            yield record.text

    def append(self, record: Record) -> None:
        """Record the metadata of a document that `as_kept` returned."""
        values = (record.id, record.title, record.date, record.group, record.text)
        for writer, value in zip(self._writers.values(), values, strict=True):
            writer.append(value)
        self._kept.append(record.kept)

    def read(self) -> dict[str, Any]:
        """Arguments of `Corpus`; parts that are empty for every document are left out."""
        known = {name: writer.read() for name, writer in self._writers.items()}
        known = {name: values for name, values in known.items() if len(values.data)}
        return {**known, "fields": self._kept.read()}


def with_group_name(corpus: Corpus, name: str | None) -> Corpus:
    """The corpus with its groups named after their column, which is then not kept as a field as well."""
    if name is None or name.isdecimal() or corpus.groups is None:
        return corpus
    fields = {column: values for column, values in corpus.fields.items() if column != name}
    return replace(corpus, group_name=name, fields=fields)


class KeptColumns:
    """Collects the columns to keep while documents are read; those with too many values are left out."""

    def __init__(self, keep: tuple[str, ...]) -> None:
        self._all = keep == ALL
        self._most = FEW if self._all else MOST_VALUES
        self._columns: dict[str, _Column | None] = {}  # None for those that are left out
        self._left: dict[str, str] = {}
        self._too_many = False
        self._count = 0
        for name in () if self._all else keep:
            self._columns[name] = _Column()

    def append(self, values: Iterable[tuple[str, str]]) -> None:
        """Add a document with these columns."""
        for name, value in values:
            if name not in self._columns:
                if len(self._columns) >= _FOLLOWED:
                    self._too_many = True
                    continue
                self._columns[name] = _Column()
            column = self._columns[name]
            if column is None:
                continue
            column.append(value, self._count)
            if column.is_long:
                self._leave(name, f"values of more than {LONGEST} characters")
            elif len(column.values) > self._most:
                self._leave(name, f"more than {self._most:,} values")
        self._count += 1

    def read(self) -> dict[str, Strings]:
        """The columns that are kept in the end; a warning names the others."""
        followed = {name: column for name, column in self._columns.items() if column is not None}
        for name, column in followed.items():
            if not column.is_there:
                raise DocumentsError(
                    f"no document has a column {name!r:.60}; name one that there is, or leave it out"
                )
            if why := column.says_little(all_columns=self._all):
                self._leave(name, why)
        useful = [name for name in followed if name not in self._left]
        for name in useful[MOST_KEPT:]:
            self._leave(name, f"one of more than {MOST_KEPT} columns")
        self._warn()
        return {name: followed[name].read(self._count) for name in useful[:MOST_KEPT]}

    def _leave(self, name: str, why: str) -> None:
        self._columns[name] = None
        self._left[name] = why

    def _warn(self) -> None:
        if not (self._left or self._too_many):
            return
        shown = [f"{name!r:.60} ({why})" for name, why in list(self._left.items())[:_SHOWN]]
        if (more := len(self._left) - _SHOWN) > 0:
            shown.append(f"and {more:,} more")
        if self._too_many:
            shown.append(f"and those beyond the first {_FOLLOWED} columns")
        remedy = (
            'name those that you need, as in keep="country" (--keep country)'
            if self._all
            else "leave them out, or give columns with fewer and shorter values"
        )
        warn(f"columns that are not kept: {', '.join(shown)}; {remedy}")


class _Column:
    """The values of a column so far, by document and as a set."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.is_long = False
        self._writer = StringsWriter()
        self._length = self._filled = 0

    @property
    def is_there(self) -> bool:
        """Whether a document had the column."""
        return self._length > 0

    def append(self, value: str, before: int) -> None:
        """Add the value of the document that follows `before` others."""
        self._pad(before)
        self._writer.append(value)
        self._length += 1
        self._filled += value != ""
        if value and value not in self.values:
            parts = value_list(value)
            self.values.update(parts)
            self.is_long |= any(len(part) > LONGEST for part in parts)

    def read(self, count: int) -> Strings:
        """The values of `count` documents; those at the end that have none are empty."""
        self._pad(count)
        return self._writer.read()

    def says_little(self, *, all_columns: bool) -> str:
        """Why documents cannot be compared by it, or ""; if all columns are kept, more is required."""
        if not self.values:
            return "no values"
        if all_columns and len(self.values) == 1:
            return "one value"
        if all_columns and len(self.values) * _REPEATED > self._filled:
            return "more than one value for every two documents"
        return ""

    def _pad(self, count: int) -> None:
        while self._length < count:
            self._writer.append("")
            self._length += 1
