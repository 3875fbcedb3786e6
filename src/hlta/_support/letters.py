r"""Replace LaTeX accents, ligatures and glyph numbers in texts by letters, and join divided words.

LaTeX accents occur in texts as in Schr\"odinger and Erd\H{o}s; glyph numbers, as in classi(cid:12)cation,
where a program extracted the text from a PDF file. Soft hyphens are removed, and so is U+2010, the
typographic hyphen, where it divides a word at the end of a line. The usual hyphen stays there: it may
belong to the word, as in long-term.
"""

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
# Without braces, only \" is an accent, and only within a word: \" and \' may also be escaped quotes, also
# after an escape such as \n.
_ACCENT: Final = re.compile(
    r"""\{\\([`'^~=."urHvck])\{\\?([A-Za-z])\}\}
      | \\([`'^~=."urHvck])\{\\?([A-Za-z])\}
      | \{\\([`'^~=."])\\?([A-Za-z])\}
      | (?<=[A-Za-z])(?<!\\[A-Za-z])\\(")([aeiouyAEIOUY])(?=[A-Za-z]+(?!\\"|[A-Za-z]))""",
    re.VERBOSE,
)
_MAY_BE_ACCENT: Final = re.compile(r"""\\(?:[`'^~=."]|[urHvck]\{)""")  # a quick test
_COMMAND: Final = re.compile(r"\\[A-Za-z]{1,20}\Z")


# A soft hyphen; a ligature of TeX's fonts, between letters, since elsewhere its number may be that of
# another glyph; any other glyph.
_GLYPH: Final = re.compile(
    r"\(cid:173\)\s*|(?<=[A-Za-z])\(cid:(1[1-5])\)(?=[a-z])|\(cid:\d{1,5}\)", re.ASCII
)
_HYPHEN: Final = re.compile(
    r"\u00ad(?:[^\S\n]*+\n\s*+)?|(?<=[^\W\d_])\u2010[^\S\n]*+\n\s*+(?=[^\W\d_])"
)
_LIGATURES: Final = {"11": "ff", "12": "fi", "13": "fl", "14": "ffi", "15": "ffl"}
_OF_UNICODE: Final = re.compile("[\ufb00-\ufb06]")  # these as characters, and two of st


def with_letters(text: str) -> str:
    r"""The text with letters in place of such accents and glyphs, and a space for each unknown glyph.

    >>> with_letters(r'the Schr\"odinger equation, Erd\H{o}s, and \alpha{x}')
    'the Schrödinger equation, Erdős, and \\alpha{x}'
    >>> with_letters("e(cid:14)cient classi(cid:12)cation, optimiza(cid:173) tion, (cid:15)-tubes")
    'efficient classification, optimization,  -tubes'
    """
    if _MAY_BE_ACCENT.search(text):
        text = _ACCENT.sub(_letter, text)
    if "(cid:" in text:
        text = _GLYPH.sub(_glyph, text)
    if not text.isascii() and _OF_UNICODE.search(text):
        text = _OF_UNICODE.sub(lambda found: normalize("NFKC", found[0]), text)
    if "\u00ad" in text or "\u2010" in text:
        text = _HYPHEN.sub("", text)
    return text


def _glyph(found: re.Match[str]) -> str:
    if found[1]:
        return _LIGATURES[found[1]]
    return "" if found.group().startswith("(cid:173)") else " "


def _letter(found: re.Match[str]) -> str:
    """The letter with its mark, in braces after a command; the match itself if no such letter exists."""
    mark, letter = (part for part in found.groups() if part is not None)
    composed = normalize("NFC", letter + _MARKS[mark])
    if len(composed) > 1:
        return found.group()
    begin = found.start()
    of_command = found.group()[0] == "{" and _COMMAND.search(
        found.string, max(0, begin - 21), begin
    )
    return f"{{{composed}}}" if of_command else composed
