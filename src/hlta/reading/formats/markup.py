"""XML, alone or in the zip archives in which programs keep documents.

It is read as a stream of events, without a tree: in linear time, however deeply it is nested.
"""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from contextlib import contextmanager
from functools import partial
from html import unescape
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from xml.parsers import expat

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, codec_of
from hlta.reading.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_BLOCK: Final = 1 << 16  # characters or bytes parsed at a time
# Limits on all members that are read together, for any archive and for each of its bytes. Archives that
# programs write unpack to 5 or 20 times their size.
_ALWAYS_UNPACKED: Final = 1 << 24  # bytes
_MOST_RATIO: Final = 50  # of documents, which are in memory as a whole
_ALWAYS_TAGS: Final = 1 << 21
_TAGS_PER_BYTE: Final = 2
_MOST_DECLARED: Final = 100  # attributes
_NONE: Final[dict[str, str]] = {}  # the attributes of events without any


BEGIN, TEXT, END = 1, 0, -1
"""The kinds of events; the number is the change of depth."""
Event: TypeAlias = tuple[int, str, dict[str, str]]
"""`BEGIN`, an element's name and its attributes; `TEXT` and the text; or `END` and the name.

Names of elements are without prefix: both `w:p` and `p` are "p". Names of attributes keep theirs.
"""


def events(blocks: Iterable[bytes]) -> Iterator[Event]:
    """The events of XML, from its beginning to its end.

    Entities that it declares itself are refused: a few lines of them can expand to terabytes.
    """
    found: list[Any] = []  # the parts of events: tuples would be work for the garbage collector
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.UseForeignDTD(True)  # entities that are not declared are no error
    parser.StartElementHandler = lambda name, given: found.extend((BEGIN, local(name), given))
    parser.EndElementHandler = lambda name: found.extend((END, local(name), _NONE))
    parser.CharacterDataHandler = lambda text: found.extend((TEXT, text, _NONE))
    parser.SkippedEntityHandler = lambda name, _: found.extend((TEXT, unescape(f"&{name};"), _NONE))
    parser.EntityDeclHandler = _refuse_entity
    parser.specified_attributes = True  # and none that are only declared as defaults
    parser.AttlistDeclHandler = partial(_refuse_many, count(1))
    waiting: list[bytes] = []
    length = fed = unfinished = 0
    try:
        for block in chain(blocks, [b""]):
            waiting.append(block)
            length += len(block)
            # The parser reads an unfinished tag again from its beginning: only when it has doubled.
            if length >= unfinished or not block:
                parser.Parse(b"".join(waiting), not block)
                fed += length
                unfinished = fed - parser.CurrentByteIndex
                waiting.clear()
                length = 0
                yield from zip(*[iter(found)] * 3, strict=True)
                found.clear()
    except expat.ExpatError as error:
        raise DocumentsError(f"it is not valid XML: {error}") from None


def _refuse_entity(name: str, *_: Any) -> None:
    raise DocumentsError(f"it declares entities, such as {name!r:.40}, which are not read")


def _refuse_many(numbers: Iterator[int], *_: Any) -> None:
    """Refuse many declared attributes: the parser searches all those of an element at each tag."""
    if next(numbers) > _MOST_DECLARED:
        raise DocumentsError(
            f"it declares more than {_MOST_DECLARED} attributes, too many for a single document"
        )


def local(name: str) -> str:
    """The name of an element or attribute without its prefix."""
    return name.rpartition(":")[2]


def xml_text(data: bytes, encoding: str | None = None) -> Record:
    """The text of all elements, each in lines of its own; the record has no id or title."""
    if encoding is None:
        declared = _DECLARED.match(data)
        encoding = _usable_codec(declared[1].decode("ascii")) if declared else None
    text = Decoder(encoding).text(data, "it")
    if text.count("<") + text.count("&") > _ALWAYS_TAGS:
        raise DocumentsError(
            f"it has more than {_ALWAYS_TAGS:,} tags and entities, too many for a single document"
        )
    starts = range(0, len(text), _BLOCK)
    blocks = (text[k : k + _BLOCK].encode("utf-8", "replace") for k in starts)
    pieces = (what if step == TEXT else "\n" for step, what, _ in events(blocks))
    lines = map(str.strip, "".join(pieces).splitlines())
    return Record("\n".join(filter(None, lines)), "")


def _usable_codec(encoding: str) -> str | None:
    """The encoding that a file declares, if Python knows it; None for UTF-16 and UTF-32."""
    name = codec_of(encoding)
    return None if name is None or name.startswith(("utf-16", "utf-32")) else name


# ---- archives -------------------------------------------------------------------------------


class Archive:
    """The members of a zip archive of `size` bytes; those that are missing are empty.

    Together, they may unpack to `ratio` times its size, and in any case to `_ALWAYS_UNPACKED` bytes.
    """

    def __init__(self, archive: zipfile.ZipFile, size: int, ratio: int) -> None:
        self._archive = archive
        self.names = dict.fromkeys(archive.namelist())
        self._unpacked = self._tags = 0
        self._most_unpacked = max(_ALWAYS_UNPACKED, ratio * size)
        self._most_tags = max(_ALWAYS_TAGS, _TAGS_PER_BYTE * size)

    def blocks(self, name: str) -> Iterator[bytes]:
        """The bytes of a member, some at a time."""
        if name not in self.names:
            return
        with self._archive.open(name) as member:
            while block := member.read(_BLOCK):
                self._unpacked += len(block)
                self._tags += block.count(b"<") + block.count(b"&")
                if self._unpacked > self._most_unpacked:
                    raise DocumentsError(
                        f"it unpacks to more than {self._most_unpacked >> 20:,} MB, as no document of "
                        "its size does"
                    )
                if self._tags > self._most_tags:
                    raise DocumentsError(
                        f"it unpacks to more than {self._most_tags:,} tags and entities, as no "
                        "document of its size does"
                    )
                yield block

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        return b"".join(self.blocks(name))

    def events(self, name: str) -> Iterator[Event]:
        """The events of a member that is XML."""
        return events(self.blocks(name)) if name in self.names else iter(())

    def elements(self, name: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The names and attributes of all elements in it, both without their prefixes."""
        for step, what, given in self.events(name):
            if step == BEGIN:
                yield what, {local(key): value for key, value in given.items()}


@contextmanager
def open_archive(data: bytes, ratio: int | None = None) -> Iterator[Archive]:
    """Open an archive; errors of reading it become a `DocumentsError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield Archive(archive, len(data), _MOST_RATIO if ratio is None else ratio)
    except DocumentsError:
        raise
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError) as error:
        raise DocumentsError(f"it is damaged: {error or 'it ends too early'}") from None
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in another way
        raise DocumentsError(f"it cannot be unpacked: {error}") from None
