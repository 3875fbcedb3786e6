"""Document-word matrices in the formats of the field, read and written with their counts.

The name of a file tells its format: UCI bag of words (docword and vocab), LDA-C, the authors' tuples
(.sparse.txt), SciPy's .npz or MatrixMarket.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, load_npz

from hlta._support.arrays import offsets
from hlta._support.files import replacing
from hlta.errors import DocumentsError
from hlta.reading.encodings import COMPRESSED, naming_damage, open_bytes, without_compression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_LDA_C: Final = dict.fromkeys((".lda.txt", ".ldac", ".lda-c"), "lda-c")
_ENDINGS: Final = {".sparse.txt": "tuples", ".npz": "npz", ".mtx": "mtx", **_LDA_C}
BESIDE: Final = frozenset({"uci", "lda-c", "mtx"})
"""Formats whose words are in a file of their own."""


class Matrix(NamedTuple):
    """A document-word matrix with its counts.

    counts  documents by words
    words   the names of the columns
    ids     the names of the rows, if the format has them
    """

    counts: csr_array
    words: tuple[str, ...]
    ids: tuple[str, ...] | None = None


def format_of(path: Path) -> str | None:
    """The format that a file's name tells, or None: it is not a matrix.

    Examples
    --------
    >>> from pathlib import Path
    >>> format_of(Path("docword.kos.txt.gz")), format_of(Path("kos.npz")), format_of(Path("kos.txt"))
    ('uci', 'npz', None)
    """
    name = without_compression(path.name.lower())
    if name.startswith("docword") and name.endswith(".txt"):
        return "uci"
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def vocabulary_beside(path: Path) -> list[Path]:
    """Where the words of a matrix may be, the usual place first."""
    name = without_compression(path.name)
    if format_of(path) == "uci":
        names = ["vocab" + name[len("docword") :]]
    else:
        stem = re.sub(r"(?i)\.(lda\.txt|ldac|lda-c|npz|mtx|txt)$", "", name)
        names = [f"{stem}.words.txt", f"{stem}.vocab"]
    return [path.with_name(beside) for beside in [*names, "vocab.txt"]]


# ---- reading ---------------------------------------------------------------------------------


def read_matrix(path: Path, vocabulary: Path | None = None) -> Matrix:
    """Read a matrix, whose name tells its format, and its words.

    `vocabulary` is a file with one word per line; if None, it is looked for beside the matrix where
    the matrix does not hold its words itself.
    """
    kind = format_of(path)
    with naming_damage(path, ValueError, KeyError, zipfile.BadZipFile):
        if kind == "tuples":
            return _read_tuples(path)
        readers = {"uci": _read_uci, "lda-c": _read_lda, "npz": _read_npz, "mtx": _read_mtx}
        matrix, words = readers[kind or ""](path)
        if words is None or vocabulary is not None:
            words = _read_words(path, vocabulary, matrix.shape[1])
    if matrix.shape[1] != len(words):
        if kind != "lda-c":  # which alone does not tell the number of its words
            raise DocumentsError(
                f"{str(path)!r} has {matrix.shape[1]:,} columns, the vocabulary {len(words):,} words"
            )
        matrix.resize(matrix.shape[0], len(words))
    return Matrix(matrix, words)


def _read_uci(path: Path) -> tuple[csr_array, None]:
    with open_bytes(path) as file:
        n_documents, n_words, n_entries = (_whole(file.readline(), path, k) for k in (1, 2, 3))
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
    matrix = csr_array(load_npz(path))
    with np.load(path, allow_pickle=False) as archive:
        words = tuple(archive["words"].tolist()) if "words" in archive.files else None
    return matrix, words


def _read_mtx(path: Path) -> tuple[csr_array, None]:
    from scipy.io import mmread

    with open_bytes(path) as file, warnings.catch_warnings():
        # SciPy 1.18 announces another return type; either becomes an array here.
        warnings.filterwarnings("ignore", "The default value for `spmatrix`", DeprecationWarning)
        return csr_array(mmread(io.BytesIO(file.read()))), None


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


def _table(data: bytes, path: Path) -> NDArray[np.int64]:
    """Lines of three whole numbers, one number after the other."""
    import polars as pl

    schema = dict.fromkeys(("document", "word", "count"), pl.Int64)
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
        return np.array(parts, dtype=np.int64)
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


# ---- writing ---------------------------------------------------------------------------------


def write_matrix(path: Path, matrix: Matrix) -> list[Path]:
    """Write a matrix in the format that the file's name tells, in some formats with words beside it.

    Returns the files that were written.
    """
    kind = format_of(path)
    if path.suffix.lower() in COMPRESSED:
        raise DocumentsError(
            f"{str(path)!r}: matrices are written uncompressed; leave {path.suffix} out"
        )
    if kind == "npz":
        _write_npz(path, matrix)
    elif kind == "mtx":
        from scipy.io import mmwrite

        with replacing(path) as file:
            mmwrite(file, matrix.counts)
    else:
        lines = {"uci": _uci_lines, "lda-c": _lda_lines, "tuples": _tuple_lines}[kind or ""]
        _write_lines(path, lines(matrix))
    if kind not in BESIDE:
        return [path]
    beside = vocabulary_beside(path)[0]
    _write_lines(beside, matrix.words)
    return [path, beside]


def _write_npz(path: Path, matrix: Matrix) -> None:
    """As SciPy writes it, with the words as one array more."""
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
    """The numbers of each document's words, and their counts."""
    counts = matrix.counts
    for begin, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        yield counts.indices[begin:end].tolist(), counts.data[begin:end].tolist()


def _uci_lines(matrix: Matrix) -> Iterator[str]:
    yield from map(str, (*matrix.counts.shape, matrix.counts.nnz))
    for document, (words, counts) in enumerate(_rows(matrix), start=1):
        for word, count in zip(words, counts, strict=True):
            yield f"{document} {word + 1} {count:d}"


def _lda_lines(matrix: Matrix) -> Iterator[str]:
    for words, counts in _rows(matrix):
        pairs = (f"{word}:{count:d}" for word, count in zip(words, counts, strict=True))
        yield " ".join((str(len(words)), *pairs))


def _tuple_lines(matrix: Matrix) -> Iterator[str]:
    """Pairs of a document and a word; spaces and commas in either become underscores."""
    clean = [re.sub(r"[\s,]+", "_", word) for word in matrix.words]
    numbers = map(str, range(matrix.counts.shape[0]))
    ids = numbers if matrix.ids is None else (re.sub(r"[\s,]+", "_", name) for name in matrix.ids)
    for name, (words, _) in zip(ids, _rows(matrix), strict=True):
        if not words:
            raise DocumentsError(
                f"document {name!r} has no words, which this format cannot express; leave it out"
            )
        for word in words:
            yield f"{name}, {clean[word]}"


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with replacing(path) as file:
        for line in lines:
            file.write(line.encode("utf-8", "surrogatepass") + b"\n")
