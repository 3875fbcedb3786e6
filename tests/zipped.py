"""Zip archives for tests, as office programs write them, and damaged or hostile ones."""

import io
import zipfile
from collections.abc import Mapping


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """An archive with these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


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
