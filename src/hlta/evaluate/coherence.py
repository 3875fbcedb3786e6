"""Topic coherence: whether the words of a topic occur together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.evaluate.occurrences import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words


def topic_coherence(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 4
) -> NDArray[np.float64]:
    """Coherence of each topic after Mimno et al. (2011), as in the paper; also known as UMass coherence.

    The sum over pairs of words of log((D(first, second) + 1) / D(second)), where D counts documents
    and `second` comes first in the topic. The closer to 0 the better. It favours frequent words and
    few topics, so report it together with the number of topics.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics such as `WordList`.
    documents
        The documents that the topics were learned from: a matrix with a column per word.
    words
        Names of the columns.
    n_words
        How many of the first words of each topic count (the paper's M).

    Returns
    -------
    NDArray[np.float64]
        A score per topic; NaN if it has fewer than `n_words` words, or a word that is in no document.

    Raises
    ------
    OptionError
        If `n_words` is less than 2.
    DocumentsError
        If the documents are not a matrix with a column per word.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_coherence
    >>> X = [[1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1]]
    >>> topics = [WordList(["deep", "net"]), WordList(["gene", "deep"]), WordList(["net"])]
    >>> topic_coherence(topics, X, ["deep", "net", "gene"], n_words=2).round(3)
    array([-0.405,  0.   ,    nan])
    """
    counted = occurrences(topics, documents, words, n_words)
    later, earlier = np.tril_indices(n_words, -1)
    return counted.scores(
        lambda count: np.log((count[later, earlier] + 1.0) / count[earlier, earlier]).sum()
    )


def topic_npmi(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 10
) -> NDArray[np.float64]:
    """Normalised pointwise mutual information of each topic, averaged over pairs of words.

    From -1, where no two of the words ever occur in the same document, through 0, as by chance, to
    1, where they always occur together. Unlike `topic_coherence` it does not favour frequent words.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics such as `WordList`.
    documents
        A matrix with a column per word.
    words
        Names of the columns.
    n_words
        How many of the first words of each topic count.

    Returns
    -------
    NDArray[np.float64]
        A score per topic; NaN if it has fewer than `n_words` words, or a word that is in no document.

    Raises
    ------
    OptionError
        If `n_words` is less than 2.
    DocumentsError
        If the documents are not a matrix with a column per word.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_npmi
    >>> X = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    >>> topics = [WordList(["deep", "net"]), WordList(["net", "gene"])]
    >>> topic_npmi(topics, X, ["deep", "net", "gene"], n_words=2)
    array([ 1., -1.])
    """
    counted = occurrences(topics, documents, words, n_words)
    later, earlier = np.tril_indices(n_words, -1)

    def mean_npmi(count: NDArray[np.float64]) -> float:
        p = count / counted.documents
        return float(_npmi(p[later, earlier], p[later, later], p[earlier, earlier]).mean())

    return counted.scores(mean_npmi)


def _npmi(
    both: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    npmi = np.full(len(both), -1.0)
    seen = both > 0.0
    always = seen & (both >= 1.0)
    some = seen & ~always
    npmi[always] = 1.0
    npmi[some] = np.log(both[some] / (a[some] * b[some])) / -np.log(both[some])
    return npmi
