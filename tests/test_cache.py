"""Compiled code is kept, and made again when it is stale; the first run compiles all of it."""

import gc
import importlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest

import hlta
from hlta import TextMonitor
from hlta._kernels import cache
from hlta.cli import first_run
from hlta.cli.first_run import MODULES, compiling
from tests.there import there

AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
NOBODY = 61_234  # a user whom the system does not know
CONSTANT = "LIMIT = 3\n"
MODULE = """
from __future__ import annotations
from constants import LIMIT
from hlta._kernels.compiling import kernel

@kernel
def limited(value: int) -> int:
    return min(value, LIMIT)
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a kernel and a constant of another module; its user has no home."""
    folder = tmp_path / "room"
    folder.mkdir()
    (folder / "constants.py").write_text(CONSTANT)
    (folder / "limits.py").write_text(MODULE)
    monkeypatch.setattr(cache, "_HERE", folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "nowhere")
    cache._warn_that_nothing_is_kept.cache_clear()
    return folder


def imported() -> Any:
    """The kernel, as in a new process."""
    for name in ("constants", "limits"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    cache._stamp.cache_clear()
    return importlib.import_module("limits").limited


def was_read(kernel: Any) -> bool:
    return bool(kernel._cache_hits)


def kept(folder: Path) -> Path:
    (file,) = folder.rglob("*.nbc")
    return file


def test_code_is_kept_beside_the_module_and_read_again(room: Path) -> None:
    assert not cache.is_kept("limits")
    assert not was_read(imported())
    assert kept(room).parent == room / "__pycache__"
    assert cache.is_kept("limits")
    again = imported()
    assert was_read(again)
    assert again(7) == 3


def test_code_of_a_source_that_was_written_again_unchanged_is_kept(room: Path) -> None:
    """As when a package is installed again."""
    imported()
    source, before = room / "limits.py", 1_000_000_000
    os.utime(source, (before, before))
    os.utime(kept(room), (before - 1, before - 1))
    assert not cache.is_kept("limits")
    assert was_read(imported())
    assert cache.is_kept("limits")


def test_a_constant_of_another_module_makes_code_stale(room: Path) -> None:
    imported()
    times = (room / "constants.py").stat()
    (room / "constants.py").write_text("LIMIT = 10 - 5\n")
    os.utime(room / "constants.py", ns=(times.st_atime_ns, times.st_mtime_ns))
    changed = imported()
    assert changed(7) == 5
    assert not was_read(changed)
    assert was_read(imported())


@pytest.mark.parametrize("damage", ["empty", "one bit"])
def test_damaged_code_is_compiled_and_written_again(room: Path, damage: str) -> None:
    imported()
    whole = kept(room).read_bytes()
    flipped = whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]
    kept(room).write_bytes({"empty": b"", "one bit": flipped}[damage])
    healed = imported()
    assert healed(7) == 3
    assert not was_read(healed)
    assert was_read(imported())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("what", ["folder", "file"])
@pytest.mark.filterwarnings("ignore:compiled code cannot be kept")
def test_what_others_can_write_is_not_read(room: Path, what: str) -> None:
    imported()
    (room / "__pycache__" if what == "folder" else kept(room)).chmod(0o777)
    assert not was_read(imported())


@AS_ROOT
def test_a_folder_of_another_user_is_not_used(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (room / "__pycache__").mkdir()
    os.chown(room / "__pycache__", NOBODY, NOBODY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(room.parent))
    imported()
    assert kept(room.parent).is_relative_to(room.parent / "hlta")
    assert was_read(imported())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(room.parent / "chosen"))
    imported()
    assert len(list((room.parent / "chosen").rglob("*.nbc"))) == 1
    assert was_read(imported())


@pytest.mark.parametrize(
    ("variables", "own"),
    [
        ({"XDG_CACHE_HOME": "/own"}, "/own/hlta"),
        ({"XDG_CACHE_HOME": "", "HOME": "/home", "USERPROFILE": "/home"}, "/home/.cache/hlta"),
        ({"XDG_CACHE_HOME": "relative"}, None),
        ({"XDG_CACHE_HOME": "", "HOME": "relative", "USERPROFILE": "relative"}, None),
    ],
)
def test_the_users_cache_is_never_in_the_current_folder(
    room: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], own: str | None
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    first, *others = cache._folders()
    assert first == room / "__pycache__"
    assert [folder.parent for folder in others] == ([] if own is None else [Path(own)])


def test_without_a_place_that_is_told_once(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    no_folder = str(room / "limits.py")
    monkeypatch.setenv("NUMBA_CACHE_DIR", no_folder)
    with pytest.warns(UserWarning, match="NUMBA_CACHE_DIR") as shown:
        assert imported()(7) == imported()(7) == 3
    assert len(shown) == 1
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    cache._warn_that_nothing_is_kept.cache_clear()
    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="NUMBA_CACHE_DIR"):
        assert imported()(7) == 3
    assert not list(room.rglob("*.nbc"))


@AS_ROOT
def test_an_unknown_user_without_a_home_reads_what_root_has_kept(room: Path) -> None:
    """As in containers: a user without name or home, and an installation that is not its own."""
    imported()
    for folder in (room, *room.parents):
        if Path(tempfile.gettempdir()) in folder.parents:  # pytest's folders are closed to others
            folder.chmod(0o755)
    # What the process needs is imported before it becomes another user.
    code = f"""
import os, pathlib
import numba, hlta._kernels.compiling
hlta._kernels.cache._HERE = pathlib.Path({str(room)!r})
numba.njit("int64(int64)")(lambda value: min(value, 3))
os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})
from limits import limited
print(limited(7), *limited._cache_hits.values())
"""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(room), *sys.path])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("3 1", "")


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
    for name in MODULES:
        (tmp_path / f"{name}.py").touch()
        (tmp_path / "__pycache__" / f"{name}.kernel.{PYTHON}.0123.nbc").touch()
    monkeypatch.setattr(cache, "_HERE", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return tmp_path


def test_no_module_with_kernels_is_forgotten_and_none_uses_other_rooms() -> None:
    """A change in another room would leave stale code."""
    compiled = re.compile("^@(kernel|kernel_of_states|helper)$", re.MULTILINE)  # when imported
    texts = {file: file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")}
    found = {file for file, text in texts.items() if compiled.search(text)}
    assert found == {SOURCE / "_kernels" / f"{name}.py" for name in MODULES}
    for file in found:
        imports = re.findall(r"^from (hlta\.\w+)", texts[file], re.MULTILINE)
        assert set(imports) == {"hlta._kernels"}, file


def test_a_module_may_lack_kernels(warm_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not first_run._missing()
    for name in MODULES:
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
    assert {f"hlta._kernels.{name}" for name in MODULES} <= set(sys.modules)
    assert gc.isenabled()


class Noted(subprocess.Popen[Any]):
    """A process that is remembered."""

    started: ClassVar[list[subprocess.Popen[Any]]] = []

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.started.append(self)


@pytest.mark.usefixtures("cold")
def test_the_other_process_ends_with_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """When reading fails here, and when this process is killed."""
    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(OSError, match="no such file"), compiling(TextMonitor(io.StringIO())):
        raise OSError("no such file")
    assert Noted.started.pop().poll() == -9
    if sys.platform == "win32":
        return  # a pipe cannot be watched there
    with compiling(TextMonitor(io.StringIO())):
        other = Noted.started.pop()
        there(other.stdin).close()  # which is all that is left of a process that was killed
        assert other.wait(timeout=20) == 1
