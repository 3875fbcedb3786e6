"""Topic coherence: whether the words of a topic occur together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.evaluate.occurrences import pair_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words


def topic_coherence(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 4
) -> NDArray[np.float64]:
    """Coherence of each topic after Mimno et al. (2011), as in the paper; also known as UMass coherence.

    The sum over pairs of words of log((D(both) + 1) / D(the earlier one)), where D counts documents.
    The closer to 0, the better. It favours frequent words and few topics, so report it together with
    the number of topics.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics such as `WordList`.
    documents
        A matrix with a column per word; for coherence, of the documents that were learned from.
    words
        Names of the columns.
    n_words
        The number of first words of each topic that count (the paper's M), at least 2.

    Returns
    -------
    NDArray[np.float64]
        A score per topic; NaN if it has fewer than `n_words` words, or a word that is in no document.

    Raises
    ------
    OptionError
        If `n_words` is out of range.
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
    return pair_scores(
        *(topics, documents, words, n_words),
        lambda both, _, earlier, __: np.log((both + 1.0) / earlier).sum(),
    )


def topic_npmi(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 10
) -> NDArray[np.float64]:
    """Normalised pointwise mutual information of each topic, averaged over pairs of words.

    From -1, where no two of the words ever occur in the same document, through 0, as by chance, to
    1, where they always occur together. Unlike `topic_coherence`, it does not favour frequent words.

    Parameters
    ----------
    topics, documents, words, n_words
        See `topic_coherence`.

    Returns
    -------
    NDArray[np.float64]
        A score per topic; when it is NaN, and what is refused, as in `topic_coherence`.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_npmi
    >>> X = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    >>> topics = [WordList(["deep", "net"]), WordList(["net", "gene"])]
    >>> topic_npmi(topics, X, ["deep", "net", "gene"], n_words=2)
    array([ 1., -1.])
    """
    return pair_scores(topics, documents, words, n_words, _mean_npmi)


def _mean_npmi(
    both: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], documents: int
) -> float:
    p = both / documents
    npmi = np.where(p < 1.0, -1.0, 1.0)
    some = (p > 0.0) & (p < 1.0)
    npmi[some] = np.log(p[some] / ((a / documents) * (b / documents))[some]) / -np.log(p[some])
    return float(npmi.mean())
