"""Text of others in messages: nothing in it controls a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return the text with an escape such as \\x1b for every character that has no look of its own.

    Examples
    --------
    >>> print(printable("a red \x1b[31mfile\n"))
    a red \x1b[31mfile\n
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
