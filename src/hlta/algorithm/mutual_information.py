"""Mutual information between all pairs of variables, from the documents they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.special import xlogy

from hlta._kernels import pair_counts as pairs
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor

DENSE_LIMIT: Final = 20_000
"""Up to so many variables the whole matrix is kept (4 bytes a pair); above, best partners only."""

PARTNERS: Final = 16  # how many, where rows are counted again when needed
_BLOCK = 16  # rows counted together: their mirror image fills a line of the cache at a time
_LARGE_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Pairs:
    """What is known of pairs of variables, in the form that kernels want it.

    documents  indptr, indices
    postings   the same by variable, see `kernels.pairs`
    known      the table of k log k, in how many documents each variable is present, and whether
               pairs that avoid each other count
    matrix     float32 (n, n) mutual information, or (0, n): then rows are counted when needed
    values, partners
               float32, uint32 (n, K): the K best partners of each variable, best first
    """

    documents: tuple[NDArray[np.int64], NDArray[np.uint32]]
    postings: tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]
    known: tuple[NDArray[np.float64], NDArray[np.int64], bool]
    matrix: NDArray[np.float32]
    values: NDArray[np.float32]
    partners: NDArray[np.uint32]

    @property
    def n_variables(self) -> int:
        return len(self.known[1])

    @property
    def n_documents(self) -> int:
        return len(self.known[0]) - 1

    @property
    def source(self) -> tuple[Any, ...]:
        """The argument that kernels about islands begin with."""
        return self.documents, self.postings, self.known, self.matrix


def list_postings(
    indptr: NDArray[np.int64], indices: NDArray[np.uint32], frequency: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
    """Which documents hold each variable, and where in their rows."""
    start = np.zeros(len(frequency) + 1, dtype=np.int64)
    np.cumsum(frequency, out=start[1:])
    where, place = np.empty((2, len(indices)), dtype=np.uint32)
    pairs.list_postings((indptr, indices), start[:-1].copy(), where, place)
    return start, where, place


def measure_pairs(
    documents: Documents,
    *,
    n_jobs: int | None = None,
    any_sign: bool = False,
    dense_limit: int = DENSE_LIMIT,
    monitor: Monitor,
) -> Pairs:
    """Count in how many documents each pair of variables meets, and what one tells about the other.

    Pairs that avoid each other, that meet less often than by chance, are taken for unrelated unless
    `any_sign`.
    """
    n = documents.n_words
    frequency = documents.document_frequency
    rows = documents.indptr, documents.indices
    postings = list_postings(*rows, frequency)
    counts = np.arange(len(documents) + 1.0)
    known = xlogy(counts, counts), frequency, any_sign
    dense = n <= dense_limit
    places = min(1 if dense else PARTNERS, n)
    matrix = np.empty((n if dense else 0, n), dtype=np.float32)
    values = np.empty((n, places), dtype=np.float32)
    partners = np.empty((n, places), dtype=np.uint32)
    size = _BLOCK if dense else _LARGE_BLOCK
    blocks = [(begin, min(begin + size, n)) for begin in range(0, n, size)]

    def fill(block: tuple[int, int]) -> None:
        count = np.empty((block[1] - block[0], n), dtype=np.uint32)
        pairs.fill_information(rows, postings, known, *block, count, matrix)
        monitor.advance(block[1] - block[0])

    def find(block: tuple[int, int]) -> None:
        part = slice(*block)
        # Ties go to the lower number, so only variable 0 can find itself, when it has no partner.
        best = matrix[part].argmax(axis=1)
        best[(best == 0) & (np.arange(*block) == 0)] = min(1, n - 1)
        partners[part, 0] = best
        values[part, 0] = np.take_along_axis(matrix[part], best[:, None], axis=1)[:, 0]

    def count(block: tuple[int, int]) -> None:
        space = np.zeros(n, dtype=np.uint32), np.empty(n, dtype=np.float32)
        pairs.count_partners(rows, postings, known, *block, *space, values, partners)
        monitor.advance(block[1] - block[0])

    with monitor.stage("pairs", n):
        if dense:
            map_in_order(fill, blocks, n_jobs)
            map_in_order(find, blocks, n_jobs)
        else:
            map_in_order(count, blocks, n_jobs)
    return Pairs(rows, postings, known, matrix, values, partners)


def share_of_avoidance(documents: Documents, *, sample: int = 64) -> float:
    """How much of how variables go together is one's avoiding the other.

    Of each of at most `sample` variables the most correlated partner counts, by its squared
    correlation, which is twice their mutual information where that is small.
    """
    from scipy.sparse import csr_array

    n, total = documents.n_words, len(documents)
    chosen = np.unique(np.linspace(0, n - 1, min(n, sample)).astype(np.int64))
    present = csr_array(
        (np.ones(len(documents.indices)), documents.indices.astype(np.int64), documents.indptr),
        shape=documents.shape,
    )
    both = (present[:, chosen].T @ present).toarray()
    frequency = documents.document_frequency.astype(np.float64)
    spread = np.sqrt(np.maximum(frequency * (total - frequency), 1.0))
    correlation = both * total - frequency[chosen, None] * frequency
    correlation /= spread[chosen, None] * spread
    rows = np.arange(len(chosen))
    correlation[rows, chosen] = 0.0
    best = correlation[rows, np.abs(correlation).argmax(axis=1)]
    return float((best[best < 0.0] ** 2).sum() / max((best**2).sum(), 1e-300))
