"""Document-word matrices in the formats of the field, read and written with their counts.

The name of a file tells its format: UCI bag of words (docword and vocab), LDA-C, the authors' tuples
(.sparse.txt), SciPy's .npz or MatrixMarket. A .dat file is in LDA-C if its words lie beside it.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from hlta._support.arrays import offsets
from hlta._support.formats import is_uci, name_of_words
from hlta._support.writing import reading_together, replacing
from hlta.errors import DocumentsError
from hlta.reading.compression import COMPRESSED, naming_damage, open_bytes, without_compression
from hlta.reading.matrices.matrix_market import read_matrix_market
from hlta.reading.matrices.npz import read_npz
from hlta.reading.matrices.number_text import check_announced, check_places, numbers, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hlta._support.arrays import Ints

_LDA_C: Final = dict.fromkeys((".lda.txt", ".ldac", ".lda-c"), "lda-c")
_ENDINGS: Final = {".sparse.txt": "tuples", ".npz": "npz", ".mtx": "mtx", **_LDA_C}
_MOST: Final = 2**63 - 2  # the largest number of a word in LDA-C: one more is how many there are
_SEPARATOR: Final = re.compile(r"[,\t ]")
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
    """The format that a file's name tells, or None: it is not a matrix.

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
    """Read a matrix, whose name tells its format, and its words.

    `vocabulary` is a file with one word per line; if None, it is looked for beside the matrix where
    the matrix does not hold its words itself.
    """
    kind = format_of(path)
    with reading_together(path), naming_damage(path, ValueError):
        words: tuple[str, ...] | None = None
        if kind == "npz":
            matrix, words = read_npz(path)
        else:
            with open_bytes(path, whole=True) as file:
                if kind == "tuples":
                    return _read_tuples(file, path)
                readers = {"uci": _read_uci, "lda-c": _read_lda, "mtx": read_matrix_market}
                matrix = readers[kind or ""](file, path)
        if words is None or vocabulary is not None:
            words = _read_words(path, vocabulary, matrix.shape[1])
    if matrix.shape[1] != len(words):
        if kind != "lda-c":  # which alone does not tell the number of its words
            raise DocumentsError(
                f"{str(path)!r} has {matrix.shape[1]:,} columns, but the vocabulary has "
                f"{len(words):,} words"
            )
        matrix.resize(matrix.shape[0], len(words))
    return Matrix(matrix, words)


def _read_uci(file: IO[bytes], path: Path) -> csr_array:
    n_documents, n_words, n_entries = (_whole(file.readline(), path, k) for k in (1, 2, 3))
    document, word, count = table(file.read(), path, n_entries)
    check_places(document, n_documents, "document", path, head=3)
    check_places(word, n_words, "word", path, head=3)
    check_announced(n_documents, n_entries, path)
    shape = (n_documents, n_words)
    return coo_array((count, (document - 1, word - 1)), shape=shape).tocsr()


def _read_lda(file: IO[bytes], path: Path) -> csr_array:
    lengths: list[int] = []
    parts: list[Ints] = []
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        where = f"{str(path)!r}, line {number:,}"
        values = numbers(line.replace(b":", b" ").split(), f"{where},")
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


def _read_tuples(file: IO[bytes], path: Path) -> Matrix:
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
    return Matrix(counts, tuple(words), tuple(documents))


def _pair(line: str) -> tuple[str, str]:
    """What stands before a comma, a tab or spaces, and what behind; each perhaps empty."""
    mark = _SEPARATOR.search(line)
    if mark is None:
        return line, ""
    rest = line[mark.start() :].lstrip()
    word = rest.removeprefix(",").lstrip()
    return line[: mark.start()].rstrip(), _SEPARATOR.split(word, maxsplit=1)[0].rstrip()


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
            f"{str(file)!r} has {len(words):,} words, but {str(path)!r} needs {n_words:,}"
        )
    return words


def _whole(line: bytes, path: Path, number: int) -> int:
    digits = line.strip()
    if digits.isdigit() and len(digits) < 20 and int(digits) < 2**63:
        return int(digits)
    raise DocumentsError(
        f"{str(path)!r}, line {number}, must be a whole number; the first three lines are the "
        "numbers of documents, words and entries"
    )


# ---- writing ---------------------------------------------------------------------------------


def files_of(path: Path) -> list[Path]:
    """The files that `write_matrix` writes: the matrix, and in some formats words beside it."""
    if path.suffix.lower() in COMPRESSED:
        raise DocumentsError(
            f"{str(path)!r}: matrices are written uncompressed; leave {path.suffix} out"
        )
    return [path, *(vocabulary_beside(path)[:1] if format_of(path) in BESIDE else [])]


def write_matrix(path: Path, matrix: Matrix) -> list[Path]:
    """Write a matrix in the format that the file's name tells, in some formats with words beside it.

    Returns the files that were written. `replacing_together` writes them all or none.
    """
    files = files_of(path)
    kind = format_of(path)
    if kind == "npz":
        _write_npz(path, matrix)
    elif kind == "mtx":
        from scipy.io import mmwrite

        with replacing(path) as file:
            mmwrite(file, matrix.counts)
    else:
        lines = {"uci": _uci_lines, "lda-c": _lda_lines, "tuples": _tuple_lines}[kind or ""]
        _write_lines(path, lines(matrix))
    for beside in files[1:]:
        _write_lines(beside, matrix.words)
    return files


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
