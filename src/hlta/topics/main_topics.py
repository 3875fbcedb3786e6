"""Main topics: the one topic of a list whose words a document's words are most like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.memberships import topic_nodes
from hlta.tree.given_on import words_given_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.topics.corrections import Corrections
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

_AT_ONCE: Final = 1 << 23  # numbers of documents and topics


def word_evidence(
    tree: LatentTree, topics: Iterable[Topic], corrections: Corrections | None = None
) -> NDArray[np.float64]:
    """How much each word that is present speaks for each topic, in nats.

    It is the log of how much likelier a word drawn from a document on the topic is this one than a
    word drawn from any document. Words below other topics count, too. Shares of words, and not the
    words that are absent, are compared, so that long documents are not on broad topics for their
    length.

    Parameters
    ----------
    tree
        The model.
    topics
        Topics of that model.
    corrections
        What the documents say that the model was learned from; None to go by the tree alone.

    Returns
    -------
    float64 (n_words, topics)
    """
    latents = topic_nodes(tree, topics) - tree.n_words
    given = words_given_on(tree, latents)
    usual = tree.marginals[: tree.n_words]
    given /= given.sum(axis=1, keepdims=True)
    evidence: NDArray[np.float64] = np.log(given / (usual / usual.sum()))
    return (evidence if corrections is None else evidence + corrections.of(latents)).T


def main_topics(
    tree: LatentTree,
    topics: Iterable[Topic],
    documents: Documents,
    corrections: Corrections | None = None,
) -> NDArray[np.intp]:
    """The position of the topic for which the words of each document speak most, -1 if for none.

    Parameters
    ----------
    tree, topics, corrections
        See `word_evidence`.
    documents
        Documents over the words of the tree.
    """
    evidence = word_evidence(tree, topics, corrections)
    none_first = np.hstack((np.zeros((len(evidence), 1)), evidence))
    out = np.empty(len(documents), dtype=np.intp)
    for begin, part in documents.chunks(_AT_ONCE // none_first.shape[1]):
        out[begin : begin + len(part)] = (part.to_csr() @ none_first).argmax(axis=1) - 1
    return out
