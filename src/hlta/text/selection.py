"""Which words are kept: those with the highest average TF-IDF (Section 8.1), within bounds and lists."""

from __future__ import annotations

from heapq import nlargest
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import stop_words

from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream

_LEAST_SHARE: Final = 0.05  # of stop words among all words, for a language to be recognised
_DECIDING: Final = 50  # most frequent words of each list: a long list must not win by its length
# English lists that go back to old retrieval systems hold words that topics are made of.
_CONTENT_WORDS: Final = frozenset({"bill", "cry", "fire", "interest", "mill", "sincere", "system"})


def average_tf_idf(
    occurrences: NDArray[np.int64], document_frequency: NDArray[np.int64], n_documents: int
) -> NDArray[np.float64]:
    """The mean over documents of tf * log(N / df), of every word."""
    return occurrences / n_documents * np.log(n_documents / np.maximum(document_frequency, 1))


def choose_words(stream: WordStream, options: TextOptions) -> NDArray[np.intp]:
    """The numbers of the words to keep, by falling average TF-IDF; ties in alphabetical order."""
    names = stream.words
    low, high = document_bounds(stream.n_documents, options)
    stop = stop_words_of(stream, options.stop_words, options.tokenizer)
    eligible = eligible_words(stream, options, stop)
    included = _numbers(names, set(_as_read(options.include, options)))
    eligible[included] = True
    score = average_tf_idf(stream.occurrences, stream.document_frequency, stream.n_documents)
    score[included] = np.inf
    candidates = np.flatnonzero(eligible)
    if len(candidates) < 2:
        long_enough = sum(len(name) >= options.shortest for name in names)
        raise DocumentsError(
            f"{len(candidates)} of {long_enough:,} words are left: min_df={low} to max_df={high} "
            f"documents of {stream.n_documents:,}, {len(stop):,} stop words, "
            f"min_length={options.shortest}; loosen one of them"
        )
    wanted = options.n_words or _usual_size(stream.n_documents)
    if len(candidates) > wanted:  # sort only those that are as good as the last one
        last = np.partition(score[candidates], -wanted)[-wanted]
        candidates = candidates[score[candidates] >= last]
    order = sorted(candidates.tolist(), key=lambda word: (-score[word], names[word]))
    return np.array(order[:wanted])


def eligible_words(
    stream: WordStream, options: TextOptions, stop: Collection[str]
) -> NDArray[np.bool_]:
    """Which words may be kept, apart from those to include regardless."""
    low, high = document_bounds(stream.n_documents, options)
    eligible = (stream.document_frequency >= low) & (stream.document_frequency <= high)
    eligible &= np.array([len(name) >= options.shortest for name in stream.words], dtype=bool)
    eligible[_numbers(stream.words, {*stop, *_as_read(options.exclude, options)})] = False
    return np.asarray(eligible)


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


def stop_words_of(stream: WordStream, wanted: Any = "auto", tokenizer: Any = None) -> set[str]:
    """The stop words: those listed, of the language given, or of the language of the texts."""
    if wanted is None:
        return set()
    if not isinstance(wanted, str):
        return {str(word) for word in wanted}
    if wanted == "auto" and isinstance(tokenizer, str):
        wanted = tokenizer  # the language is known
    languages = sorted(stop_words.AVAILABLE_LANGUAGES)
    if wanted in languages:
        return _of_language(wanted)
    if wanted != "auto":
        raise OptionError(
            f'stop_words={wanted!r}: use "auto", None, a list of words, or one of '
            f"{', '.join(languages)}"
        )
    occurrences = dict(zip(stream.words, stream.occurrences.tolist(), strict=True))
    best: set[str] = set()
    most = _LEAST_SHARE * sum(occurrences.values())
    for language in languages:
        words = _of_language(language)
        seen = sum(nlargest(_DECIDING, (occurrences.get(word, 0) for word in words)))
        if seen > most:
            most, best = seen, words
    return best


def _of_language(language: str) -> set[str]:
    if language == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stems = ("don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "wouldn", "couldn")
        more = ("shouldn", "hasn", "haven", "hadn", "ain", "just", "like", "does", "did", "doing")
        return {*_pieces(ENGLISH_STOP_WORDS), *stems, *more} - _CONTENT_WORDS
    return _pieces(stop_words.get_stop_words(language))


def _pieces(words: Iterable[str]) -> set[str]:
    """Words as the scanner reads them: those with an apostrophe are split there."""
    return {
        part for word in words for part in word.lower().replace("\u2019", "'").split("'") if part
    }


def _numbers(names: list[str], wanted: set[str]) -> list[int]:
    """The numbers of the wanted words."""
    return [k for k, name in enumerate(names) if name in wanted] if wanted else []


def _as_read(words: Iterable[str], options: TextOptions) -> list[str]:
    """Words in the case in which texts are read."""
    return [word.lower() for word in words] if options.lowercase else list(words)


def _usual_size(n_documents: int) -> int:
    return int(np.clip(40.0 * np.sqrt(n_documents), 500, 10_000))
