"""Damage: to bytes, to the numbers in them, to members of archives, and to arrays."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tests.zipped import zipped

_MOST: Final = 1 << 16  # bytes
_SWOLLEN: Final = 1 << 23
_NUMBER: Final = re.compile(rb"-?\d+(?:\.\d+)?")
_NUMBERS: Final = [
    *(b"0", b"-1", b"1", b"2", b"255", b"65536", b"1e308", b"1e999", b"-1e-320", b"nan", b"inf"),
    *(b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808"),
    *(b"1e5", b"1_0", b"0x1", b"+1", b"01", b"1.", b"9" * 400, b"9" * 5000),
    *("٣".encode(), "²".encode()),
]
_ODD: Final = [
    *(b"\0", b"\n", b"\r", b"\r\n", b"\t", b" ", b"", b'"', b"'", b"\\", b"\x1a", b"\x1b[31m"),
    *(b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80", b"\xe9"),
    *("\u2028 \u3000 \x85".encode(), "İſß".encode(), "e\u0301".encode(), "中文テスト".encode()),
    *("\U0001f600\u200d\u202e".encode(), "\ufdfa".encode() * 9, b"a" * 3000, b"\n" * 3000),
]
_INTEGERS: Final = (-1, 0, 1, 2, 3, 127, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, -(2**63))
_FLOATS: Final = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-320, 1e-100, 1e308, np.nan, np.inf, 1 + 1e-9, 2**63)
_TYPES: Final = ("<i4", ">i4", "<i8", "<u4", "u1", "<f4", "<f8", ">f8", "?", "<c16", "S3", "<U2")


def mutated(rng: Random, data: bytes, tokens: Sequence[bytes] = ()) -> bytes:
    """The bytes, changed in one to eight ways; `tokens` mean something in their format."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        begin, end = _range(rng, data)
        way = rng.randrange(8)
        if way == 0:
            data = data[:begin]
        elif way == 1:
            data = data[:begin] + data[end:]
        elif way == 2:
            data = data[:begin] + data[begin:end] * rng.choice((2, 3, 300)) + data[end:]
        elif way == 3:
            data = data[:begin] + rng.choice([*tokens, *_ODD]) + data[rng.choice((begin, end)) :]
        elif way == 4:
            data = _with_number(rng, data)
        elif way == 5:
            other, _ = _range(rng, data)
            data = data[:other] + data[begin:end] + data[other:]
        elif data:
            place = min(begin, len(data) - 1)
            byte = rng.randrange(256) if way == 6 else data[place] ^ (1 << rng.randrange(8))
            data = data[:place] + bytes([byte]) + data[place + 1 :]
    return data[:_MOST]


def _range(rng: Random, data: bytes) -> tuple[int, int]:
    """A range of bytes, which is mostly short."""
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice((1, 4, 16, 64, 1024)))


def _swollen(rng: Random, data: bytes) -> bytes:
    """The bytes with a few of them repeated to megabytes, which pack to next to nothing."""
    begin, end = _range(rng, data)
    part = data[begin:end] or b"a"
    return data[:begin] + part * (_SWOLLEN // len(part)) + data[end:]


def _with_number(rng: Random, data: bytes) -> bytes:
    """Another number in the place of one."""
    places = list(_NUMBER.finditer(data))
    if not places:
        return data
    place = rng.choice(places)
    return data[: place.start()] + rng.choice(_NUMBERS) + data[place.end() :]


def one_of(rng: Random, seeds: Sequence[bytes], tokens: Sequence[bytes] = ()) -> bytes:
    """A valid file, mutated; now and then the beginning of one and the end of another."""
    data = rng.choice(seeds)
    if rng.random() < 0.1:
        data = data[: _range(rng, data)[0]] + (other := rng.choice(seeds))[_range(rng, other)[0] :]
    return mutated(rng, data, tokens)


def mutated_archive(
    rng: Random, members: Mapping[str, bytes], tokens: Sequence[bytes] = ()
) -> bytes:
    """A zip archive with other members, or of which the bytes are changed."""
    changed = dict(members)
    way = rng.randrange(8)
    name = rng.choice(list(changed))
    if way == 0:
        return mutated(rng, zipped(changed))
    if way == 1:
        del changed[name]
    elif way == 2:
        changed[name] = changed[rng.choice(list(changed))]
    elif way == 3 and rng.random() < 0.1:
        changed[name] = _swollen(rng, changed[name])
    else:
        changed[name] = mutated(rng, changed[name], tokens)
    return zipped(changed, rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)))


def npy(array: NDArray[Any]) -> bytes:
    """An array as NumPy writes it."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def mutated_array(rng: Random, array: NDArray[Any]) -> NDArray[Any]:
    """Other entries, another order, length, shape or type."""
    array = array.copy()
    way = rng.randrange(10)
    if way < 5 and array.size and array.dtype.kind in "iuf":
        for _ in range(rng.choice((1, 1, 2, 5))):
            _set_entry(rng, array)
    elif way == 5:
        array = array[::-1].copy()
    elif way == 6 and array.ndim:
        array = array[: rng.randrange(len(array) + 1)]
    elif way == 7 and array.ndim:
        array = np.concatenate((array, array[: rng.randrange(len(array) + 1)]))
    elif way == 8:
        array = array.reshape(rng.choice(((-1,), (-1, 1), (1, *array.shape))))
    elif array.dtype.kind in "iufb":
        with np.errstate(all="ignore"):
            array = array.astype(rng.choice(_TYPES))
    return array


def _set_entry(rng: Random, array: NDArray[Any]) -> None:
    """Another value of the array, or an extreme one."""
    place = rng.randrange(array.size)
    if rng.random() < 0.4:
        value: Any = array.flat[rng.randrange(array.size)]
    elif array.dtype.kind == "f":
        value = rng.choice(_FLOATS)
    else:
        limits = np.iinfo(array.dtype)
        value = min(max(rng.choice(_INTEGERS), int(limits.min)), int(limits.max))
    with np.errstate(all="ignore"):
        array.flat[place] = np.asarray(value).astype(array.dtype)
