"""Arrays that grow while documents are read; beyond some size they go to a temporary file."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

IN_MEMORY: Final = 1 << 27  # bytes of each array
_AT_ONCE: Final = 1 << 16


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


class Strings(Sequence[str]):
    """Many strings in two arrays, which may lie on disk.

    data  uint8: all of them in UTF-8, one after the other
    ends  int64 (strings,): where each ends
    """

    def __init__(self, data: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, values: Iterable[str]) -> Strings:
        with StringsWriter() as writer:
            for value in values:
                writer.append(value)
            return writer.read()

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = range(len(self))[index]
        begin = int(self.ends[k - 1]) if k else 0
        return self.data[begin : int(self.ends[k])].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        for k in range(0, len(self), _AT_ONCE):
            ends = self.ends[k : k + _AT_ONCE].tolist()
            begin = int(self.ends[k - 1]) if k else 0
            data = self.data[begin : ends[-1]].tobytes()
            at = 0
            for end in ends:
                yield data[at : end - begin].decode("utf-8", "surrogatepass")
                at = end - begin

    def __repr__(self) -> str:
        return f"Strings({len(self):,})"

    def take(self, rows: NDArray[np.integer[Any]]) -> Strings:
        """The given ones, in the given order."""
        return Strings.of(self[int(k)] for k in rows)


class StringsWriter:
    """Takes strings one after the other."""

    def __init__(self) -> None:
        self._data, self._ends = Spool(np.uint8), Spool(np.int64)
        self._waiting: list[bytes] = []
        self._lengths: list[int] = []
        self._end = 0

    def __enter__(self) -> StringsWriter:
        return self

    def __exit__(self, *what: object) -> None:
        self._data.__exit__(*what)
        self._ends.__exit__(*what)

    def append(self, value: str) -> None:
        data = value.encode("utf-8", "surrogatepass")
        self._waiting.append(data)
        self._end += len(data)
        self._lengths.append(self._end)
        if len(self._lengths) >= _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        self._data.write(np.frombuffer(b"".join(self._waiting), dtype=np.uint8))
        self._ends.write(np.array(self._lengths, dtype=np.int64))
        self._waiting.clear()
        self._lengths.clear()

    def read(self) -> Strings:
        self._flush()
        return Strings(self._data.read(), self._ends.read())
