"""Learning where the vectors of documents about a topic lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from hlta.documents.vectors import LENGTH
from hlta.options import LISTED
from hlta.topics.shares import Sharing
from hlta.topics.vectors import TopicVectors
from hlta.topics.word_counts import LOWEST, WordCounts
from hlta.tree.reshaping import topics_within

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Floats, Floats32
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_STEPS: Final = 3  # each sums vectors by shares; all but the first use vectors for the shares, too
_SUFFICIENT: Final = 2000  # documents from which one number, the concentration, is learned


def learn_vectors(tree: LatentTree, counts: WordCounts, documents: Documents) -> TopicVectors:
    """Sum up the vectors of documents by the shares of topics, which then depend on vectors, too."""
    sharing = _sharing(tree, counts)
    vectors = TopicVectors(_sums(tree, sharing, documents), 0.0)
    step = max(1, len(documents) // _SUFFICIENT)
    some = documents.take(np.arange(0, len(documents), step))
    shares = sharing.shares(some)
    near = _cosines_with_others(tree, sharing, shares, some, vectors)
    found = _concentration(sharing, shares, near)
    for _ in range(1, _STEPS):
        sharing = _sharing(tree, counts._replace(vectors=vectors._replace(concentration=found)))
        vectors = TopicVectors(_sums(tree, sharing, documents), found)
    return vectors._replace(concentration=found)


def add_vectors(
    tree: LatentTree, counts: WordCounts, documents: Documents, factor: float
) -> TopicVectors:
    """The vectors of topics after further documents; `factor` is the weight of the earlier ones."""
    assert counts.vectors is not None
    seen = _sums(tree, _sharing(tree, counts), documents)
    return counts.vectors._replace(own=np.float32(factor) * counts.vectors.own + seen)


def _sharing(tree: LatentTree, counts: WordCounts) -> Sharing:
    return Sharing.of_tree(tree, counts, min(LOWEST, int(tree.level.max())))


def _sums(tree: LatentTree, sharing: Sharing, documents: Documents) -> Floats32:
    """The sums of vectors, weighted by shares, of the topics that have none below them; 0 for others."""
    assert documents.vectors is not None
    lowest = _lowest(sharing)
    sums = np.zeros((np.count_nonzero(lowest), documents.vectors.shape[1]))
    for _, part in sharing.chunks(documents):
        assert part.vectors is not None
        sums += csr_array(_counting(sharing.shares(part)[:, lowest]).T) @ part.vectors.astype(float)
    own = np.zeros((tree.n_latents, sums.shape[1]), dtype=np.float32)
    own[sharing.latents[lowest]] = sums
    return own


def _lowest(sharing: Sharing) -> Bools:
    """Which topics have none below them."""
    lowest = np.ones(len(sharing.latents), dtype=np.bool_)
    lowest[sharing.above[sharing.above >= 0]] = False
    return lowest


def _counting(shares: Floats) -> Floats:
    """The shares that count in sums of vectors; those below `LISTED` become 0."""
    return np.where(shares >= LISTED, shares, 0.0)


def _cosines_with_others(
    tree: LatentTree, sharing: Sharing, shares: Floats, documents: Documents, vectors: TopicVectors
) -> Floats:
    """The cosine of each document with the weighted sum of the vectors of all others, for each topic.

    With its own vector in the sum, even a random vector would seem to predict the document's topics.
    """
    assert documents.vectors is not None
    weight = _counting(shares) * _lowest(sharing)
    for column in range(len(sharing.above) - 1, -1, -1):  # from the lowest topics up
        if sharing.above[column] >= 0:
            weight[:, sharing.above[column]] += weight[:, column]
    own = documents.vectors.astype(np.float64)
    sums = (topics_within(tree) @ vectors.own.astype(np.float64))[sharing.latents]
    along = own @ sums.T
    length = np.einsum("ij,ij->i", own, own)[:, None]
    squares = np.einsum("ij,ij->i", sums, sums) - 2.0 * weight * along + weight**2 * length
    is_empty = squares <= length * np.finfo(np.float32).eps  # but for rounding
    found = (along - weight * length) / np.sqrt(np.where(is_empty, 1.0, squares) * length)
    return np.where(is_empty, 0.0, found)


def _concentration(sharing: Sharing, shares: Floats, near: Floats) -> float:
    """The concentration with which vectors predict best which topics have the largest shares.

    It maximises the sum of log P(topic | vector, topic above) over the documents and, from the roots
    down, their topics with the largest shares. The sum is concave, so its derivative has one root.
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

    most = float(LENGTH)  # beyond which rounded vectors are too coarse
    if slope(most) >= 0.0:
        return most
    return round(brentq(slope, 0.0, most), 2) if slope(0.0) > 0.0 else 0.0
