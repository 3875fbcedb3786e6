"""The text of a file in blocks of whole lines, whose size does not grow with the file."""

from __future__ import annotations

import io
import re
from itertools import chain
from typing import IO, TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, holds_text
from hlta.reading.tables.rows import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hlta.reading.records import Source

BLOCK: Final = 1 << 22  # bytes read at a time
FIRST: Final = 1 << 24  # bytes read at first, from which the format of a table is guessed
_QUOTED = re.compile(r'"[^"]*"')


def lines(file: IO[bytes], source: Source) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for first, text in whole_lines(pieces(file, source), source, quoted=False):
        yield from lines_of(text, first)


def lines_of(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines of a block that are not blank; `first` is the number of its first line."""
    for number, line in enumerate(text.split("\n"), start=first):
        if line and not line.isspace():
            yield number, line


def pieces(file: IO[bytes], source: Source) -> Iterator[str]:
    """The text of a file in pieces of any length; if lines end with CR alone, LF replaces it."""
    name, encoding = source.name, source.options.encoding
    data = file.read(max(BLOCK, FIRST))
    if not holds_text(data, encoding):
        raise DocumentsError(f"{name!r} holds no text: there are zero bytes at its beginning")
    decoder = Decoder(encoding)
    breaks = io.IncrementalNewlineDecoder(None, translate=False)  # keeps CR and LF together
    only_cr: bool | None = None  # unknown before the first line break
    line = 1
    while data:
        following = file.read(BLOCK)
        text = decoder.text(data, f"{name}, from line {line:,} on,", final=not following)
        text = breaks.decode(text, final=not following)
        if only_cr is None:
            only_cr = _only_cr(text)
        if only_cr:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        line += text.count("\n")
        yield text
        data = following


def _only_cr(text: str) -> bool | None:
    """Whether CR alone ends lines, and LF is at most within quotes; None if there is no line break."""
    if "\r" not in text:
        return False if "\n" in text else None
    if text.count("\r") == text.count("\r\n"):
        return False
    unquoted = _QUOTED.sub("", text)
    return "\r" in unquoted and "\n" not in unquoted


def whole_lines(
    texts: Iterable[str], source: Source, *, quoted: bool, first: int = 1
) -> Iterator[tuple[int, str]]:
    """Join and cut pieces of text to blocks of whole lines, each with the number of its first line.

    The text begins in line `first`. If `quoted`, a block ends where the number of quotes in it is even,
    unless that would make it much longer than `BLOCK`.
    """
    line = first
    waiting: list[str] = []
    length, odd = 0, False  # of `waiting`, and whether its quotes are odd in number
    for text in texts:
        end = _last_end(text, odd=odd) if quoted else 0
        if not end and not (quoted and length < BLOCK):
            end = text.rfind("\n") + 1
        if end:
            block = "".join(chain(waiting, [text[:end]]))
            source.work(breaks := block.count("\n"))
            yield line, block
            line += breaks
            waiting.clear()
            length, odd = 0, False
        waiting.append(text[end:])
        length += len(waiting[-1])
        odd ^= quoted and waiting[-1].count('"') % 2 == 1
        if length > LONGEST:
            raise DocumentsError(
                f"{source.name}, line {line:,}, does not end within {LONGEST:,} characters; is there "
                "a quote that is never closed?"
            )
    if length:
        yield line, "".join(waiting)


def _last_end(text: str, *, odd: bool) -> int:
    """The place after the last line break before which quotes are even in number; 0 if there is none.

    `odd` tells whether they are odd before the text. No character is visited more than a few times.
    """
    end = text.rfind("\n") + 1
    odd ^= text.count('"', 0, end) % 2 == 1
    while odd and end:
        # The last quote opens a field that is not closed yet: its row began before it.
        begin = text.rfind("\n", 0, max(text.rfind('"', 0, end), 0)) + 1
        odd ^= text.count('"', begin, end) % 2 == 1
        end = begin
    return end
