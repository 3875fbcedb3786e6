"""Locks: one process at a time, and none that outlives its process."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hlta import OptionError
from hlta._support.locking import locked

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from hlta._support.locking import locked
with locked(Path(sys.argv[1]), ""):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_until_the_block_ends(tmp_path: Path) -> None:
    for _ in range(2):
        with (
            locked(tmp_path / "lock", "taken"),
            pytest.raises(OptionError, match="taken"),
            locked(tmp_path / "lock", "taken"),
        ):
            pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(OptionError, match="taken"), locked(path, "taken"):
            pass
        process.kill()
        process.wait()
    with locked(path, "taken"):
        pass
