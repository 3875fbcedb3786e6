"""Matrices in files of text: UCI bag of words, LDA-C, the authors' tuples, and MatrixMarket.

Well-formed numbers are read fast; others are read slowly, so that errors name them. Of MatrixMarket,
only general coordinates are read: integer, real and pattern. SciPy's reader crashes on damaged files.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import coo_array, csr_array

from hlta._support.arrays import offsets
from hlta._support.forks import check_threads_of_polars
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta._support.arrays import Ints

_MOST: Final = 2**63 - 2  # the largest number of a word in LDA-C: one more is their count
_SEPARATOR: Final = re.compile(r"[,\t ]")
_EMPTY: Final = 10_000_000  # documents that a head may announce, however few entries follow
_TYPES: Final = {
    "integer": np.int64,
    "unsigned-integer": np.int64,
    "real": np.float64,
    "double": np.float64,
}


def read_uci(file: IO[bytes], path: Path) -> csr_array:
    """Read a bag of words; `path` is the name of the open file in messages."""
    n_documents, n_words, n_entries = (_whole(file.readline(), path, k) for k in (1, 2, 3))
    sizes = (n_documents, n_words, n_entries)
    return _read_entries(file.read(), path, sizes, ("document", "word"), head=3)


def read_matrix_market(file: IO[bytes], path: Path) -> csr_array:
    """Read the matrix in an open file; `path` is its name in messages."""
    first = file.readline().decode("latin-1").lower().split()
    if first[:2] != ["%%matrixmarket", "matrix"] or len(first) != 5:
        raise DocumentsError(f"{str(path)!r} does not begin with %%MatrixMarket matrix")
    layout, field, symmetry = first[2:]
    fields = (*_TYPES, "pattern")
    for value, known in ((layout, ("coordinate",)), (field, fields), (symmetry, ("general",))):
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
    if len(sizes) != 3 or min(sizes) < 0:
        raise DocumentsError(
            f"{str(path)!r}, line {lines}, must be 3 whole numbers, the sizes of the matrix"
        )
    return _read_entries(file.read(), path, sizes, ("row", "column"), lines, _TYPES.get(field))


def _read_entries(
    data: bytes,
    path: Path,
    sizes: Sequence[int],
    names: tuple[str, str],
    head: int,
    kind: type | None = np.int64,
) -> csr_array:
    """A matrix of entries, one per line after `head` lines: row, column and, with a `kind`, value."""
    n_rows, n_columns, n_entries = sizes
    row, column, *values = _table(data, path, n_entries, kind)
    _check_places(row, n_rows, names[0], path, head)
    _check_places(column, n_columns, names[1], path, head)
    check_announced(n_rows, n_entries, path)
    entries = values[0] if values else np.ones(n_entries, dtype=np.int64)
    return coo_array((entries, (row - 1, column - 1)), shape=(n_rows, n_columns)).tocsr()


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
    """The parts of a line before and after a comma, a tab or spaces; each may be empty."""
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


# ---- numbers --------------------------------------------------------------------------------


def _table(data: bytes, path: Path, rows: int, kind: type | None) -> list[NDArray[Any]]:
    """The columns of `rows` lines: two of whole numbers and, if `kind` is not None, one of this type."""
    import polars as pl

    check_threads_of_polars()
    kinds = [np.int64, np.int64, *(() if kind is None else (kind,))]
    schema = {str(k): pl.Float64 if one is np.float64 else pl.Int64 for k, one in enumerate(kinds)}
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
        return [column.to_numpy() for column in read]
    parts, width = data.split(), len(kinds)  # slowly, so that errors name what is wrong
    if len(parts) != width * rows:
        raise DocumentsError(
            f"{str(path)!r} has {len(parts):,} numbers after its head, which announces "
            f"{rows:,} lines of {width}; the file is cut off or damaged"
        )
    return [_numbers(parts[k::width], repr(str(path)), one) for k, one in enumerate(kinds)]


def _numbers(parts: list[bytes], where: str, kind: type = np.int64) -> NDArray[Any]:
    """The parts as numbers; an error names the first that is none, and `where` it was found."""
    try:
        return np.array(parts, dtype=kind)
    except (ValueError, OverflowError):
        for part in parts if len(parts) > 1 else ():
            _numbers([part], where, kind)  # raises an error about the first that is no number
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
    """Refuse a number of documents that few entries follow: empty documents would fill the memory."""
    if n_documents > _EMPTY + 100 * n_entries:
        raise DocumentsError(
            f"{str(path)!r} announces {n_documents:,} documents, but holds {n_entries:,} entries; "
            "it is damaged"
        )
