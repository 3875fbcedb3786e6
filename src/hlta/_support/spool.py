"""Arrays that grow with the number of documents: beyond some size they are in temporary files."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

IN_MEMORY: Final = 1 << 27  # bytes of each spool


class Spool:
    """Arrays of one type that are written one by one, then read one by one or as a whole."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._parts: list[NDArray[Any]] = []
        self._lengths: list[int] = []
        self._bytes = 0
        self._file: Any = None

    def write(self, part: NDArray[Any]) -> None:
        """Append a part, which must not change afterwards."""
        self._parts.append(part)
        self._lengths.append(len(part))
        self._bytes += part.nbytes
        if self._file is None and self._bytes > IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        if self._file is not None:
            self._file.seek(0, os.SEEK_END)
            for waiting in self._parts:
                self._file.write(np.ascontiguousarray(waiting).data)
            self._parts.clear()

    def __iter__(self) -> Iterator[NDArray[Any]]:
        if self._file is None:
            yield from self._parts
            return
        begin = 0
        for length in self._lengths:
            self._file.seek(begin)  # another iterator may have moved the position
            yield np.fromfile(self._file, dtype=self._dtype, count=length)
            begin += length * self._dtype.itemsize

    def read(self) -> NDArray[Any]:
        """All parts as one array, memory-mapped from the file if there is one; it outlives the file."""
        if self._file is None:
            return np.concatenate([np.empty(0, dtype=self._dtype), *self._parts])
        self._file.flush()
        mapped = mmap.mmap(self._file.fileno(), self._bytes, access=mmap.ACCESS_WRITE)
        return np.frombuffer(mapped, dtype=self._dtype)
