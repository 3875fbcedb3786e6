"""The classes of characters that words are told from: letters, digits, joiners, spaces."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.tokens import BREAK, CLASS_BITS, DIGIT, GLUE, JOINER, LATIN, LETTER, SPACE
from hlta._support.arrays import read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEPARATOR: Final = "\x00"
"""What parts words that a user's function has found."""

_CODE_POINTS: Final = 0x110000


@lru_cache(maxsize=2)
def character_classes(*, only_separator: bool) -> NDArray[np.uint8]:
    """The class of every code point, by Unicode's own properties.

    With `only_separator` everything but the separator is a letter: the words are known already.
    """
    classes = np.full(_CODE_POINTS, LETTER if only_separator else BREAK, dtype=np.uint8)
    classes[ord(SEPARATOR)] = SPACE
    classes[ord("a") : ord("z") + 1] = LATIN + (np.arange(1, 27) << CLASS_BITS)
    if not only_separator:
        _classify(classes)
    return read_only(classes)


def _classify(classes: NDArray[np.uint8]) -> None:
    """Set the classes of characters that are more than a break between words."""
    import unicodedata

    every = np.arange(_CODE_POINTS, dtype=np.uint32).view("U1")
    classes[np.char.isspace(every)] = SPACE
    classes[np.char.isnumeric(every)] = DIGIT
    classes[np.char.isalpha(every) & (classes <= LATIN)] = LETTER
    for code in range(0x300, 0x1F000):  # accents and vowel signs belong to their letters
        if classes[code] == BREAK and unicodedata.category(chr(code))[0] == "M":
            classes[code] = LETTER
    for character in "-\u2010\u2011'\u2019":
        classes[ord(character)] = JOINER
    classes[ord("_")] = DIGIT
    classes[ord("@")] = GLUE
