"""Zip archives and compressed files for tests, and archives that are damaged or hostile."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final


def zipped(members: Mapping[str, str | bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with these members, which is always the same."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, how)
    return file.getvalue()


def _zst(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


PACKERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": partial(gzip.compress, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": _zst,
}


def bomb(name: str, size: int = 1 << 26) -> bytes:
    """An archive with a member that unpacks to a thousand times its size."""
    return zipped({name: b"<a>" + bytes(size)})


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
    + "]><l>&j;</l>"
)
"""A few entities that stand for gigabytes."""
