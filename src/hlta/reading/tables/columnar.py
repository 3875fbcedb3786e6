"""Rows of Parquet and Arrow files as documents; another process reads the file, which may crash it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.dependencies import unmet_requirements
from hlta._support.limited import answer, start
from hlta.errors import DocumentsError
from hlta.reading.compression import MOST_RATIO
from hlta.reading.tables.delimited import records_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import polars as pl

    from hlta.reading.records import Columns, Record, Source

_OF_POLARS: Final = 2 << 30  # bytes of address space
_OF_A_THREAD: Final = 1 << 27  # likewise
_PROGRAM: Final = Path(__file__).with_name("columnar_process.py")


def columnar(path: Path, source: Source) -> Iterator[Record]:
    """Read a Parquet or Arrow file, some thousand rows at a time."""
    import polars as pl

    taken: list[Columns] = []

    def chosen(names: list[str]) -> list[str]:
        taken.append(source.columns(names))
        source.tell(source.name, taken[0])
        return taken[0].used

    number = 1
    for frame in read_frames(path, chosen):
        try:
            yield from records_of(frame, taken[0], number, "row", source)
        except pl.exceptions.PolarsError as error:
            raise DocumentsError(f"{source.name!r} cannot be read: {error}") from None
        number += len(frame)


def read_frames(path: Path, choose: Callable[[list[str]], Sequence[str]]) -> Iterator[pl.DataFrame]:
    """Read the columns that are chosen among those of a Parquet or Arrow file, in parts."""
    # For Polars, for each of its threads, and for what a file unpacks to if it is no bomb.
    memory = _OF_POLARS + (os.cpu_count() or 1) * _OF_A_THREAD + MOST_RATIO * path.stat().st_size
    started = start(_PROGRAM, "polars", str(path), memory=memory)
    if started is None:
        raise DocumentsError(f"{str(path)!r} cannot be read without Polars; pip install polars")
    with started as process:
        import polars as pl  # while the process starts

        try:
            used = list(choose(json.loads(_receive(process, path))))
            process.stdin.write(json.dumps(used).encode() + b"\n")
            process.stdin.flush()
            while rows := _receive(process, path):
                yield pl.read_ipc_stream(rows)
        finally:
            process.kill()


def _receive(process: Any, path: Path) -> bytes:
    """The next message, which is empty at the end."""
    message = answer(process)
    if message is None:
        unmet = "; ".join(unmet_requirements())  # perhaps Polars is too old
        reason = unmet or "it is damaged, or too large for the memory; write it again"
        raise DocumentsError(f"{str(path)!r} cannot be read: {reason}")
    letter, data = message
    if letter == b"e":
        raise DocumentsError(f"{str(path)!r} cannot be read: {data.decode()}")
    return data
