"""A user's code checks under strict mypy against the installed package, which is marked as typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_users_code_checks_under_strict_mypy(tmp_path: Path) -> None:
    code = Path(__file__).with_name("user_code.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(code)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
