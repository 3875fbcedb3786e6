"""From texts to documents: with a vocabulary that is chosen from them, or with a given one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta._kernels.tokens import END
from hlta.documents.matrix import Documents, Sections
from hlta.documents.sampling import SUFFICIENT, draw_rows, fingerprints
from hlta.documents.writer import DocumentsWriter, from_keys, join_sections
from hlta.text.coverage import coverage
from hlta.text.frequent_phrases import find_phrases
from hlta.text.passages import find_passages, without_passages
from hlta.text.phrases import (
    Phrase,
    best_pairs,
    included_phrases,
    join_phrases,
    pairs_within,
    sparing_included,
)
from hlta.text.repeats import find_originals, without_repeats
from hlta.text.scanner import WordStream, scan, scan_part
from hlta.text.sections import in_sections
from hlta.text.segmentation import Segmenter
from hlta.text.selection import (
    choose_words,
    document_bounds,
    eligible_words,
    filler_words,
    frequent_left_out,
)
from hlta.text.stop_words import (
    as_written,
    clause_words_of,
    find_languages,
    stop_words_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta._support.arrays import Floats, Indices, Ints, Ints32
    from hlta.documents.phrases import Phrases
    from hlta.options import TextOptions


class ReadTexts(NamedTuple):
    """What a `Corpus` holds of texts; the options record their languages, phrases and passages."""

    documents: Documents
    words: tuple[str, ...]
    text_options: TextOptions
    phrases: Phrases
    coverage: Floats
    originals: Ints | None


class FurtherTexts(NamedTuple):
    """What a `Corpus` holds of texts, by the words of a model and further words."""

    documents: Documents
    words: tuple[str, ...]
    coverage: Floats
    originals: Ints | None


def build_vocabulary(texts: Iterable[str], options: TextOptions) -> ReadTexts:
    """Read texts, choose words, and record which words and phrases each document contains."""
    return choose_vocabulary(scan(texts, options), options)


def choose_vocabulary(
    stream: WordStream, options: TextOptions, titles: Iterable[str] = ()
) -> ReadTexts:
    """As `build_vocabulary`, for texts that were read; `titles` are those that are parts of texts.

    Repeats do not affect which words are chosen, unless `count_repeats`; passages do, unless
    `drop_passages`.
    """
    scanned = stream
    originals = None if options.count_repeats else find_originals(scanned)
    if originals is not None:
        scanned = without_repeats(scanned, originals)
    passages = find_passages(scanned)
    if options.drop_passages:
        scanned = without_passages(scanned, passages)
    stream, starts = in_sections(scanned)
    of_titles = scan_part(titles, options, Segmenter(options))
    options = replace(_with_languages(options, scanned), style=None)
    options = replace(options, style=filler_words(stream, options, of_titles))
    of_scanned = choose_words(stream, options)
    stream, chosen, turns = _with_phrases(stream, of_scanned, options)
    words = tuple(stream.words[word] for word in chosen)
    documents, known = _documents(stream, starts, words, options)
    rows = draw_rows(fingerprints(documents, words), SUFFICIENT, np.random.SeedSequence(0))
    languages = options.languages or ()
    no_ends, clause_words = (
        as_written(words, options) for words in (words_of(languages), clause_words_of(languages))
    )
    phrases = find_phrases(scanned, rows, of_scanned, no_ends, clause_words)
    if originals is not None and len(originals) > len(documents):
        rows = np.unique(originals, return_inverse=True)[1]
        documents, phrases, known = documents.take(rows), phrases.take(rows), known[rows]
    left_out = frequent_left_out(stream, chosen, options)
    count = stream.n_documents
    read = replace(options, joined=turns, passages=passages, left_out=left_out, n_read=count)
    return ReadTexts(documents, words, read, phrases, known, originals)


def with_vocabulary(
    texts: Iterable[str], words: tuple[str, ...], options: TextOptions
) -> tuple[Documents, Floats]:
    """Read texts with a given vocabulary, with phrases joined as when it was chosen.

    The coverage of each document is returned, too.
    """
    stream, starts = _as_known(scan(texts, options), words, options)
    return _documents(stream, starts, words, _with_languages(options, stream))


def with_further_words(
    texts: Iterable[str], words: tuple[str, ...], options: TextOptions
) -> FurtherTexts:
    """The documents by a given vocabulary, followed by the other words that could be chosen from them.

    They may be more frequent than `max_df`, which depends on how many documents there are. Repeats do
    not affect which words are added, unless `count_repeats`.
    """
    scanned = scan(texts, options)
    originals = None if options.count_repeats else find_originals(scanned)
    stream, starts = _as_known(scanned, words, options)
    single = stream
    if originals is not None:
        single, _ = _as_known(without_repeats(scanned, originals), words, options)
    of_languages = _with_languages(options, single)
    stop = stop_words_of(of_languages)
    eligible, known = eligible_words(single, replace(options, max_df=1.0), stop), set(words)
    further = (stream.words[k] for k in np.flatnonzero(eligible).tolist())
    every = (*words, *sorted(word for word in further if word not in known))
    documents, covered = _documents(stream, starts, every, of_languages)
    return FurtherTexts(documents, every, covered, originals)


def most_frequent(n_documents: int, options: TextOptions) -> float:
    """The largest share of this number of documents that a word to be chosen may be in."""
    return document_bounds(n_documents, options)[1] / max(1, n_documents)


def least_frequent(n_documents: int, options: TextOptions) -> int:
    """The least number of documents, of this number, that a word to be chosen may be in."""
    return document_bounds(n_documents, options)[0]


def _with_phrases(
    stream: WordStream, chosen: Indices, options: TextOptions
) -> tuple[WordStream, Indices, tuple[tuple[Phrase, ...], ...]]:
    """The stream with phrases joined, the words chosen from it, and the phrases joined in each turn.

    The phrases of `include`, of any length, are joined first. No later phrase takes all occurrences of a
    word of `include`.
    """
    turns = []
    if phrases := included_phrases(stream, options):
        turns.append(tuple(phrases))
        stream = join_phrases(stream, phrases)
        chosen = choose_words(stream, options)
    for length in range(2, options.ngrams + 1):
        pairs = sparing_included(stream, best_pairs(stream, chosen, options, length), options)
        if not pairs:
            break
        turns.append(tuple(pairs))
        stream = join_phrases(stream, pairs)
        chosen = choose_words(stream, options)
    return stream, chosen, tuple(turns)


def _with_languages(options: TextOptions, stream: WordStream) -> TextOptions:
    """The options with the languages of the texts, unless they hold languages already."""
    if options.languages is not None:
        return options
    languages = dict.fromkeys((*stream.segmented, *find_languages(stream)))
    return replace(options, languages=tuple(languages))


def _as_known(
    stream: WordStream, words: tuple[str, ...], options: TextOptions
) -> tuple[WordStream, Ints]:
    """Drop passages, cut into sections and join phrases as it was done when words were chosen.

    The second value is the first section of each document, then the number of sections. Options of old
    files do not record the phrases: those are then found from the vocabulary.
    """
    if options.drop_passages:
        stream = without_passages(stream, options.passages or ())
    stream, starts = in_sections(stream)
    turns: Iterable[Iterable[Phrase]] | None = options.joined
    if turns is None:
        turns = (pairs_within(words, length) for length in range(2, options.ngrams + 1))
    for phrases in turns:
        stream = join_phrases(stream, phrases)
    return stream, starts


def _documents(
    stream: WordStream, starts: Ints, words: tuple[str, ...], options: TextOptions
) -> tuple[Documents, Floats]:
    """The documents of a stream of sections by these words, and the coverage of each."""
    column_of = {word: column for column, word in enumerate(words)}
    columns = np.array([column_of.get(word, -1) for word in stream.words], dtype=np.int32)
    sections = Sections(_matrix(stream, columns, len(words)), starts)
    whole = stream.n_documents == len(starts) - 1
    documents = sections.documents if whole else join_sections(sections)
    return documents, coverage(stream, starts, columns, options)


def _matrix(stream: WordStream, columns: Ints32, n_columns: int) -> Documents:
    """The matrix of sections by words."""
    writer, column_of = DocumentsWriter(n_columns), np.append(columns, [-1, -1])  # of END and GAP
    for part in stream.parts:
        ends, column = part == END, column_of[part]
        keys = np.sort((np.cumsum(ends) * n_columns + column)[column >= 0])
        keys = keys[np.diff(keys, prepend=-1) > 0]
        writer.append(from_keys(keys, int(ends.sum()), n_columns))
    return writer.read()
