"""Checkpoints: finished steps are taken by their names."""

from __future__ import annotations

from typing import Any

from hlta.learning.checkpoint import Checkpoint


class InMemory(Checkpoint):
    """A checkpoint that keeps values as they are."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def kept(self, name: str) -> Any:
        return self.values.get(name)

    def keep(self, name: str, value: Any) -> None:
        self.values[name] = value


def test_a_step_is_taken_once() -> None:
    kept = InMemory()
    assert kept.step("a", lambda: 0) == 0
    assert kept.step("a", lambda: 1) == 0
    assert kept.step("b", lambda: 1) == 1


def test_parts_have_names_of_their_own() -> None:
    kept = InMemory()
    parts = (kept, kept.part("a"), kept.part("a").part("b"), kept.part("b"))
    for number, part in enumerate(parts):
        part.keep("step", number)
    assert [part.kept("step") for part in parts] == [0, 1, 2, 3]
    assert kept.part("a").kept("step") == 1
