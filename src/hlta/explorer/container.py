"""How the page carries its data: a JSON header and plain arrays, compressed, in base64.

The bytes are the length of the header (4 bytes, little endian), the header, and the arrays one after
the other, each beginning at a multiple of 8. The header lists the arrays under "arrays".
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hlta._support.arrays import Ints

_TYPES: Final = {"u1", "u2", "u4", "i4", "f4", "f8"}
_ALIGNED: Final = 8
_EFFORT: Final = 5


class Part(NamedTuple):
    """A block of the page's data: a header that JSON can hold, and named arrays."""

    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def pack(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Header and arrays as compressed base64."""
    entries, body = {}, bytearray()
    for name, array in arrays.items():
        kind = array.dtype.str[1:]
        assert kind in _TYPES, f"{name} is of type {array.dtype}"
        entries[name] = {"type": kind, "at": len(body), "length": len(array)}
        body += np.ascontiguousarray(array, dtype="<" + kind).tobytes()
        body += b"\0" * (-len(body) % _ALIGNED)
    text = json.dumps({**header, "arrays": entries}, ensure_ascii=True, separators=(",", ":"))
    head = text.encode("ascii")
    head += b" " * (-(len(head) + 4) % _ALIGNED)
    whole = len(head).to_bytes(4, "little") + head + body
    compress = zlib.compressobj(_EFFORT, zlib.DEFLATED, 31)  # 31: with a gzip header
    return base64.b64encode(compress.compress(whole) + compress.flush()).decode("ascii")


def unpack(text: str) -> Part:
    """Header and arrays, from the text that `pack` made."""
    whole = zlib.decompress(base64.b64decode(text), 31)
    size = 4 + int.from_bytes(whole[:4], "little")
    header = json.loads(whole[4:size])
    arrays = {
        name: np.frombuffer(whole, "<" + e["type"], e["length"], size + e["at"])
        for name, e in header.pop("arrays").items()
    }
    return Part(header, arrays)


def steps(starts: Ints, numbers: NDArray[Any]) -> NDArray[Any]:
    """Lists of ascending numbers as the first number of each and differences, which compress well."""
    if not len(numbers):
        return np.zeros(0, dtype=np.uint16)
    added = np.diff(numbers.astype(np.int64), prepend=0)
    first = starts[:-1][np.diff(starts) > 0]
    added[first] = numbers[first]
    return added.astype(np.uint16 if added.max() < 1 << 16 else np.uint32)


def strings(name: str, values: list[str]) -> dict[str, NDArray[Any]]:
    """Strings as two arrays: all of them in UTF-8, and where each ends."""
    data = [value.encode("utf-8", "replace") for value in values]
    ends = np.cumsum([len(part) for part in data], dtype=np.uint32)
    return {name: np.frombuffer(b"".join(data), dtype=np.uint8), f"{name}.ends": ends}
