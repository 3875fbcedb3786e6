"""Many strings in two arrays, which may lie on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from hlta._support.arrays import ranges
from hlta._support.spool import Spool
from hlta.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Ints

_AT_ONCE: Final = 1 << 16  # strings encoded or decoded together


class Strings(Sequence[str]):
    """Many strings in two arrays, which may lie on disk.

    data  uint8 (bytes,): all strings in UTF-8, one after the other
    ends  int64 (strings,): where each string ends in `data`
    """

    def __init__(self, data: NDArray[np.uint8], ends: Ints) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, values: Iterable[str]) -> Strings:
        """Encode strings; beyond some size, they are in a temporary file."""
        writer = StringsWriter()
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
        return _decode(self.data[begin : int(self.ends[k])].tobytes())

    def __iter__(self) -> Iterator[str]:
        begin = 0
        for first, last in ranges(len(self), _AT_ONCE):
            ends = self.ends[first:last].tolist()
            data = self.data[begin : ends[-1]].tobytes()
            for a, b in pairwise([begin, *ends]):
                yield _decode(data[a - begin : b - begin])
            begin = ends[-1]

    def __repr__(self) -> str:
        return f"Strings({len(self):,})"

    def size(self, rows: Ints) -> int:
        """How many bytes the strings with these numbers have together."""
        return int((self.ends[rows] - np.where(rows > 0, self.ends[rows - 1], 0)).sum())

    def take(self, rows: NDArray[np.integer[Any]]) -> Strings:
        """The strings with these numbers, in this order."""
        return Strings.of(self[int(k)] for k in rows)


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        with suppress(UnicodeDecodeError):  # older corpora may hold lone surrogates
            return data.decode("utf-8", "surrogatepass").encode("utf-8", "replace").decode()
        raise FormatError(
            f"a string of a saved corpus is damaged: {error}; use another copy of the corpus, or save "
            "it again"
        ) from None


class StringsWriter:
    """Collects strings one by one; they become `Strings` at the end."""

    def __init__(self) -> None:
        self._data, self._ends = Spool(np.uint8), Spool(np.int64)
        self._encoded: list[bytes] = []
        self._new_ends: list[int] = []
        self._end = 0

    def append(self, value: str) -> None:
        """Add a string; a lone surrogate, which UTF-8 cannot encode, becomes a question mark."""
        data = value.encode("utf-8", "replace")
        self._encoded.append(data)
        self._end += len(data)
        self._new_ends.append(self._end)
        if len(self._new_ends) >= _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        self._data.write(np.frombuffer(b"".join(self._encoded), dtype=np.uint8))
        self._ends.write(np.array(self._new_ends, dtype=np.int64))
        self._encoded.clear()
        self._new_ends.clear()

    def read(self) -> Strings:
        """All strings, in the order in which they were added."""
        self._flush()
        return Strings(self._data.read(), self._ends.read())


def beginning(text: str, characters: int) -> str:
    """The first characters of a text, cut at a space if one is near, with … if more follows.

    Examples
    --------
    >>> beginning("deep neural networks", 14)
    'deep neural …'
    """
    if len(text) <= characters:
        return text
    whole_words, _, cut_word = text[:characters].rpartition(" ")
    at_space = whole_words and len(cut_word) < characters // 4
    return (whole_words if at_space else text[:characters]) + " …"


def with_title(title: str, body: str) -> str:
    """The body after its title, if it has one, and an empty line, which no phrase spans."""
    return f"{title}\n\n{body}" if title else body


def is_words(document: Any) -> bool:
    """Whether a document is a list of words."""
    return isinstance(document, (list, tuple)) and all(isinstance(word, str) for word in document)


def as_text(document: Any) -> Any:
    """A list of words, joined by spaces, with _ for spaces within words; other values unchanged."""
    if not is_words(document):
        return document
    return " ".join("_".join(word.split()) for word in document)
