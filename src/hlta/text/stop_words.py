"""Lists of stop words, and the languages of texts, which are found by their stop words."""

from __future__ import annotations

import tomllib
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array
from stop_words import AVAILABLE_LANGUAGES, get_stop_words

from hlta._kernels.tokens import END
from hlta.options import TextOptions, languages_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta._support.arrays import Bools, Indices
    from hlta.text.scanner import WordStream

_LEAST_SHARE: Final = 0.05  # share of stop words among all words, for a text to be in a language
_LEAST_DISTINCT: Final = 3  # stop words of a document, for a part of it to be in a language
_LEAST_DOCUMENTS: Final = 0.01  # share of documents with parts in a language, for it to count
_DECIDING: Final = 50  # commonest words of each list, which alone count: length must not win
# English lists, which go back to old retrieval systems, contain these content words.
_CONTENT_WORDS: Final = frozenset({"bill", "cry", "fire", "interest", "mill", "sincere", "system"})


def stop_words_of(options: TextOptions) -> set[str]:
    """The stop words that the options list, or those of the languages that they name or hold.

    Unless texts are lower-cased, those of languages are included with a capital letter, too.
    """
    wanted = options.stop_words
    if wanted is None:
        return set()
    if not isinstance(wanted, str):
        return {str(word) for word in wanted}
    words = words_of(options.languages or () if wanted == "auto" else languages_in(wanted))
    return as_written(words, options)


def as_written(words: set[str], options: TextOptions) -> set[str]:
    """These words; unless texts are lower-cased, also with a capital, as at the start of a sentence."""
    return words if options.lowercase else words | {word.capitalize() for word in words}


def words_of(languages: Iterable[str]) -> set[str]:
    """The stop words of these languages; a language without a list has none."""
    named = [name for name in languages if name in AVAILABLE_LANGUAGES]
    further = (further_words()["function_words"].get(name, "").split() for name in named)
    return set().union(*map(_list_of, named), *further)


def clause_words_of(languages: Iterable[str]) -> set[str]:
    """The words of these languages that turn a phrase into a clause, and remains of markup."""
    further = further_words()
    lists = (further["of_markup"], *(further["clause_words"].get(name, "") for name in languages))
    return {word for words in lists for word in words.split()}


@cache
def further_words() -> dict[str, Any]:
    """The lists of words in `function_words.toml`, whose comments explain them."""
    return tomllib.loads(
        Path(__file__).with_name("function_words.toml").read_text(encoding="utf-8")
    )


def find_languages(stream: WordStream) -> tuple[str, ...]:
    """The languages of the documents, that of most documents first.

    The first is found by the share of its commonest stop words among the words of all documents. A
    further one is found if at least a hundredth of the documents are partly in it: several of their
    words, and a twentieth or more of them, are common stop words of that language and of none found
    before. Languages of more documents are tried first; otherwise the stop words that they share with a
    related language would count for that.
    """
    occurrences = dict(zip(stream.words, stream.occurrences.tolist(), strict=True))
    lists = {name: _list_of(name) & occurrences.keys() for name in sorted(AVAILABLE_LANGUAGES)}
    seen = {
        name: sum(nlargest(_DECIDING, (occurrences[word] for word in words)))
        for name, words in lists.items()
    }
    by_words = sorted(seen, key=lambda name: -seen[name])  # breaks ties between documents
    documents = np.bincount(language_of_each(stream, by_words) + 1, minlength=len(seen) + 1)[1:]
    first, *others = (by_words[k] for k in np.argsort(-documents, kind="stable"))
    is_clear = seen[first] > _LEAST_SHARE * sum(occurrences.values())
    found = [first] if is_clear else []
    taken = words_of(found)
    traces = _Traces(stream, set().union(*lists.values()) - taken)

    def own(name: str) -> list[str]:
        return nlargest(_DECIDING, lists[name] - taken, key=lambda word: (occurrences[word], word))

    for name in others if is_clear else (first, *others):
        if traces.are_common(own(name)):
            found.append(name)
            taken |= words_of([name])
    return tuple(found)


def language_of_each(stream: WordStream, languages: Sequence[str]) -> Indices:
    """The number of the language with most stop words in each document, first of equals; -1 for none."""
    number = {word: k for k, word in enumerate(stream.words)}
    entries = [
        (number[word], k)
        for k, name in enumerate(languages)
        for word in words_of([name]) & number.keys()
    ]
    words, lists = np.array(entries, dtype=np.intp).reshape(-1, 2).T
    listed = csr_array(
        (np.ones(len(words), np.int32), (words, lists)), (len(number), len(languages))
    )
    is_listed = np.zeros(len(number) + 2, dtype=bool)  # GAP and END index its end
    is_listed[words] = True
    found = []
    for part in stream.parts:
        ends, at = np.flatnonzero(part == END), np.flatnonzero(is_listed[part])
        places = np.searchsorted(ends, at), part[at]
        counts = csr_array((np.ones(len(at), np.int32), places), (len(ends), len(number)))
        of_each = (counts @ listed).toarray()
        found.append(np.where(of_each.any(axis=1), of_each.argmax(axis=1), -1))
    return np.concatenate(found)


class _Traces:
    """The places of some words of a stream, found in one pass because many languages are tried."""

    def __init__(self, stream: WordStream, words: set[str]) -> None:
        self._number = {word: k for k, word in enumerate(stream.words) if word in words}
        self._document_frequency = stream.document_frequency
        among = self._mask(words)
        documents, numbers, lengths = [], [], []
        n_documents = 0
        for part in stream.parts:
            ends = np.flatnonzero(part == END)
            at = np.flatnonzero(among[part])
            documents.append(n_documents + np.searchsorted(ends, at))
            numbers.append(part[at])
            lengths.append(np.diff(ends, prepend=-1) - 1)
            n_documents += len(ends)
        self._documents = np.concatenate(documents)
        self._numbers = np.concatenate(numbers)
        self._lengths = np.concatenate(lengths)

    def _mask(self, words: Iterable[str]) -> Bools:
        """Which numbers are those of these words; GAP and END are negative and so index the end."""
        mask = np.zeros(len(self._document_frequency) + 2, dtype=bool)
        mask[[self._number[word] for word in words]] = True
        return mask

    def are_common(self, words: Sequence[str]) -> bool:
        """Whether enough documents have several of these words, as a large enough share of their own."""
        n_documents = len(self._lengths)
        least = max(1, int(np.ceil(_LEAST_DOCUMENTS * n_documents)))
        numbers = [self._number[word] for word in words]
        if self._document_frequency[numbers].sum() < _LEAST_DISTINCT * least:
            return False
        at = self._mask(words)[self._numbers]
        document, number = self._documents[at], self._numbers[at]
        occurrences = np.bincount(document, minlength=n_documents)
        base = len(self._document_frequency)
        distinct = np.bincount(np.unique(document * base + number) // base, minlength=n_documents)
        enough = (distinct >= _LEAST_DISTINCT) & (occurrences >= _LEAST_SHARE * self._lengths)
        return int(np.count_nonzero(enough)) >= least


@cache
def _list_of(language: str) -> frozenset[str]:
    if language == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stems = ("don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "wouldn", "couldn")
        more = ("shouldn", "hasn", "haven", "hadn", "ain", "just", "like", "does", "did", "doing")
        return frozenset({*_pieces(ENGLISH_STOP_WORDS), *stems, *more} - _CONTENT_WORDS)
    return frozenset(_pieces(get_stop_words(language)))


def _pieces(words: Iterable[str]) -> set[str]:
    """The words as the scanner reads them: split at apostrophes."""
    return {
        part for word in words for part in word.lower().replace("\u2019", "'").split("'") if part
    }
