"""What is known of documents besides their words, kept while their texts pass by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.formats import METADATA
from hlta._support.letters import with_letters
from hlta.documents.strings import Strings, StringsWriter
from hlta.reading.kept_columns import Kept, KeptColumns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hlta.monitor import Monitor
    from hlta.reading.records import Record

_REPORT_EVERY: Final = 100  # documents


class Recorded(NamedTuple):
    """What was recorded of some documents: their parts by name, and the columns that they keep."""

    parts: dict[str, Strings]
    kept: Kept


class MetadataWriter:
    """Records what is known of documents while their texts pass by."""

    def __init__(
        self, keep: tuple[str, ...] = (), *, keep_texts: bool, is_part: bool = False
    ) -> None:
        self._keep_texts = keep_texts
        self._writers = {name: StringsWriter() for name in METADATA}
        self._kept = KeptColumns(keep, is_part=is_part)

    def recording(self, records: Iterable[Record], monitor: Monitor) -> Iterator[str]:
        """Yield the texts one by one; record what else is known of each document."""
        for number, record in enumerate(records, start=1):
            if number % _REPORT_EVERY == 0:
                monitor.advance(_REPORT_EVERY)
            body = record.text if self._keep_texts else ""
            body = body.removeprefix(record.title).lstrip() if record.title else body
            title, body = with_letters(record.title), with_letters(body)
            values = (record.id, title, record.date, record.group, body)
            for writer, value in zip(self._writers.values(), values, strict=True):
                writer.append(value)
            self._kept.append(record.kept)
            yield record.text

    def extend(self, recorded: Recorded) -> None:
        """Add what another writer recorded."""
        for name, values in recorded.parts.items():
            self._writers[name].extend(values)
        self._kept.extend(recorded.kept, len(recorded.parts["ids"]))

    def recorded(self) -> Recorded:
        """All that was recorded."""
        return Recorded(self._parts(), self._kept.collected())

    def read(self) -> dict[str, Any]:
        """Arguments of `Corpus`; parts that are empty for every document are left out."""
        known = {name: values for name, values in self._parts().items() if len(values.data)}
        return {**known, "fields": self._kept.read()}

    def _parts(self) -> dict[str, Strings]:
        return {name: writer.read() for name, writer in self._writers.items()}
