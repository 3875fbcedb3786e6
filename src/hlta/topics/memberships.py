"""Memberships: which documents are on which topics, from posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.arrays import offsets
from hlta._support.checks import check_real
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree


def memberships(
    tree: LatentTree,
    topics: Iterable[Topic],
    documents: Any,
    least: float = 0.5,
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
    likely = likely_posteriors(tree.inference(), documents, least, n_jobs=n_jobs)
    indptr, latents, values = likely.indptr, likely.latents, likely.values
    column = np.full(tree.n_latents, -1)
    column[nodes - tree.n_words] = np.arange(len(nodes))
    columns = column[latents]
    kept = columns >= 0
    matrix = csr_array(
        (values[kept], columns[kept], offsets(kept)[indptr]), shape=(len(indptr) - 1, len(nodes))
    )
    matrix.sort_indices()
    return matrix


def topic_nodes(tree: LatentTree, topics: Iterable[Topic]) -> NDArray[np.intp]:
    """The node of each topic."""
    node = {name: number for number, name in enumerate(tree.latent_names, start=tree.n_words)}
    try:
        return np.array([node[topic.id] for topic in topics], dtype=np.intp)
    except KeyError as error:
        raise OptionError(
            f"topics: the tree has no latent variable {error}; give topics that were read from it"
        ) from None
