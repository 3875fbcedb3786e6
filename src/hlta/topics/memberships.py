"""Memberships: which documents are on which topics, by the whole model or by keywords alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta._support.checks import check_real, check_whole
from hlta.documents.matrix import as_documents
from hlta.documents.writer import of_words
from hlta.errors import OptionError
from hlta.options import ON_TOPIC
from hlta.tree.parameters import bounded_estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.topics.topic import Keyword, Topic
    from hlta.tree.latent_tree import LatentTree

_LEAST_COVERAGE: Final = 0.2  # of the usual coverage, for a document to have topics
NARROW_WORDS: Final = 7
"""Keywords that make up a narrow topic, unless stated."""


def memberships(
    tree: LatentTree,
    topics: Iterable[Topic],
    documents: Any,
    least: float = ON_TOPIC,
    *,
    n_jobs: int | None = None,
) -> csr_array:
    """P(topic | document) where it exceeds a threshold, as a sparse matrix.

    Memory grows with the memberships that are kept, not with documents times topics.

    Parameters
    ----------
    tree
        The model.
    topics
        Topics of that model: a `TopicTree`, or some of its topics.
    documents
        A matrix of documents by words, columns in the order of `tree.words`.
    least
        The threshold, from 0 to 1.
    n_jobs
        Threads; None for all processors.

    Returns
    -------
    csr_array
        float64 (documents, topics), columns in the order of `topics`, indices sorted.

    Raises
    ------
    OptionError
        If `least` is out of range, or a topic is not of this tree.
    DocumentsError
        If the documents are not a matrix with a column per word.

    Examples
    --------
    >>> from hlta import LatentTree, TopicTree
    >>> from hlta.topics import memberships
    >>> probability = [[0.1, 0.6], [0.1, 0.8], [0.1, 0.7], [0.3, 0.3]]
    >>> tree = LatentTree(("deep", "neural", "net"), [3, 3, 3, -1], [0, 0, 0, 1], probability)
    >>> on = memberships(tree, TopicTree.from_tree(tree), [[1, 1, 0], [0, 0, 0]])
    >>> on.toarray().round(3)
    array([[0.873],
           [0.   ]])
    """
    from scipy.sparse import csr_array

    from hlta.tree.posteriors import likely_posteriors

    check_real("least", least, least=0.0, most=1.0)
    nodes = topic_nodes(tree, topics)
    checked = as_documents(documents, tree.n_words)
    column = np.full(tree.n_latents, -1, dtype=np.int32)
    column[nodes - tree.n_words] = np.arange(len(nodes))
    parts = []
    for _, part in checked.parts():
        indptr, latents, values = likely_posteriors(tree.inference(), part, least, n_jobs=n_jobs)
        columns = column[latents]
        kept = columns >= 0
        parts.append((np.diff(offsets(kept)[indptr]), columns[kept], values[kept]))
    lengths, columns, values = map(np.concatenate, zip(*parts, strict=True))
    matrix = csr_array((values, columns, offsets(lengths)), shape=(len(checked), len(nodes)))
    matrix.sort_indices()
    return matrix


def coverage_of(corpus: Corpus, documents: Documents) -> NDArray[np.float64]:
    """The share of the words of each text that are in `documents`, which are aligned to a model."""
    share = documents.lengths / np.maximum(corpus.documents.lengths, 1)
    return share if corpus.coverage is None else share * corpus.coverage


def are_known(
    documents: Documents, coverage: NDArray[np.float64], usual: float | None
) -> NDArray[np.bool_]:
    """Which documents have words enough of a model to have topics; `usual` is its usual coverage."""
    least = 0.0 if usual is None else _LEAST_COVERAGE * usual
    return (documents.lengths > 0) & (coverage >= least)


def without_rows(memberships: csr_array, left_out: NDArray[np.bool_]) -> csr_array:
    """The memberships without those of some documents, whose rows become empty."""
    from scipy.sparse import csr_array

    kept = np.repeat(~left_out, np.diff(memberships.indptr))
    values, columns = memberships.data[kept], memberships.indices[kept]
    return csr_array((values, columns, offsets(kept)[memberships.indptr]), shape=memberships.shape)


def documents_on(
    tree: LatentTree, documents: Documents, known: NDArray[np.bool_], *, n_jobs: int | None = None
) -> NDArray[np.int64]:
    """How many of the documents that are `known` are on the topic of each latent variable.

    The result is int64 (n_latents,).
    """
    from hlta.tree.posteriors import likely_posteriors

    counts = np.zeros(tree.n_latents, dtype=np.int64)
    for begin, part in documents.parts():
        indptr, latents, _ = likely_posteriors(tree.inference(), part, ON_TOPIC, n_jobs=n_jobs)
        counted = np.repeat(known[begin : begin + len(part)], np.diff(indptr))
        counts += np.bincount(latents[counted], minlength=tree.n_latents)
    return counts


def topic_nodes(tree: LatentTree, topics: Iterable[Topic]) -> NDArray[np.intp]:
    """The node of each topic."""
    node = {name: number for number, name in enumerate(tree.latent_names, start=tree.n_words)}
    try:
        return np.array([node[topic.id] for topic in topics], dtype=np.intp)
    except (AttributeError, TypeError):
        raise OptionError(
            f"topics={topics!r:.60}: give topics, such as model.topics_.roots; model.topics_[id] is "
            "that with an id"
        ) from None
    except KeyError as error:
        raise OptionError(
            f"topics: the tree has no latent variable {error}; give topics that were read from it"
        ) from None


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
    steps: int = 10,
) -> NarrowTopics:
    """Fit a latent class model over the best keywords of each topic.

    P(word | topic) and P(word | background) are those of the whole model; only the size of each
    topic is learned again from the documents.

    Parameters
    ----------
    tree, topics, documents
        See `memberships`.
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
    OptionError, DocumentsError
        As `memberships`, or if `n_words` or `steps` is out of range.
    """
    from scipy.sparse import csr_array
    from scipy.special import expit, logit

    check_whole("n_words", n_words, least=1, most=16)
    check_whole("steps", steps, least=1)
    checked = as_documents(documents, tree.n_words)
    topics = list(topics)
    told = {keyword.word for topic in topics for keyword in topic.keywords}
    used = np.flatnonzero([word in told for word in tree.words])
    column = {tree.words[number]: place for place, number in enumerate(used)}
    present = of_words(checked, used).to_csr().tocsc()
    pattern = np.zeros(len(checked), dtype=np.uint32)  # bit k: keyword k is in the document
    fitted = []
    for topic in topics:
        keywords = [k for k in topic.keywords if k.p_topic > k.p_background][:n_words]
        for bit, keyword in enumerate(keywords):
            word = column[keyword.word]
            pattern[present.indices[present.indptr[word] : present.indptr[word + 1]]] |= 1 << bit
        members = np.flatnonzero(pattern)
        evidence = _evidence(keywords)
        count = np.bincount(pattern[members], minlength=len(evidence)).astype(np.float64)
        count[0] = len(checked) - len(members)
        size = topic.size
        for _ in range(steps):
            posterior = expit(evidence + logit(size))
            size = float(bounded_estimate(count @ posterior / count.sum()))
        posterior = expit(evidence + logit(size))
        fitted.append((topic.id, size, posterior[0], members, posterior[pattern[members]]))
        pattern[members] = 0
    ids, sizes, elsewhere, rows, values = zip(*fitted, strict=True)
    columns = np.repeat(np.arange(len(ids)), [len(members) for members in rows])
    memberships = csr_array(
        (np.concatenate(values), (np.concatenate(rows), columns)), shape=(len(checked), len(ids))
    )
    return NarrowTopics(ids, np.array(sizes), memberships, np.array(elsewhere))


def _evidence(keywords: Sequence[Keyword]) -> NDArray[np.float64]:
    """Log P(pattern | topic) / P(pattern | background) of every pattern of present keywords.

    In logarithms, because products of probabilities such as 1e-100 would become 0.
    """
    evidence = np.zeros(1)
    for keyword in keywords:
        p = np.array([keyword.p_background, keyword.p_topic])
        absent, present = np.diff(np.log1p(-p)), np.diff(np.log(p))
        evidence = np.concatenate((evidence + absent, evidence + present))
    return evidence
