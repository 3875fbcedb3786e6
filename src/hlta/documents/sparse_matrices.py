"""SciPy's sparse matrices, checked before compiled code reads their arrays.

SciPy trusts the arrays of a matrix, and its flags: an index out of bounds crashes the process.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import sparray

    from hlta._support.arrays import Ints


def check_matrix(matrix: Any) -> sparray:
    """The same matrix as a new CSR, CSC, BSR or COO array, whose arrays fit each other and the shape.

    Its rows may be unsorted, and may hold duplicate entries. Arrays are shared where their types fit.
    """
    from scipy.sparse import bsr_array, coo_array, csc_array, csr_array

    n_rows, n_columns = map(int, matrix.shape)
    shape = (n_rows, n_columns)
    kind = matrix.format
    if kind == "csr":
        return csr_array(_check_compressed(_arrays(matrix), shape), shape=shape)
    if kind == "lil":
        return csr_array(_check_compressed(_flat(matrix), shape), shape=shape)
    if kind == "csc":
        return csc_array(_check_compressed(_arrays(matrix), (n_columns, n_rows)), shape=shape)
    if kind == "bsr":
        height, width = matrix.data.shape[1:] if np.ndim(matrix.data) == 3 else (0, 0)
        if not height or not width or n_rows % height or n_columns % width:
            raise _damage("its blocks do not divide its shape")
        blocks = (n_rows // height, n_columns // width)
        return bsr_array(_check_compressed(_arrays(matrix), blocks, dimensions=3), shape=shape)
    if kind not in _COORDINATES:
        raise DocumentsError(f"the sparse matrix is in the format {kind!r}; use its method tocsr()")
    given_rows, given_columns, given_values = _COORDINATES[kind](matrix)
    rows, columns = _within(given_rows, n_rows, "row"), _within(given_columns, n_columns, "column")
    values = _numeric(given_values)
    if not len(rows) == len(columns) == len(values):
        raise _damage(
            f"it has {len(rows):,} row numbers, {len(columns):,} column numbers and "
            f"{len(values):,} values"
        )
    return coo_array((values, (rows, columns)), shape=shape)


def _arrays(matrix: Any) -> tuple[Any, Any, Any]:
    """Values, indices and pointers of CSR, CSC and BSR."""
    return matrix.data, matrix.indices, matrix.indptr


def _check_compressed(
    arrays: tuple[Any, Any, Any], shape: tuple[int, int], *, dimensions: int = 1
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Values, indices and pointers, checked, and cut after the last entry."""
    values, (n_major, n_minor) = _numeric(arrays[0], dimensions), shape
    numbers, indptr = _integers(arrays[1], "numbers"), _integers(arrays[2], "pointers")
    if len(indptr) != n_major + 1:
        raise _damage(f"it has {len(indptr):,} pointers, not {n_major + 1:,}")
    if indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any() or indptr[-1] > len(numbers):
        raise _damage("its row pointers do not ascend from 0 to the number of its entries")
    end = int(indptr[-1])
    if len(values) < end:
        raise _damage(f"it has {len(values):,} values for {end:,} entries")
    return values[:end], _within(numbers[:end], n_minor, "column"), indptr


def _entries_of_coo(matrix: Any) -> tuple[Any, Any, NDArray[Any]]:
    """Rows, columns and values of COO."""
    return (*matrix.coords, matrix.data)


def _diagonal(matrix: Any) -> tuple[Any, Any, NDArray[Any]]:
    """Rows, columns and values of DIA: entry j of a diagonal is in column j."""
    n_rows, n_columns = matrix.shape
    shifts = _integers(matrix.offsets, "offsets")
    if np.ndim(matrix.data) != 2 or len(matrix.data) != len(shifts):
        diagonals = len(np.atleast_1d(matrix.data))
        raise _damage(f"it has {diagonals:,} diagonals and {len(shifts):,} offsets")
    inside = (shifts > -n_rows) & (shifts < n_columns)
    data = matrix.data[inside, :n_columns]
    columns = np.broadcast_to(np.arange(data.shape[1]), data.shape)
    rows = columns - shifts[inside].astype(np.int64)[:, None]
    exist = (rows >= 0) & (rows < n_rows)
    return rows[exist], columns[exist], data[exist]


def _entries_of_dok(matrix: Any) -> tuple[Any, Any, NDArray[Any]]:
    """Rows, columns and values of DOK, a dictionary."""
    places = np.array(list(matrix.keys()) or np.empty((0, 2), dtype=np.int64))
    if places.ndim != 2:
        raise _damage("its keys are not pairs of whole numbers")
    return (*places.T, np.array(list(matrix.values())))


_COORDINATES: Final = {"coo": _entries_of_coo, "dia": _diagonal, "dok": _entries_of_dok}


def _flat(matrix: Any) -> tuple[Any, Any, Ints]:
    """Values, indices and pointers of LIL, which has a list of columns and one of values per row."""
    if not all(isinstance(row, list) for row in (*matrix.rows, *matrix.data)):
        raise _damage("its rows are not lists")
    lengths = [len(row) for row in matrix.rows]
    if lengths != [len(row) for row in matrix.data]:
        raise _damage("its rows do not have as many columns as values")
    try:
        values, columns = (np.array([*chain.from_iterable(x)]) for x in (matrix.data, matrix.rows))
    except ValueError:
        raise _damage("its rows hold values that are not numbers") from None
    return values, columns, offsets(lengths)


def _numeric(values: Any, dimensions: int = 1) -> NDArray[Any]:
    """Values as an array of a number type that SciPy's compiled code takes."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise DocumentsError(f"documents must hold numbers, not values of dtype {array.dtype}")
    if array.ndim != dimensions:
        raise _damage(f"its values are an array of {array.ndim} dimensions, not {dimensions}")
    if array.dtype.kind == "f" and array.dtype.itemsize < 4:
        return array.astype(np.float32)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _within(numbers: Any, count: int, axis: str) -> NDArray[Any]:
    """Row or column numbers, all of which must be from 0 to `count` - 1."""
    array = _integers(numbers, f"{axis} numbers")
    if len(array) and not 0 <= int(array.min()) <= int(array.max()) < count:
        raise _damage(
            f"it holds {axis} numbers from {array.min()} to {array.max()}, but has {count:,} {axis}s"
        )
    return array


def _integers(values: Any, what: str) -> NDArray[Any]:
    """A vector of integers as int32 or int64, which SciPy's compiled code takes."""
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise _damage(f"its {what} are not a vector of whole numbers")
    if array.dtype in (np.int32, np.int64):
        return array
    if int(array.max()) >= 2**63:
        raise _damage(f"its {what} go up to {array.max()}")
    return array.astype(np.int64)


def _damage(problem: str) -> DocumentsError:
    return DocumentsError(f"the sparse matrix is damaged: {problem}")
