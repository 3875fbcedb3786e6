"""The first run compiles the kernels: all of them, once, and says so."""

from __future__ import annotations

import ast
import gc
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hlta
from hlta import TextMonitor
from hlta._kernels import cache
from hlta.cli import first_run
from hlta.cli.first_run import compiled_modules, compiling

SOURCE = Path(hlta.__file__).parent
PYTHON = sys.implementation.cache_tag
SAID = "compiling (first run only)"


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two processors where nothing is compiled, as far as can be seen."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(first_run, "_missing", lambda: True)


@pytest.fixture
def warm_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the names of the modules, and of their kernels in the cache."""
    (tmp_path / "__pycache__").mkdir()
    for name in first_run._MODULES:
        (tmp_path / f"{name}.py").touch()
        (tmp_path / "__pycache__" / f"{name}.kernel.{PYTHON}.0123.nbc").touch()
    monkeypatch.setattr(cache, "_HERE", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return tmp_path


def compiles_on_import(file: Path) -> bool:
    """Whether a module has functions whose decorator compiles them at once, not when called."""
    functions = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return any(
        isinstance(decorator, ast.Name) and decorator.id in {"kernel", "kernel_of_states", "helper"}
        for function in functions
        if isinstance(function, ast.FunctionDef)
        for decorator in function.decorator_list
    )


def test_no_module_with_kernels_is_forgotten() -> None:
    files = (file for file in SOURCE.rglob("*.py") if compiles_on_import(file))
    found = [".".join(("hlta", *file.relative_to(SOURCE).with_suffix("").parts)) for file in files]
    assert sorted(compiled_modules()) == sorted(found)


def test_kernels_are_missing_if_any_module_has_none_in_the_cache_that_is_used(
    warm_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not first_run._missing()
    for name in first_run._MODULES:
        (compiled,) = warm_copy.glob(f"__pycache__/{name}.*.nbc")
        other = compiled.rename(compiled.with_name(f"{name}.kernel.cpython-30.0123.nbc"))
        assert first_run._missing()
        other.rename(compiled)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(warm_copy / "elsewhere"))
    assert first_run._missing()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(warm_copy / "tokens.py"))  # nothing can be kept
    assert not first_run._missing()
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    os.utime(warm_copy / "tokens.py", (2**32, 2**32))  # newer than what is kept
    assert first_run._missing()


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize(("processors", "missing"), [(2, False), (1, True), (None, True)])
def test_nothing_is_said_without_need(
    monkeypatch: pytest.MonkeyPatch, processors: int | None, missing: bool
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(first_run, "_missing", lambda: missing)
    out = io.StringIO()
    with compiling(TextMonitor(out)) as finish:
        finish()
    assert not out.getvalue()


@pytest.mark.slow
@pytest.mark.usefixtures("cold")
def test_the_wait_is_announced_before_reading_and_before_learning() -> None:
    out = io.StringIO()
    with compiling(TextMonitor(out)) as finish:
        assert out.getvalue().count(SAID) == 1
        finish()
    assert out.getvalue().count(SAID) == 2
    assert set(compiled_modules()) <= set(sys.modules)
    assert gc.isenabled()


@pytest.mark.usefixtures("cold")
def test_the_other_process_ends_when_reading_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[Any]] = []

    class Noted(subprocess.Popen[Any]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    def read() -> None:
        raise OSError("no such file")

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(OSError, match="no such file"), compiling(TextMonitor(io.StringIO())):
        read()
    assert [process.poll() for process in started] == [-9]
