"""Many strings in two arrays, which may lie on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from hlta._support.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_AT_ONCE: Final = 1 << 16  # strings encoded or decoded together


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


def beginning(text: str, characters: int) -> str:
    """The first characters, up to a space if there is one nearby; with a sign that more follows."""
    if len(text) <= characters:
        return text
    short, _, rest = text[:characters].rpartition(" ")
    return (short if short and len(rest) < characters // 4 else text[:characters]) + " …"
