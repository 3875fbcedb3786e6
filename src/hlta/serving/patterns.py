"""Text as it is compared, whatever its letters' case and accents.

The page folds text in the same way, in `explorer/src/selection/folding.ts`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

# Letters of scripts that are written without spaces: any of them can begin or end a word.
_UNSPACED: Final = (
    "\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e50-\u0e59"  # Thai
    "\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff6f\uff71-\uff9d"
)
_SPACE: Final = "\x01"  # a space beside such a letter, as a token
_HAS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
_BESIDE: Final = re.compile(f"(?<=[{_UNSPACED}]) | (?=[{_UNSPACED}])")
_BETWEEN: Final = re.compile(
    f"(?<=[{_UNSPACED}{_SPACE}])(?=.)|(?<=.)(?=[{_UNSPACED}{_SPACE}])", re.DOTALL
)
_SEPARATORS: Final = re.compile(r"[\W_]+")
_BLANK: Final = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_PARTS: Final = re.compile(rf'"([^"]*)"?|[^{_BLANK}"]+')


class Pattern(NamedTuple):
    """A word or a phrase to be looked for in folded text; a prefix finds words that only begin so."""

    text: str
    prefix: bool


def folded(text: str) -> str:
    """Text in lower case, without accents."""
    lower = text.lower()
    if lower.isascii():
        return lower
    parts = unicodedata.normalize("NFD", lower)
    return "".join(c for c in parts if unicodedata.category(c)[0] != "M")


def spaced(text: str) -> str:
    """Folded text whose words are one space apart."""
    return _SEPARATORS.sub(" ", folded(text))


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
        text = spaced(part if quoted is None else quoted).strip()
        if text:
            found.append(Pattern(text, quoted is None and part.endswith("*")))
    return found


def tokens(text: str) -> list[str]:
    """The tokens of spaced text: words, and single letters of scripts without spaces.

    Two spaces, which no pattern has, give an empty token.
    """
    if not text.isascii() and _HAS_UNSPACED.search(text):
        text = _BETWEEN.sub(" ", _BESIDE.sub(_SPACE, text))
    return text.split(" ")
