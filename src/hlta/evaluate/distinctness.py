"""Whether topics differ from each other, and whether another run finds the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._support.checks import check_whole
from hlta.errors import OptionError
from hlta.evaluate.word_lists import first_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.word_lists import Words


def topic_diversity(topics: Iterable[Words], *, n_words: int = 10) -> float:
    """The share of distinct words among the first words of all topics: 1 if no two topics share any.

    In a hierarchy, parents share words with their children by design: compare topics of one level.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics such as `WordList`.
    n_words
        The number of first words of each topic that count; `OptionError` if it is less than 1.

    Returns
    -------
    float
        From 0 to 1; NaN if there are no topics.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_diversity
    >>> topic_diversity([WordList(["deep", "net"]), WordList(["net", "gene"])])
    0.75
    """
    check_whole("n_words", n_words, least=1)
    words = [word for topic in topics for word in first_words(topic, n_words)]
    return len(set(words)) / len(words) if words else float("nan")


def topic_stability(runs: Sequence[Iterable[Words]], *, n_words: int = 10) -> float:
    """How well the topics of each run are found again in the others: 1 if they are the same.

    Each topic scores its greatest overlap (Jaccard index of the words) with a topic of the other run.

    Parameters
    ----------
    runs
        The topics of two runs or more.
    n_words
        See `topic_diversity`.

    Returns
    -------
    float
        The mean over the topics of both runs, and then over all pairs of runs; from 0 to 1.

    Raises
    ------
    OptionError
        If there are fewer than two runs, a run has no topics, or `n_words` is out of range.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_stability
    >>> first = [WordList(["deep", "net"]), WordList(["gene", "cell"])]
    >>> second = [WordList(["gene", "cell"]), WordList(["deep", "net", "layer"])]
    >>> round(topic_stability([first, second]), 3)
    0.833
    """
    check_whole("n_words", n_words, least=1)
    sets = [[set(first_words(topic, n_words)) for topic in topics] for topics in runs]
    if len(sets) < 2 or not all(sets):
        raise OptionError("stability compares two runs or more, and each needs at least one topic")
    means = []
    for k, one in enumerate(sets):
        for other in sets[:k]:
            overlap = overlaps(one, other)
            means.append(np.concatenate((overlap.max(axis=0), overlap.max(axis=1))).mean())
    return float(np.mean(means))


def overlaps(one: Sequence[set[str]], other: Sequence[set[str]]) -> NDArray[np.float64]:
    """The Jaccard index of every set in `one` with every set in `other`: float64 (one, other)."""
    number = {word: k for k, word in enumerate(set().union(*one, *other))}
    present = np.zeros((len(one) + len(other), len(number)))
    for row, words in enumerate((*one, *other)):
        present[row, [number[word] for word in words]] = 1.0
    a, b = present[: len(one)], present[len(one) :]
    shared = a @ b.T
    either = a.sum(axis=1)[:, None] + b.sum(axis=1) - shared
    return np.asarray(shared / np.maximum(either, 1.0))
