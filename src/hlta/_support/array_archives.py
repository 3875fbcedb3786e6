"""Arrays in zip archives, refused if their sizes are wrong or absurdly large."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from zipfile import ZipFile

    from numpy.typing import NDArray

_ALWAYS_ALLOWED: Final = 1 << 28  # bytes
_MOST_TIMES: Final = 100
_HEADERS: Final = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def check_unpacked(archive: ZipFile, size: int) -> None:
    """Refuse an archive of `size` bytes that would unpack to far more, and could fill the memory."""
    unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > max(_ALWAYS_ALLOWED, _MOST_TIMES * size):
        raise ValueError(
            f"it would unpack to {unpacked:,} bytes, more than {_MOST_TIMES} times its own "
            f"{size:,}; such files are made to fill the memory"
        )


def read_npy(archive: ZipFile, member: str) -> NDArray[Any]:
    """Read an array that holds no Python objects; `zipfile` compares its checksum."""
    with archive.open(member) as file:
        try:
            shape, by_columns, dtype = _HEADERS[np.lib.format.read_magic(file)](file)
        except Exception as error:  # whatever NumPy finds wrong with the first bytes
            raise ValueError(f"its header cannot be read: {error}") from None
        if dtype.hasobject:
            raise ValueError("it holds Python objects, which are not loaded")
        data = bytearray(file.read())
    if len(data) != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"it has {len(data):,} bytes for the shape {shape} of {dtype}")
    if dtype.kind == "U" and (np.frombuffer(data, f"{dtype.byteorder}u4") > sys.maxunicode).any():
        raise ValueError("it holds letters that do not exist")
    return np.ndarray(shape, dtype, buffer=data, order="F" if by_columns else "C")
