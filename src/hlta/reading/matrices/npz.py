"""SciPy's .npz files: the arrays of a sparse matrix, checked before SciPy sees them."""

from __future__ import annotations

import os
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array

from hlta._support.array_archives import check_unpacked, read_npy
from hlta.documents.sparse_matrices import checked
from hlta.errors import DocumentsError
from hlta.reading.matrices.text_formats import check_announced

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_COMPRESSED: Final = ("data", "indices", "indptr")
_PARTS: Final = {
    **dict.fromkeys(("csr", "csc", "bsr"), _COMPRESSED),
    "coo": ("data", "row", "col"),
    "dia": ("data", "offsets"),
}
"""The arrays of each format."""


def read_npz(path: Path) -> tuple[csr_array, tuple[str, ...] | None]:
    """The matrix, and the names of its columns if they are in an array `words`."""
    arrays: dict[str, Any] = read_arrays(path)
    words = arrays.pop("words", None)
    if words is not None and (words.dtype.kind != "U" or words.ndim != 1):
        raise DocumentsError(f"{str(path)!r} is damaged: its words are not a list of strings")
    missing = {"format", "shape"} - arrays.keys()
    kind = "" if missing else arrays["format"].item()
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
    missing |= set(_PARTS.get(kind, ())) - arrays.keys()
    if missing or kind not in _PARTS:
        problem = f"it has no array {min(missing)!r}" if missing else f"its format is {kind!r:.80}"
        raise DocumentsError(f"{str(path)!r} is not a sparse matrix of SciPy: {problem}")
    shape = arrays["shape"].tolist()
    if np.shape(shape) != (2,) or not all(isinstance(n, int) and n >= 0 for n in shape):
        raise DocumentsError(f"{str(path)!r} is damaged: its shape is {shape!r:.80}")
    check_announced(shape[0], arrays["data"].size, path)
    parts = {name: arrays[name] for name in _PARTS[kind]}
    if kind == "coo":
        parts = {"data": parts["data"], "coords": (parts["row"], parts["col"])}
    matrix = checked(SimpleNamespace(format=kind, shape=shape, **parts))
    if matrix.dtype.kind in "biu":
        matrix = matrix.astype(np.int64)  # so that no sum of entries of one place wraps
    counts = csr_array(matrix)
    counts.sum_duplicates()
    return counts, None if words is None else tuple(words.tolist())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an archive of NumPy by their names."""
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                check_unpacked(archive, os.fstat(file.fileno()).st_size)
                return {
                    name.removesuffix(".npy"): read_npy(archive, name)
                    for name in archive.namelist()
                }
        except Exception as error:  # whatever a zip reader finds wrong
            raise DocumentsError(f"{str(path)!r} is damaged: {error}") from None
