"""Numbers of things, in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural unless it is one.

    Examples
    --------
    >>> counted(1, "document"), counted(2000, "new document")
    ('1 document', '2,000 new documents')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
