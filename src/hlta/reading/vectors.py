"""Files with vectors of documents: arrays of NumPy, and tables in Parquet or Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.errors import DocumentsError
from hlta.reading.matrices.matrix_files import read_arrays
from hlta.reading.sources import COLUMNAR
from hlta.reading.tables.columnar import read_frames

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus

_VECTORS: Final = ("vectors", "vector", "embeddings", "embedding")
_IDS: Final = ("ids", "id")


def with_vectors_of(corpus: Corpus, path: Path) -> Corpus:
    """The corpus with the vectors of a file.

    Rows are matched to documents by id if the file has ids; if not, they must be in the same order.

    Parameters
    ----------
    corpus
        The documents.
    path
        A file of NumPy, .npy, or .npz with `vectors` and perhaps `ids`; or a Parquet or Arrow file
        with a column `vector` of lists of numbers, and perhaps a column `id`.

    Raises
    ------
    DocumentsError
        If the file cannot be read, or does not fit the documents.
    """
    kind = path.suffix.lower()
    if kind == ".npy":
        vectors, ids = _map(path), None
    elif kind == ".npz":
        vectors, ids = _find_vectors(read_arrays(path), path)
    elif kind in COLUMNAR:
        vectors, ids = _find_vectors(_columns(path), path)
    else:
        raise DocumentsError(
            f"{str(path)!r} is no file of vectors; save the array as .npy with numpy.save, or as .npz "
            "or .parquet with the ids of the documents"
        )
    if ids is not None:
        vectors = vectors[_rows(corpus, ids, len(vectors), path)]
    try:
        return corpus.with_vectors(vectors)
    except DocumentsError as error:
        raise DocumentsError(f"{str(path)!r} does not fit the documents: {error}") from None


def _map(path: Path) -> NDArray[Any]:
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except OSError:
        raise
    except Exception as error:  # any that NumPy raises about the first bytes of a file
        raise DocumentsError(f"{str(path)!r} is not a whole array of numbers: {error}") from None


def _find_vectors(arrays: Mapping[str, Any], path: Path) -> tuple[NDArray[Any], list[str] | None]:
    """The vectors and the ids among named arrays."""
    vectors, ids = (
        next((arrays[name] for name in names if name in arrays), None) for names in (_VECTORS, _IDS)
    )
    if vectors is None:
        names = ", ".join(map(repr, _VECTORS))
        raise DocumentsError(f"{str(path)!r} has none of {names}; name the array or column so")
    if np.ndim(vectors) < 1:
        raise DocumentsError(
            f"{str(path)!r}: the vectors are a single value; give a row per document"
        )
    if ids is None:
        return vectors, None
    if np.ndim(ids) != 1:
        raise DocumentsError(f"{str(path)!r}: the ids have {np.ndim(ids)} dimensions; give a list")
    return vectors, [_name(one) for one in ids]


def _name(one: Any) -> str:
    return one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one)


def _columns(path: Path) -> dict[str, Any]:
    """The columns of a table that may hold vectors or ids."""
    import polars as pl

    def known(columns: Sequence[str]) -> list[str]:
        return [name for name in (*_VECTORS, *_IDS) if name in columns]

    frames = [frame for frame in read_frames(path, known) if frame.width]
    table = pl.concat(frames) if frames else pl.DataFrame()
    return {
        name: _as_array(table[name], path) if name in _VECTORS else table[name].to_list()
        for name in table.columns
    }


def _as_array(column: pl.Series, path: Path) -> NDArray[Any]:
    """A column of lists of numbers, as many in each row, as an array."""
    import polars as pl

    if (missing := column.null_count()) > 0:
        raise DocumentsError(
            f"column {column.name!r} of {str(path)!r} has no vector in {missing:,} rows; give one to "
            "every document"
        )
    try:
        width = len(column[0]) if len(column) else 0
        return column.cast(pl.Array(pl.Float64, width)).to_numpy()
    except (pl.exceptions.PolarsError, TypeError):
        raise DocumentsError(
            f"column {column.name!r} of {str(path)!r} does not hold a list of numbers in each row, as "
            "many in each"
        ) from None


def _rows(corpus: Corpus, ids: list[str], count: int, path: Path) -> list[int]:
    """The row of each document in a file of `count` vectors that have these ids."""
    name = f"the ids of {str(path)!r}"
    if len(ids) != count:
        raise DocumentsError(f"{name}: there are {len(ids):,} for {count:,} vectors; give one each")
    if corpus.ids is None:
        raise DocumentsError(
            f"{name}: the documents have none to find them by; leave the ids out if the vectors are in "
            "the order of the documents"
        )
    row = {one: number for number, one in enumerate(ids)}
    if len(row) < len(ids):
        twice = next(one for number, one in enumerate(ids) if row[one] != number)
        raise DocumentsError(f"{name}: {twice!r:.60} is there twice; give one vector each")
    missing = next((one for one in corpus.ids if one not in row), None)
    if missing is not None:
        first = f", and begin with {ids[0]!r:.60}" if ids else ""
        raise DocumentsError(
            f"{name} lack that of document {missing!r:.60}{first}; give a vector to every document"
        )
    return [row[one] for one in corpus.ids]
