"""Matrices that a user gives, sparse or dense, checked and converted to `Documents`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.documents.matrix import Documents, check_size
from hlta.documents.shards import ascending
from hlta.documents.sparse_matrices import check_matrix
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_documents(documents: Any, n_words: int | None = None) -> Documents:
    """Check a matrix of documents by words, sparse or dense, and reduce it to presence and absence.

    The result shares the arrays of the matrix where format, types and order are right, else it has
    copies; `documents` itself is never changed. `n_words` is the required number of columns, None for
    any.
    """
    if isinstance(documents, Documents):
        _check_shape(documents.shape, n_words)
        return documents

    from scipy import sparse

    if sparse.issparse(documents):
        _check_dimensions(documents)
        _check_shape(documents.shape, n_words)
        matrix = check_matrix(documents)
        _check_values(matrix.data)
        if matrix.format != "csr":
            # As booleans, so that duplicate entries merge into "present" and no sum wraps.
            matrix.data = matrix.data != 0
            matrix = matrix.tocsr()
    else:
        dense = _as_dense(documents)
        _check_shape(dense.shape, n_words)
        _check_values(dense)
        matrix = sparse.csr_array(dense != 0)
    present = matrix.data != 0
    if not present.all() or not ascending(matrix.indptr, matrix.indices):
        arrays = (present, matrix.indices.copy(), matrix.indptr.copy())
        matrix = sparse.csr_array(arrays, shape=matrix.shape)
        matrix.eliminate_zeros()
        matrix.sum_duplicates()
    indices = np.ascontiguousarray(matrix.indices)
    indices = indices.view(np.uint32) if indices.dtype == np.int32 else indices.astype(np.uint32)
    return Documents.of_checked(matrix.indptr.astype(np.int64), indices, int(matrix.shape[1]))


def refuse_nested(name: str, documents: Any) -> None:
    """Raise `DocumentsError` for a list of documents if a document has lists as entries."""
    if isinstance(documents, (list, tuple)) and any(
        isinstance(part, (list, tuple))
        for document in documents
        if isinstance(document, (list, tuple))
        for part in document
    ):
        raise DocumentsError(
            f"{name} holds lists within its documents; give one text, one list of words or one row of "
            "numbers per document"
        )


def _as_dense(documents: Any) -> NDArray[Any]:
    refuse_nested("documents", documents)
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
            f"documents have {shape[1]:,} columns, but the tree has {n_words:,} words; "
            "give one column per word, in the order of tree.words"
        )
    check_size(shape)


def _check_values(values: NDArray[Any]) -> None:
    if values.dtype.kind not in "biuf":
        raise DocumentsError(f"documents must hold numbers, not values of dtype {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise DocumentsError("documents hold NaN or infinite values; use 0, 1 or counts")
    if values.dtype.kind in "if" and values.size and values.min() < 0:
        raise DocumentsError(f"documents hold negative values ({values.min()}); use 0, 1 or counts")
