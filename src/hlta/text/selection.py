"""The choice of words to keep: by average TF-IDF (Section 8.1), among those that the options allow."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.errors import DocumentsError
from hlta.text.fillers import find_fillers
from hlta.text.stop_words import stop_words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats, Indices, Ints
    from hlta.options import LeftOut, TextOptions
    from hlta.text.scanner import WordStream

_DENSE: Final = "\u2e80"  # where the scripts of China, Japan and Korea begin
_LEAST_DOCUMENTS: Final = ((1000, 5), (20, 2))  # of 1000 or more, a word must be in 5, and so on
_LARGEST_SHARES: Final = ((1000, 0.25), (100, 0.5))  # of 1000 or more, it may be in a quarter
_FEWEST_WORDS, _MOST_WORDS = 500, 10_000  # of the vocabulary, unless `n_words` is given
_WORDS_PER_ROOT: Final = 40.0  # words per root of the number of documents
_MOST_LEFT_OUT: Final = 10_000  # words that a model remembers, with about 5 bytes each in its file
_MOST_OF_STYLE: Final = 100_000  # filler words, likewise


def average_tf_idf(occurrences: Ints, document_frequency: Ints, n_documents: int) -> Floats:
    """The mean over documents of tf * log(N / df), of every word."""
    return occurrences / n_documents * np.log(n_documents / np.maximum(document_frequency, 1))


def choose_words(stream: WordStream, options: TextOptions) -> Indices:
    """The numbers of the words to keep, by falling average TF-IDF; ties in alphabetical order."""
    names = stream.words
    low, high = document_bounds(stream.n_documents, options)
    stop = stop_words_of(options)
    eligible = eligible_words(stream, options, stop)
    included = numbers_of(names, set(as_read(options.include, options)))
    eligible[included] = stream.document_frequency[included] > 0
    score = average_tf_idf(stream.occurrences, stream.document_frequency, stream.n_documents)
    score[included] = np.inf
    candidates = np.flatnonzero(eligible)
    if len(candidates) < 2:
        n_long = int(long_enough(names, options).sum())
        style = (
            f", or keep {len(options.style):,} filler words (keep_style)" if options.style else ""
        )
        raise DocumentsError(
            f"{len(candidates)} of {n_long:,} words are left: min_df={low} to max_df={high} "
            f"documents of {stream.n_documents:,}, {len(stop):,} stop words, "
            f"min_length={options.shortest[0]}; loosen one of them{style}"
        )
    wanted = options.n_words or _usual_size(stream.n_documents)
    return _first(candidates, wanted, score, names)


def frequent_left_out(
    stream: WordStream, chosen: Indices, options: TextOptions
) -> tuple[LeftOut, ...]:
    """The most frequent words that could have been chosen but were not, and those above `max_df`.

    Each comes with the share of the documents that it is in.
    """
    eligible = eligible_words(stream, replace(options, max_df=1.0), stop_words_of(options))
    eligible[chosen] = False
    frequency = stream.document_frequency
    first = _first(np.flatnonzero(eligible), _MOST_LEFT_OUT, frequency, stream.words)
    return tuple((stream.words[k], float(frequency[k] / stream.n_documents)) for k in first)


def filler_words(stream: WordStream, options: TextOptions, titles: WordStream) -> tuple[str, ...]:
    """The filler words that are left out, the most frequent ones first.

    The stream must have no joined phrases, which take occurrences from their words; `titles` are those of
    its documents that are parts of their texts.
    """
    if options.keep_style:
        return ()
    eligible = eligible_words(stream, options, stop_words_of(options))
    found = find_fillers(stream, eligible, titles)
    found[numbers_of(stream.words, set(as_read(options.include, options)))] = False
    first = _first(np.flatnonzero(found), _MOST_OF_STYLE, stream.document_frequency, stream.words)
    return tuple(stream.words[k] for k in first)


def share_of_others(options: TextOptions) -> float | None:
    """The largest share of documents that a word neither chosen nor remembered can have been in.

    Unless more words were left out than are remembered, it is that of words just too rare to be chosen.
    None if it is unknown, as for options without texts.
    """
    left_out, n_read = options.left_out or (), options.n_read
    if n_read is not None and len(left_out) < _MOST_LEFT_OUT:
        return (document_bounds(n_read, options)[0] - 1) / n_read
    return left_out[-1][1] if left_out else None


def _first(candidates: Indices, wanted: int, score: NDArray[Any], names: list[str]) -> Indices:
    """The best candidates, as many as `wanted`, by falling score; ties in alphabetical order."""
    if len(candidates) > wanted:  # sort only those that score as high as the last one to keep
        last = np.partition(score[candidates], -wanted)[-wanted]
        candidates = candidates[score[candidates] >= last]
    order = sorted(candidates.tolist(), key=lambda word: (-score[word], names[word]))
    return np.array(order[:wanted], dtype=np.intp)


def eligible_words(stream: WordStream, options: TextOptions, stop: Collection[str]) -> Bools:
    """Which words may be kept; those of `include` are kept regardless."""
    low, high = document_bounds(stream.n_documents, options)
    eligible = (stream.document_frequency >= low) & (stream.document_frequency <= high)
    eligible &= long_enough(stream.words, options)
    left_out = {*stop, *(options.style or ()), *as_read(options.exclude, options)}
    eligible[numbers_of(stream.words, left_out)] = False
    return np.asarray(eligible)


def document_bounds(n_documents: int, options: TextOptions) -> tuple[int, int]:
    """The least and the largest document frequency of words to keep."""
    low, high = options.min_df, options.max_df
    if low is None:
        low = next((least for n, least in _LEAST_DOCUMENTS if n_documents >= n), 1)
    if high is None:
        high = next((most for n, most in _LARGEST_SHARES if n_documents >= n), 1.0)
    least = low if isinstance(low, Integral) else np.ceil(low * n_documents)
    most = high if isinstance(high, Integral) else np.floor(high * n_documents)
    return max(1, int(least)), int(most)


def long_enough(names: list[str], options: TextOptions) -> Bools:
    """Which words have enough characters."""
    least, least_dense = options.shortest
    lengths = (len(name) >= (least_dense if name >= _DENSE else least) for name in names)
    return np.fromiter(lengths, dtype=bool, count=len(names))


def numbers_of(names: list[str], wanted: set[str]) -> list[int]:
    """The numbers of the wanted words."""
    return [k for k, name in enumerate(names) if name in wanted] if wanted else []


def as_read(words: Iterable[str], options: TextOptions) -> list[str]:
    """Words in the case in which texts are read; those with spaces also with hyphens, like phrases."""
    cased = [word.lower() for word in words] if options.lowercase else list(words)
    return list(dict.fromkeys(form for w in cased for form in (w, "-".join(w.split()))))


def _usual_size(n_documents: int) -> int:
    """How many words to keep, by the number of documents."""
    return int(np.clip(_WORDS_PER_ROOT * np.sqrt(n_documents), _FEWEST_WORDS, _MOST_WORDS))
