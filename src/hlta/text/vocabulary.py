"""From texts to documents: with a vocabulary that is chosen from them, or with a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.streams import BIT_PLACE, collect_rows
from hlta._kernels.tokens import END
from hlta._support.spool import Spool
from hlta.documents.matrix import Documents
from hlta.documents.sampling import drawn, fingerprints
from hlta.text.frequent_phrases import MOST_READ, find_phrases
from hlta.text.phrases import join_best_pairs, join_known_phrases
from hlta.text.scanner import scan
from hlta.text.selection import choose_words, document_bounds, eligible_words, stop_words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.documents.phrases import Phrases
    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream

_NEARLY: Final = 0.5


def build_vocabulary(
    texts: Iterable[str], options: TextOptions, *, n_jobs: int | None = None
) -> tuple[Documents, tuple[str, ...], Phrases]:
    """Read texts, choose words, and note which document contains which, and which phrases."""
    scanned = stream = scan(texts, options, n_jobs=n_jobs)
    chosen = of_scanned = choose_words(stream, options)
    for length in range(2, options.ngrams + 1):
        longer = join_best_pairs(stream, chosen, options, length)
        if longer is stream:
            break
        stream = longer
        chosen = choose_words(stream, options)
    columns = np.full(len(stream.words), -1, dtype=np.int32)
    columns[chosen] = np.arange(len(chosen), dtype=np.int32)
    words = tuple(stream.words[word] for word in chosen)
    documents = _documents(stream, columns, len(words))
    rows = drawn(fingerprints(documents, words), MOST_READ, np.random.SeedSequence(0))
    stop = stop_words_of(scanned, tokenizer=options.tokenizer)
    return documents, words, find_phrases(scanned, rows, of_scanned, stop)


def with_vocabulary(
    texts: Iterable[str], words: tuple[str, ...], options: TextOptions, *, n_jobs: int | None = None
) -> Documents:
    """Read texts with a given vocabulary; phrases are words with hyphens."""
    return _with_columns(_scan_known(texts, words, options, n_jobs), words)


def with_further_words(
    texts: Iterable[str], words: tuple[str, ...], options: TextOptions, *, n_jobs: int | None = None
) -> tuple[Documents, tuple[str, ...]]:
    """The same, and after the given vocabulary the other words that might have been chosen.

    Words nearly as frequent as a word may be are not among them: they were too frequent before.
    """
    stream = _scan_known(texts, words, options, n_jobs)
    stop = stop_words_of(stream, options.stop_words, options.tokenizer)
    eligible, known = eligible_words(stream, options, stop), set(words)
    most = document_bounds(stream.n_documents, options)[1]
    eligible &= stream.document_frequency <= _NEARLY * most
    further = (stream.words[k] for k in np.flatnonzero(eligible).tolist())
    every = (*words, *sorted(word for word in further if word not in known))
    return _with_columns(stream, every), every


def _scan_known(
    texts: Iterable[str], words: tuple[str, ...], options: TextOptions, n_jobs: int | None
) -> WordStream:
    """Read texts, and join the phrases of a given vocabulary."""
    stream = scan(texts, options, n_jobs=n_jobs)
    for length in range(2, options.ngrams + 1):
        stream = join_known_phrases(stream, words, length)
    return stream


def _with_columns(stream: WordStream, words: tuple[str, ...]) -> Documents:
    """The matrix of documents with these words."""
    column_of = {word: column for column, word in enumerate(words)}
    columns = np.array([column_of.get(word, -1) for word in stream.words], dtype=np.int32)
    return _documents(stream, columns, len(words))


def _documents(stream: WordStream, columns: NDArray[np.int32], n_columns: int) -> Documents:
    """The matrix of documents with a column, or -1 for none, of each word of the stream."""
    blocks = -(-n_columns // 4096)
    bits, heads = np.zeros(64 * blocks, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)
    indptr = np.zeros(stream.n_documents + 1, dtype=np.int64)
    document = 0
    spool = Spool(np.uint32)
    for part in stream.parts:
        ends = np.empty(np.count_nonzero(part == END) + 1, dtype=np.int64)
        indices = np.empty(len(part), dtype=np.uint32)
        filled = collect_rows(part, columns, bits, heads, BIT_PLACE, ends, indices)
        spool.write(indices[:filled].copy())
        indptr[document + 1 : document + len(ends)] = indptr[document] + ends[1:]
        document += len(ends) - 1
    return Documents(indptr, spool.read(), n_columns)
