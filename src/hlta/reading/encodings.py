"""Decoding of bytes, by an encoding that is given, marked by a byte order mark, or guessed."""

from __future__ import annotations

import codecs
import unicodedata
from typing import Any, Final

from hlta.errors import DocumentsError

UNKNOWN: Final = "\ufffd"
"""The character that replaces bytes that cannot be decoded."""
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WIDE: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_NOT_OF_FILES: Final = frozenset({"idna", "punycode", "undefined"})
_START: Final = 1 << 12  # bytes that tell whether a file holds text
_SPACES: Final = frozenset("\t\n\v\f\r")
_NO_CHARACTERS: Final = frozenset({"Cc", "Cn", "Co", "Cs"})  # controls, unassigned, private
# Damaged UTF-8 has at least so many valid characters beyond ASCII for each invalid one.
_FITTING: Final = 4
_NARROW: Final = 8  # bytes per zero byte: UTF-8 with stray zeros has more, ASCII in UTF-16 has two
_FOREIGN_SHARE: Final = 0.2  # of bytes above 127: from here on, the alphabet may be any
_LEAST_TO_GUESS, _MOST_TO_GUESS = 40, 1 << 16  # bytes that an encoding is guessed from


def codec_of(encoding: Any) -> str | None:
    """Python's name of an encoding that files may have; None for any other codec, such as rot13."""
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # raises an error for codecs that do not encode text
    except (LookupError, TypeError, ValueError):
        return None
    return None if name in _NOT_OF_FILES else name


def holds_text(start: bytes, encoding: str | None = None) -> bool:
    """Whether the first bytes of a file can be text: none is zero, or they are UTF-16 or UTF-32."""
    return b"\x00" not in start[:_START] or _wide_encoding(start, encoding) is not None


def _wide_encoding(start: bytes, encoding: str | None) -> str | None:
    """The form of UTF-16 or UTF-32 that text begins in, as given, marked or guessed; None for others."""
    marked = _read_mark(start)
    name = marked if encoding is None else codecs.lookup(encoding).name
    if name is None:
        return None if _is_narrow(start[:_START]) else _guess_width(start, _WIDE)
    width = name[:6]
    if width not in {"utf-16", "utf-32"}:
        return None
    if width == marked:
        return width
    kinds = tuple(kind for kind in _WIDE if kind.startswith(name))
    return _guess_width(start, kinds) or kinds[0]


def _is_narrow(start: bytes) -> bool:
    """Whether the bytes are UTF-8 but for a few zeros: in UTF-16, their pairs would be Chinese."""
    few = _NARROW * start.count(0) < len(start)
    return few and _plain_text(start.replace(b"\x00", b""), "utf-8") is not None


def _guess_width(start: bytes, kinds: tuple[str, ...]) -> str | None:
    """The kind in which the bytes are text with most ASCII characters; None without zeros, or text."""
    if b"\x00" not in start[:_START]:
        return None
    texts = (_plain_text(start[:_START], kind, whole=len(start) <= _START) for kind in kinds)
    plain = [sum(c < "\x80" for c in text or "") for text in texts]
    return kinds[plain.index(max(plain))] if any(plain) else None


def _plain_text(start: bytes, encoding: str, *, whole: bool = False) -> str | None:
    """The bytes decoded; None if they are not in this encoding, or hold controls or the like."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start, whole)
    except UnicodeDecodeError:
        return None
    odd = any(unicodedata.category(c) in _NO_CHARACTERS for c in set(text) - _SPACES)
    return None if odd else text


def _read_mark(start: bytes) -> str | None:
    """The encoding that a byte order mark announces, if there is one."""
    return next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)


class Decoder:
    """Decodes the bytes of one source, piece by piece; a guess, once made, holds for the rest of it.

    If a few bytes are not UTF-8 among many characters that are, U+FFFD replaces them. Otherwise such
    bytes are decoded as Windows-1252, which includes Latin-1, unless many of them are above 127: then
    charset-normalizer guesses the encoding.
    """

    def __init__(self, encoding: str | None) -> None:
        self.encoding = encoding
        self._codec: Any = None
        self._foreign = 0  # characters beyond ASCII so far

    def text(self, data: bytes, where: str, *, final: bool = True) -> str:
        """Decode bytes, the last ones if `final`; an error says `where` they come from."""
        if self._codec is None:
            self._begin(data)
        waiting = self._codec.getstate()[0]
        try:
            text: str = self._codec.decode(data, final)
        except UnicodeDecodeError as error:
            if self.encoding is not None:
                byte = error.object[error.start]
                raise DocumentsError(
                    f"{where} is not {self.encoding}: byte {error.start:,} is {byte:#04x}; give the "
                    "right encoding, or none to have it guessed"
                ) from None
            self._use(_guess(waiting + data, self._foreign), "replace")
            text = self._codec.decode(waiting + data, final)
        self._foreign += _beyond_ascii(text)
        return text

    def _begin(self, start: bytes) -> None:
        wide = _wide_encoding(start, self.encoding)
        if self.encoding is None:
            known = wide or _read_mark(start)
            self._use(known or "utf-8", "replace" if known else "strict")
        else:
            name = codecs.lookup(self.encoding).name
            self._use(wide or ("utf-8-sig" if name == "utf-8" else name), "strict")

    def _use(self, encoding: str, errors: str) -> None:
        self._codec = codecs.getincrementaldecoder(encoding)(errors)


def _beyond_ascii(text: str) -> int:
    """How many characters are not in ASCII."""
    return 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))


def _guess(data: bytes, fitting: int) -> str:
    """The encoding of bytes that are not all UTF-8; before, `fitting` characters beyond ASCII were."""
    text = data.decode("utf-8", "replace")
    unknown = text.count(UNKNOWN)
    if fitting + _beyond_ascii(text) - unknown >= _FITTING * unknown:
        return "utf-8"
    start = data[:_MOST_TO_GUESS]
    high = sum(byte > 127 for byte in start)
    if len(start) < _LEAST_TO_GUESS or high < _FOREIGN_SHARE * len(start):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(start).best()
    return best.encoding if best is not None else "cp1252"
