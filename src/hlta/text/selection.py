"""Which words are kept: those with the highest average TF-IDF (Section 8.1), within bounds and lists."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from hlta.errors import DocumentsError
from hlta.text.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.options import TextOptions
    from hlta.text.word_stream import WordStream


def average_tf_idf(
    occurrences: NDArray[np.int64], document_frequency: NDArray[np.int64], n_documents: int
) -> NDArray[np.float64]:
    """The mean over documents of tf * log(N / df), of every word."""
    inverse = n_documents / np.maximum(document_frequency, 1)
    return occurrences / n_documents * np.log(inverse)


def choose_words(stream: WordStream, options: TextOptions) -> NDArray[np.intp]:
    """The numbers of the words to keep, by falling average TF-IDF; ties in alphabetical order."""
    names = stream.words
    low, high = document_bounds(stream.n_documents, options)
    eligible = (stream.document_frequency >= low) & (stream.document_frequency <= high)
    stop = _stop_words(stream, options)
    eligible[_numbers(names, {*stop, *_as_read(options.exclude, options)})] = False
    included = _numbers(names, set(_as_read(options.include, options)))
    eligible[included] = True
    score = average_tf_idf(stream.occurrences, stream.document_frequency, stream.n_documents)
    score[included] = np.inf
    candidates = np.flatnonzero(eligible)
    if len(candidates) < 2:
        raise DocumentsError(
            f"{len(candidates)} of {len(names):,} words are left: min_df={low} to max_df={high} "
            f"documents of {stream.n_documents:,}, {len(stop):,} stop words, "
            f"min_length={options.shortest}; loosen one of them"
        )
    wanted = options.n_words or _usual_size(stream.n_documents)
    if len(candidates) > wanted:  # sort only those that are as good as the last one
        last = np.partition(score[candidates], -wanted)[-wanted]
        candidates = candidates[score[candidates] >= last]
    order = sorted(candidates.tolist(), key=lambda word: (-score[word], names[word]))
    return np.array(order[:wanted])


def document_bounds(n_documents: int, options: TextOptions) -> tuple[int, int]:
    """In how many documents a word must be at least, and may be at most."""
    low, high = options.min_df, options.max_df
    if low is None:
        low = 5 if n_documents >= 1000 else 2 if n_documents >= 20 else 1
    if high is None:
        high = 0.25 if n_documents >= 1000 else 0.5 if n_documents >= 100 else 1.0
    least = low if isinstance(low, Integral) else np.ceil(low * n_documents)
    most = high if isinstance(high, Integral) else np.floor(high * n_documents)
    return max(1, int(least)), int(most)


def _stop_words(stream: WordStream, options: TextOptions) -> set[str]:
    wanted = options.stop_words
    if wanted == "auto" and isinstance(options.tokenizer, str):
        wanted = options.tokenizer  # the language is known
    occurrences: dict[str, int] = {}
    if isinstance(wanted, str) and wanted == "auto":
        occurrences = dict(zip(stream.words, stream.occurrences.tolist(), strict=True))
    return stop_words(wanted, occurrences)


def _numbers(names: list[str], wanted: set[str]) -> list[int]:
    """The numbers of the wanted words."""
    return [k for k, name in enumerate(names) if name in wanted] if wanted else []


def _as_read(words: Iterable[str], options: TextOptions) -> list[str]:
    """Words in the case in which texts are read."""
    return [word.lower() for word in words] if options.lowercase else list(words)


def _usual_size(n_documents: int) -> int:
    return int(np.clip(40.0 * np.sqrt(n_documents), 500, 10_000))
