"""Word vectors, beyond the paper: two are close if the same words occur beside both words.

Two words of one subject may never occur in the same document; their vectors are close even then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from hlta._support.arrays import TINY, ranges
from hlta.learning.paper.mutual_information import Pairs, measure_pairs

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Floats32
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor

MOST_AT_ONCE: Final = 15_000
"""Words for which all pairs are kept in memory at once, at most."""
_DIMENSIONS: Final = 30  # dimensions of the vectors of words
_FEW: Final = 0.2  # if a smaller share of pairs have mutual information, the matrix is sparse
_SMALL: Final = 500  # rows of a matrix, at most, to compute all its eigenvectors
_ROUNDING: Final = 1e-5  # times the longest vector: shorter ones count as 0, but for rounding


def embed_words(documents: Documents, *, monitor: Monitor) -> Floats:
    """A vector of length 1 per word, about 0 without mutual information, float64 (words, dimensions).

    They are rows of scaled eigenvectors of a matrix: the square roots of the mutual information of
    pairs of words, normalised so that frequent words do not dominate. With more than `MOST_AT_ONCE`
    words, only the best partners of each count.
    """
    n = documents.n_words
    pairs = measure_pairs(documents, matrix=n <= MOST_AT_ONCE, monitor=monitor)
    if n > MOST_AT_ONCE:
        return unit_rows(leading(_strength_of_partners(pairs), min(_DIMENSIONS, n)))
    information = pairs.tables.matrix
    scale = _scale(information.sum(axis=1))

    def strength(begin: int, end: int) -> Floats32:
        scaled: Floats32 = np.sqrt(information[begin:end])
        scaled *= scale
        scaled *= scale[begin:end, None]
        return scaled

    if np.count_nonzero(information) > _FEW * information.size:
        return unit_rows(leading(strength(0, n), min(_DIMENSIONS, n)))
    rows = [sparse.csr_array(strength(begin, end)) for begin, end in ranges(n)]
    return unit_rows(leading(sparse.vstack(rows), min(_DIMENSIONS, n)))


def _scale(information: Floats32) -> Floats32:
    """1 / sqrt(length) of each row of square roots, where `information` is the squared length."""
    lengths: Floats32 = np.maximum(np.sqrt(information), np.finfo(np.float32).tiny)
    return np.asarray(1.0 / np.sqrt(lengths), dtype=np.float32)


def _strength_of_partners(pairs: Pairs) -> sparse.csr_array:
    """The same matrix, only with entries where one word is among the best partners of the other."""
    n, places = pairs.values.shape
    entries = pairs.values.ravel(), pairs.partners.ravel(), np.arange(0, n * places + 1, places)
    information = sparse.csr_array(entries, shape=(n, n))
    information = information.maximum(information.T)
    scale = _scale(np.asarray(information.sum(axis=1)))
    return (np.sqrt(information) * scale[:, None] * scale).tocsr()


def leading(matrix: Floats32 | sparse.csr_array | LinearOperator, number: int) -> Floats:
    """Leading eigenvectors of a symmetric matrix, times the square roots of their eigenvalues.

    They are columns, float64 (n, number).
    """
    n = matrix.shape[0]
    if n <= _SMALL:
        values, vectors = np.linalg.eigh(matrix @ np.eye(n))
        values, vectors = values[n - number :], vectors[:, n - number :]
    else:
        start = np.random.default_rng(0).standard_normal(n)
        values, vectors = eigsh(matrix, number, v0=np.asarray(start, matrix.dtype), which="LA")
    lengths = np.sqrt(np.maximum(np.asarray(values, dtype=np.float64), 0.0))
    return np.asarray(vectors * lengths)


def unit_rows(rows: Floats) -> Floats:
    """The rows, each scaled to length 1; those that are 0 but for rounding stay about 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.maximum(lengths, _ROUNDING * lengths.max(initial=TINY))
    return unit
