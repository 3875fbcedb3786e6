"""`Strings`: many strings in two arrays, in memory or on disk."""

from __future__ import annotations

import numpy as np
import pytest

from hlta._support import spool
from hlta.documents import strings as module
from hlta.documents.strings import Strings, beginning

VALUES = ["", "a", "größe", "", "\ud800", "x" * 100]


@pytest.fixture(params=[1, 1 << 28], ids=["on disk", "in memory"])
def strings(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Strings:
    monkeypatch.setattr(spool, "IN_MEMORY", request.param)
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    return Strings.of(VALUES)


def test_strings_are_a_sequence(strings: Strings) -> None:
    assert list(strings) == VALUES
    assert [strings[k] for k in range(-3, 3)] == VALUES[-3:] + VALUES[:3]
    assert strings[1:4] == VALUES[1:4]
    assert "a" in strings
    assert repr(strings) == "Strings(6)"
    with pytest.raises(IndexError):
        strings[6]


def test_taken_strings_are_in_the_given_order(strings: Strings) -> None:
    assert list(strings.take(np.array([5, 2, 2]))) == [VALUES[5], "größe", "größe"]


def test_there_may_be_no_strings() -> None:
    assert list(Strings.of([])) == []


@pytest.mark.parametrize(
    ("characters", "expected"),
    [(100, "deep neural networks"), (14, "deep neural …"), (10, "deep neura …"), (2, "de …")],
)
def test_the_beginning_ends_at_a_space_if_one_is_near(characters: int, expected: str) -> None:
    assert beginning("deep neural networks", characters) == expected
