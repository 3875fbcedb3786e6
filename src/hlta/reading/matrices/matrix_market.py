"""MatrixMarket files: coordinate and array; integer, real and pattern; general and symmetric."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from hlta.errors import DocumentsError
from hlta.reading.matrices.number_text import check_announced, check_places, numbers, table

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_FORMATS: Final = ("coordinate", "array")
_SYMMETRIES: Final = ("general", "symmetric")
_TYPES: Final = {
    "integer": np.int64,
    "unsigned-integer": np.int64,
    "real": np.float64,
    "double": np.float64,
}


class _Head(NamedTuple):
    """The first line of a file, and the line of sizes."""

    layout: str  # "coordinate" or "array"
    field: str  # what the values are, or "pattern"
    symmetric: bool
    sizes: list[int]  # rows, columns and, of coordinates, entries
    lines: int  # how many lines come before the values


def read_matrix_market(file: IO[bytes], path: Path) -> csr_array:
    """Read the matrix in an open file; `path` is its name in messages."""
    head = _read_head(file, path)
    read = _read_coordinates if head.layout == "coordinate" else _read_array
    return read(file.read(), head, path)


def _read_head(file: IO[bytes], path: Path) -> _Head:
    first = file.readline().decode("latin-1").lower().split()
    if first[:2] != ["%%matrixmarket", "matrix"] or len(first) != 5:
        raise DocumentsError(f"{str(path)!r} does not begin with %%MatrixMarket matrix")
    layout, field, symmetry = first[2:]
    fields = [*_TYPES, *(["pattern"] if layout == "coordinate" else [])]
    for value, known in ((layout, _FORMATS), (field, fields), (symmetry, _SYMMETRIES)):
        if value not in known:
            raise DocumentsError(
                f"{str(path)!r}: {value!r:.80} matrices are not read, only {', '.join(known)}"
            )
    lines = 1
    while line := file.readline():
        lines += 1
        if line.strip() and not line.startswith(b"%"):
            break
    sizes = numbers(line.split(), f"{str(path)!r}, line {lines},").tolist()
    wanted = 3 if layout == "coordinate" else 2
    if len(sizes) != wanted or min(sizes) < 0:
        raise DocumentsError(
            f"{str(path)!r}, line {lines}, must be {wanted} whole numbers, the sizes of the matrix"
        )
    symmetric = symmetry == "symmetric"
    if symmetric and sizes[0] != sizes[1]:
        raise DocumentsError(
            f"{str(path)!r} is symmetric, but has {sizes[0]} rows and {sizes[1]} columns"
        )
    return _Head(layout, field, symmetric, sizes, lines)


def _read_coordinates(data: bytes, head: _Head, path: Path) -> csr_array:
    n_rows, n_columns, n_entries = head.sizes
    if head.field == "pattern":
        row, column = table(data, path, n_entries, columns=2)
        values: NDArray[np.int64 | np.float64] = np.ones(n_entries, dtype=np.int64)
    else:
        row, column, values = table(data, path, n_entries, last=_TYPES[head.field])
    check_places(row, n_rows, "row", path, head.lines)
    check_places(column, n_columns, "column", path, head.lines)
    check_announced(n_rows, n_entries, path)
    if head.symmetric:
        mirrored = row != column
        row, column, values = (
            np.concatenate((row, column[mirrored])),
            np.concatenate((column, row[mirrored])),
            np.concatenate((values, values[mirrored])),
        )
    return coo_array((values, (row - 1, column - 1)), shape=(n_rows, n_columns)).tocsr()


def _read_array(data: bytes, head: _Head, path: Path) -> csr_array:
    """All values, column by column; of a symmetric matrix those on and below the diagonal."""
    n_rows, n_columns = head.sizes
    n_values = n_rows * (n_rows + 1) // 2 if head.symmetric else n_rows * n_columns
    check_announced(n_rows, n_values, path)
    (values,) = table(data, path, n_values, columns=1, last=_TYPES[head.field])
    if not head.symmetric:
        return csr_array(values.reshape(n_columns, n_rows).T)
    upper = np.zeros((n_rows, n_rows), dtype=values.dtype)
    upper[np.triu_indices(n_rows)] = values
    return csr_array(upper + np.triu(upper, 1).T)
