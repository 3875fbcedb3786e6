"""Whether the words of a topic belong together: in documents, or by their meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._support.checks import check_whole
from hlta.documents.given_matrices import as_documents
from hlta.documents.writer import ABSENT, renumber_words
from hlta.evaluate.word_lists import first_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.evaluate.word_lists import Words
    from hlta.reading.word_vectors import WordVectors


def topic_coherence(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 4
) -> NDArray[np.float64]:
    """Coherence of each topic after Mimno et al. (2011), as in the paper; also known as UMass coherence.

    It is the sum over pairs of words of log((D(both) + 1) / D(the earlier one)), where D counts
    documents. The closer to 0, the better. It favours frequent words and few topics, so report it
    together with the number of topics.

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
    return _pair_scores(
        *(topics, documents, words, n_words),
        lambda both, _, earlier, __: np.log((both + 1.0) / earlier).sum(),
    )


def topic_npmi(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 10
) -> NDArray[np.float64]:
    """Normalised pointwise mutual information of each topic, averaged over pairs of words.

    It is -1 where no two of the words ever occur in the same document, 0 where they occur together as
    by chance, and 1 where they always do. Unlike `topic_coherence`, it does not favour frequent words.

    Parameters
    ----------
    topics, documents, words, n_words
        See `topic_coherence`.

    Returns
    -------
    NDArray[np.float64]
        A score per topic; it is NaN, and arguments are refused, as in `topic_coherence`.

    Examples
    --------
    >>> from hlta.evaluate import WordList, topic_npmi
    >>> X = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    >>> topics = [WordList(["deep", "net"]), WordList(["net", "gene"])]
    >>> topic_npmi(topics, X, ["deep", "net", "gene"], n_words=2)
    array([ 1., -1.])
    """
    return _pair_scores(*(topics, documents, words, n_words), lambda *counts: npmi(*counts).mean())


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


class PairCounts(NamedTuple):
    """The numbers of documents with each word of some lists, and with each pair of these words.

    Attributes
    ----------
    together : float64 csr_array (words, words)
        The number of documents with both words; on the diagonal, of those with the word.
    places : list of intp arrays
        The rows of the words of each list.
    documents : int
        The number of all documents.
    """

    together: csr_array
    places: list[NDArray[np.intp]]
    documents: int


def count_pairs(lists: Sequence[Sequence[str]], documents: Any, words: Sequence[str]) -> PairCounts:
    """Count documents with each pair of the words in the lists; `words` name the columns."""
    checked = as_documents(documents, len(words))
    column = {word: number for number, word in enumerate(words)}
    unknown = len(words)  # an empty column after the last one
    chosen = [[column.get(word, unknown) for word in one] for one in lists]
    used = np.unique([unknown, *(number for numbers in chosen for number in numbers)])
    number = np.full(unknown, ABSENT)
    number[used[:-1]] = np.arange(len(used) - 1)
    present = renumber_words(checked, number, len(used)).to_csr(np.float64)
    places = [np.searchsorted(used, numbers) for numbers in chosen]
    return PairCounts((present.T @ present).tocsr(), places, len(checked))


def npmi(
    both: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], documents: int
) -> NDArray[np.float64]:
    """Normalised pointwise mutual information of pairs of words.

    Parameters
    ----------
    both, a, b
        The numbers of documents with both words, with one and with the other; `a` and `b` are at least 1.
    documents
        The number of all documents.

    Returns
    -------
    NDArray[np.float64]
        A score per pair: -1 where no document has both words, 1 where all documents have them.
    """
    p = both / documents
    scores = np.where(p < 1.0, -1.0, 1.0)
    some = (p > 0.0) & (p < 1.0)
    scores[some] = np.log(p[some] / ((a / documents) * (b / documents))[some]) / -np.log(p[some])
    return scores


def _pair_scores(
    topics: Iterable[Words],
    documents: Any,
    words: Sequence[str],
    n_words: int,
    score: Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int], Any],
) -> NDArray[np.float64]:
    """The score of each topic, from counts of documents with pairs of its first words.

    `score` is called with the numbers of documents with both words, with the later one and with the
    earlier one, an entry per pair; and with the number of all documents.
    """
    check_whole("n_words", n_words, least=2)
    firsts = [first_words(topic, n_words) for topic in topics]
    pairs = count_pairs(firsts, documents, words)
    later, earlier = np.tril_indices(n_words, -1)
    scores = np.full(len(firsts), np.nan)
    for k, places in enumerate(pairs.places):
        count = pairs.together[places][:, places].toarray()
        alone = count.diagonal()
        if len(places) == n_words and alone.all():
            scores[k] = score(count[later, earlier], alone[later], alone[earlier], pairs.documents)
    return scores
