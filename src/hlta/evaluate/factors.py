"""Topics of non-negative matrix factorization (NMF), a simple method as a baseline."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.checks import check_whole
from hlta.documents.given_matrices import as_documents
from hlta.errors import OptionError
from hlta.evaluate.word_lists import WordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def nmf_topics(
    documents: Any, words: Sequence[str], number: int, *, n_words: int = 10
) -> tuple[list[WordList], NDArray[np.float64]]:
    """The topics that scikit-learn's NMF finds in the TF-IDF matrix of documents.

    The seed is fixed, so the same documents give the same topics.

    Parameters
    ----------
    documents
        A matrix with a column per word.
    words
        Names of the columns.
    number
        The number of topics, at most that of the words or of the documents, whichever is smaller.
    n_words
        How many words of each topic to list.

    Returns
    -------
    topics : list of WordList
        The words with the largest weights, best first. A factor without positive weights is an empty
        topic.
    weights : float64 (documents, topics)
        The weight of each topic in each document.

    Raises
    ------
    OptionError
        If `number` is out of range.
    DocumentsError
        If the documents are not a matrix with a column per word.

    Examples
    --------
    >>> from hlta.evaluate import nmf_topics
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> topics, weights = nmf_topics(X, ["deep", "net", "gene", "cell"], 2, n_words=2)
    >>> [sorted(topics[k].words) for k in weights.argmax(axis=1)]
    [['deep', 'net'], ['deep', 'net'], ['cell', 'gene'], ['cell', 'gene']]
    """
    from sklearn.decomposition import NMF
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.feature_extraction.text import TfidfTransformer

    check_whole("number", number, least=1)
    counts = as_documents(documents, len(words)).to_csr(np.float64)
    if number > min(counts.shape):
        raise OptionError(
            f"number={number} topics are more than words or documents; "
            f"use {min(counts.shape)} or fewer"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = NMF(number, init="nndsvd", random_state=0)
        weights = np.asarray(model.fit_transform(TfidfTransformer().fit_transform(counts)))
    order = np.argsort(-model.components_, axis=1, kind="stable")[:, :n_words]
    topics = [
        WordList([words[k] for k in row if factor[k] > 0.0])
        for row, factor in zip(order, model.components_, strict=True)
    ]
    return topics, weights
