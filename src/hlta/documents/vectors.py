"""Vectors of documents that a user gives: from any encoder of texts, one row per document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import ranges, read_only
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats

LENGTH: Final = 2048
"""The length of all vectors, before coordinates are rounded to whole numbers: so dot products are exact
in single precision, and do not depend on the order of the sum."""
_AT_ONCE: Final = 1 << 12  # rows


def read_vectors(vectors: Any, n_documents: int) -> NDArray[np.int16]:
    """Check an array with one row per document, and scale all rows to the length `LENGTH`.

    Parameters
    ----------
    vectors
        Numbers, (documents, dimensions), of any length but 0.
    n_documents
        How many rows there must be.

    Returns
    -------
    int16 (documents, dimensions)

    Raises
    ------
    DocumentsError
        If it is not such an array.
    """
    if np.ma.is_masked(vectors):
        raise DocumentsError("vectors has masked numbers; give a whole vector to every document")
    try:
        given = np.asarray(vectors)
    except (ValueError, TypeError, RuntimeError) as error:
        raise DocumentsError(f"vectors is no array: {error}; give one row per document") from None
    if given.dtype.kind not in "fiu" or given.ndim != 2:
        raise DocumentsError(
            f"vectors is an array of type {given.dtype} and shape {given.shape}; give one of numbers, "
            "with a row per document (numpy.stack makes one of a column of arrays)"
        )
    if len(given) != n_documents:
        raise DocumentsError(
            f"vectors has {len(given):,} rows for {n_documents:,} documents; give one row for each "
            "document that is read, in their order: those with repeated texts count, those without text "
            "are skipped"
        )
    if given.shape[1] == 0:
        raise DocumentsError("vectors has rows without numbers; give at least one dimension")
    found = np.empty(given.shape, dtype=np.int16)
    for begin, end in ranges(len(given), _AT_ONCE):
        rows = given[begin:end].astype(np.float64)
        largest = np.abs(rows).max(axis=1, keepdims=True)
        _refuse(~np.isfinite(largest), begin, "holds a number that is not finite")
        _refuse(largest == 0.0, begin, "holds zeros only")
        rows /= largest  # so that no square overflows or underflows
        rows *= LENGTH / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        found[begin:end] = np.rint(rows)
    return read_only(found)


def _refuse(bad: Bools, begin: int, problem: str) -> None:
    if bad.any():
        row = begin + int(bad.argmax())
        raise DocumentsError(
            f"row {row:,} of vectors, counted from 0, {problem}; give a vector to every document, or "
            "leave out the documents that have none"
        )


def check_dimensions(given: int, known: int) -> None:
    """Refuse vectors of documents that have more or fewer dimensions than those of the model."""
    if given != known:
        raise DocumentsError(
            f"the vectors have {given:,} dimensions, but those of the model have {known:,}; use the "
            "encoder that made them"
        )


def cosines(vectors: NDArray[np.int16], centres: NDArray[np.int16]) -> Floats:
    """The cosine of each vector with each centre, all as `read_vectors` made them."""
    products = vectors.astype(np.float32) @ centres.astype(np.float32).T
    return np.asarray(products / float(LENGTH) ** 2, dtype=np.float64)
