"""Word vectors from files of word2vec, binary or text, or of GloVe."""

from __future__ import annotations

import codecs
import os
import re
from itertools import chain
from typing import IO, TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.errors import FormatError
from hlta.reading.compression import damage, with_start

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

_LONGEST_WORD: Final = 1000
_BLOCK: Final = 1 << 20
_SPACE: Final = re.compile("[ \t]+")


class WordVectors(NamedTuple):
    """Vectors of some words, scaled to length 1.

    Attributes
    ----------
    number : dict of str to int
        The row of each word that has a vector.
    vectors : float32 (words, dimensions)
    """

    number: dict[str, int]
    vectors: NDArray[np.float32]


def read_vectors(path: str | os.PathLike[str], words: Collection[str]) -> WordVectors:
    r"""Read the vectors of some words from a file of word2vec, binary or text, or of GloVe.

    Parameters
    ----------
    path
        The file; it may be compressed (.gz, .xz, .bz2, .zst).
    words
        The words to look up. Words without a vector are left out.

    Returns
    -------
    WordVectors
        The vectors that were found, scaled to length 1.

    Raises
    ------
    FormatError
        If the file is damaged, is in none of these formats, or has a vector for none of the words.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hlta.evaluate import read_vectors
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "glove.txt")
    ...     _ = file.write_text("deep 0.6 0.8\nnet 3.0 0.0\n")
    ...     vectors = read_vectors(file, ["net", "absent"])
    >>> vectors.number
    {'net': 0}
    >>> vectors.vectors
    array([[1., 0.]], dtype=float32)
    """
    wanted = set(words)
    name = os.fspath(path)
    try:
        with with_start(path) as (file, start):
            vectors = _read(file, start, wanted, name)
    except Exception as error:
        harm = damage(error)
        if harm is None:
            raise
        raise FormatError(f"{name!r} is damaged: {harm}") from None
    if not vectors:
        raise FormatError(
            f"{name!r} has vectors for none of the {len(wanted):,} words; is it in the same language?"
        )
    for word, vector in vectors.items():
        if not np.isfinite(vector).all():
            raise FormatError(f"{name!r}: the vector of {word!r} holds NaN or infinite values")
    matrix = _unit(np.stack(list(vectors.values())).astype(np.float64))
    return WordVectors({word: k for k, word in enumerate(vectors)}, matrix.astype(np.float32))


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The vectors, scaled to length 1 without overflow of squares; those of zeros are unchanged."""
    largest = np.abs(vectors).max(axis=1, initial=0.0, keepdims=True)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)
    length = np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1.0)
    return np.asarray(scaled / length)


def _read(
    file: IO[bytes], start: bytes, wanted: set[str], name: str
) -> dict[str, NDArray[np.floating]]:
    line = file.readline()
    head, following = line.removeprefix(codecs.BOM_UTF8), start[len(line) :][:_LONGEST_WORD]
    if head.startswith(b"PK\x03\x04"):
        raise FormatError(f"{name!r} is a zip archive; unpack it and give the file inside")
    fields = head.split()
    if len(fields) == 2 and all(field.isdigit() and len(field) < 19 for field in fields):
        count, size = int(fields[0]), int(fields[1])
        if _is_text(following, size):
            return _text(file, wanted, size, name, count)
        return _binary(file, wanted, count, size, name)
    if len(fields) > 2 and _is_text(head, len(fields) - 1):
        return _text(chain([head], file), wanted, len(fields) - 1, name)
    raise FormatError(
        f"{name!r} holds no word vectors: its first line is neither two numbers nor a word and numbers"
    )


def _is_text(start: bytes, size: int) -> bool:
    """Whether the start of a file holds a word and then numbers."""
    fields = start.split(b"\n", 1)[0].split()[: size + 1]
    try:
        [float(field) for field in fields[1:-1] or fields[1:]]
    except ValueError:
        return False
    return len(fields) > 1


def _text(
    lines: Iterable[bytes], wanted: set[str], size: int, name: str, count: int | None = None
) -> dict[str, NDArray[np.floating]]:
    """A word and its numbers per line; at least `count` lines, if the first line announces them."""
    vectors: dict[str, NDArray[np.floating]] = {}
    number = head = 0 if count is None else 1
    for number, line in enumerate(lines, start=head + 1):
        word, *values = _SPACE.split(line.decode("utf-8", "replace").strip())
        if word not in wanted or word in vectors:
            continue
        try:
            vector = np.array(values, dtype=np.float64)
        except ValueError:
            vector = np.empty(0)
        if len(vector) != size:
            raise FormatError(
                f"{name!r}, line {number:,}: {word!r} is not followed by {size} numbers"
            )
        vectors[word] = vector
    if count is not None and number - head < count:
        raise FormatError(
            f"{name!r} is cut off: it announces {count:,} words but has {number - head:,}"
        )
    return vectors


def _binary(
    file: IO[bytes], wanted: set[str], count: int, size: int, name: str
) -> dict[str, NDArray[np.floating]]:
    """A word, a space, and the numbers, as word2vec writes them."""
    vectors: dict[str, NDArray[np.floating]] = {}
    data, at = b"", 0
    for entry in range(count):
        while (space := data.find(b" ", at)) < 0 or len(data) < space + 1 + 4 * size:
            # Each time, twice as much is read, because all that is held is copied.
            more = file.read(max(_BLOCK, len(data) - at))
            if not more or (space < 0 and len(data) - at > _LONGEST_WORD):
                raise FormatError(
                    f"{name!r} is cut off or damaged: it announces {count:,} words but only {entry:,} "
                    "can be read"
                )
            data, at = data[at:] + more, 0
        word = data[at:space].strip().decode("utf-8", "replace")
        if word in wanted and word not in vectors:
            vectors[word] = np.frombuffer(data, dtype="<f4", count=size, offset=space + 1).copy()
        at = space + 1 + 4 * size
    return vectors
