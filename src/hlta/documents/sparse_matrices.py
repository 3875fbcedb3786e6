"""SciPy's sparse matrices, checked before compiled code reads their arrays.

SciPy trusts the arrays of a matrix, and its flags: an index out of bounds crashes the process.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.arrays import offsets
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import sparray


def check_matrix(matrix: Any) -> sparray:
    """The same matrix as a new CSR, CSC, BSR or COO array, whose arrays fit each other and the shape.

    Its rows may be unsorted, and may hold duplicate entries. Arrays are shared where their types fit.
    """
    from scipy.sparse import bsr_array, coo_array, csc_array, csr_array, dia_array

    n_rows, n_columns = shape = tuple(map(int, matrix.shape))
    kind = matrix.format
    try:
        if kind == "dia":
            shifts = _whole(matrix.offsets)
            inside = (shifts > -n_rows) & (shifts < n_columns)
            diagonals = (_numeric(matrix.data)[inside], shifts[inside])
            return dia_array(diagonals, shape=shape).tocsr()
        if kind == "coo":
            places = tuple(map(_whole, matrix.coords))
            return coo_array((_numeric(matrix.data), places), shape=shape)
        if kind == "dok":
            matrix = matrix.tocsr()
        if kind == "lil":  # not by SciPy, which crashes if the lengths of its lists do not fit
            make, lists = csr_array, (matrix.data, matrix.rows)
            lengths, others = ([len(row) for row in part] for part in lists)
            if lengths != others:
                raise ValueError("its rows do not have as many columns as values")
            parts = (*(np.array([*chain.from_iterable(part)]) for part in lists), offsets(lengths))
        else:
            make = {"csr": csr_array, "csc": csc_array, "bsr": bsr_array}[matrix.format]
            parts = (matrix.data, matrix.indices, matrix.indptr)
        values, numbers, pointers = _numeric(parts[0]), _whole(parts[1]), _whole(parts[2])
        if kind == "bsr" and (n_rows % values.shape[1] or n_columns % values.shape[2]):
            raise ValueError("its blocks do not divide its shape")
        if (pointers[1:] < pointers[:-1]).any():  # SciPy looks at differences, which may wrap
            raise ValueError("its pointers do not ascend")
        found = make((values, numbers, pointers), shape=shape)
        found.check_format(full_check=True)
    except KeyError:
        raise DocumentsError(
            f"the sparse matrix is in the format {kind!r}; use its method tocsr()"
        ) from None
    except DocumentsError:
        raise
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise DocumentsError(f"the sparse matrix is damaged: {error}") from None
    return found


def _numeric(values: Any) -> NDArray[Any]:
    """Values as an array of a number type that SciPy's compiled code takes."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise DocumentsError(f"documents must hold numbers, not values of dtype {array.dtype}")
    if array.dtype.kind == "f" and array.dtype.itemsize < 4:
        return array.astype(np.float32)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _whole(numbers: Any) -> NDArray[Any]:
    """Whole numbers as int32 or int64, which SciPy's compiled code takes."""
    array = np.asarray(numbers)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError("its places are not whole numbers")
    return array if array.dtype in (np.int32, np.int64) else array.astype(np.int64)
