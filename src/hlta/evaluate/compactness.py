"""Topic compactness: whether the words of a topic are close in meaning, after Chen et al. (2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta._support.checks import check_whole
from hlta.evaluate.occurrences import first_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words
    from hlta.reading.word_vectors import WordVectors


class Compactness(NamedTuple):
    """How close in meaning the words of topics are.

    Attributes
    ----------
    scores : float64 (topics,)
        A score per topic; NaN if fewer than two of its words have vectors.
    covered : float
        The share of the words looked up that have a vector.
    """

    scores: NDArray[np.float64]
    covered: float


def topic_compactness(
    topics: Iterable[Words], vectors: WordVectors, *, n_words: int = 4
) -> Compactness:
    """The mean cosine over pairs of the first words of each topic, skipping words without vectors.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics such as `WordList`.
    vectors
        Word vectors from `read_vectors`.
    n_words
        The number of first words of each topic that count, at least 2.

    Returns
    -------
    Compactness
        The scores, and the share of words that have a vector.

    Raises
    ------
    OptionError
        If `n_words` is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from hlta.evaluate import WordList, WordVectors, topic_compactness
    >>> unit = np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32)
    >>> vectors = WordVectors({"deep": 0, "net": 1}, unit)
    >>> compactness = topic_compactness([WordList(["deep", "net", "absent"])], vectors)
    >>> compactness.scores.round(3)
    array([0.6])
    >>> round(compactness.covered, 3)
    0.667
    """
    check_whole("n_words", n_words, least=2)
    firsts = [first_words(topic, n_words) for topic in topics]
    known = [[vectors.number[word] for word in words if word in vectors.number] for words in firsts]
    scores = np.full(len(known), np.nan)
    for k, rows in enumerate(known):
        if len(rows) > 1:
            chosen = vectors.vectors[rows].astype(np.float64)
            scores[k] = (chosen @ chosen.T)[np.tril_indices(len(rows), -1)].mean()
    return Compactness(scores, sum(map(len, known)) / max(sum(map(len, firsts)), 1))
