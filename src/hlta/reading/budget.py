"""How much a file may hold, by its size: a few bytes of some formats can stand for endless texts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.compression import MOST_RATIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta.reading.records import Record, Source

_ALWAYS_TEXT: Final = 1 << 26  # characters that any file may hold
_ALWAYS_DOCUMENTS: Final = 1 << 20
_DOCUMENTS_PER_BYTE: Final = 8  # beyond these; a row without text counts, too


def within_budget(
    path: str | os.PathLike[str], source: Source, read: Callable[[Source], Iterator[Record]]
) -> Iterator[Record]:
    """What is read of a file, unless its documents or their text are too many for its size."""
    size = os.path.getsize(path)
    most_text = max(_ALWAYS_TEXT, MOST_RATIO * size)
    most_documents = max(_ALWAYS_DOCUMENTS, _DOCUMENTS_PER_BYTE * size)
    text = documents = 0

    def count_document() -> None:
        nonlocal documents
        documents += 1
        if documents > most_documents:
            raise DocumentsError(
                f"it holds more than {most_documents:,} documents in {size:,} bytes; write its texts "
                "to a .jsonl or .csv file to read them"
            )

    def skip(where: str, reason: str) -> None:
        count_document()
        source.skip(where, reason)

    for record in read(source._replace(skip=skip)):
        count_document()
        text += sum(map(len, record))
        if text > most_text:
            raise DocumentsError(
                f"it holds more than {most_text >> 20:,} MB of text in {size:,} bytes; write its texts "
                "to a .jsonl or .csv file to read them"
            )
        yield record
