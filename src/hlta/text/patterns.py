"""Text normalised for comparison, without case and accents, and queries in the syntax of SQLite.

The page folds text in the same way, in `explorer/src/look/folding.ts`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Letters of scripts that are written without spaces: any of them can begin or end a word.
_UNSPACED: Final = (
    "\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e50-\u0e59"  # Thai
    "\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff6f\uff71-\uff9d"
)
_SPACE: Final = "\u2423"  # a space beside such a letter
_BESIDE: Final = re.compile(f"(?<=[{_UNSPACED}]) | (?=[{_UNSPACED}])")
_TOKEN: Final = re.compile(f"[{_UNSPACED}{_SPACE}]|[^{_UNSPACED}{_SPACE} ]+")
_BEYOND_LATIN: Final = re.compile("[\u0300-\U0010ffff]+")  # all combining marks are here
_SEPARATORS: Final = re.compile(r"[\W_]+")
_BLANK: Final = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_MOST_WORDS: Final = 100  # of a query
IN_TITLE: Final = 3
"""The score of a word in a title or id; in a text, it is log(1 + occurrences)."""
_PARTS: Final = re.compile(rf'"([^"]*)"?|[^{_BLANK}"]+')


def normalize_text(text: str) -> str:
    """Lower-case text, strip accents, and put one space between words; a final sigma becomes plain."""
    folded = text.lower()
    if not folded.isascii():
        folded = _BEYOND_LATIN.sub(_without_marks, unicodedata.normalize("NFD", folded))
    return _SEPARATORS.sub(" ", folded).strip()


def _without_marks(match: re.Match[str]) -> str:
    letters = "".join(c for c in match[0] if unicodedata.category(c)[0] != "M")
    return letters.replace("\u03c2", "\u03c3")


def tokens(text: str) -> str:
    """The tokens of a normalised text, joined by spaces; letters of scripts without spaces are tokens.

    Examples
    --------
    >>> tokens("deep 学习")
    'deep ␣ 学 习'
    """
    return text if text.isascii() else " ".join(_TOKEN.findall(_BESIDE.sub(_SPACE, text)))


def in_place_of_text(words: Iterable[str]) -> str:
    """The tokens of words, to search if there is no text; no phrase matches across two of the words."""
    return f" {_SPACE} {_SPACE} ".join(map(tokens, words))


class Pattern(NamedTuple):
    """A normalised word or phrase to look for; a prefix also matches words that begin with it."""

    text: str
    prefix: bool

    @property
    def expression(self) -> str:
        """The pattern as an SQLite full-text expression."""
        return f'"{tokens(self.text)}"{" *" * self.prefix}'


def patterns(query: str) -> list[Pattern]:
    """The patterns of a query: its words, and phrases that stand in quotes; `*` ends a prefix.

    Examples
    --------
    >>> patterns('Été "black  hole" neur*')
    [Pattern(text='ete', prefix=False), Pattern(text='black hole', prefix=False), \
Pattern(text='neur', prefix=True)]
    """
    found = []
    for match in _PARTS.finditer(query):
        part, quoted = match[0], match[1]
        text = normalize_text(part if quoted is None else quoted)
        if text:
            found.append(Pattern(text, quoted is None and part.endswith("*")))
    return list(dict.fromkeys(found))


def check_query(query: Any) -> None:
    """Refuse anything but a string, and a query of too many words, which would take minutes."""
    if not isinstance(query, str):
        raise OptionError(f"query={query!r:.60}: use a string of words and phrases")
    if sum(pattern.text.count(" ") + 1 for pattern in patterns(query)) > _MOST_WORDS:
        raise OptionError(f"a search has {_MOST_WORDS} words at most; use fewer")
