"""From texts to `WordStream`: which runs of characters are words, and how often each occurs."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._kernels import tokens as kernels
from hlta._kernels.streams import count_words
from hlta._kernels.tokens import END, GAP, TokenBuffers, TokenLimits, scan_text
from hlta._support.arrays import offsets, ranges, read_only
from hlta._support.checks import check_strings
from hlta._support.letters import with_letters
from hlta._support.spool import Spool
from hlta._support.threads import map_in_order
from hlta.documents.strings import as_text
from hlta.errors import DocumentsError
from hlta.text.languages import base_forms, lemma_code
from hlta.text.segmentation import Segmenter
from hlta.text.word_table import WordTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Indices, Ints, Ints32
    from hlta.options import TextOptions

_BATCH: Final = 1 << 20  # characters that a thread scans at a time: this bounds memory
_PIECE: Final = 1 << 16  # characters that are scanned at once: the table stays in the cache
_LANES: Final = 4  # tables of words that threads fill side by side
_MOST_OFTEN: Final = 1000  # occurrences of a word that count in a row of a matrix, at most
_LONGEST_CHUNK: Final = 60  # characters between spaces, at most; a longer run is not text
_UNLIMITED: Final = sys.maxsize  # characters
_HALVES: Final = slice(0xD800, 0xE000)  # surrogates, which no file in UTF-8 can hold
_CODE_POINTS: Final = sys.maxunicode + 1
_SHORTEST: Final = 2  # letters of a word within a phrase, at least
_SEPARATOR: Final = "\x00"  # between the words that a user's function found
# Empty lines, perhaps with a heading after them: a line of capital letters.
_PARAGRAPH: Final = re.compile(r"(\n(?:[^\S\n]*+\n)++)([A-Z][A-Z0-9 /&-]*+[^\S\n]*+(?=\n))?")


@dataclass(frozen=True, eq=False)
class WordStream:
    """The words of all documents in order.

    parts               int32 arrays: numbers of words, `GAP` where a phrase is interrupted, `END`
                        after each document; each part holds whole documents
    words               list of str: the words by number
    document_frequency  int64 (words,): in how many documents each word is
    occurrences         int64 (words,): how often each word occurs
    n_documents         int: the number of documents
    segmented           tuple of str: languages whose words were found in runs of letters
    """

    parts: Iterable[Ints32]
    words: list[str]
    document_frequency: Ints
    occurrences: Ints
    n_documents: int
    segmented: tuple[str, ...] = ()

    @cached_property
    def lengths(self) -> tuple[Ints, Ints]:
        """Lengths of documents in words, ascending, and how many documents have each.

        Those above 1,000 are rounded to three digits.
        """
        found = Counter[int]()
        for part in self.parts:
            lengths, documents = np.unique(sums_of_documents(part >= 0, part), return_counts=True)
            found.update(dict(zip(_round(lengths).tolist(), documents.tolist(), strict=True)))
        ordered = sorted(found)
        return np.array(ordered), np.array([found[length] for length in ordered])

    def with_parts(self, parts: Iterable[Ints32]) -> WordStream:
        """A stream of other parts with the same words, counted again."""
        return replace(count_stream(parts, self.words), segmented=self.segmented)

    def in_memory(self) -> WordStream:
        """The same stream, with one part in memory."""
        return replace(self, parts=[np.concatenate([np.empty(0, dtype=np.int32), *self.parts])])


def sums_of_documents(values: NDArray[Any], part: Ints32) -> Ints:
    """The sum over each document of a part; `values` has a number or a row for each place of it."""
    totals = np.cumsum(values, axis=0, dtype=np.int64)[part == END]
    return np.asarray(np.diff(totals, axis=0, prepend=0))


def bounds_of_documents(part: Ints32) -> tuple[Indices, Indices]:
    """Where each document of a part begins, and its size, `END` included."""
    ends = np.flatnonzero(part == END)
    sizes = np.diff(ends, prepend=-1)
    return ends - sizes + 1, sizes


def _round(lengths: Ints) -> Ints:
    """The numbers, rounded to three digits."""
    unit = 10 ** np.maximum(np.floor(np.log10(np.maximum(lengths, 1))) - 2, 0).astype(np.int64)
    rounded: Ints = (lengths + unit // 2) // unit * unit
    return rounded


def scan(texts: Iterable[str], options: TextOptions) -> WordStream:
    """Read texts, one per document; beside the stream, memory does not grow with their number.

    The stream takes four bytes per word and goes to a temporary file when it is large. Batches of texts
    go in turn to a fixed number of lanes, each with its own table of words. Tables are merged in order,
    so the stream does not depend on the number of threads.
    """
    segmenter = Segmenter(options)
    checked = check_strings(map(as_text, texts), "document {:,}", error=DocumentsError)
    stream = scan_part(segmenter.looking_ahead(checked), options, segmenter)
    return as_whole(stream, segmenter)


def as_whole(stream: WordStream, segmenter: Segmenter) -> WordStream:
    """The stream with its segmented languages; it must have documents and pass `Segmenter.check`."""
    if not stream.n_documents:
        raise DocumentsError("there are no documents; give at least one text")
    segmenter.check(stream.n_documents)
    return replace(stream, segmented=segmenter.languages)


def scan_part(texts: Iterable[str], options: TextOptions, segmenter: Segmenter) -> WordStream:
    """Read all texts, or some of them; the segmenter records the languages that it finds."""
    own_words = options.own_words
    split = _paragraphs(segmenter) if own_words is None else _own_words(own_words)
    code = None if options.lemmas is None else lemma_code(options.lemmas)
    lanes = [_Lane(options) for _ in range(_LANES)]
    scanned = Spool(np.int32)
    n_documents = 0

    def scan_batch(task: tuple[_Lane, list[str]]) -> Ints32:
        lane, batch = task
        return lane.scan(batch)

    batches = ([split(with_letters(text)) for text in chunk] for chunk in _chunks(texts, _BATCH))
    while turn := list(islice(batches, _LANES)):
        for part in map_in_order(scan_batch, list(zip(lanes, turn, strict=False))):
            scanned.write(part)
        n_documents += sum(map(len, turn))
    stream = _merge(scanned, [lane.table for lane in lanes], n_documents)
    return stream if code is None else _lemmatize(stream, code)


def _merge(scanned: Spool, tables: list[WordTable], n_documents: int) -> WordStream:
    """One stream of the parts that lanes scanned in turn, with word numbers of the first lane's table."""
    table = tables[0]
    renumberings = [None, *(table.absorb(other) for other in tables[1:])]
    parts = Spool(np.int32)
    for turn, part in enumerate(scanned):
        renumbering = renumberings[turn % len(tables)]
        parts.write(part if renumbering is None else renumbering[part])
    return WordStream(parts, table.names(), *table.counts(), n_documents)


def _lemmatize(stream: WordStream, code: str) -> WordStream:
    """Replace words by their base forms; those with the same one become one word."""
    forms = base_forms(stream.words, code)
    number = {form: k for k, form in enumerate(dict.fromkeys(forms))}
    # GAP and END are negative and so index the end.
    renumbering = np.array([*(number[form] for form in forms), END, GAP], dtype=np.int32)
    return count_stream((renumbering[part] for part in stream.parts), list(number))


def count_stream(parts: Iterable[Ints32], words: list[str]) -> WordStream:
    """Make a stream of parts whose numbers index `words`, and count the words."""
    document_frequency, occurrences, last = (np.zeros(len(words), dtype=np.int64) for _ in range(3))
    kept = Spool(np.int32)
    next_document = 1
    for part in parts:
        next_document = count_words(part, next_document, document_frequency, occurrences, last)
        kept.write(part)
    return WordStream(kept, words, document_frequency, occurrences, next_document - 1)


def counted_stream(counts: csr_array, words: list[str]) -> WordStream:
    """The stream of a matrix of counts, with each word repeated as often as it occurs in a document."""
    frequency = np.bincount(counts.indices, minlength=len(words))
    often = np.minimum(counts.data, _MOST_OFTEN).astype(np.int64)
    occurrences = np.bincount(counts.indices, often, minlength=len(words)).astype(np.int64)
    parts = Spool(np.int32)
    for begin, end in ranges(counts.shape[0]):
        entries = slice(counts.indptr[begin], counts.indptr[end])
        times = often[entries]
        ends = offsets(times)[counts.indptr[begin + 1 : end + 1] - entries.start]
        words_of_part = np.repeat(counts.indices[entries], times).astype(np.int32)
        parts.write(np.insert(words_of_part, ends, END))
    return WordStream(parts, words, frequency, occurrences, counts.shape[0])


class StreamWriter:
    """Joins streams of consecutive documents; the result is equivalent to that of one scan.

    Only the numbers of words differ, and no result depends on these.
    """

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._counts = np.zeros((0, 2), dtype=np.int64)
        self._parts = Spool(np.int32)
        self._n_documents = 0

    def append(self, stream: WordStream) -> None:
        """Add the stream of the documents that follow."""
        number = self._number
        numbers = [number.setdefault(word, len(number)) for word in stream.words]
        # GAP and END are negative and so index the end.
        renumbering = np.array([*numbers, END, GAP], dtype=np.int32)
        for part in stream.parts:
            self._parts.write(renumbering[part])
        self._counts.resize((len(number), 2), refcheck=False)
        self._counts[numbers] += np.stack((stream.document_frequency, stream.occurrences), axis=1)
        self._n_documents += stream.n_documents

    def read(self) -> WordStream:
        """The stream of all documents, in the order in which they were appended."""
        document_frequency, occurrences = self._counts.T.copy()
        words = list(self._number)
        return WordStream(self._parts, words, document_frequency, occurrences, self._n_documents)


class _Lane:
    """A table of words and buffers, into which one thread at a time scans."""

    def __init__(self, options: TextOptions) -> None:
        self.table = WordTable()
        self._lowercase = options.lowercase
        own_words = options.own_words is not None
        self._classes = _character_classes(only_separator=own_words)
        longest_chunk = _UNLIMITED if own_words else _LONGEST_CHUNK
        bounds = (min(*options.shortest, _SHORTEST), min(options.max_length, _UNLIMITED))
        self._limits = TokenLimits(*bounds, longest_chunk, int(options.numbers))
        self._documents = 0
        self._buffers = TokenBuffers(*(np.zeros(kernels.TOKENS, dtype=np.uint64) for _ in range(4)))

    def scan(self, batch: list[str]) -> Ints32:
        """The words of some documents, numbered by the table of the lane."""
        return np.concatenate([self._scan_piece(piece) for piece in _chunks(batch, _PIECE)])

    def _scan_piece(self, texts: list[str]) -> Ints32:
        table = self.table
        if self._lowercase:
            texts = [text.lower() for text in texts]
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        codes = np.frombuffer(joined, dtype=np.uint32)
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        table.reserve(len(codes) // self._limits.shortest + 1, len(codes))
        out = np.empty(len(codes) + len(texts), dtype=np.int32)
        text = (codes, ends, self._classes, self._limits, self._documents)
        filled, table.count = scan_text(*text, table.count, table.arrays, self._buffers, out)
        self._documents += len(texts)
        return out[:filled].copy()


def _own_words(tokenizer: Callable[[str], Iterable[str]]) -> Callable[[str], str]:
    """A user's tokenizer as a function from text to text, with separators between words."""

    def split(text: str) -> str:
        return _SEPARATOR.join(word.replace(_SEPARATOR, "") for word in tokenizer(text))

    return split


def _paragraphs(segmenter: Segmenter) -> Callable[[str], str]:
    """A segmenter as a function from text to text, with breaks between paragraphs and at headings.

    No phrase crosses a break.
    """

    def split(text: str) -> str:
        found = segmenter.split(text)
        if "\n" not in found:
            return found
        return _PARAGRAPH.sub("\\1|\n\\2|\n", "\n\n" + found)

    return split


def _chunks(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Lists of consecutive texts, each of at least `size` characters together, but for the last."""
    chunk: list[str] = []
    held = 0
    for text in texts:
        chunk.append(text)
        held += len(text)
        if held >= size:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


@lru_cache(maxsize=2)
def _character_classes(*, only_separator: bool) -> NDArray[np.uint8]:
    """The class of every code point, by Unicode's own properties.

    With `only_separator` everything but the separator is a letter: the words are known already.
    """
    classes = np.full(
        _CODE_POINTS, kernels.LETTER if only_separator else kernels.BREAK, dtype=np.uint8
    )
    classes[_HALVES] = kernels.BREAK
    classes[ord(_SEPARATOR)] = kernels.SPACE
    classes[ord("a") : ord("z") + 1] = kernels.LATIN + (np.arange(1, 27) << kernels.CLASS_BITS)
    if not only_separator:
        _classify(classes)
    return read_only(classes)


def _classify(classes: NDArray[np.uint8]) -> None:
    """Set the classes of characters that are no breaks between words."""
    every = np.arange(_CODE_POINTS, dtype=np.uint32).view("U1")
    classes[np.char.isspace(every)] = kernels.SPACE
    classes[np.char.isnumeric(every)] = kernels.DIGIT
    classes[np.char.isalpha(every) & (classes <= kernels.LATIN)] = kernels.LETTER
    # Accents and vowel signs belong to their letters.
    for code in range(ord("\u0300"), ord("\U0001f000")):
        if classes[code] == kernels.BREAK and unicodedata.category(chr(code))[0] == "M":
            classes[code] = kernels.LETTER
    for character in "-\u2010\u2011'\u2019":
        classes[ord(character)] = kernels.JOINER
    classes[ord("_")] = kernels.DIGIT
    classes[ord("@")] = kernels.GLUE
