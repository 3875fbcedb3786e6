"""Document-word matrices written in the formats of the field, with their counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hlta._support.files import replacing
from hlta.errors import DocumentsError
from hlta.reading.encodings import COMPRESSED
from hlta.reading.matrix_formats import format_of, vocabulary_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hlta.reading.matrix_formats import Matrix


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
        return [path]
    if kind == "tuples":
        _write_lines(path, _tuple_lines(matrix))
        return [path]
    if kind == "mtx":
        from scipy.io import mmwrite

        with replacing(path) as file:
            mmwrite(file, matrix.counts)
    else:
        _write_lines(path, _uci_lines(matrix) if kind == "uci" else _lda_lines(matrix))
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
    ids: Iterable[str] = map(str, range(matrix.counts.shape[0]))
    if matrix.ids is not None:
        ids = (re.sub(r"[\s,]+", "_", name) for name in matrix.ids)
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
