"""The document-word matrix as the kernels want it: which words each document contains."""

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
    """A binary document-word matrix in compressed rows, without values: every entry is a presence.

    Attributes
    ----------
    indptr : int64 (documents + 1,)
        Row d owns `indices[indptr[d]:indptr[d + 1]]`.
    indices : uint32 (presences,)
        Word numbers below `n_words`, each at most once per row.
    n_words : int
        The number of columns.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    n_words: int

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def shape(self) -> tuple[int, int]:
        """Documents and words."""
        return len(self), self.n_words

    @cached_property
    def rows(self) -> Rows:
        """The matrix as the compiled kernels take it."""
        from hlta._kernels.postings import Rows

        return Rows(read_only(self.indptr), read_only(self.indices))

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many documents each word is: int64 (n_words,)."""
        return np.bincount(self.indices, minlength=self.n_words)

    def __getitem__(self, rows: slice) -> Documents:
        """Consecutive documents, as `documents[100:200]`; their words are not copied."""
        begin, end, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"documents[::{step}]: slices have steps of 1; use take for others")
        indptr = self.indptr[begin : max(begin, end) + 1]
        return Documents(indptr - indptr[0], self.indices[indptr[0] : indptr[-1]], self.n_words)

    def chunks(self, size: int) -> Iterator[tuple[int, Documents]]:
        """Consecutive documents, some at a time.

        Parameters
        ----------
        size
            How many documents at a time; the last part may have fewer.

        Yields
        ------
        int, Documents
            The number of the first document of a part, and the part.
        """
        for begin, end in ranges(len(self), max(1, size)):
            yield begin, self[begin:end]

    def to_csr(self, dtype: DTypeLike = np.int8) -> csr_array:
        """The matrix as a SciPy array, with a one for each presence.

        Parameters
        ----------
        dtype
            Type of the ones.

        Returns
        -------
        scipy.sparse.csr_array (documents, n_words)
        """
        from scipy.sparse import csr_array

        ones = np.ones(len(self.indices), dtype=dtype)
        return csr_array((ones, self.indices.astype(np.int64), self.indptr), shape=self.shape)

    def take(self, rows: NDArray[np.integer[Any]]) -> Documents:
        """The documents with these numbers, in this order.

        Parameters
        ----------
        rows
            Numbers of documents, from 0; a number may stand more than once.

        Returns
        -------
        Documents
        """
        lengths = np.diff(self.indptr)[rows]
        indptr = offsets(lengths)
        shift = np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        return Documents(indptr, self.indices[np.arange(indptr[-1]) + shift], self.n_words)

    def shards(self, grain: int, most: int = 32) -> list[tuple[int, int]]:
        """Ranges of documents of about equal work.

        The ranges depend on the documents and `grain` alone, never on the number of threads: sums
        over shards, merged in this order, are the same to the last bit. Their number is a power of
        two, which two, four or eight threads share evenly.

        Parameters
        ----------
        grain
            Presences per shard at least.
        most
            Number of shards at most.

        Returns
        -------
        list of (begin, end)
        """
        work = self.indptr + np.arange(len(self.indptr))
        wanted = min(most, max(1, int(work[-1]) // grain))
        pieces = 1 << (wanted.bit_length() - 1)
        targets = (np.arange(1, pieces) * work[-1]) // pieces
        bounds = np.unique(np.concatenate(([0], np.searchsorted(work, targets), [len(self)])))
        return [(int(a), int(b)) for a, b in pairwise(bounds)]


def as_documents(documents: Any, n_words: int | None = None) -> Documents:
    """Check a matrix of documents by words, sparse or dense, and reduce it to presence and absence.

    The result is a view of the matrix where its arrays fit, else a copy; `documents` itself is never
    changed. `n_words` is the number of columns that the caller needs, None for any.
    """
    if isinstance(documents, Documents):
        _check_shape(documents.shape, n_words)
        return documents

    from scipy import sparse

    if sparse.issparse(documents):
        _check_dimensions(documents)
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
            f"not {type(documents).__name__} of dtype {dense.dtype}; for texts, see Corpus.from_texts "
            "and Corpus.from_frame"
        )
    _check_dimensions(dense)
    return dense


def _check_dimensions(documents: Any) -> None:
    if documents.ndim != 2:
        raise DocumentsError(
            f"documents must be a matrix of documents by words, not {documents.ndim}-dimensional; "
            "for one document use documents.reshape(1, -1)"
        )


def _check_shape(shape: tuple[int, int], n_words: int | None) -> None:
    if shape[0] == 0:
        raise DocumentsError("there are no documents (0 rows); give at least one")
    if shape[1] == 0:
        raise DocumentsError("there are no words (0 columns); give at least one")
    if n_words is not None and shape[1] != n_words:
        raise DocumentsError(
            f"documents have {shape[1]:,} columns, the tree has {n_words:,} words; "
            "give one column per word, in the order of tree.words"
        )


def _check_values(values: NDArray[Any]) -> None:
    if values.dtype.kind not in "biuf":
        raise DocumentsError(f"documents must hold numbers, not values of dtype {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise DocumentsError("documents hold NaN or infinite values; use 0, 1 or counts")
    if values.dtype.kind in "if" and values.size and values.min() < 0:
        raise DocumentsError(f"documents hold negative values ({values.min()}); use 0, 1 or counts")


def _check_storage(matrix: Any) -> None:
    """Refuse arrays that lead outside each other: SciPy does not check, and kernels would crash."""
    indptr, indices = matrix.indptr, matrix.indices
    if indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] > len(indices):
        raise DocumentsError("the sparse matrix is damaged: its row pointers do not ascend from 0")
    if len(indices) and not (indices.min() >= 0 and indices.max() < matrix.shape[1]):
        raise DocumentsError(
            f"the sparse matrix holds word numbers from {indices.min()} to {indices.max()}, "
            f"but has {matrix.shape[1]} columns"
        )
