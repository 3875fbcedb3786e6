"""The first run compiles the kernels."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from hlta import TextMonitor
from hlta.cli import first_run as warming

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_kernels_are_compiled_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    names = (*warming._THERE, *warming._HERE)
    (tmp_path / "_kernels").mkdir()
    for name in names:
        file = tmp_path / f"{name.replace('.', '/')}.py"
        (file.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
        file.touch()
        assert warming._missing(tmp_path)
        (file.parent / "__pycache__" / f"{file.stem}.kernel-12.{python}.nbi").touch()
    assert not warming._missing(tmp_path)
    os.utime(tmp_path / f"{names[0].replace('.', '/')}.py", (2**32, 2**32))
    assert warming._missing(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not warming._missing(tmp_path)

    out = io.StringIO()
    monkeypatch.setattr(warming, "_missing", lambda: False)
    warming.compile_kernels(TextMonitor(out))
    assert not out.getvalue()
    monkeypatch.setattr(warming, "_missing", lambda: True)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    warming.compile_kernels(TextMonitor(out))
    assert "compiling (first run only)" in out.getvalue()
