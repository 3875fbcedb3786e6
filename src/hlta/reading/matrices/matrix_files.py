"""Document-word matrices in common formats, read and written with their counts.

The format follows from the name of a file: UCI bag of words (docword and vocab), LDA-C, the authors'
tuples (.sparse.txt), SciPy's .npz or MatrixMarket. A .dat file is in LDA-C if its words are beside it.
"""

from __future__ import annotations

import os
import re
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hlta._support.array_archives import check_unpacked, read_npy
from hlta._support.formats import is_uci, name_of_words
from hlta._support.writing import reading_together, replacing
from hlta.documents.sparse_matrices import check_matrix
from hlta.errors import DocumentsError
from hlta.reading.compression import COMPRESSED, naming_damage, open_bytes, without_compression
from hlta.reading.matrices.text_formats import (
    check_announced,
    read_lda,
    read_matrix_market,
    read_tuples,
    read_uci,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray


# The arrays of each format of SciPy.
_PARTS: Final = {
    **dict.fromkeys(("csr", "csc", "bsr"), ("data", "indices", "indptr")),
    "coo": ("data", "row", "col"),
    "dia": ("data", "offsets"),
}
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

    def of_words(self, words: tuple[str, ...], ids: tuple[str, ...] | None) -> Matrix:
        """Some of the columns, and other names for the rows."""
        place = {word: column for column, word in enumerate(self.words)}
        columns = [place[word] for word in words]
        counts = self.counts if words == self.words else self.counts[:, columns]
        return Matrix(counts, words, ids)


def format_of(path: Path) -> str | None:
    """The format of a matrix by its file's name; None if the file is no matrix.

    Examples
    --------
    >>> from pathlib import Path
    >>> format_of(Path("docword.kos.txt.gz")), format_of(Path("kos.npz")), format_of(Path("kos.txt"))
    ('uci', 'npz', None)
    """
    name = without_compression(path.name.lower())
    if is_uci(name):
        return "uci"
    if name.endswith(".dat") and any(words.is_file() for words in vocabulary_beside(path)):
        return "lda-c"
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def vocabulary_beside(path: Path) -> list[Path]:
    """Where the words of a matrix may be, the usual place first."""
    name = without_compression(path.name)
    usual = name_of_words(name)
    names = dict.fromkeys((usual, re.sub(r"\.words\.txt$", ".vocab", usual), "vocab.txt"))
    return [path.with_name(beside) for beside in names]


# ---- reading ---------------------------------------------------------------------------------


def read_matrix(path: Path, vocabulary: Path | None = None) -> Matrix:
    """Read a matrix, in the format of its name, and its words.

    `vocabulary` is a file with one word per line; if None, and if the matrix does not hold its words
    itself, it is looked for beside the matrix.
    """
    kind = format_of(path)
    with reading_together(path), naming_damage(path, ValueError):
        words: tuple[str, ...] | None = None
        if kind == "npz":
            matrix, words = _read_npz(path)
        else:
            with open_bytes(path, whole=True) as file:
                if kind == "tuples":
                    return Matrix(*read_tuples(file, path))
                readers = {"uci": read_uci, "lda-c": read_lda, "mtx": read_matrix_market}
                matrix = readers[kind or ""](file, path)
        if words is None or vocabulary is not None:
            words = _read_words(path, vocabulary, matrix.shape[1])
    if matrix.shape[1] != len(words):
        if kind != "lda-c":  # the only format that does not state its number of words
            raise DocumentsError(
                f"{str(path)!r} has {matrix.shape[1]:,} columns, but the vocabulary has "
                f"{len(words):,} words"
            )
        matrix.resize(matrix.shape[0], len(words))
    return Matrix(matrix, words)


def _read_words(path: Path, vocabulary: Path | None, n_words: int) -> tuple[str, ...]:
    tried = vocabulary_beside(path) if vocabulary is None else [vocabulary]
    file = next((file for file in tried if file.is_file()), None)
    if file is None:
        names = " or ".join(repr(str(name)) for name in tried)
        raise DocumentsError(
            f"{str(path)!r} does not name its {n_words:,} words, and there is no {names}; "
            "give a file with one word per line (vocabulary=, --vocabulary)"
        )
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    words = tuple(line.strip() for line in text.splitlines() if line.strip())
    if len(words) < n_words:
        raise DocumentsError(
            f"{str(file)!r} has {len(words):,} words, but {str(path)!r} needs {n_words:,}"
        )
    return words


# ---- SciPy ----------------------------------------------------------------------------------


def _read_npz(path: Path) -> tuple[csr_array, tuple[str, ...] | None]:
    """The matrix, and the names of its columns if they are in an array `words`."""
    arrays: dict[str, Any] = read_arrays(path)
    words = arrays.pop("words", None)
    if words is not None and (words.dtype.kind != "U" or words.ndim != 1):
        raise DocumentsError(f"{str(path)!r} is damaged: its words are not a list of strings")
    missing = {"format", "shape"} - arrays.keys()
    kind = "" if missing else arrays["format"].item()
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
    missing |= set(_PARTS.get(kind, ())) - arrays.keys()
    if missing or kind not in _PARTS:
        problem = f"it has no array {min(missing)!r}" if missing else f"its format is {kind!r:.80}"
        raise DocumentsError(f"{str(path)!r} is not a sparse matrix of SciPy: {problem}")
    shape = arrays["shape"].tolist()
    if np.shape(shape) != (2,) or not all(isinstance(n, int) and n >= 0 for n in shape):
        raise DocumentsError(f"{str(path)!r} is damaged: its shape is {shape!r:.80}")
    check_announced(shape[0], arrays["data"].size, path)
    parts = {name: arrays[name] for name in _PARTS[kind]}
    if kind == "coo":
        parts = {"data": parts["data"], "coords": (parts["row"], parts["col"])}
    matrix = check_matrix(SimpleNamespace(format=kind, shape=shape, **parts))
    if matrix.dtype.kind in "biu":
        matrix = matrix.astype(np.int64)  # so that no sum of entries in one place overflows
    counts = csr_array(matrix)
    counts.sum_duplicates()
    return counts, None if words is None else tuple(words.tolist())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an archive of NumPy by their names."""
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                check_unpacked(archive, os.fstat(file.fileno()).st_size)
                return {
                    name.removesuffix(".npy"): read_npy(archive, name)
                    for name in dict.fromkeys(archive.namelist())
                }
        except Exception as error:  # any that reading a zip archive raises
            raise DocumentsError(f"{str(path)!r} is damaged: {error}") from None


# ---- writing ---------------------------------------------------------------------------------


def files_of(path: Path) -> list[Path]:
    """The files that `write_matrix` writes: the matrix, and in some formats words beside it."""
    if path.suffix.lower() in COMPRESSED:
        raise DocumentsError(
            f"{str(path)!r}: matrices are written uncompressed; leave {path.suffix} out"
        )
    return [path, *(vocabulary_beside(path)[:1] if format_of(path) in BESIDE else [])]


def write_matrix(path: Path, matrix: Matrix) -> list[Path]:
    """Write a matrix in the format of the file's name, for some formats with words beside it.

    It returns the files that were written; with `replacing_together`, all or none take effect.
    """
    files = files_of(path)
    kind = format_of(path)
    if kind == "npz":
        _write_npz(path, matrix)
    elif kind == "mtx":
        from scipy.io import mmwrite

        with replacing(path) as file:
            mmwrite(file, matrix.counts, symmetry="general")
    else:
        lines = {"uci": _uci_lines, "lda-c": _lda_lines, "tuples": _tuple_lines}[kind or ""]
        _write_lines(path, lines(matrix))
    for beside in files[1:]:
        _write_lines(beside, matrix.words)
    return files


def _write_npz(path: Path, matrix: Matrix) -> None:
    """Write a matrix as SciPy does, with its words as one more array."""
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
