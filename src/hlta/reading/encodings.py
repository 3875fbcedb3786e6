"""Files as bytes and bytes as text: decompressed, and decoded as given or as guessed."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Final

from hlta._support.checks import needing
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENERS: Final[dict[str, Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
COMPRESSED: Final = frozenset({*_OPENERS, ".zst"})
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_FOREIGN_SHARE: Final = 0.2  # of bytes above 127: with more, the alphabet is hardly a western one
_LEAST_TO_GUESS, _MOST_TO_GUESS = 40, 1 << 16  # bytes that an encoding is guessed from


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The last suffix of a file's name, in lower case."""
    return os.path.splitext(path)[1].lower()


def without_compression(path: str | os.PathLike[str]) -> str:
    """A file's name without a suffix such as .gz; other names stay as they are."""
    stem, suffix = os.path.splitext(path)
    return stem if suffix.lower() in COMPRESSED else os.fspath(path)


def kind_of(path: str | os.PathLike[str]) -> str:
    """The suffix that tells what a file holds, whether it is compressed or not.

    Examples
    --------
    >>> kind_of("abstracts.CSV.xz")
    '.csv'
    """
    return suffix_of(without_compression(path))


def open_bytes(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file; if its suffix tells that it is compressed, it is decompressed as it is read."""
    suffix = suffix_of(path)
    if suffix == ".zst":
        with needing(f"{path}: .zst files need zstandard", extra="zst", error=DocumentsError):
            import zstandard
        opened: IO[bytes] = zstandard.open(path, "rb")
        return opened
    file: IO[bytes] = _OPENERS.get(suffix, open)(path, "rb")
    return file


def damage(error: BaseException) -> str | None:
    """What is wrong with a compressed file, if that is what was raised; else None."""
    decompression = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
    if isinstance(error, decompression) or type(error).__name__ == "ZstdError":
        return str(error) or "it ends too early"
    return None


@contextmanager
def naming_damage(
    path: str | os.PathLike[str], *signs_of_damage: type[Exception]
) -> Iterator[None]:
    """Name the file in whatever goes wrong while it is opened, decompressed and read."""
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


def holds_text(start: bytes) -> bool:
    """Whether the first bytes of a file can be text: none is zero, or they are marked as UTF-16."""
    return b"\x00" not in start[:4096] or start[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}


def wide_decoder(start: bytes, encoding: str | None) -> codecs.IncrementalDecoder | None:
    """A decoder for UTF-16 and UTF-32, where a line break is more than the byte 10; else None."""
    codec = codecs.lookup(encoding or _marked(start) or "utf-8")
    wide = codec.name.startswith(("utf-16", "utf-32"))
    return codec.incrementaldecoder(errors="replace") if wide else None


def _marked(start: bytes) -> str | None:
    """The encoding that a byte order mark announces, if there is one."""
    return next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)


class Decoder:
    """Decodes the bytes of one source; a guess, once made, holds for the rest of it.

    Bytes that are not UTF-8 are decoded as Windows-1252, which includes Latin-1, unless many of
    them are above 127: then charset-normalizer guesses among all alphabets.
    """

    def __init__(self, encoding: str | None) -> None:
        self.encoding = encoding
        self._guess: str | None = None

    def text(self, data: bytes, where: str) -> str:
        """Decode bytes; an error says `where` they stand."""
        if self.encoding is not None:
            try:
                return data.decode(self.encoding)
            except UnicodeDecodeError as error:
                raise DocumentsError(
                    f"{where} is not {self.encoding}: byte {error.start:,} is "
                    f"{data[error.start]:#04x}; give the right encoding, or none to have it guessed"
                ) from None
        if self._guess is None:
            self._guess = _marked(data)
        if self._guess in {None, "utf-8-sig"}:
            try:
                return data.decode("utf-8-sig" if self._guess else "utf-8")
            except UnicodeDecodeError:
                self._guess = _guess(data)
        return data.decode(self._guess or "cp1252", errors="replace")


def _guess(data: bytes) -> str:
    start = data[:_MOST_TO_GUESS]
    high = sum(byte > 127 for byte in start)
    if len(start) < _LEAST_TO_GUESS or high < _FOREIGN_SHARE * len(start):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(start).best()
    return best.encoding if best is not None else "cp1252"
