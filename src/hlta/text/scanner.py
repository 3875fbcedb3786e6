"""Text to a stream of words: what a word is, and which of them there are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._kernels import tokens as kernels
from hlta._kernels.streams import count_words
from hlta._kernels.tokens import (
    BREAK,
    CLASS_BITS,
    DIGIT,
    END,
    FIRST,
    GAP,
    GLUE,
    JOINER,
    LATIN,
    LETTER,
    SPACE,
    TOKENS,
)
from hlta._support.spool import Parts
from hlta._support.threads import map_in_order
from hlta.errors import DocumentsError
from hlta.text.languages import check_lemmas, lemmas, merged, segmenter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from hlta.options import TextOptions

_BATCH = 1 << 20  # characters a thread scans at a time: what memory beyond the stream depends on
_PIECE = 1 << 16
_LANES = 4
_LONGEST_CHUNK: Final = 60
_SEPARATOR = "\x00"


@dataclass(frozen=True, eq=False)
class WordStream:
    """The words of all documents in order.

    parts        int32: numbers of words, `GAP` between phrases, `END` after each document; some
                 whole documents a part
    words        the words, by number
    documents    int64 (words,): in how many documents each is
    occurrences  int64 (words,): how often each occurs
    n_documents
    """

    parts: Parts
    words: list[str]
    documents: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    n_documents: int


def scan(texts: Iterable[str], options: TextOptions, *, n_jobs: int | None = None) -> WordStream:
    """Read texts, one document each; memory does not grow with them but for the stream.

    The stream has four bytes a word and goes to a temporary file when it is large. Batches go to
    lanes in turn, as many however many threads there are; each has a table of words of its own.
    """
    split = _splitter(options.tokenizer)
    if options.lemmas is not None:
        check_lemmas(options.lemmas)
    lanes = [_Lane(options) for _ in range(_LANES)]
    documents = 0
    scanned = Parts(np.int32)

    def scan_batch(turn: tuple[_Lane, list[str]]) -> NDArray[np.int32]:
        lane, batch = turn
        return lane.scan(batch)

    for batches in _grouped(_batches(texts, split), _LANES):
        for part in map_in_order(scan_batch, list(zip(lanes, batches, strict=False)), n_jobs):
            scanned.append(part)
        documents += sum(map(len, batches))
    if not documents:
        raise DocumentsError("there are no documents; give at least one text")
    table = lanes[0].table
    numbers = [lane.numbers_in(table) for lane in lanes]
    parts = Parts(np.int32)
    for turn, part in enumerate(scanned):
        lane = turn % _LANES
        parts.append(numbers[lane][part] if lane else part)
    words = WordStream(parts, table.names(), *table.counts(), documents)
    return words if options.lemmas is None else _lemmatized(words, options.lemmas)


def _lemmatized(words: WordStream, language: str) -> WordStream:
    """Words of the same base form become one."""
    names, number = merged(lemmas(words.words, language))
    with_marks = np.concatenate((number, np.array([END, GAP], dtype=np.int32)))
    return counted((with_marks[part] for part in words.parts), names)


def counted(streams: Iterable[NDArray[np.int32]], words: list[str]) -> WordStream:
    """Streams of words that are numbered anew, with their counts."""
    documents, occurrences, last = (np.zeros(len(words), dtype=np.int64) for _ in range(3))
    parts = Parts(np.int32)
    now = 1
    for stream in streams:
        now = count_words(stream, now, documents, occurrences, last)
        parts.append(stream)
    return WordStream(parts, words, documents, occurrences, now - 1)


class _Lane:
    """What one thread at a time scans into, with a table of words of its own."""

    def __init__(self, options: TextOptions) -> None:
        self.table = _Table()
        self._options = options
        self._documents = 0
        self._buffers = kernels.TokenBuffers(*(np.zeros(TOKENS, dtype=np.uint64) for _ in range(4)))

    def scan(self, batch: list[str]) -> NDArray[np.int32]:
        """The words of some documents, as the table numbers them."""
        options, table = self._options, self.table
        plain = callable(options.tokenizer)
        classes = _classes(plain=plain)
        longest_chunk = 1 << 40 if plain else _LONGEST_CHUNK
        limits = kernels.TokenLimits(
            options.shortest, options.max_length, longest_chunk, int(options.numbers)
        )
        parts = []
        for texts in _pieces(batch):
            chunk = [text.lower() for text in texts] if options.lowercase else texts
            joined = "".join(chunk).encode("utf-32-le", "surrogatepass")
            codes = np.frombuffer(joined, dtype=np.uint32)
            ends = np.cumsum([len(text) for text in chunk], dtype=np.int64)
            table.reserve(len(codes) // 2 + 1, len(codes))
            out = np.empty(len(codes) + len(chunk), dtype=np.int32)
            filled, table.count = kernels.scan_text(
                codes,
                ends,
                classes,
                limits,
                self._documents,
                table.count,
                table.arrays,
                self._buffers,
                out,
            )
            self._documents += len(chunk)
            parts.append(out[:filled].copy())
        return np.concatenate(parts)

    def numbers_in(self, table: _Table) -> NDArray[np.int32]:
        """What the numbers of its words, and the marks, are in another table; that takes them over."""
        return np.empty(0, dtype=np.int32) if table is self.table else table.absorb(self.table)


class _Table:
    """The words met so far, as the kernel wants them; it grows between pieces of text."""

    def __init__(self) -> None:
        self.count = 0
        self._keys = np.empty(0, dtype=np.uint64)
        self._starts = np.zeros(1, dtype=np.int64)
        self._letters = np.empty(0, dtype=np.uint32)
        self._counts = np.zeros((FIRST, 3), dtype=np.int64)
        self._slots = np.empty((0, 2), dtype=np.uint64)
        self.reserve(1 << 15, 1 << 18)

    @property
    def arrays(self) -> kernels.WordTable:
        """The table as kernels take it."""
        return kernels.WordTable(self._slots, self._keys, self._starts, self._letters, self._counts)

    def reserve(self, words: int, letters: int) -> None:
        """Make room for so many more words, of so many letters together."""
        room = self.count + words + 1
        if room > len(self._keys):
            size = 1 << (room - 1).bit_length()
            self._keys = _resized(self._keys, size)
            self._starts = _resized(self._starts, size + 1)
            self._counts = _resized(self._counts, size + FIRST)
            self._slots = np.zeros((2 * size, 2), dtype=np.uint64)
            kernels.place_words(self._keys, self.count, self._slots)
        pool = int(self._starts[self.count]) + letters
        if pool > len(self._letters):
            self._letters = _resized(self._letters, 1 << (pool - 1).bit_length())

    def absorb(self, part: _Table) -> NDArray[np.int32]:
        """Take over the words of another table; returns what its numbers, and the marks, are here."""
        starts = part._starts[: part.count + 1]
        self.reserve(part.count, int(starts[-1]))
        begins, sizes = starts[:-1].astype(np.uint64), np.diff(starts).astype(np.uint64)
        numbers = np.empty(part.count, dtype=np.uint64)
        self.count = kernels.number_words(
            part._letters, part._keys, begins, sizes, part.count, self.count, self.arrays, numbers
        )
        self._counts[numbers, :2] += part._counts[FIRST : FIRST + part.count, :2]
        number = np.empty(part.count + 2, dtype=np.int32)
        number[: part.count] = numbers.astype(np.int64) - FIRST
        number[END], number[GAP] = END, GAP  # counted from the end, as marks in a stream are
        return number

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of each word, in how many documents it is, and how often it occurs."""
        words = self._counts[FIRST : FIRST + self.count]
        return words[:, 0].copy(), words[:, 1].copy()

    def names(self) -> list[str]:
        starts = self._starts[: self.count + 1]
        text = self._letters[: starts[-1]].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def _resized(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A longer copy of an array; what is new in it is not set."""
    longer = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _splitter(
    tokenizer: str | Callable[[str], Iterable[str]] | None,
) -> Callable[[str], str] | None:
    """A tokenizer as a function from text to text: words between spaces, or separators."""
    if tokenizer is None:
        return None
    if isinstance(tokenizer, str):
        return segmenter(tokenizer)

    def split(text: str) -> str:
        return _SEPARATOR.join(word.replace(_SEPARATOR, "") for word in tokenizer(text))

    return split


def _batches(texts: Iterable[str], split: Callable[[str], str] | None) -> Iterator[list[str]]:
    """Documents of about `_BATCH` characters together, checked and told apart by a user's function."""
    batch: list[str] = []
    size = 0
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise DocumentsError(
                f"document {number} is {text!r:.80}, of type {type(text).__name__}; "
                "every document must be a string"
            )
        batch.append(text if split is None else split(text))
        size += len(text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _pieces(batch: list[str]) -> Iterator[list[str]]:
    """What is scanned at once, small enough for the table to stay in the cache."""
    begin = size = 0
    for number, text in enumerate(batch):
        size += len(text)
        if size >= _PIECE:
            yield batch[begin : number + 1]
            begin, size = number + 1, 0
    if begin < len(batch):
        yield batch[begin:]


def _grouped(batches: Iterator[list[str]], count: int) -> Iterator[list[list[str]]]:
    while group := list(islice(batches, count)):
        yield group


@lru_cache(maxsize=2)
def _classes(*, plain: bool) -> NDArray[np.uint8]:
    """The class of every code point, by Unicode's own properties.

    With `plain` everything is a letter but the separator: words were told apart before.
    """
    classes = np.full(0x110000, LETTER if plain else BREAK, dtype=np.uint8)
    classes[0] = SPACE
    classes[ord("a") : ord("z") + 1] = LATIN + (np.arange(1, 27) << CLASS_BITS)
    if not plain:
        import unicodedata

        every = np.arange(0x110000, dtype=np.uint32).view("U1")
        classes[np.char.isspace(every)] = SPACE
        classes[np.char.isnumeric(every)] = DIGIT
        classes[np.char.isalpha(every) & (classes <= LATIN)] = LETTER
        for code in range(0x300, 0x1F000):  # accents and vowel signs belong to their letters
            if classes[code] == BREAK and unicodedata.category(chr(code))[0] == "M":
                classes[code] = LETTER
        for character in "-\u2010\u2011'\u2019":
            classes[ord(character)] = JOINER
        classes[ord("_")] = DIGIT
        classes[ord("@")] = GLUE
    classes.setflags(write=False)
    return classes
