"""Shards: consecutive documents whose words are in two arrays, in memory or in files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from hlta._support.arrays import ranges
from hlta._support.writing import replacing
from hlta.errors import DocumentsError, FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Ints

Stamp: TypeAlias = "tuple[tuple[int, int], ...]"
_AT_ONCE: Final = 1 << 22  # presences that are compared together
_MOST_MAPPED: Final = 128  # shards that stay mapped; each holds two files open


class Presences(NamedTuple):
    """Which words each document contains, in compressed rows; every entry is a presence.

    It is also a shard, whose arrays are in memory or mapped.

    indptr   int64 (documents + 1,): document d owns `indices[indptr[d]:indptr[d + 1]]`
    indices  uint32 (presences,): word numbers, ascending in each document
    """

    indptr: Ints
    indices: NDArray[np.uint32]

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return len(self.indptr) - 1

    @property
    def n_presences(self) -> int:
        """How many presences they have."""
        return len(self.indices)

    def presences(self) -> Presences:
        """Itself."""
        return self


@dataclass(frozen=True)
class StoredShard:
    """A shard in two files, which are mapped when they are needed.

    folder, name      where the files are, and how their names begin
    n_documents, n_presences, n_words
                      the numbers that the files must have
    stamp             the size and modification time of each file
    """

    folder: str
    name: str
    n_documents: int
    n_presences: int
    n_words: int
    stamp: Stamp

    @classmethod
    def of_files(
        cls, folder: str, name: str, n_documents: int, n_presences: int, n_words: int
    ) -> StoredShard:
        """The shard in these files, with their current stamp."""
        return cls(folder, name, n_documents, n_presences, n_words, _stamp(folder, name))

    def presences(self) -> Presences:
        """Map the files; the most recently used shards stay mapped."""
        try:
            return self.verify()
        except (OSError, ValueError) as error:
            raise FormatError(
                f"a shard of the corpus {self.folder!r} cannot be read: {error}; load the corpus again, "
                "or use another copy of it"
            ) from None

    def verify(self) -> Presences:
        """The same, but raises ValueError or OSError if the files have changed or are damaged.

        Their stamp is compared at each call: reading a mapped file that was truncated kills the process.
        """
        for file, found, expected in zip(
            _files(self.name), _stamp(self.folder, self.name), self.stamp, strict=True
        ):
            check(found == expected, f"{file} has changed meanwhile")
        return _map_arrays(self)


Shard: TypeAlias = Presences | StoredShard
"""Consecutive documents."""


def write_shard(folder: Path, name: str, presences: Presences) -> None:
    """Write the two files of a shard."""
    for array_name, array in presences._asdict().items():
        write_array(folder / f"{name}{array_name}.npy", array)


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write a file of NumPy, little-endian."""
    little_endian = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    with replacing(path) as opened:
        # NumPy then calls `write`, whose errors give the cause, such as a full disk, and not `tofile`.
        file = SimpleNamespace(write=opened.write)
        np.save(file, little_endian, allow_pickle=False)


def map_array(folder: Path, name: str, dtype: str, dimensions: int = 1) -> NDArray[Any]:
    """Map an array that `write_array` wrote; raises ValueError if the file is anything else."""
    path = folder / f"{name}.npy"
    check(path.is_file(), f"there is no file {path.name}")
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except OSError:
        raise
    except Exception as error:  # any error of NumPy in the header of the file
        raise ValueError(f"{path.name} is not a whole array of NumPy ({error})") from None
    check(
        array.dtype == np.dtype(dtype) and array.ndim == dimensions,
        f"{path.name} is not a {('one', 'two')[dimensions - 1]}-dimensional array of {dtype}",
    )
    size, wanted = path.stat().st_size, array.offset + array.nbytes
    check(size == wanted, f"{path.name} has {size:,} bytes, its array {wanted:,}")
    return array


def check(condition: bool, problem: str) -> None:
    """Raise ValueError with `problem` unless the condition holds."""
    if not condition:
        raise ValueError(problem)


def check_presences(presences: Presences, n_words: int) -> None:
    """Refuse arrays that are not documents over `n_words` words; they are not checked again."""
    indptr, indices = presences
    for name, array, dtype in (("indptr", indptr, np.int64), ("indices", indices, np.uint32)):
        if (
            getattr(array, "dtype", None) != dtype
            or array.ndim != 1
            or not array.flags.c_contiguous
        ):
            raise DocumentsError(f"{name} must be a contiguous vector of {dtype.__name__}")
    if not len(indptr) or indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
        raise DocumentsError("indptr does not ascend from 0")
    if indptr[-1] != len(indices):
        raise DocumentsError(f"indptr ends at {indptr[-1]:,} instead of {len(indices):,}")
    if not ascending(indptr, indices):
        raise DocumentsError("the word numbers of each document must be distinct and ascending")
    if len(indices) and (most := int(indices.max())) >= n_words:
        raise DocumentsError(f"there is a word number {most:,}, but {n_words:,} words")


def ascending(indptr: NDArray[Any], numbers: NDArray[Any]) -> bool:
    """Whether the numbers ascend strictly in each row; in blocks, as they may be on disk."""
    for begin, end in ranges(len(numbers) - 1, _AT_ONCE):
        fall = numbers[begin + 1 : end + 1] <= numbers[begin:end]
        first, last = np.searchsorted(indptr, (begin + 1, end + 1))
        fall[indptr[first:last] - (begin + 1)] = False  # where a row begins
        if fall.any():
            return False
    return True


_sound: Final = set[StoredShard]()
"""The shards whose content this process has checked."""


@lru_cache(maxsize=_MOST_MAPPED)
def _map_arrays(shard: StoredShard) -> Presences:
    """The arrays of a shard, which are checked the first time that this process maps them."""
    folder, name = Path(shard.folder), shard.name
    presences = Presences(
        map_array(folder, f"{name}indptr", "<i8"), map_array(folder, f"{name}indices", "<u4")
    )
    if shard not in _sound:
        for array_name, array, wanted, what in (
            ("indptr", presences.indptr, shard.n_documents + 1, "documents"),
            ("indices", presences.indices, shard.n_presences, "presences"),
        ):
            check(len(array) == wanted, f"{name}{array_name} does not fit the number of {what}")
        try:
            check_presences(presences, shard.n_words)
        except DocumentsError as error:
            raise ValueError(f"in {name}indptr and {name}indices, {error}") from None
        _sound.add(shard)
    return presences


def _stamp(folder: str, name: str) -> Stamp:
    """The size and modification time of each file of a shard."""
    found = [os.stat(os.path.join(folder, file)) for file in _files(name)]
    return tuple((file.st_size, file.st_mtime_ns) for file in found)


def _files(name: str) -> list[str]:
    """The names of the files of a shard."""
    return [f"{name}{array}.npy" for array in Presences._fields]
