"""Limits on what a file may hold, by its size: in some formats, a few bytes expand to endless texts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.compression import MOST_RATIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta.reading.records import Record, Source

_ALWAYS_TEXT: Final = 1 << 26  # characters that any file may hold
# Steps of work: documents, rows without text, lines of tables and of mail, pages of PDF and objects on
# them. They are counted, and not seconds, so that a corpus does not depend on the machine.
ALWAYS_STEPS: Final = 1 << 20
STEPS_PER_BYTE: Final = 2


def within_budget(
    path: str | os.PathLike[str], source: Source, read: Callable[[Source], Iterator[Record]]
) -> Iterator[Record]:
    """The documents of a file; raises an error if there is too much text or work for its size."""
    size = os.path.getsize(path)
    most_text = max(_ALWAYS_TEXT, MOST_RATIO * size)
    most_steps = max(ALWAYS_STEPS, STEPS_PER_BYTE * size)
    text = steps = 0

    def refusal(what: str) -> DocumentsError:
        return DocumentsError(
            f"it holds more than {what} in {size:,} bytes; write its texts to a .jsonl or .csv file to "
            "read them"
        )

    def work(done: int = 1) -> None:
        nonlocal steps
        steps += done
        if steps > most_steps:
            raise refusal(f"{most_steps:,} documents, rows or lines")

    def skip(where: str, reason: str) -> None:
        work()
        source.skip(where, reason)

    for record in read(source._replace(skip=skip, work=work)):
        work(1 + len(record.kept))
        text += sum(map(len, record)) + sum(len(value) for _, value in record.kept)
        if text > most_text:
            raise refusal(f"{most_text >> 20:,} MB of text")
        yield record
