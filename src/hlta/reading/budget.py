"""How much a file may hold, by its size: a few bytes of some formats can stand for endless texts."""

from __future__ import annotations

import os
from itertools import count
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
    documents = count(1)
    text = 0

    def refusal(what: str) -> DocumentsError:
        return DocumentsError(
            f"it holds more than {what} in {size:,} bytes; write its texts to a .jsonl or .csv file to "
            "read them"
        )

    def count_document() -> None:
        if next(documents) > most_documents:
            raise refusal(f"{most_documents:,} documents")

    def skip(where: str, reason: str) -> None:
        count_document()
        source.skip(where, reason)

    for record in read(source._replace(skip=skip)):
        count_document()
        text += sum(map(len, record))
        if text > most_text:
            raise refusal(f"{most_text >> 20:,} MB of text")
        yield record
