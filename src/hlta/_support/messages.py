"""Messages: warnings, counted nouns, lists of names, and text whose control characters are escaped."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the line that called the package, however deep inside the package this is called."""
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "hlta":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def plural(number: int, noun: str) -> str:
    """A number and its noun, in the plural unless it is one.

    Examples
    --------
    >>> plural(1, "document"), plural(2000, "new document")
    ('1 document', '2,000 new documents')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def join_names(names: Sequence[str]) -> str:
    """Names as a list in a sentence; "" if there are none.

    Examples
    --------
    >>> join_names(["a"]), join_names(["a", "b"]), join_names(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last


def printable(text: str) -> str:
    r"""Return the text with an escape such as \\x1b for every character that is not printable.

    Examples
    --------
    >>> print(printable("a red \x1b[31mfile\n"))
    a red \x1b[31mfile\n
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
