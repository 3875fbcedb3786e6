"""Filler words: those that a document has no reason to use again, such as "recently" or "based".

A word that names what a document is about recurs within it. A filler word may occur anywhere: it is in
about as many documents as if its occurrences had been distributed over them at random.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.tokens import END
from hlta._support.arrays import ranges
from hlta.text.scanner import sums_of_documents
from hlta.text.segmentation import language_by, letters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hlta._support.arrays import Bools, Floats, Ints, Ints32
    from hlta.text.scanner import WordStream

PRIOR_DOCUMENTS: Final = 5.0
"""Documents that are added to the expected number, so that a word in few documents recurs little."""
_MOST: Final = 0.2  # recurrence of a filler word, at most
_LEAST_USUAL: Final = 0.1  # mean recurrence, at least, without which there are no filler words
_LONG: Final = 3  # times the median length: longer documents do not count in that mean
_FEWEST: Final = 200  # documents, at least, without which there are no filler words
_NEARLY_ALL: Final = float(np.nextafter(1.0, 0.0))  # so that log(1 - share) is finite


def recurrence(stream: WordStream) -> Floats:
    """How much every word recurs within documents, float64 (words,): 0 if only by chance, up to 1.

    If the occurrences of a word were distributed over documents at random, in proportion to their
    lengths, it would be in E documents. If it recurs, it is in fewer. Its recurrence is
    (E - document frequency) / (E + `PRIOR_DOCUMENTS`). E is computed within the documents of each
    language that is segmented, and within all others.
    """
    by_chance = sum(map(_by_chance, _by_language(stream)), np.zeros(len(stream.words)))
    missing: Floats = by_chance - stream.document_frequency
    return missing / (by_chance + PRIOR_DOCUMENTS)


def _by_chance(stream: WordStream) -> Floats:
    """The number of documents that every word would be in by chance."""
    lengths, documents = stream.lengths
    counts, number = np.unique(stream.occurrences, return_inverse=True)
    expected = np.empty(len(counts))
    share = lengths / max(1, int(lengths @ documents))
    missed = np.log1p(-np.minimum(share, _NEARLY_ALL))  # log P(an occurrence is not in a document)
    for begin, end in ranges(len(counts)):
        expected[begin:end] = -np.expm1(np.outer(counts[begin:end], missed)) @ documents
    return expected[number]


def _by_language(stream: WordStream) -> list[WordStream]:
    """The documents of each language that is segmented, and those of all other languages together."""
    if not stream.segmented:
        return [stream]
    letters = letters_of(stream.words)
    languages: list[list[str | None]] = []
    for part in stream.parts:
        counts = np.where(part[:, None] >= 0, letters[np.maximum(part, 0)], 0)
        every = sums_of_documents(counts, part).tolist()
        languages.append([language_by(one, stream.segmented[0]) for one in every])
    found = dict.fromkeys(language for part in languages for language in part)

    return [
        _take(stream, (np.array([one == language for one in own], bool) for own in languages))
        for language in found
    ]


def _take(stream: WordStream, chosen: Iterable[Bools]) -> WordStream:
    """The documents that are chosen, by flags for those of each part."""

    def parts() -> Iterator[Ints32]:
        for part, own in zip(stream.parts, chosen, strict=True):
            ends = part == END
            yield part[own[np.cumsum(ends) - ends]]

    return stream.with_parts(parts())


def _without_long(stream: WordStream) -> WordStream:
    """The documents of at most `_LONG` times the median length."""
    lengths, documents = stream.lengths
    median = lengths[np.searchsorted(documents.cumsum(), documents.sum() / 2)]
    return _take(
        stream, (sums_of_documents(part >= 0, part) <= _LONG * median for part in stream.parts)
    )


def _recurrence_of(candidates: Bools, stream: WordStream) -> tuple[Floats, float]:
    """The recurrence of the candidates, and its mean, weighted by document frequency."""
    found, weights = recurrence(stream)[candidates], stream.document_frequency[candidates]
    # The sum is exact, so that the order of words does not matter.
    return found, fsum((found * weights).tolist()) / max(1, int(weights.sum()))


def find_fillers(stream: WordStream, candidates: Bools, titles: WordStream) -> Bools:
    """Which of the candidates are filler words, bool (words,).

    Their recurrence is below `_MOST`, and below the mean of the candidates, weighted by document
    frequency. Words in the titles of half of their documents or more are no filler words, because a
    title need not be repeated. In fewer than `_FEWEST` documents, or in such short ones that the mean
    is below `_LEAST_USUAL`, there are none; a few long documents among short ones change nothing.
    """
    found = np.zeros(len(candidates), dtype=np.bool_)
    if stream.n_documents < _FEWEST:
        return found
    _, of_typical = _recurrence_of(candidates, _without_long(stream))
    if of_typical >= _LEAST_USUAL:
        comes_back, usual = _recurrence_of(candidates, stream)
        found[candidates] = comes_back < min(usual, _MOST)
        found &= 2 * _frequency_among(titles, stream.words) < stream.document_frequency
    return found


def _frequency_among(titles: WordStream, words: list[str]) -> Ints:
    """In how many titles each of the words is, int64 (words,)."""
    known = dict(zip(titles.words, titles.document_frequency.tolist(), strict=True))
    return np.array([known.get(word, 0) for word in words], dtype=np.int64)
