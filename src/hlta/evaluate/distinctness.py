"""Whether topics differ from each other, and are the same when learned again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._support.checks import check_whole
from hlta.errors import OptionError
from hlta.evaluate.occurrences import first_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words


def topic_diversity(topics: Iterable[Words], *, n_words: int = 10) -> float:
    """The share of distinct words among the first words of all topics: 1 if no two share any.

    In a hierarchy parents share words with their children by design: compare levels.
    """
    check_whole("n_words", n_words, least=1)
    words = [word for topic in topics for word in first_words(topic, n_words)]
    return len(set(words)) / len(words) if words else float("nan")


def topic_redundancy(topics: Iterable[Words], *, n_words: int = 10) -> NDArray[np.float64]:
    """How much each topic repeats another: its greatest overlap (Jaccard) with one of the others."""
    check_whole("n_words", n_words, least=1)
    sets = [set(first_words(topic, n_words)) for topic in topics]
    if len(sets) < 2:
        return np.full(len(sets), np.nan)
    overlap = _overlaps(sets, sets)
    np.fill_diagonal(overlap, 0.0)
    greatest: NDArray[np.float64] = overlap.max(axis=1)
    return greatest


def topic_stability(runs: Sequence[Iterable[Words]], *, n_words: int = 10) -> float:
    """How much of the topics of one run is found again in another: 1 if they are the same.

    For every two runs, the mean over the topics of both of the greatest overlap (Jaccard of the
    first words) with a topic of the other.
    """
    check_whole("n_words", n_words, least=1)
    sets = [[set(first_words(topic, n_words)) for topic in topics] for topics in runs]
    if len(sets) < 2 or not all(sets):
        raise OptionError("stability needs two runs or more, each with topics")
    found = []
    for k, one in enumerate(sets):
        for other in sets[:k]:
            overlap = _overlaps(one, other)
            found.append(np.concatenate((overlap.max(axis=0), overlap.max(axis=1))).mean())
    return float(np.mean(found))


def _overlaps(one: Sequence[set[str]], other: Sequence[set[str]]) -> NDArray[np.float64]:
    number = {word: k for k, word in enumerate(sorted(set().union(*one, *other)))}

    def matrix(sets: Sequence[set[str]]) -> NDArray[np.float64]:
        out = np.zeros((len(sets), len(number)))
        for row, words in enumerate(sets):
            out[row, [number[word] for word in words]] = 1.0
        return out

    a, b = matrix(one), matrix(other)
    shared = a @ b.T
    either = a.sum(axis=1)[:, None] + b.sum(axis=1)[None, :] - shared
    overlap: NDArray[np.float64] = shared / np.maximum(either, 1.0)
    return overlap
