"""Documents as the kernels want them: which words each document contains, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.arrays import offsets, ranges, read_only
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray
    from scipy.sparse import csr_array

    from hlta._kernels.postings import Rows


@dataclass(frozen=True, eq=False)
class Documents:
    """A binary document-word matrix in compressed rows: no values, for every stored word is present.

    indptr   int64 (documents + 1,): row d owns `indices[indptr[d]:indptr[d + 1]]`
    indices  uint32 (presences,): word numbers below `n_words`, each at most once a row
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    n_words: int

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.n_words

    @cached_property
    def rows(self) -> Rows:
        """The matrix as the compiled kernels take it."""
        from hlta._kernels.postings import Rows

        return Rows(read_only(self.indptr), read_only(self.indices))

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """How many documents contain each word."""
        return np.bincount(self.indices, minlength=self.n_words)

    def __getitem__(self, rows: slice) -> Documents:
        """Consecutive documents, without copying their words: `documents[100:200]`."""
        begin, end, step = rows.indices(len(self))
        if step != 1:
            raise ValueError("documents are sliced in steps of 1; use take for others")
        indptr = self.indptr[begin : max(begin, end) + 1]
        return Documents(indptr - indptr[0], self.indices[indptr[0] : indptr[-1]], self.n_words)

    def chunks(self, size: int) -> Iterator[tuple[int, Documents]]:
        """Consecutive documents, `size` at a time, with the number of the first."""
        for begin, end in ranges(len(self), max(1, size)):
            yield begin, self[begin:end]

    def to_csr(self, dtype: DTypeLike = np.int8) -> csr_array:
        """The matrix as SciPy knows it, with ones for the words that are present."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.indices), dtype=dtype)
        return csr_array((ones, self.indices.astype(np.int64), self.indptr), shape=self.shape)

    def take(self, rows: NDArray[np.integer[Any]]) -> Documents:
        """The given documents, in the given order."""
        lengths = np.diff(self.indptr)[rows]
        indptr = offsets(lengths)
        shift = np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        return Documents(indptr, self.indices[np.arange(indptr[-1]) + shift], self.n_words)

    def shards(self, grain: int, most: int = 32) -> list[tuple[int, int]]:
        """Ranges of documents of about equal work, at least `grain` presences each.

        The ranges follow from the documents and `grain` alone, never from the number of workers:
        sums over shards, merged in this order, come out the same to the last bit for any number
        of threads. A power of two shares out evenly among two, four or eight of them.
        """
        work = self.indptr + np.arange(len(self.indptr))
        wanted = min(most, max(1, int(work[-1]) // grain))
        pieces = 1 << (wanted.bit_length() - 1)
        targets = (np.arange(1, pieces) * work[-1]) // pieces
        bounds = np.unique(np.concatenate(([0], np.searchsorted(work, targets), [len(self)])))
        return [(int(a), int(b)) for a, b in pairwise(bounds)]


def as_documents(documents: Any, n_words: int | None = None) -> Documents:
    """Check a matrix of documents by words and reduce it to presence and absence.

    Accepts SciPy sparse matrices and arrays, NumPy arrays and nested lists. Counts become 1.
    `n_words` is the number of columns the caller needs.
    """
    if isinstance(documents, Documents):
        _check_shape(documents.shape, n_words)
        return documents

    from scipy import sparse

    if sparse.issparse(documents):
        if documents.ndim != 2:
            raise DocumentsError(
                f"documents must be a matrix of documents by words, not {documents.ndim}-dimensional"
            )
        matrix = documents.tocsr()
    else:
        dense = _as_dense(documents)
        _check_values(dense)
        matrix = sparse.csr_array(dense != 0)
    _check_shape(matrix.shape, n_words)
    _check_values(matrix.data)
    _check_storage(matrix)
    present = matrix.data != 0
    if not present.all() or not matrix.has_canonical_format:
        # As booleans, so that equal entries merge into "present" and no sum of small integers wraps.
        matrix = sparse.csr_array(
            (present, matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape
        )
        matrix.eliminate_zeros()
        matrix.sum_duplicates()
    indices = np.ascontiguousarray(matrix.indices)
    indices = indices.view(np.uint32) if indices.dtype == np.int32 else indices.astype(np.uint32)
    return Documents(matrix.indptr.astype(np.int64), indices, int(matrix.shape[1]))


def _as_dense(documents: Any) -> NDArray[Any]:
    try:
        dense = np.asarray(documents)
    except ValueError as error:
        raise DocumentsError(f"documents must be a matrix of documents by words: {error}") from None
    if dense.dtype.kind not in "biuf":
        raise DocumentsError(
            "documents must be a numeric matrix of documents by words, "
            f"not {type(documents).__name__} of dtype {dense.dtype}"
        )
    if dense.ndim != 2:
        raise DocumentsError(
            f"documents must be a matrix of documents by words, not {dense.ndim}-dimensional; "
            "for one document use documents.reshape(1, -1)"
        )
    return dense


def _check_shape(shape: tuple[int, int], n_words: int | None) -> None:
    if shape[0] == 0:
        raise DocumentsError("there are no documents (0 rows); give at least one")
    if shape[1] == 0:
        raise DocumentsError("there are no words (0 columns); give at least one")
    if n_words is not None and shape[1] != n_words:
        raise DocumentsError(
            f"documents have {shape[1]:,} columns, the tree has {n_words:,} words; "
            "give one column a word, in the order of tree.words"
        )


def _check_values(values: NDArray[Any]) -> None:
    if values.dtype.kind not in "biuf":
        raise DocumentsError(f"documents must hold numbers, not values of dtype {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise DocumentsError("documents hold NaN or infinite values; use 0, 1 or counts")
    if values.dtype.kind in "if" and values.size and values.min() < 0:
        raise DocumentsError(f"documents hold negative values ({values.min()}); use 0, 1 or counts")


def _check_storage(matrix: Any) -> None:
    """SciPy trusts the three arrays it is given; a kernel that did would write outside its own."""
    indptr, indices = matrix.indptr, matrix.indices
    if indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] > len(indices):
        raise DocumentsError("the sparse matrix is damaged: its row pointers do not ascend from 0")
    if len(indices) and not (indices.min() >= 0 and indices.max() < matrix.shape[1]):
        raise DocumentsError(
            f"the sparse matrix holds word numbers from {indices.min()} to {indices.max()}, "
            f"but has {matrix.shape[1]} columns"
        )
