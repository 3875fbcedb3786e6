"""Bytes as text: compressed or not, in the encoding given or the one they seem to be in."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import zlib
from typing import IO, Any, Final

from hlta.errors import DocumentsError

_OPENERS: Final[dict[str, Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
COMPRESSED: Final = frozenset({*_OPENERS, ".zst"})
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_FOREIGN: Final = 0.2  # with more bytes above 127 than this, it is hardly a western alphabet
_LITTLE, _ENOUGH = 40, 1 << 16  # bytes: too few to guess from, and as many as it takes


def suffix_of(path: str | os.PathLike[str]) -> str:
    """What a file's name ends in, in small letters."""
    return os.path.splitext(path)[1].lower()


def kind_of(path: str | os.PathLike[str]) -> str:
    """The suffix that says what a file holds; one of compression is passed over."""
    stem, suffix = os.path.splitext(path)
    return suffix_of(stem) if suffix.lower() in COMPRESSED else suffix.lower()


def open_bytes(path: str | os.PathLike[str]) -> IO[bytes]:
    """A file, decompressed as it is read if its name says that it is compressed."""
    suffix = suffix_of(path)
    if suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            raise DocumentsError(
                f"{path}: .zst files need zstandard; pip install 'hlta[zst]'"
            ) from None
        opened: IO[bytes] = zstandard.open(path, "rb")
        return opened
    file: IO[bytes] = _OPENERS.get(suffix, open)(path, "rb")
    return file


def damage(error: BaseException) -> str | None:
    """What is wrong with a compressed file, if that is what the error is about."""
    about = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
    if isinstance(error, about) or type(error).__name__ == "ZstdError":
        return str(error) or "it ends too early"
    return None


def holds_text(start: bytes) -> bool:
    """Whether bytes that a file begins with can be text: there is no zero in it, or it has a mark."""
    return b"\x00" not in start[:4096] or start[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}


def wide_decoder(start: bytes, encoding: str | None) -> codecs.IncrementalDecoder | None:
    """For encodings in which a line break is more than the byte 10: UTF-16 and UTF-32."""
    if encoding is None:
        encoding = next((_MARKS[mark] for mark in _MARKS if start.startswith(mark)), "")
    name = encoding.lower().replace("_", "-")
    if name.startswith(("utf-16", "utf-32", "utf16", "utf32")):
        return codecs.getincrementaldecoder(name)(errors="replace")
    return None


class Decoder:
    """Turns the bytes of one source into text; a guess, once made, holds for all of it.

    What is not UTF-8 is taken for Windows-1252, in which any Latin-1 reads well, unless most of
    it lies above 127: then charset-normalizer guesses among the alphabets of the world.
    """

    def __init__(self, encoding: str | None) -> None:
        self.encoding = encoding
        self._guess: str | None = None

    def text(self, data: bytes, where: str) -> str:
        """The text of some bytes; `where` they stand is said if they cannot be decoded."""
        if self.encoding is not None:
            try:
                return data.decode(self.encoding)
            except UnicodeDecodeError as error:
                raise DocumentsError(
                    f"{where} is not {self.encoding}: byte {error.start:,} is "
                    f"{data[error.start]:#04x}; give its encoding, or none to have it guessed"
                ) from None
        if self._guess is None:
            mark = next((mark for mark in _MARKS if data.startswith(mark)), None)
            if mark is not None:
                self._guess = _MARKS[mark]
        if self._guess in {None, "utf-8-sig"}:
            try:
                return data.decode("utf-8-sig" if self._guess else "utf-8")
            except UnicodeDecodeError:
                self._guess = _guess(data)
        return data.decode(self._guess or "cp1252", errors="replace")


def _guess(data: bytes) -> str:
    start = data[:_ENOUGH]
    high = sum(byte > 127 for byte in start)
    if len(start) < _LITTLE or high < _FOREIGN * len(start):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(start).best()
    return best.encoding if best is not None else "cp1252"
