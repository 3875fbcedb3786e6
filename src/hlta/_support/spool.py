"""Arrays that grow while documents are read; beyond some size they go to a temporary file."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

IN_MEMORY: Final = 1 << 27  # bytes of each array


class Spool:
    """An array that is written in parts and read as a whole at the end."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._parts: list[NDArray[Any]] = []
        self._bytes = 0
        self._file: Any = None

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, part: NDArray[Any]) -> None:
        """Append a part, which must not change afterwards."""
        self._parts.append(part)
        self._bytes += part.nbytes
        if self._file is None and self._bytes > IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed on leaving)
        if self._file is not None:
            for waiting in self._parts:
                self._file.write(waiting.tobytes())
            self._parts.clear()

    def read(self) -> NDArray[Any]:
        """All parts as one array; a file is mapped, and the array outlives it."""
        if self._file is None:
            return np.concatenate([np.empty(0, dtype=self._dtype), *self._parts])
        self._file.flush()
        mapped = mmap.mmap(self._file.fileno(), self._bytes, access=mmap.ACCESS_WRITE)
        return np.frombuffer(mapped, dtype=self._dtype)


class Parts:
    """Arrays that are appended and read one by one."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._arrays: list[NDArray[Any]] = []
        self._lengths: list[int] = []
        self._bytes = 0
        self._file: Any = None

    def append(self, part: NDArray[Any]) -> None:
        """Add an array, which must not change afterwards."""
        self._lengths.append(len(part))
        self._bytes += len(part) * self._dtype.itemsize
        if self._file is None and self._bytes > IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by finalize)
            weakref.finalize(self, self._file.close)
            for array in self._arrays:
                array.tofile(self._file)
            self._arrays.clear()
        if self._file is None:
            self._arrays.append(part)
        else:
            self._file.seek(0, os.SEEK_END)
            part.tofile(self._file)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        if self._file is None:
            yield from self._arrays
            return
        for begin, end in pairwise(offsets(np.array(self._lengths, dtype=np.int64)).tolist()):
            self._file.seek(begin * self._dtype.itemsize)
            yield np.fromfile(self._file, dtype=self._dtype, count=end - begin)
