"""Zip archives: nothing unpacks without end, and whatever is wrong is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.formats import archives
from hlta.reading.formats.archives import opened
from tests.zipped import bomb, zipped


def test_members_are_read_and_missing_ones_are_empty() -> None:
    with opened(zipped({"a": "text"})) as archive:
        assert (archive.read("a"), archive.read("b")) == (b"text", b"")


def test_a_bomb_is_not_unpacked() -> None:
    with (
        pytest.raises(DocumentsError, match="'a' unpacks to more than 300 times its size"),
        opened(bomb("a")) as archive,
    ):
        archive.read("a")


def test_members_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_UNPACKED", 100)
    with opened(zipped({"a": b"a" * 60, "b": b"b" * 60})) as archive:
        archive.read("a")
        with pytest.raises(DocumentsError, match="more than 100 bytes"):
            archive.read("b")


@given(st.integers(0, 300), st.binary(min_size=1, max_size=8))
def test_damage_is_told_or_harmless(place: int, bytes_: bytes) -> None:
    data = bytearray(zipped({"a": b"some text " * 20, "b": b"more"}))
    data[place : place + len(bytes_)] = bytes_
    try:
        with opened(bytes(data)) as archive:
            for name in archive.names:
                archive.read(name)
    except DocumentsError as error:
        assert str(error).startswith(("it is damaged", "it cannot be unpacked"))  # noqa: PT017
