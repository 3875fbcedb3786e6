"""Files as bytes, decompressed as they are read; damaged files and bombs are refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Final

from hlta._support.checks import needing
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

COMPRESSED: Final = frozenset({".gz", ".xz", ".bz2", ".zst"})
START: Final = 1 << 16
"""The number of first bytes of a file by which its kind is recognised."""
MOST_RATIO: Final = 200
"""The largest ratio of unpacked to packed bytes, for files that unpack to more than any file may."""
_ALWAYS_UNPACKED: Final = 1 << 26  # bytes
_MOST_RATIO_WHOLE: Final = 30  # the same for files that are in memory as a whole, in a larger form
_ALWAYS_UNPACKED_WHOLE: Final = 1 << 24  # bytes
_LONGEST_DOCUMENT: Final = 1 << 26  # bytes
_UNPACKED: Final = 1 << 16  # bytes that are unpacked at a time, except from .zst
_PACKED: Final = 1 << 12  # bytes read at a time; of .zst, they are at most 128 MB unpacked


class _BombError(Exception):
    """A file unpacks to many times its size."""


class _DamageError(Exception):
    """A stream cannot be unpacked."""


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The last suffix of a file's name, in lower case."""
    return os.path.splitext(path)[1].lower()


def without_compression(path: str | os.PathLike[str]) -> str:
    """A file's name without a suffix such as .gz; other names are unchanged."""
    stem, suffix = os.path.splitext(path)
    return stem if suffix.lower() in COMPRESSED else os.fspath(path)


def kind_of(path: str | os.PathLike[str]) -> str:
    """The suffix of a file's format, without that of its compression.

    Examples
    --------
    >>> kind_of("abstracts.CSV.xz")
    '.csv'
    """
    return suffix_of(without_compression(path))


def open_bytes(path: str | os.PathLike[str], *, whole: bool = False) -> IO[bytes]:
    """Open a file; if its suffix says that it is compressed, it is decompressed as it is read.

    The limit on what is unpacked is lower for a file that will be in memory as a `whole`.
    """
    suffix = suffix_of(path)
    if suffix not in COMPRESSED:
        return open(path, "rb")
    always, ratio = (
        (_ALWAYS_UNPACKED_WHOLE, _MOST_RATIO_WHOLE) if whole else (_ALWAYS_UNPACKED, MOST_RATIO)
    )
    chunks = _of_gzip(path) if suffix == ".gz" else _of_streams(path, _beginning(path, suffix))
    most = max(always, ratio * os.path.getsize(path))
    return io.BufferedReader(_Unpacked(chunks, most, ratio))


@contextmanager
def with_start(
    path: str | os.PathLike[str], *, whole: bool = False
) -> Iterator[tuple[IO[bytes], bytes]]:
    """A file, opened as by `open_bytes`, and its first bytes, which the file still returns."""
    with open_bytes(path, whole=whole) as unpacked:
        file = io.BufferedReader(unpacked, START)  # type: ignore[type-var]
        yield file, file.peek(START)


def check_regular(path: str | os.PathLike[str]) -> None:
    """Refuse pipes, devices and the like, which may never end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise DocumentsError("it is not a regular file; only those are read from a folder")


def read_document(file: IO[bytes]) -> bytes:
    """All bytes of a file that holds a single document; refuses too many bytes for one."""
    data = file.read(_LONGEST_DOCUMENT + 1)
    if len(data) > _LONGEST_DOCUMENT:
        raise DocumentsError(
            f"it holds more than {_LONGEST_DOCUMENT >> 20} MB, too much for a single document"
        )
    return data


def damage(error: BaseException) -> str | None:
    """What is wrong with a compressed file, if the error is about that; else None."""
    known = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error, _BombError, _DamageError)
    if isinstance(error, known) or type(error).__name__ == "ZstdError":
        return str(error) or "it ends too early"
    return None


@contextmanager
def naming_damage(
    path: str | os.PathLike[str], *signs_of_damage: type[Exception]
) -> Iterator[None]:
    """Name the file in errors of opening, unpacking and reading it, and in those that mean damage."""
    try:
        yield
    except DocumentsError:
        raise
    except Exception as error:
        name, problem = os.fspath(path), damage(error)
        if problem is not None or isinstance(error, signs_of_damage):
            raise DocumentsError(f"{name!r} is damaged: {problem or error}") from None
        if isinstance(error, OSError):
            raise DocumentsError(f"{name!r} cannot be read: {error.strerror or error}") from None
        raise


class _Unpacked(io.RawIOBase):
    """What a file unpacks to, at most `most` bytes, which are `ratio` times its size if it is large."""

    def __init__(self, chunks: Generator[bytes], most: int, ratio: int) -> None:
        self._chunks, self._left, self._ratio = chunks, most, ratio
        self._waiting = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._waiting = self._waiting or memoryview(next(self._chunks, b""))
        count = min(len(buffer), len(self._waiting))
        buffer[:count] = self._waiting[:count]
        self._waiting = self._waiting[count:]
        self._left -= count
        if self._left < 0:
            raise _BombError(
                f"it unpacks to more than {self._ratio} times its size; unpack it yourself to read it"
            )
        return count

    def close(self) -> None:
        self._chunks.close()
        super().close()


def _of_gzip(path: str | os.PathLike[str]) -> Generator[bytes]:
    with gzip.GzipFile(path) as file:
        while chunk := file.read1(_UNPACKED):
            yield chunk


def _of_streams(path: str | os.PathLike[str], begin: Callable[[], Any]) -> Generator[bytes]:
    """What the streams of a file unpack to; zeros may follow them.

    Unlike the packages' own readers, it raises an error if the last stream is cut off, or if anything
    else follows, such as a stream whose beginning is damaged.
    """
    stream: Any = None
    with open(path, "rb") as file:
        while packed := file.read(_PACKED):
            while stream is not None or (packed := packed.lstrip(b"\0")):
                stream = stream or begin()
                limits = (_UNPACKED,) if hasattr(stream, "needs_input") else ()
                try:
                    chunk = stream.decompress(packed, *limits)
                except OSError as error:  # from bz2, about the data: it does not read files here
                    raise _DamageError(str(error)) from None
                if chunk:
                    yield chunk
                packed = b""
                if stream.eof:
                    packed, stream = stream.unused_data, None
                elif getattr(stream, "needs_input", True):
                    break
    if stream is not None:
        raise EOFError


def _beginning(path: str | os.PathLike[str], suffix: str) -> Callable[[], Any]:
    """The function that makes a decompressor, one for each stream."""
    if suffix == ".xz":
        return lzma.LZMADecompressor
    if suffix == ".bz2":
        return bz2.BZ2Decompressor
    with needing(f"{path}: .zst files need zstandard", extra="zst", error=DocumentsError):
        import zstandard
    made: Callable[[], Any] = zstandard.ZstdDecompressor().decompressobj
    return made
