"""Narrowly defined topics: only the documents with the topic's own words (Section 8.2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.checks import check_whole
from hlta.documents.matrix import as_documents
from hlta.tree.validation import bounded_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True, eq=False)
class NarrowTopics:
    """Sizes and members of topics that are made up of their own words alone.

    ids          the topics, in the order of the columns below
    sizes        float64 (topics,): P(topic) of the narrow version
    memberships  documents by topics: P(topic | the topic's words in the document), explicit where
                 at least one of them is present
    elsewhere    float64 (topics,): the same for documents with none of them
    """

    ids: tuple[str, ...]
    sizes: NDArray[np.float64]
    memberships: csr_array
    elsewhere: NDArray[np.float64]


def narrow_topics(
    tree: LatentTree, topics: TopicTree, documents: Any, *, n_words: int = 7, steps: int = 10
) -> NarrowTopics:
    """A latent class model for each topic over its best words.

    P(word | topic) and P(word | background) come from the whole model and stay; only the size of
    the topic is learned anew from the documents.

    Parameters
    ----------
    tree, topics
        The model and the topics read from it.
    documents
        A matrix of documents by words, columns in the order of `tree.words`.
    n_words
        Most keywords a topic; those that are less likely in it than elsewhere are passed over.
    steps
        Updates of the size, by EM.
    """
    from scipy.sparse import csr_array

    check_whole("n_words", n_words, least=1, most=16)
    check_whole("steps", steps, least=1)
    checked = as_documents(documents, tree.n_words)
    column = {word: number for number, word in enumerate(tree.words)}
    present = csr_array(
        (
            np.ones(len(checked.indices), dtype=np.int8),
            checked.indices.astype(np.int64),
            checked.indptr,
        ),
        shape=checked.shape,
    ).tocsc()
    pattern = np.zeros(len(checked), dtype=np.uint32)
    ids, sizes, elsewhere, rows, values = [], [], [], [], []
    for topic in topics:
        keywords = [k for k in topic.keywords if k.p_topic > k.p_background][:n_words]
        for bit, keyword in enumerate(keywords):
            word = column[keyword.word]
            pattern[present.indices[present.indptr[word] : present.indptr[word + 1]]] |= 1 << bit
        members = np.flatnonzero(pattern)
        likelihood = _pattern_likelihood(keywords)
        count = np.bincount(pattern[members], minlength=len(likelihood)).astype(np.float64)
        count[0] = len(checked) - len(members)
        posterior, size = _fit_size(count, likelihood, topic.size, steps)
        ids.append(topic.id)
        sizes.append(size)
        elsewhere.append(posterior[0])
        rows.append(members)
        values.append(posterior[pattern[members]])
        pattern[members] = 0
    columns = np.repeat(np.arange(len(ids)), [len(part) for part in rows])
    memberships = csr_array(
        (np.concatenate(values), (np.concatenate(rows), columns)), shape=(len(checked), len(ids))
    )
    return NarrowTopics(tuple(ids), np.array(sizes), memberships, np.array(elsewhere))


def _pattern_likelihood(keywords: list[Any]) -> NDArray[np.float64]:
    """P(pattern | background) and P(pattern | topic) of every pattern of present keywords."""
    likelihood = np.ones((1, 2))
    for keyword in keywords:
        p = np.array([keyword.p_background, keyword.p_topic])
        likelihood = np.concatenate((likelihood * (1.0 - p), likelihood * p))
    return likelihood


def _fit_size(
    count: NDArray[np.float64], likelihood: NDArray[np.float64], size: float, steps: int
) -> tuple[NDArray[np.float64], float]:
    for _ in range(steps):
        posterior = _posterior(likelihood, size)
        size = float(bounded_estimate(count @ posterior / count.sum()))
    return _posterior(likelihood, size), size


def _posterior(likelihood: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    on = likelihood[:, 1] * size
    posterior: NDArray[np.float64] = on / (on + likelihood[:, 0] * (1.0 - size))
    return posterior
