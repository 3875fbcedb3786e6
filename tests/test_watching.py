"""The watch sees what it is there for."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.watching import HarmError, watching

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def connect(_: Path) -> None:
    with socket.socket() as made:
        made.connect(("127.0.0.1", 9))


def unpickle(_: Path) -> None:
    pickle.loads(b"cos\nsystem\n(S'true'\ntR.")


def start(_: Path) -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def write(folder: Path) -> None:
    (folder / "x").write_text("")


def move(folder: Path) -> None:
    os.replace(folder / "in" / "x", folder / "x")


def delete(folder: Path) -> None:
    (folder / "kept").unlink()


@pytest.mark.parametrize("act", [connect, unpickle, start, write, move, delete])
def test_harm_is_noticed_even_if_it_is_caught(act: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x").touch()
    (tmp_path / "kept").touch()

    def act_and_catch() -> None:
        with watching(tmp_path / "in"), suppress(BaseException):
            act(tmp_path)

    with pytest.raises(HarmError):
        act_and_catch()
    assert (tmp_path / "kept").exists()


def test_reading_and_writing_in_a_place_are_no_harm(tmp_path: Path) -> None:
    with watching(tmp_path):
        write(tmp_path)
        assert (tmp_path / "x").read_text() == ""
        (tmp_path / "x").unlink()
    write(tmp_path)
