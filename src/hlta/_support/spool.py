"""Arrays that grow while documents are read; above some size they go to a temporary file."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

IN_MEMORY: Final = 1 << 27  # bytes of each array


class Spool:
    """An array that is written in parts and read at the end."""

    def __init__(self, dtype: Any) -> None:
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
        self._parts.append(part)
        self._bytes += part.nbytes
        if self._file is None and self._bytes > IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed on leaving)
        if self._file is not None:
            for waiting in self._parts:
                self._file.write(waiting.tobytes())
            self._parts.clear()

    def read(self) -> NDArray[Any]:
        """Everything; of a file it is mapped, and outlives the file."""
        if self._file is None:
            return np.concatenate([np.empty(0, dtype=self._dtype), *self._parts])
        self._file.flush()
        mapped = mmap.mmap(self._file.fileno(), self._bytes, access=mmap.ACCESS_WRITE)
        return np.frombuffer(mapped, dtype=self._dtype)


class Parts:
    """Arrays that are kept one by one and read in order; beyond some size they lie on disk."""

    def __init__(self, dtype: Any) -> None:
        self._dtype = np.dtype(dtype)
        self._arrays: list[NDArray[Any]] = []
        self._lengths: list[int] = []
        self._file: Any = None

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def size(self) -> int:
        """How long all of them are together."""
        return sum(self._lengths)

    def append(self, part: NDArray[Any]) -> None:
        self._lengths.append(len(part))
        if self._file is None and self.size * self._dtype.itemsize > IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed when it is let go)
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
        begin = 0
        for length in self._lengths:
            self._file.seek(begin * self._dtype.itemsize)
            yield np.fromfile(self._file, dtype=self._dtype, count=length)
            begin += length
