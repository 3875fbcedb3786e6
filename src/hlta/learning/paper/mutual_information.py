"""Mutual information between all pairs of variables, from the documents they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from hlta._kernels.nearest import PairTables
from hlta._kernels.pair_counts import PairStatistics, count_partners, fill_information
from hlta._kernels.postings import Postings, Rows
from hlta._support.arrays import ranges, read_only
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Floats32
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor

DENSE_LIMIT: Final = 20_000
"""Up to this many variables, n, a matrix of 4 n**2 bytes may be kept; above, best partners only."""

_FEW: Final = 4_000  # variables whose matrix takes hardly any time
_WORTH_A_MATRIX: Final = 0.3  # a matrix is kept above this number of co-occurrences per entry
PARTNERS: Final = 16  # partners that are kept per variable if there is no matrix
BLOCK: Final = 16  # rows per task: their mirror image is written one cache line at a time


@dataclass(frozen=True, eq=False)
class Pairs:
    """The mutual information of all pairs of variables, or of each variable with its best partners."""

    tables: PairTables  # the arguments of kernels
    values: Floats32  # (n, K): mutual information with the best partners, best first
    partners: NDArray[np.uint32]  # (n, K): the numbers of those partners

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.tables.statistics.frequency)

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.tables.rows.indptr) - 1


def postings_of(rows: Rows, n_variables: int) -> Postings:
    """Transpose presences."""
    place = np.arange(len(rows.indices), dtype=np.uint32)
    place -= np.repeat(rows.indptr[:-1].astype(np.uint32), np.diff(rows.indptr))
    shape = len(rows.indptr) - 1, n_variables
    turned = sparse.csr_array((place, rows.indices, rows.indptr), shape=shape).tocsc()
    start, document = turned.indptr.astype(np.int64), turned.indices.astype(np.uint32)
    return Postings(read_only(start), read_only(document), read_only(turned.data))


def measure_pairs(
    documents: Documents,
    *,
    include_negative: bool = False,
    matrix: bool | None = None,
    monitor: Monitor,
) -> Pairs:
    """The mutual information of all pairs of variables, from the documents they share.

    Pairs that co-occur less often than by chance get 0 unless `include_negative`. `matrix` says whether
    to keep all values in a matrix; None for whichever is quicker. The values are the same.
    """
    if matrix is None:
        matrix = keeps_matrix(documents, include_negative)
    rows, frequency = documents.rows, documents.document_frequency
    postings = postings_of(rows, documents.n_words)
    counts = np.arange(len(documents) + 1.0)
    log_table = xlogy(counts, counts)
    statistics = PairStatistics(read_only(log_table), read_only(frequency), include_negative)
    with monitor.stage("pairs", documents.n_words):
        if matrix:
            table = _fill_matrix(rows, postings, statistics, monitor)
            values, partners = _best_in(table)
        else:
            table = np.empty((0, documents.n_words), dtype=np.float32)
            values, partners = _count_best(rows, postings, statistics, monitor)
    return Pairs(PairTables(rows, postings, statistics, read_only(table)), values, partners)


def keeps_matrix(documents: Documents, include_negative: bool) -> bool:
    """Whether a matrix is kept: not if it is too large, or if most of its values would be 0.

    Without one, rows are counted again when needed, which takes time only for pairs that co-occur.
    """
    n = documents.n_words
    if n <= _FEW or n > DENSE_LIMIT:
        return n <= _FEW
    meetings = np.square(documents.lengths, dtype=np.float64).sum()
    return include_negative or bool(meetings > _WORTH_A_MATRIX * n**2)


def _fill_matrix(
    rows: Rows, postings: Postings, statistics: PairStatistics, monitor: Monitor
) -> Floats32:
    n = len(statistics.frequency)
    matrix = np.empty((n, n), dtype=np.float32)

    def fill(block: tuple[int, int]) -> None:
        count = np.empty((block[1] - block[0], n), dtype=np.uint32)
        fill_information(rows, postings, statistics, *block, count, matrix)
        monitor.advance(block[1] - block[0])

    map_in_order(fill, ranges(n, BLOCK))
    return matrix


def _best_in(matrix: Floats32) -> tuple[Floats32, NDArray[np.uint32]]:
    """The best partner of each variable, ties to the lower number."""
    n = len(matrix)
    values, partners = np.empty((n, 1), dtype=np.float32), np.empty((n, 1), dtype=np.uint32)

    def find(block: tuple[int, int]) -> None:
        part = slice(*block)
        # A row of zeros has its maximum at 0, so only variable 0 can find itself.
        best = matrix[part].argmax(axis=1)
        best[(best == 0) & (np.arange(*block) == 0)] = min(1, n - 1)
        partners[part, 0] = best
        values[part, 0] = np.take_along_axis(matrix[part], best[:, None], axis=1)[:, 0]

    map_in_order(find, ranges(n, BLOCK))
    return values, partners


def _count_best(
    rows: Rows, postings: Postings, statistics: PairStatistics, monitor: Monitor
) -> tuple[Floats32, NDArray[np.uint32]]:
    """The best partners of each variable, if no matrix is kept."""
    n = len(statistics.frequency)
    places = min(PARTNERS, n)
    values = np.empty((n, places), dtype=np.float32)
    partners = np.empty((n, places), dtype=np.uint32)

    def count(block: tuple[int, int]) -> None:
        meetings, neighbours = np.zeros(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
        information = np.empty(n, dtype=np.float32)
        begin, end = block
        count_partners(
            rows,
            postings,
            statistics,
            begin,
            end,
            meetings,
            neighbours,
            information,
            values,
            partners,
        )
        monitor.advance(block[1] - block[0])

    map_in_order(count, ranges(n))
    return values, partners
