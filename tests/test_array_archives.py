"""Arrays in zip archives: they come back, damage is found, and bombs are not unpacked."""

from __future__ import annotations

import io
import zipfile
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from hlta._support.array_archives import check_unpacked, read_npy


def archived(content: bytes, *, flip: int | None = None) -> zipfile.ZipFile:
    """An archive with one uncompressed member, one of whose bytes may be another."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x.npy", content)
    data = bytearray(buffer.getvalue())
    if flip is not None:
        data[data.index(content[:6]) + flip] ^= 1
    return zipfile.ZipFile(io.BytesIO(data))


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


@given(
    st.sampled_from(["<i4", ">f8", "|u1", "<U3", "|b1"]).flatmap(
        lambda dtype: arrays(np.dtype(dtype), array_shapes(min_dims=0, max_dims=3, min_side=0))
    ),
    st.booleans(),
    st.sampled_from([(1, 0), (2, 0)]),
)
def test_any_array_comes_back(array: Any, by_columns: bool, version: tuple[int, int]) -> None:
    stored = np.asfortranarray(array) if by_columns else array
    back = read_npy(archived(npy(stored, version=version)), "x.npy")
    assert back.dtype == array.dtype
    assert back.flags.writeable
    np.testing.assert_array_equal(back, array)


WHOLE = npy(np.arange(4, dtype="<i4"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (WHOLE[:-1], r"15 bytes for the shape \(4,\) of int32"),
        (WHOLE + b"x", r"17 bytes for the shape \(4,\) of int32"),
        (WHOLE.replace(b"(4,), }     ", b"(2**40,), } "), "its header cannot be read"),
        (WHOLE.replace(b"(4,), }             ", b"(1099511627776,), } "), "16 bytes for the shape"),
        (WHOLE.replace(b"(4,)", b"(4,("), "its header cannot be read"),
        (WHOLE.replace(b"\x01\x00", b"\x09\x00", 1), "its header cannot be read"),
        (b"", "its header cannot be read"),
        (npy(np.array([{}])), "Python objects"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_npy(archived(content), "x.npy")


def test_the_checksum_is_compared() -> None:
    with pytest.raises((ValueError, zipfile.BadZipFile), match="Bad CRC-32"):
        read_npy(archived(WHOLE, flip=len(WHOLE) - 1), "x.npy")


@pytest.mark.parametrize(
    ("unpacked", "size", "refused"),
    [(1 << 28, 1, False), (1 << 29, 1 << 20, True), (1 << 29, 1 << 23, False)],
)
def test_what_is_large_may_unpack_to_more(unpacked: int, size: int, refused: bool) -> None:
    parts = [SimpleNamespace(file_size=unpacked // 2)] * 2
    archive: Any = SimpleNamespace(infolist=lambda: parts)
    if not refused:
        check_unpacked(archive, size)
        return
    with pytest.raises(ValueError, match="would unpack to 536,870,912 bytes"):
        check_unpacked(archive, size)
