"""Document-word matrices in the formats of the field, read and written.

UCI bag of words (docword and vocab), LDA-C, the authors' tuples (.sparse.txt), SciPy's .npz and
MatrixMarket. Counts are kept.
"""

from __future__ import annotations

import io
import re
import zipfile
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.files import replacing
from hlta.errors import DocumentsError
from hlta.reading.encodings import damage, open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from scipy.sparse import csr_array


class Matrix(NamedTuple):
    """Counts of documents by words, the words, and ids of the documents if there are any."""

    counts: csr_array
    words: tuple[str, ...]
    ids: tuple[str, ...] | None = None


def format_of(path: Path) -> str | None:
    """Which of the formats a file has, by its name: None if none."""
    name = re.sub(r"\.(gz|xz|bz2|zst)$", "", path.name.lower())
    if name.startswith("docword") and name.endswith(".txt"):
        return "uci"
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            return kind
    return None


_ENDINGS: Final = {
    ".sparse.txt": "tuples",
    ".lda.txt": "lda-c",
    ".ldac": "lda-c",
    ".lda-c": "lda-c",
    ".npz": "npz",
    ".mtx": "mtx",
}


BESIDE: Final = frozenset({"uci", "lda-c", "mtx"})
"""Formats whose words are in a file of their own."""


def read_matrix(path: Path, vocabulary: Path | None = None) -> Matrix:
    """Read a matrix; `vocabulary` has a word a line, and is looked for beside it if not given."""
    kind = format_of(path)
    try:
        if kind == "tuples":
            return _read_tuples(path)
        matrix, words = _READERS[kind or ""](path)
        if words is None or vocabulary is not None:
            words = _read_words(path, vocabulary, matrix.shape[1])
    except Exception as error:
        harm = damage(error)
        if harm is not None or isinstance(error, (ValueError, KeyError, zipfile.BadZipFile)):
            if isinstance(error, DocumentsError):
                raise
            raise DocumentsError(f"{str(path)!r} is damaged: {harm or error}") from None
        if isinstance(error, OSError):
            raise DocumentsError(
                f"{str(path)!r} cannot be read: {error.strerror or error}"
            ) from None
        raise
    if matrix.shape[1] != len(words):
        matrix = _widened(matrix, words, path)
    return Matrix(matrix, words)


def write_matrix(path: Path, matrix: Matrix) -> list[Path]:
    """Write a matrix in the format that the name says; returns the files, the words' among them."""
    kind = format_of(path)
    if path.suffix.lower() in {".gz", ".xz", ".bz2", ".zst"}:
        raise DocumentsError(f"{str(path)!r}: matrices are written uncompressed; leave the end out")
    if kind == "npz":
        _write_npz(path, matrix)
        return [path]
    if kind == "tuples":
        _write_lines(path, _tuple_lines(matrix))
        return [path]
    beside = vocabulary_beside(path)[0]
    if kind == "mtx":
        from scipy.io import mmwrite

        with replacing(path) as file:
            mmwrite(file, matrix.counts)
    else:
        _write_lines(path, _uci_lines(matrix) if kind == "uci" else _lda_lines(matrix))
    _write_lines(beside, matrix.words)
    return [path, beside]


def vocabulary_beside(path: Path) -> list[Path]:
    """Where the words of a matrix may be, the usual place first."""
    name = re.sub(r"\.(gz|xz|bz2|zst)$", "", path.name)
    stem = re.sub(r"(?i)\.(lda\.txt|ldac|lda-c|npz|mtx|txt)$", "", name)
    if format_of(path) == "uci":
        end = name[len("docword") :]
        return [path.with_name("vocab" + end), path.with_name("vocab.txt")]
    return [path.with_name(f"{stem}{end}") for end in (".words.txt", ".vocab")] + [
        path.with_name("vocab.txt")
    ]


# ---- reading ---------------------------------------------------------------------------------


def _read_uci(path: Path) -> tuple[csr_array, None]:
    from scipy.sparse import coo_array

    with open_bytes(path) as file:
        head = [file.readline() for _ in range(3)]
        n_documents, n_words, n_entries = (_whole(line, path, k + 1) for k, line in enumerate(head))
        table = _table(file.read(), path)
    if table.size != 3 * n_entries:
        raise DocumentsError(
            f"{str(path)!r} has {table.size:,} numbers after its head, which announces "
            f"{n_entries:,} lines of 3; it is cut off or damaged"
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
    indptr = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
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
                    f"{str(path)!r}, line {number:,}, is no pair of a document and a word"
                )
            row.append(documents.setdefault(fields[0], len(documents)))
            column.append(words.setdefault(fields[1], len(words)))
    shape = (len(documents), len(words))
    counts = coo_array((np.ones(len(row), dtype=np.int64), (row, column)), shape=shape).tocsr()
    counts.data[:] = 1  # a pair says that the word is there, however often it is said
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

    with open_bytes(path) as file:
        return csr_array(mmread(io.BytesIO(file.read()))), None


_READERS: Final[dict[str, Any]] = {
    "uci": _read_uci,
    "lda-c": _read_lda,
    "npz": _read_npz,
    "mtx": _read_mtx,
}


def _read_words(path: Path, vocabulary: Path | None, n_words: int) -> tuple[str, ...]:
    tried = vocabulary_beside(path) if vocabulary is None else [vocabulary]
    found = next((file for file in tried if file.is_file()), None)
    if found is None:
        names = " or ".join(repr(str(file)) for file in tried)
        raise DocumentsError(
            f"{str(path)!r} does not name its {n_words:,} words, and there is no {names}; "
            "give a file with a word a line as the vocabulary"
        )
    text = found.read_text(encoding="utf-8-sig", errors="replace")
    words = tuple(line.strip() for line in text.splitlines() if line.strip())
    if len(words) < n_words:
        raise DocumentsError(
            f"{str(found)!r} has {len(words):,} words, {str(path)!r} needs {n_words:,}"
        )
    return words


def _widened(matrix: csr_array, words: Sequence[str], path: Path) -> csr_array:
    """LDA-C does not say how many words there are; the vocabulary does."""
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
    return _numbers(data, path)  # slow, and it tells what is wrong


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
            f"{str(path)!r}, line {number}, must be a whole number: of documents, words and entries"
        ) from None


# ---- writing ---------------------------------------------------------------------------------


def _write_npz(path: Path, matrix: Matrix) -> None:
    """As SciPy writes it, with the words besides."""
    counts = matrix.counts
    with replacing(path) as file:
        np.savez_compressed(
            file,
            indices=counts.indices,
            indptr=counts.indptr,
            format=np.array(b"csr"),
            shape=np.array(counts.shape),
            data=counts.data,
            words=np.array(matrix.words),
        )


def _rows(matrix: Matrix) -> Iterator[tuple[list[int], list[int]]]:
    counts = matrix.counts
    for begin, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        yield counts.indices[begin:end].tolist(), counts.data[begin:end].tolist()


def _uci_lines(matrix: Matrix) -> Iterator[str]:
    head = (*matrix.counts.shape, matrix.counts.nnz)
    body = (
        f"{d} {word + 1} {count:d}"
        for d, (words, counts) in enumerate(_rows(matrix), start=1)
        for word, count in zip(words, counts, strict=True)
    )
    return chain(map(str, head), body)


def _lda_lines(matrix: Matrix) -> Iterator[str]:
    for words, counts in _rows(matrix):
        pairs = (f"{word}:{count:d}" for word, count in zip(words, counts, strict=True))
        yield " ".join((str(len(words)), *pairs))


def _tuple_lines(matrix: Matrix) -> Iterator[str]:
    """Words cannot hold what parts them, so it becomes an underscore; neither can ids."""
    clean = [re.sub(r"[\s,]+", "_", word) for word in matrix.words]
    ids: Iterable[str] = map(str, range(matrix.counts.shape[0]))
    if matrix.ids is not None:
        ids = (re.sub(r"[\s,]+", "_", name) for name in matrix.ids)
    for name, (words, _) in zip(ids, _rows(matrix), strict=True):
        if not words:
            raise DocumentsError(
                f"document {name!r} has no words, which this format cannot express; leave it out"
            )
        for key, word in zip(repeat(name), words, strict=False):
            yield f"{key}, {clean[word]}"


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with replacing(path) as file:
        for line in lines:
            file.write(line.encode("utf-8", "surrogatepass") + b"\n")
