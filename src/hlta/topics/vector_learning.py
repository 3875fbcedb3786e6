"""Learning where the vectors of documents about a topic lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from hlta.documents.vectors import LENGTH, cosines
from hlta.options import LISTED
from hlta.topics.shares import Sharing
from hlta.topics.vectors import TopicVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.topics.word_counts import WordCounts
    from hlta.tree.latent_tree import LatentTree

_STEPS: Final = 3  # in which documents are divided by vectors, and vectors averaged by shares
_LOWEST: Final = 2  # level of topics
_SUFFICIENT: Final = 2000  # documents for one number, the concentration


def learn_vectors(tree: LatentTree, counts: WordCounts, documents: Documents) -> TopicVectors:
    """Average the vectors of documents by the shares of topics, which then go by vectors, too."""
    assert documents.vectors is not None
    sharing = _sharing(tree, counts)
    shares = sharing.shares(documents)
    vectors = TopicVectors(_sums(tree, sharing, shares, documents), 0.0)
    some = slice(None, None, max(1, len(documents) // _SUFFICIENT))
    near = cosines(documents.vectors[some], vectors.centres(tree, sharing.latents))
    found = _concentration(sharing, shares[some], near)
    for _ in range(1, _STEPS):
        vectors = vectors._replace(concentration=found)
        sharing = _sharing(tree, counts._replace(vectors=vectors))
        vectors = TopicVectors(_sums(tree, sharing, sharing.shares(documents), documents), found)
    return vectors._replace(concentration=found)


def add_vectors(
    tree: LatentTree, counts: WordCounts, documents: Documents, factor: float
) -> TopicVectors:
    """The vectors of topics after further documents came; those of the earlier ones weigh so much."""
    assert counts.vectors is not None
    sharing = _sharing(tree, counts)
    seen = _sums(tree, sharing, sharing.shares(documents), documents)
    return counts.vectors._replace(own=np.float32(factor) * counts.vectors.own + seen)


def _sharing(tree: LatentTree, counts: WordCounts) -> Sharing:
    return Sharing.of_tree(tree, counts, min(_LOWEST, int(tree.level.max())))


def _sums(
    tree: LatentTree, sharing: Sharing, shares: NDArray[np.float64], documents: Documents
) -> NDArray[np.float32]:
    """The sums of vectors by shares, of the topics that have none below them."""
    assert documents.vectors is not None
    lowest = np.ones(len(sharing.latents), dtype=np.bool_)
    lowest[sharing.above[sharing.above >= 0]] = False
    of_topics = csr_array(np.where(shares >= LISTED, shares, 0.0)[:, lowest].T)
    own = np.zeros((tree.n_latents, documents.vectors.shape[1]), dtype=np.float32)
    own[sharing.latents[lowest]] = of_topics @ documents.vectors.astype(np.float64)
    return own


def _concentration(
    sharing: Sharing, shares: NDArray[np.float64], near: NDArray[np.float64]
) -> float:
    """The concentration under which vectors predict best which topics have the largest shares.

    It is the maximum of sum(log P(topic | vector, topic above)) over the documents and the topics with
    the largest shares on the way down, which is concave, by its derivative.
    """
    largest, reached = np.zeros_like(shares), np.zeros_like(shares)
    for begin, end, above in zip(*sharing.families, strict=True):
        within = shares.any(axis=1) if above < 0 else largest[:, above] > 0.0
        rows = np.flatnonzero(within)
        largest[rows, begin + shares[rows, begin:end].argmax(axis=1)] = 1.0
        reached[rows, begin:end] = 1.0

    def slope(concentration: float) -> float:
        expected = reached * sharing.likely(near, concentration)
        return float(((largest - expected) * near).sum())

    most = float(LENGTH)  # beyond which rounded vectors tell nothing
    if slope(most) >= 0.0:
        return most
    return round(brentq(slope, 0.0, most), 2) if slope(0.0) > 0.0 else 0.0
