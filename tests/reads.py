"""Reads documents in tests, and keeps what was skipped."""

from typing import Any

from hlta.reading.paths import Paths
from hlta.reading.records import ReadOptions, Record
from hlta.reading.sources import read_documents


def read(path: Paths, **options: Any) -> list[Record]:
    return list(read_documents(path, ReadOptions(**options)))


def texts_in(path: Paths, **options: Any) -> list[str]:
    return [record.text for record in read(path, **options)]


def read_and_skipped(path: Paths, **options: Any) -> tuple[list[Record], dict[str, str]]:
    """The documents, and the reason for everything that was skipped, by its place."""
    skipped: dict[str, str] = {}
    records = list(read_documents(path, ReadOptions(**options), on_skip=skipped.__setitem__))
    return records, skipped
