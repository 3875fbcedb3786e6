"""Learning where the vectors of documents about a topic lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from hlta.documents.vectors import cosines
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
_MOST: Final = 4096.0  # as concentration
_DIGITS: Final = 3


def learn_vectors(tree: LatentTree, counts: WordCounts, documents: Documents) -> TopicVectors:
    """Average the vectors of documents by the shares of topics, which then go by vectors, too."""
    vectors = None
    for _ in range(_STEPS):
        sharing = _sharing(tree, counts._replace(vectors=vectors))
        shares = sharing.shares(documents)
        own = _sums(tree, sharing, shares, documents)
        vectors = TopicVectors(own, 0.0)
        centres = vectors.centres(tree, sharing.latents)
        some = slice(None, None, max(1, len(documents) // _SUFFICIENT))
        assert documents.vectors is not None
        near = cosines(documents.vectors[some], centres)
        vectors = vectors._replace(concentration=_concentration(sharing, shares[some], near))
    assert vectors is not None
    return vectors


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
    """The concentration under which vectors predict the shares best.

    It is the maximum of sum(shares * log P(topic | vector)), which is concave, by its derivative.
    """
    roots, above = sharing.above < 0, sharing.above
    whole = np.where(roots, shares[:, roots].sum(axis=1, keepdims=True), shares[:, above])

    def slope(concentration: float) -> float:
        expected = whole * sharing.likely(near, concentration)
        return float(((shares - expected) * near).sum())

    if slope(_MOST) >= 0.0:
        return _MOST
    return round(brentq(slope, 0.0, _MOST), _DIGITS) if slope(0.0) > 0.0 else 0.0
