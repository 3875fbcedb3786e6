"""Zip archives in which programs keep documents: their members, with limits on what they unpack to."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.formats.markup import Elements, parsing

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_UNPACKED: Final = 1 << 30  # bytes of all members that are read
_MOST_PACKED_AWAY: Final = 300  # times: what programs write is seldom a tenth of that
_HARMLESS: Final = 1 << 24  # bytes that may unpack from as few as they like
_BLOCK: Final = 1 << 16


class Archive:
    """The members of a zip archive; those that are not there are empty."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.names = archive.namelist()
        self._unpacked = 0

    def blocks(self, name: str) -> Iterator[bytes]:
        """The bytes of a member, some at a time."""
        if name not in self.names:
            return
        packed = self._archive.getinfo(name).compress_size
        size = 0
        with self._archive.open(name) as member:
            while block := member.read(_BLOCK):
                size += len(block)
                self._unpacked += len(block)
                if self._unpacked > MOST_UNPACKED:
                    raise DocumentsError(f"it unpacks to more than {MOST_UNPACKED:,} bytes")
                if size > max(_HARMLESS, _MOST_PACKED_AWAY * packed):
                    raise DocumentsError(
                        f"its member {name!r:.80} unpacks to more than {_MOST_PACKED_AWAY} times its "
                        "size, as no document does"
                    )
                yield block

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        return b"".join(self.blocks(name))

    def parse(self, name: str, elements: Elements) -> None:
        """Parse a member that is XML, if it is there."""
        for _ in self.parsing(name, elements):
            pass

    def parsing(self, name: str, elements: Elements) -> Iterator[None]:
        """Parse it, one block at each step."""
        if name in self.names:
            yield from parsing(self.blocks(name), elements)


@contextmanager
def opened(data: bytes) -> Iterator[Archive]:
    """Open an archive; whatever is wrong with it is told as damage."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield Archive(archive)
    except DocumentsError:
        raise
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError) as error:
        raise DocumentsError(f"it is damaged: {error or 'it ends too early'}") from None
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in another way
        raise DocumentsError(f"it cannot be unpacked: {error}") from None
