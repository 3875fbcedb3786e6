"""Topic compactness: are the words of a topic close in meaning? After Chen et al. (2016)."""

from __future__ import annotations

import codecs
import os
import re
from typing import IO, TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._support.checks import check_whole
from hlta.errors import FormatError
from hlta.evaluate.occurrences import first_words
from hlta.reading.encodings import damage, open_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words

_LONGEST_WORD: Final = 1000
_BLOCK: Final = 1 << 20
_SPACE: Final = re.compile("[ \t]+")


class WordVectors(NamedTuple):
    """Vectors of length 1 of some words: a row each, by number."""

    number: dict[str, int]
    vectors: NDArray[np.float32]


class Compactness(NamedTuple):
    """How close the words of topics are.

    scores   float64 (topics,): NaN for topics with fewer than two words that have vectors
    covered  the share of the words looked up that have one
    """

    scores: NDArray[np.float64]
    covered: float


def topic_compactness(
    topics: Iterable[Words], vectors: WordVectors, *, n_words: int = 4
) -> Compactness:
    """The mean cosine of pairs among the first `n_words` keywords; words without vectors are skipped."""
    check_whole("n_words", n_words, least=2)
    scores = []
    looked = found = 0
    for topic in topics:
        words = first_words(topic, n_words)
        rows = [vectors.number[word] for word in words if word in vectors.number]
        looked += len(words)
        found += len(rows)
        if len(rows) < 2:
            scores.append(np.nan)
            continue
        chosen = vectors.vectors[rows].astype(np.float64)
        cosines = chosen @ chosen.T
        scores.append(float(cosines[np.tril_indices(len(rows), -1)].mean()))
    return Compactness(np.array(scores), found / max(looked, 1))


def read_vectors(path: str | os.PathLike[str], words: Collection[str]) -> WordVectors:
    """Vectors of these words from a file of word2vec, binary or text, or of GloVe; compressed or not."""
    wanted = set(words)
    name = os.fspath(path)
    try:
        with open_bytes(path) as file:
            head = file.readline()
            found = _read(file, head, wanted, name)
    except (OSError, EOFError) as error:
        harm = damage(error)
        if harm is None:
            raise
        raise FormatError(f"{name!r} is damaged: {harm}") from None
    if not found:
        raise FormatError(
            f"{name!r} has vectors for none of the {len(wanted):,} words; is it of the same language?"
        )
    for word, vector in found.items():
        if not np.isfinite(vector).all():
            raise FormatError(f"{name!r}: the vector of {word!r} holds what is no number")
    matrix = np.stack(list(found.values())).astype(np.float32)
    norms = np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return WordVectors({word: k for k, word in enumerate(found)}, matrix / norms)


def _read(
    file: IO[bytes], head: bytes, wanted: set[str], name: str
) -> dict[str, NDArray[np.float32]]:
    head = head.removeprefix(codecs.BOM_UTF8)
    if head.startswith(b"PK\x03\x04"):
        raise FormatError(f"{name!r} is a zip archive; unpack it and give one of its files")
    fields = head.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        count, size = int(fields[0]), int(fields[1])
        start = file.read(_LONGEST_WORD)
        if _is_text(start, size):
            return _text(_lines(start, file), wanted, size, name, first=2, count=count)
        return _binary(start, file, wanted, count, size, name)
    if len(fields) > 2 and _is_text(head, len(fields) - 1):
        return _text(_lines(head, file), wanted, len(fields) - 1, name, first=1)
    raise FormatError(
        f"{name!r} holds no word vectors: it begins with neither two numbers nor a word and numbers"
    )


def _is_text(start: bytes, size: int) -> bool:
    """Whether a word and a number follow each other, as far as can be seen."""
    fields = start.split(b"\n", 1)[0].split()[: size + 1]
    try:
        [float(field) for field in fields[1:-1] or fields[1:]]
    except ValueError:
        return False
    return len(fields) > 1


def _lines(start: bytes, file: IO[bytes]) -> Iterable[bytes]:
    begun = start.splitlines(keepends=True)
    yield from begun[:-1]
    if begun:
        yield begun[-1] if begun[-1].endswith(b"\n") else begun[-1] + file.readline()
    yield from file


def _text(
    lines: Iterable[bytes],
    wanted: set[str],
    size: int,
    name: str,
    *,
    first: int,
    count: int | None = None,
) -> dict[str, NDArray[np.float32]]:
    """A word and numbers a line; as many as announced, if that is told."""
    found: dict[str, NDArray[np.float32]] = {}
    number = first - 1
    for number, line in enumerate(lines, start=first):
        word, *values = _SPACE.split(line.decode("utf-8", "replace").strip())
        if word not in wanted or word in found:
            continue
        try:
            vector = np.array(values, dtype=np.float32)
        except ValueError:
            vector = np.empty(0, dtype=np.float32)
        if len(vector) != size:
            raise FormatError(
                f"{name!r}, line {number:,}: {word!r} is not followed by {size} numbers"
            )
        found[word] = vector
    if count is not None and number - first + 1 < count:
        raise FormatError(
            f"{name!r} is cut off: it announces {count:,} words and has {number - first + 1:,}"
        )
    return found


def _binary(
    start: bytes, file: IO[bytes], wanted: set[str], count: int, size: int, name: str
) -> dict[str, NDArray[np.float32]]:
    """A word, a space, and the numbers, as word2vec writes them."""
    found: dict[str, NDArray[np.float32]] = {}
    data, at = start, 0
    for entry in range(count):
        while (space := data.find(b" ", at)) < 0 or len(data) < space + 1 + 4 * size:
            more = file.read(_BLOCK)
            if not more or (space < 0 and len(data) - at > _LONGEST_WORD):
                raise FormatError(
                    f"{name!r} is cut off or damaged: it announces {count:,} words and {entry:,} "
                    "can be read"
                )
            data, at = data[at:] + more, 0
        word = data[at:space].strip().decode("utf-8", "replace")
        if word in wanted and word not in found:
            found[word] = np.frombuffer(data, dtype="<f4", count=size, offset=space + 1).copy()
        at = space + 1 + 4 * size
    return found
