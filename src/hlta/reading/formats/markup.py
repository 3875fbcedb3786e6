"""XML, read from its beginning to its end without a tree: in linear time, however it is nested."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, codec_of
from hlta.reading.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_BLOCK: Final = 1 << 16  # characters parsed at a time
_MOST_TAGS: Final = 1 << 21


class Elements:
    """Called for each element as it begins and ends, and for the text between; see subclasses.

    Names are without their prefix or namespace: both `w:p` and `p` are "p".
    """

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Note that an element begins."""

    def end(self, name: str) -> None:
        """Note that an element ends."""

    def text(self, text: str) -> None:
        """Note a piece of text."""


def parse(blocks: Iterable[bytes], elements: Elements) -> None:
    """Parse XML to its end."""
    for _ in parsing(blocks, elements):
        pass


def parsing(blocks: Iterable[bytes], elements: Elements) -> Iterator[None]:
    """Parse XML, one block at each step.

    Entities that it declares itself are refused: a few lines of them can stand for terabytes.
    """
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.UseForeignDTD(True)  # entities that are not declared are no error
    parser.StartElementHandler = lambda name, given: elements.begin(local(name), given)
    parser.EndElementHandler = lambda name: elements.end(local(name))
    parser.CharacterDataHandler = elements.text
    parser.SkippedEntityHandler = lambda name, _: elements.text(unescape(f"&{name};"))
    parser.EntityDeclHandler = _refuse_entity
    waiting: list[bytes] = []
    length = fed = unfinished = 0
    try:
        for block in blocks:
            waiting.append(block)
            length += len(block)
            # The parser reads an unfinished tag again from its beginning: not before it has doubled.
            if length >= unfinished:
                parser.Parse(b"".join(waiting), False)
                fed += length
                unfinished = fed - parser.CurrentByteIndex
                waiting.clear()
                length = 0
            yield
        parser.Parse(b"".join(waiting), True)
        yield
    except expat.ExpatError as error:
        raise DocumentsError(f"it is not valid XML: {error}") from None


def _refuse_entity(name: str, *_: Any) -> None:
    raise DocumentsError(f"it declares entities, such as {name!r:.40}, which are not read")


def local(name: str) -> str:
    """The name of an element or attribute without its prefix."""
    return name.rpartition(":")[2]


class _AllText(Elements):
    """Keeps the text of all elements; where one begins or ends, so does a line."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def begin(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self.found.append("\n")

    def end(self, name: str) -> None:  # noqa: ARG002
        self.found.append("\n")

    def text(self, text: str) -> None:
        self.found.append(text)


def xml_text(data: bytes, encoding: str | None = None) -> Record:
    """The text of all elements; the record has no id or title."""
    if encoding is None:
        declared = _DECLARED.match(data)
        encoding = _known(declared[1].decode("ascii")) if declared else None
    text = Decoder(encoding).text(data, "it")
    if text.count("<") > _MOST_TAGS:
        raise DocumentsError(
            f"it has more than {_MOST_TAGS:,} tags, too many for a single document"
        )
    elements = _AllText()
    starts = range(0, len(text), _BLOCK)
    parse((text[k : k + _BLOCK].encode("utf-8", "replace") for k in starts), elements)
    lines = (line.strip() for line in "".join(elements.found).splitlines())
    return Record("\n".join(line for line in lines if line), "")


def _known(encoding: str) -> str | None:
    """The encoding that a file declares, if Python knows it; UTF-16 and the like have a mark."""
    name = codec_of(encoding)
    return None if name is None or name.startswith(("utf-16", "utf-32")) else name
