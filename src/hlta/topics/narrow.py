"""Narrow topics: topics that are redefined by their keywords alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.checks import check_whole
from hlta.documents.given_matrices import as_documents
from hlta.documents.writer import take_words
from hlta.topics.nodes import topic_nodes
from hlta.tree.parameters import bound_estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.topics.topic import Keyword, Topic
    from hlta.tree.latent_tree import LatentTree

NARROW_WORDS: Final = 7
"""Keywords that make up a narrow topic, unless stated."""
NARROW_STEPS: Final = 10
"""Steps of EM for the size of a narrow topic, unless stated."""


@dataclass(frozen=True, eq=False)
class NarrowTopics:
    """Sizes and memberships of topics that are redefined by their own keywords alone.

    Attributes
    ----------
    ids : tuple of str
        The topics, in the order of the columns of `memberships`.
    sizes : float64 (topics,)
        P(topic) of the narrow version.
    memberships : csr_array of float64 (documents, topics)
        P(topic | its keywords in the document); documents with none of them have no entry.
    elsewhere : float64 (topics,)
        P(topic | none of its keywords), for those documents.
    """

    ids: tuple[str, ...]
    sizes: NDArray[np.float64]
    memberships: csr_array
    elsewhere: NDArray[np.float64]


def narrow_topics(
    tree: LatentTree,
    topics: Iterable[Topic],
    documents: Any,
    *,
    n_words: int = NARROW_WORDS,
    steps: int = NARROW_STEPS,
) -> NarrowTopics:
    """Fit a latent class model over the best keywords of each topic.

    P(word | topic) and P(word | background) are those of the keywords; only the size of each topic is
    learned again from the documents.

    Parameters
    ----------
    tree
        The model.
    topics
        Topics of that model: a `TopicTree`, or some of its topics.
    documents
        A matrix of documents by words, columns in the order of `tree.words`.
    n_words
        The most keywords per topic, from 1 to 16; those rarer in the topic than elsewhere are skipped.
    steps
        Steps of EM for the size, at least 1.

    Returns
    -------
    NarrowTopics
        Sizes and memberships, in the order of `topics`.

    Raises
    ------
    OptionError
        If `n_words` or `steps` is out of range, or a topic is not of this tree.
    DocumentsError
        If the documents are not a matrix with a column per word.
    """
    from scipy.sparse import csr_array

    check_whole("n_words", n_words, least=1, most=16)
    check_whole("steps", steps, least=1)
    checked, chosen = as_documents(documents, tree.n_words), list(topics)
    keywords = [_telling(topic, n_words) for topic in chosen]
    fitted, sizes_of_tree = [], tree.marginals[topic_nodes(tree, chosen)].tolist()
    for topic, start, some, (members, pattern) in zip(
        chosen, sizes_of_tree, keywords, _patterns(tree, keywords, checked), strict=True
    ):
        evidence = _evidence(some)
        count = np.bincount(pattern, minlength=len(evidence))
        size, posterior = _fit_size(start, evidence, count, len(checked), steps)
        fitted.append((topic.id, size, posterior[0], members, posterior[pattern]))
    ids, sizes, elsewhere, rows, values = zip(*fitted, strict=True)
    columns = np.repeat(np.arange(len(ids)), [len(members) for members in rows])
    memberships = csr_array(
        (np.concatenate(values), (np.concatenate(rows), columns)), shape=(len(checked), len(ids))
    )
    return NarrowTopics(ids, np.array(sizes), memberships, np.array(elsewhere))


def _telling(topic: Topic, n_words: int) -> list[Keyword]:
    """The first `n_words` keywords that are more frequent in the topic than elsewhere."""
    return [k for k in topic.keywords if k.p_topic > k.p_background][:n_words]


def _patterns(
    tree: LatentTree, keywords: Sequence[Sequence[Keyword]], documents: Documents
) -> Iterator[tuple[NDArray[Any], NDArray[np.uint32]]]:
    """For each topic: the documents with any of its keywords, and which of them: bit k for keyword k."""
    found = {keyword.word for some in keywords for keyword in some}
    used = np.flatnonzero([word in found for word in tree.words])
    column = {tree.words[number]: place for place, number in enumerate(used)}
    present = take_words(documents, used).to_csr().tocsc()
    pattern = np.zeros(len(documents), dtype=np.uint32)
    for some in keywords:
        for bit, keyword in enumerate(some):
            word = column[keyword.word]
            pattern[present.indices[present.indptr[word] : present.indptr[word + 1]]] |= 1 << bit
        members = np.flatnonzero(pattern)
        yield members, pattern[members]
        pattern[members] = 0


def _fit_size(
    size: float, evidence: NDArray[np.float64], count: NDArray[Any], n_documents: int, steps: int
) -> tuple[float, NDArray[np.float64]]:
    """The size of a topic after some steps of EM, and P(topic | pattern) for every pattern."""
    from scipy.special import expit, logit

    weight = count.astype(np.float64)
    weight[0] = n_documents - count.sum()
    for _ in range(steps):
        posterior = expit(evidence + logit(size))
        size = float(bound_estimate(weight @ posterior / weight.sum()))
    return size, expit(evidence + logit(size))


def _evidence(keywords: Sequence[Keyword]) -> NDArray[np.float64]:
    """Log P(pattern | topic) / P(pattern | background) of every pattern of present keywords.

    Logarithms are summed, because products of probabilities such as 1e-100 would become 0.
    """
    evidence = np.zeros(1)
    for keyword in keywords:
        p = np.array([keyword.p_background, keyword.p_topic])
        absent, present = np.diff(np.log1p(-p)), np.diff(np.log(p))
        evidence = np.concatenate((evidence + absent, evidence + present))
    return evidence
