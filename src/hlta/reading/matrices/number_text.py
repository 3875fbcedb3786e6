"""Numbers written as text, read fast where they are well formed; what is wrong is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.forks import check_threads_of_polars
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_EMPTY: Final = 10_000_000  # documents without words that a head may announce, whatever follows


def table(
    data: bytes, path: Path, rows: int, *, columns: int = 3, last: type = np.int64
) -> list[NDArray[Any]]:
    """The columns of `rows` lines of whole numbers; those of the last column are of the type `last`."""
    import polars as pl

    check_threads_of_polars()
    names = [f"{k}" for k in range(columns)]
    schema: dict[str, type[pl.DataType]] = dict.fromkeys(names, pl.Int64)
    schema[names[-1]] = pl.Float64 if last is np.float64 else pl.Int64
    try:
        read = pl.read_csv(
            data,
            separator=" ",
            quote_char=None,
            has_header=False,
            schema=schema,
            raise_if_empty=False,
        )
    except pl.exceptions.PolarsError:
        read = None
    if read is not None and len(read) == rows and not sum(read.null_count().row(0)):
        return [read[name].to_numpy() for name in names]
    return _slow_table(data, path, rows, columns, last)


def _slow_table(data: bytes, path: Path, rows: int, columns: int, last: type) -> list[NDArray[Any]]:
    """The same; it names what is wrong."""
    parts = data.split()
    if len(parts) != columns * rows:
        raise DocumentsError(
            f"{str(path)!r} has {len(parts):,} numbers after its head, which announces "
            f"{rows:,} lines of {columns}; the file is cut off or damaged"
        )
    return [
        numbers(parts[k::columns], repr(str(path)), last if k == columns - 1 else np.int64)
        for k in range(columns)
    ]


def numbers(parts: list[bytes], where: str, kind: type = np.int64) -> NDArray[Any]:
    """Numbers that were found `where`."""
    try:
        return np.array(parts, dtype=kind)
    except (ValueError, OverflowError):
        odd = next(part for part in parts if not _is_number(part, kind))
        what = "a number" if kind is np.float64 else "a whole number below 2^63"
        raise DocumentsError(
            f"{where} holds {odd.decode('utf-8', 'replace')!r:.80} where {what} must be"
        ) from None


def _is_number(part: bytes, kind: type) -> bool:
    try:
        np.array([part], dtype=kind)
    except (ValueError, OverflowError):
        return False
    return True


def check_places(values: NDArray[Any], most: int, name: str, path: Path, head: int) -> None:
    """Refuse numbers of documents or words, counted from 1, of which there are only `most`."""
    odd = np.flatnonzero((values < 1) | (values > most))
    if len(odd):
        raise DocumentsError(
            f"{str(path)!r}, line {int(odd[0]) + head + 1:,}: {name} {int(values[odd[0]])} is not "
            f"from 1 to {most:,}"
        )


def check_announced(n_documents: int, n_entries: int, path: Path) -> None:
    """Refuse a number of documents that next to nothing follows: they would only fill the memory."""
    if n_documents > _EMPTY + 100 * n_entries:
        raise DocumentsError(
            f"{str(path)!r} announces {n_documents:,} documents, but holds {n_entries:,} entries; "
            "it is damaged"
        )
