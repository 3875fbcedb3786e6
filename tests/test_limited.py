"""Programs that may take only so much memory."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hlta._support.limited import limited

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys
if __name__ == "__main__":
    taken = bytearray(int(sys.argv[1]))
    print(len(taken), sys.path[0] if sys.path else "")
"""


def taken(folder: Path, size: int, memory: int) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(PROGRAM)
    command = limited(folder / "program.py", str(size), memory=memory)
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_a_program_runs_with_its_arguments_and_without_the_current_folder(tmp_path: Path) -> None:
    done = taken(tmp_path, 1 << 20, memory=1 << 30)
    assert done.stdout.startswith(f"{1 << 20} ")
    assert str(tmp_path) not in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="not every system limits memory")
def test_a_program_that_takes_more_ends(tmp_path: Path) -> None:
    assert "MemoryError" in taken(tmp_path, 1 << 30, memory=1 << 29).stderr
