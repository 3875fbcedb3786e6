"""Which documents repeat earlier ones: per document, the number of the first one with its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Ints


def check_originals(originals: Any, n_documents: int) -> Ints | None:
    """The checked numbers of the originals; None if every document is its own original."""
    if originals is None:
        return None
    numbers, own = np.asarray(originals), np.arange(n_documents)
    fits = numbers.shape == own.shape and numbers.dtype.kind in "iu"
    fits = fits and bool(((numbers >= 0) & (numbers <= own)).all())
    if not fits or (numbers[numbers] != numbers).any():
        raise DocumentsError(
            "originals must hold, for each document, the number of the first one with its text"
        )
    return None if (numbers == own).all() else numbers.astype(np.int64)


def originals_among(originals: Ints, chosen: NDArray[Any]) -> Ints:
    """The originals of chosen documents, as positions in `chosen`.

    If a document without repeats is chosen twice, each of the two is its own original.
    """
    repeated = np.bincount(originals)[originals[chosen]] > 1
    _, first, group = np.unique(originals[chosen], return_index=True, return_inverse=True)
    return np.where(repeated, first[group], np.arange(len(chosen)))
