"""Arrays that grow: the same from memory as from a temporary file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pytest

from hlta._support import spool
from hlta._support.spool import Spool, room_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTHS = (3, 0, 5, 1)


@pytest.fixture
def arrays() -> list[NDArray[np.int32]]:
    return [np.arange(n, dtype=np.int32) - n for n in LENGTHS]


@pytest.mark.parametrize("in_memory", [1, 16, 1 << 20])
def test_a_spool_is_its_parts_in_one_array(
    monkeypatch: pytest.MonkeyPatch, arrays: list[NDArray[np.int32]], in_memory: int
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    written = Spool(np.int32)
    for array in arrays:
        written.write(array)
    whole = written.read()
    del written
    np.testing.assert_array_equal(whole, np.concatenate(arrays))  # after the file is closed
    assert whole.dtype == np.int32


def test_an_empty_spool_keeps_its_type() -> None:
    whole = Spool(np.uint8).read()
    assert whole.tolist() == []
    assert whole.dtype == np.uint8


@pytest.mark.parametrize("in_memory", [1, 16, 1 << 20])
def test_parts_come_back_one_by_one_as_often_as_asked(
    monkeypatch: pytest.MonkeyPatch, arrays: list[NDArray[np.int32]], in_memory: int
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    parts = Spool(np.int32)
    for array in arrays:
        parts.write(array)
    for _ in range(2):
        assert [part.tolist() for part in parts] == [array.tolist() for array in arrays]


@pytest.mark.parametrize("in_memory", [8, 1 << 20])
def test_room_can_be_filled_wherever_it_is(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    monkeypatch.setattr(spool, "_AT_ONCE", 4)
    room = room_for(10, np.uint32)
    room[:] = np.arange(10)
    assert room.tolist() == list(range(10))
    assert room.dtype == np.uint32
    assert len(room_for(0, np.uint32)) == 0


def test_room_is_refused_on_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 8)

    def refuse() -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(OSError, match="No space left"):
        room_for(10, np.uint32)
