"""Locks: one process at a time, and none that outlives its process."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, BinaryIO

import pytest

from hlta import OptionError
from hlta._support.writing import system
from hlta._support.writing.locking import acquire, locked

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from hlta._support.writing.locking import locked
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


def test_the_file_goes_with_the_lock(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", ""):
        assert (tmp_path / "lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_on_a_file_that_is_gone_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking, the one who had it may delete it, and another one make it anew."""
    opened = system.open_lock

    def deleted(path: Path) -> BinaryIO:
        file = opened(path)
        path.unlink()
        return file

    with monkeypatch.context() as patch:
        patch.setattr(system, "open_lock", deleted)
        assert acquire(tmp_path / "lock") is None


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to("elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        acquire(tmp_path / "lock")
    assert not (tmp_path / "elsewhere").exists()


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
