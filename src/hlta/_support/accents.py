r"""Accents as LaTeX writes them, such as Schr\"odinger and Erd\H{o}s, become letters."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

_MARKS: Final = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
}
# Without braces only between letters, and only two dots: \" and \' may as well be escaped quotes.
_ACCENT: Final = re.compile(
    r"""\{?\\(?P<mark>[`'^~=u."rHvck])\{\\?(?P<letter>[A-Za-z])\}\}?
      | (?<=[A-Za-z])\{?\\"(?P<umlaut>[aeiouyAEIOUY])\}?(?=[A-Za-z])""",
    re.VERBOSE,
)


def with_accents(text: str) -> str:
    r"""The text with letters in place of such accents.

    >>> with_accents(r'the Schr\"odinger equation, Erd\H{o}s, and \alpha{x}')
    'the Schrödinger equation, Erdős, and \\alpha{x}'
    """
    return _ACCENT.sub(_letter, text) if "\\" in text else text


def _letter(found: re.Match[str]) -> str:
    """The letter with its mark, or what was found if there is no such letter."""
    mark, letter = (found["mark"], found["letter"]) if found["mark"] else ('"', found["umlaut"])
    composed = normalize("NFC", letter + _MARKS[mark])
    return composed if len(composed) == 1 else found.group()
