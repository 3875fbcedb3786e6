"""Document-word matrices read from the formats of the field, with their counts."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta.errors import DocumentsError
from hlta.reading.encodings import naming_damage, open_bytes
from hlta.reading.matrix_formats import Matrix, format_of, vocabulary_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from scipy.sparse import csr_array


def read_matrix(path: Path, vocabulary: Path | None = None) -> Matrix:
    """Read a matrix, whose name tells its format, and its words.

    `vocabulary` is a file with one word per line; if None, it is looked for beside the matrix where
    the matrix does not hold its words itself.
    """
    kind = format_of(path)
    with naming_damage(path, ValueError, KeyError, zipfile.BadZipFile):
        if kind == "tuples":
            return _read_tuples(path)
        matrix, words = _READERS[kind or ""](path)
        if words is None or vocabulary is not None:
            words = _read_words(path, vocabulary, matrix.shape[1])
    if matrix.shape[1] != len(words):
        matrix = _widened(matrix, words, path)
    return Matrix(matrix, words)


def _read_uci(path: Path) -> tuple[csr_array, None]:
    from scipy.sparse import coo_array

    with open_bytes(path) as file:
        head = [file.readline() for _ in range(3)]
        n_documents, n_words, n_entries = (_whole(line, path, k + 1) for k, line in enumerate(head))
        table = _table(file.read(), path)
    if table.size != 3 * n_entries:
        raise DocumentsError(
            f"{str(path)!r} has {table.size:,} numbers after its head, which announces "
            f"{n_entries:,} lines of 3; the file is cut off or damaged"
        )
    document, word, count = table.reshape(-1, 3).T
    for name, values, most in (("document", document, n_documents), ("word", word, n_words)):
        odd = np.flatnonzero((values < 1) | (values > most))
        if len(odd):
            raise DocumentsError(
                f"{str(path)!r}, line {int(odd[0]) + 4:,}: {name} {int(values[odd[0]])} is not "
                f"from 1 to {most:,}"
            )
    shape = (n_documents, n_words)
    return coo_array((count, (document - 1, word - 1)), shape=shape).tocsr(), None


def _read_lda(path: Path) -> tuple[csr_array, None]:
    from scipy.sparse import csr_array

    lengths: list[int] = []
    parts: list[NDArray[np.int64]] = []
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            values = _numbers(line.replace(b":", b" "), path, number)
            if len(values) != 2 * values[0] + 1:
                raise DocumentsError(
                    f"{str(path)!r}, line {number:,}: it announces {values[0]:,} words and has "
                    f"{(len(values) - 1) / 2:g}"
                )
            lengths.append(int(values[0]))
            parts.append(values[1:])
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *parts]).reshape(-1, 2)
    indptr = offsets(np.array(lengths, dtype=np.int64))
    n_words = int(pairs[:, 0].max()) + 1 if len(pairs) else 0
    matrix = csr_array((pairs[:, 1], pairs[:, 0], indptr), shape=(len(lengths), n_words))
    matrix.sum_duplicates()
    return matrix, None


def _read_tuples(path: Path) -> Matrix:
    from scipy.sparse import coo_array

    documents: dict[str, int] = {}
    words: dict[str, int] = {}
    row: list[int] = []
    column: list[int] = []
    with open_bytes(path) as file:
        for number, data in enumerate(file, start=1):
            line = data.decode("utf-8", errors="replace").strip()
            if not line:
                continue
            fields = re.split(r"\s*[,\t ]\s*", line)
            if len(fields) < 2 or not fields[0] or not fields[1]:
                raise DocumentsError(
                    f"{str(path)!r}, line {number:,}, is not a pair of a document and a word"
                )
            row.append(documents.setdefault(fields[0], len(documents)))
            column.append(words.setdefault(fields[1], len(words)))
    shape = (len(documents), len(words))
    counts = coo_array((np.ones(len(row), dtype=np.int64), (row, column)), shape=shape).tocsr()
    counts.data[:] = 1  # a pair says that the word is present, however often it is repeated
    return Matrix(counts, tuple(words), tuple(documents))


def _read_npz(path: Path) -> tuple[csr_array, tuple[str, ...] | None]:
    from scipy.sparse import csr_array, load_npz

    matrix = csr_array(load_npz(path))
    with np.load(path, allow_pickle=False) as archive:
        words = tuple(archive["words"].tolist()) if "words" in archive.files else None
    return matrix, words


def _read_mtx(path: Path) -> tuple[csr_array, None]:
    from scipy.io import mmread
    from scipy.sparse import csr_array

    with open_bytes(path) as file, warnings.catch_warnings():
        # SciPy 1.18 announces another return type; either becomes an array here.
        warnings.filterwarnings("ignore", "The default value for `spmatrix`", DeprecationWarning)
        return csr_array(mmread(io.BytesIO(file.read()))), None


_READERS: Final[dict[str, Any]] = {
    "uci": _read_uci,
    "lda-c": _read_lda,
    "npz": _read_npz,
    "mtx": _read_mtx,
}


def _read_words(path: Path, vocabulary: Path | None, n_words: int) -> tuple[str, ...]:
    tried = vocabulary_beside(path) if vocabulary is None else [vocabulary]
    file = next((file for file in tried if file.is_file()), None)
    if file is None:
        names = " or ".join(repr(str(name)) for name in tried)
        raise DocumentsError(
            f"{str(path)!r} does not name its {n_words:,} words, and there is no {names}; "
            "give a file with one word per line as the vocabulary"
        )
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    words = tuple(line.strip() for line in text.splitlines() if line.strip())
    if len(words) < n_words:
        raise DocumentsError(
            f"{str(file)!r} has {len(words):,} words, {str(path)!r} needs {n_words:,}"
        )
    return words


def _widened(matrix: csr_array, words: Sequence[str], path: Path) -> csr_array:
    """A matrix of LDA-C with columns for all words: the file itself does not tell their number."""
    from scipy.sparse import csr_array

    if format_of(path) != "lda-c":
        raise DocumentsError(
            f"{str(path)!r} has {matrix.shape[1]:,} columns, the vocabulary {len(words):,} words"
        )
    parts = (matrix.data, matrix.indices, matrix.indptr)
    return csr_array(parts, shape=(matrix.shape[0], len(words)))


def _table(data: bytes, path: Path) -> NDArray[np.int64]:
    """Lines of three whole numbers, one number after the other."""
    import polars as pl

    schema = {"document": pl.Int64, "word": pl.Int64, "count": pl.Int64}
    try:
        rows = pl.read_csv(
            data, separator=" ", has_header=False, schema=schema, raise_if_empty=False
        )
        if not sum(rows.null_count().row(0)):
            return rows.to_numpy().reshape(-1)
    except pl.exceptions.PolarsError:
        pass
    return _numbers(data, path)  # slow, but it names what is wrong


def _numbers(data: bytes, path: Path, line: int | None = None) -> NDArray[np.int64]:
    """Whole numbers between spaces."""
    parts = data.split()
    try:
        return np.array(parts, dtype=np.int64) if parts else np.empty(0, dtype=np.int64)
    except ValueError:
        where = f", line {line:,}," if line else ""
        odd = next(part for part in parts if not part.lstrip(b"-").isdigit())
        raise DocumentsError(
            f"{str(path)!r}{where} holds {odd.decode('utf-8', 'replace')!r} where a number must be"
        ) from None


def _whole(line: bytes, path: Path, number: int) -> int:
    try:
        return int(line)
    except ValueError:
        raise DocumentsError(
            f"{str(path)!r}, line {number}, must be a whole number; the first three lines are the "
            "numbers of documents, words and entries"
        ) from None
