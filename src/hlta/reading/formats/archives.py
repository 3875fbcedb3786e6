"""Zip archives in which programs keep documents: their members, with limits on what they unpack to."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.formats.markup import BEGIN, events, local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.reading.formats.markup import Event

# Of all members that are read: what may be unpacked from any archive, and for each of its bytes. What
# programs write unpacks to 5 or 20 times its size.
_ALWAYS_UNPACKED: Final = 1 << 24  # bytes
_MOST_RATIO: Final = 50  # of documents, which are in memory as a whole
_ALWAYS_TAGS: Final = 1 << 21
_TAGS_PER_BYTE: Final = 2
_BLOCK: Final = 1 << 16


class Archive:
    """The members of a zip archive of some bytes; those that are not there are empty.

    They may unpack to `ratio` times its size.
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
                self._tags += block.count(b"<")
                if self._unpacked > self._most_unpacked:
                    raise DocumentsError(
                        f"it unpacks to more than {self._most_unpacked >> 20:,} MB, as no document of "
                        "its size does"
                    )
                if self._tags > self._most_tags:
                    raise DocumentsError(
                        f"it unpacks to more than {self._most_tags:,} tags, as no document of its "
                        "size does"
                    )
                yield block

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        return b"".join(self.blocks(name))

    def events(self, name: str) -> Iterator[Event]:
        """What there is in a member that is XML."""
        return events(self.blocks(name)) if name in self.names else iter(())

    def elements(self, name: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The names and attributes of all elements in it, both without their prefixes."""
        for step, what, given in self.events(name):
            if step == BEGIN:
                yield what, {local(key): value for key, value in given.items()}


@contextmanager
def opened(data: bytes, ratio: int | None = None) -> Iterator[Archive]:
    """Open an archive; whatever is wrong with it is reported as damage."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield Archive(archive, len(data), _MOST_RATIO if ratio is None else ratio)
    except DocumentsError:
        raise
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError) as error:
        raise DocumentsError(f"it is damaged: {error or 'it ends too early'}") from None
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in another way
        raise DocumentsError(f"it cannot be unpacked: {error}") from None
