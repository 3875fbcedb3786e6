"""Matrices in files of text: UCI bag of words, LDA-C, the authors' tuples, and MatrixMarket.

Numbers are read fast where they are well formed; what is wrong is named. Of MatrixMarket, there are
coordinates and arrays; integer, real and pattern; general and symmetric.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from hlta._support.arrays import offsets
from hlta._support.forks import check_threads_of_polars
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta._support.arrays import Ints

_MOST: Final = 2**63 - 2  # the largest number of a word in LDA-C: one more is how many there are
_SEPARATOR: Final = re.compile(r"[,\t ]")
_EMPTY: Final = 10_000_000  # documents without words that a head may announce, whatever follows
_FORMATS: Final = ("coordinate", "array")
_SYMMETRIES: Final = ("general", "symmetric")
_TYPES: Final = {
    "integer": np.int64,
    "unsigned-integer": np.int64,
    "real": np.float64,
    "double": np.float64,
}


def read_uci(file: IO[bytes], path: Path) -> csr_array:
    """Read a bag of words; `path` is the name of the open file in messages."""
    n_documents, n_words, n_entries = (_whole(file.readline(), path, k) for k in (1, 2, 3))
    document, word, count = _table(file.read(), path, n_entries)
    _check_places(document, n_documents, "document", path, head=3)
    _check_places(word, n_words, "word", path, head=3)
    check_announced(n_documents, n_entries, path)
    shape = (n_documents, n_words)
    return coo_array((count, (document - 1, word - 1)), shape=shape).tocsr()


def read_lda(file: IO[bytes], path: Path) -> csr_array:
    """Read a document per line: its number of words, and pairs of a word and its count."""
    lengths: list[int] = []
    parts: list[Ints] = []
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        where = f"{str(path)!r}, line {number:,}"
        values = _numbers(line.replace(b":", b" ").split(), f"{where},")
        if not len(values):
            raise DocumentsError(f"{where}: it does not begin with its number of words")
        length = int(values[0])
        if len(values) != 2 * length + 1:
            raise DocumentsError(
                f"{where}: it announces {length:,} words but has {(len(values) - 1) / 2:g}"
            )
        odd = values[(values < 0) | (values > _MOST)]
        if len(odd):
            raise DocumentsError(f"{where}: {odd[0]} is not a number of a word or a count")
        lengths.append(length)
        parts.append(values[1:])
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *parts]).reshape(-1, 2)
    n_words = int(pairs[:, 0].max()) + 1 if len(pairs) else 0
    shape = (len(lengths), n_words)
    matrix = csr_array((pairs[:, 1], pairs[:, 0], offsets(lengths)), shape=shape)
    matrix.sum_duplicates()
    return matrix


def read_tuples(file: IO[bytes], path: Path) -> tuple[csr_array, tuple[str, ...], tuple[str, ...]]:
    """Read pairs of a document and a word: the matrix, the words and the ids of the documents."""
    documents: dict[str, int] = {}
    words: dict[str, int] = {}
    row: list[int] = []
    column: list[int] = []
    for number, data in enumerate(file, start=1):
        line = data.decode("utf-8", errors="replace").strip()
        if not line:
            continue
        document, word = _pair(line)
        if not document or not word:
            raise DocumentsError(
                f"{str(path)!r}, line {number:,}, is not a pair of a document and a word"
            )
        row.append(documents.setdefault(document, len(documents)))
        column.append(words.setdefault(word, len(words)))
    shape = (len(documents), len(words))
    counts = coo_array((np.ones(len(row), dtype=np.int64), (row, column)), shape=shape).tocsr()
    counts.data[:] = 1  # a pair says that the word is present, however often it is repeated
    return counts, tuple(words), tuple(documents)


def _pair(line: str) -> tuple[str, str]:
    """What stands before a comma, a tab or spaces, and what behind; each perhaps empty."""
    mark = _SEPARATOR.search(line)
    if mark is None:
        return line, ""
    rest = line[mark.start() :].lstrip()
    word = rest.removeprefix(",").lstrip()
    return line[: mark.start()].rstrip(), _SEPARATOR.split(word, maxsplit=1)[0].rstrip()


def _whole(line: bytes, path: Path, number: int) -> int:
    digits = line.strip()
    if digits.isdigit() and len(digits) < 20 and int(digits) < 2**63:
        return int(digits)
    raise DocumentsError(
        f"{str(path)!r}, line {number}, must be a whole number; the first three lines are the "
        "numbers of documents, words and entries"
    )


# ---- MatrixMarket ---------------------------------------------------------------------------


class _Head(NamedTuple):
    """The first line of a file, and the line of sizes."""

    layout: str  # "coordinate" or "array"
    field: str  # what the values are, or "pattern"
    symmetric: bool
    sizes: list[int]  # rows, columns and, of coordinates, entries
    lines: int  # how many lines come before the values


def read_matrix_market(file: IO[bytes], path: Path) -> csr_array:
    """Read the matrix in an open file; `path` is its name in messages."""
    head = _read_head(file, path)
    read = _read_coordinates if head.layout == "coordinate" else _read_array
    return read(file.read(), head, path)


def _read_head(file: IO[bytes], path: Path) -> _Head:
    first = file.readline().decode("latin-1").lower().split()
    if first[:2] != ["%%matrixmarket", "matrix"] or len(first) != 5:
        raise DocumentsError(f"{str(path)!r} does not begin with %%MatrixMarket matrix")
    layout, field, symmetry = first[2:]
    fields = [*_TYPES, *(["pattern"] if layout == "coordinate" else [])]
    for value, known in ((layout, _FORMATS), (field, fields), (symmetry, _SYMMETRIES)):
        if value not in known:
            raise DocumentsError(
                f"{str(path)!r}: {value!r:.80} matrices are not read, only {', '.join(known)}"
            )
    lines = 1
    while line := file.readline():
        lines += 1
        if line.strip() and not line.startswith(b"%"):
            break
    sizes = _numbers(line.split(), f"{str(path)!r}, line {lines},").tolist()
    wanted = 3 if layout == "coordinate" else 2
    if len(sizes) != wanted or min(sizes) < 0:
        raise DocumentsError(
            f"{str(path)!r}, line {lines}, must be {wanted} whole numbers, the sizes of the matrix"
        )
    symmetric = symmetry == "symmetric"
    if symmetric and sizes[0] != sizes[1]:
        raise DocumentsError(
            f"{str(path)!r} is symmetric, but has {sizes[0]} rows and {sizes[1]} columns"
        )
    return _Head(layout, field, symmetric, sizes, lines)


def _read_coordinates(data: bytes, head: _Head, path: Path) -> csr_array:
    n_rows, n_columns, n_entries = head.sizes
    if head.field == "pattern":
        row, column = _table(data, path, n_entries, columns=2)
        values: NDArray[np.int64 | np.float64] = np.ones(n_entries, dtype=np.int64)
    else:
        row, column, values = _table(data, path, n_entries, last=_TYPES[head.field])
    _check_places(row, n_rows, "row", path, head.lines)
    _check_places(column, n_columns, "column", path, head.lines)
    check_announced(n_rows, n_entries, path)
    if head.symmetric:
        mirrored = row != column
        row, column, values = (
            np.concatenate((row, column[mirrored])),
            np.concatenate((column, row[mirrored])),
            np.concatenate((values, values[mirrored])),
        )
    return coo_array((values, (row - 1, column - 1)), shape=(n_rows, n_columns)).tocsr()


def _read_array(data: bytes, head: _Head, path: Path) -> csr_array:
    """All values, column by column; of a symmetric matrix those on and below the diagonal."""
    n_rows, n_columns = head.sizes
    n_values = n_rows * (n_rows + 1) // 2 if head.symmetric else n_rows * n_columns
    check_announced(n_rows, n_values, path)
    (values,) = _table(data, path, n_values, columns=1, last=_TYPES[head.field])
    if not head.symmetric:
        return csr_array(values.reshape(n_columns, n_rows).T)
    upper = np.zeros((n_rows, n_rows), dtype=values.dtype)
    upper[np.triu_indices(n_rows)] = values
    return csr_array(upper + np.triu(upper, 1).T)


# ---- numbers --------------------------------------------------------------------------------


def _table(
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
        _numbers(parts[k::columns], repr(str(path)), last if k == columns - 1 else np.int64)
        for k in range(columns)
    ]


def _numbers(parts: list[bytes], where: str, kind: type = np.int64) -> NDArray[Any]:
    """Numbers that were found `where`."""
    try:
        return np.array(parts, dtype=kind)
    except (ValueError, OverflowError):
        for part in parts if len(parts) > 1 else ():
            _numbers([part], where, kind)  # which fails at the one that is to be named
        what = "a number" if kind is np.float64 else "a whole number below 2^63"
        raise DocumentsError(
            f"{where} holds {parts[0].decode('utf-8', 'replace')!r:.80} where {what} must be"
        ) from None


def _check_places(values: NDArray[Any], most: int, name: str, path: Path, head: int) -> None:
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
