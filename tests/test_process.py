"""The command as a process: closed and narrow streams, signals, the current folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.cli import process
from tests.command import start

MODEL = Path(__file__).parent / "frozen" / "model.hlta"
SHELL = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `hlta` is the command."""
    line = f'hlta() {{ "{sys.executable}" -m hlta "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=False, env=os.environ | more
    )


@SHELL
def test_narrow_streams_get_escapes() -> None:
    print_ = (
        "from hlta.cli import process, printing; process.begin(); printing.show('jalape\u00f1o')"
    )
    done = shell(f'{sys.executable} -c "{print_}"', PYTHONIOENCODING="ascii")
    assert (done.stdout, done.stderr) == ("jalape\\u00f1o\n", "")


@SHELL
@pytest.mark.parametrize(("arguments", "status"), [("--version", 0), ("topics", 2)])
def test_closed_streams_are_no_error(arguments: str, status: int) -> None:
    assert shell(f"hlta {arguments} <&- >&- 2>&-").returncode == status


@SHELL
def test_no_file_takes_the_place_of_a_closed_stream() -> None:
    open_ = "from hlta.cli import process; process.begin(); exit(open('/dev/null').fileno())"
    assert shell(f'{sys.executable} -c "{open_}" <&- >&- 2>&-').returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["--version", "--help"])
def test_a_full_disk_behind_the_output_is_a_message(arguments: str) -> None:
    done = shell(f"hlta {arguments} >/dev/full")
    assert done.returncode == 1
    assert done.stderr == "hlta: No space left on device; make room and try again\n"


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_written_to_any_stream(text: str) -> None:
    process.begin_streams()
    written = text.encode("ascii", "hlta.escaped").decode("ascii")
    plain = text.replace("\\", "")
    assert plain.encode("ascii", "hlta.escaped").decode("unicode_escape").encode(
        "utf-16", "surrogatepass"
    ) == plain.encode("utf-16", "surrogatepass")
    assert written.isascii()


# ---- signals -------------------------------------------------------------------------------------


def test_the_first_signal_ends_and_the_next_ones_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ending = process.Ending()
    with pytest.raises(KeyboardInterrupt):
        ending(signal.SIGINT, None)
    for _ in range(6):
        now[0] += 0.5
        ending(signal.SIGINT, None)
        ending(signal.SIGTERM, None)
    now[0] += process._GRACE
    with pytest.raises(SystemExit) as ended:
        ending(signal.SIGTERM, None)
    assert ended.value.code == 128 + signal.SIGTERM


LOADING = """
import os, signal, time
from hlta import cli
def app():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    except KeyboardInterrupt:
        raise ImportError("initialization failed") from None
cli.app = app
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_an_interrupt_that_a_module_makes_an_error_of_is_an_interrupt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "hlta: interrupted\n")


# Python drops an interrupt that comes while a callback of its own runs, as imports have many; those
# that follow at once change nothing, so that the command then goes on to its end.
@pytest.mark.flaky(reruns=2)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("after", [0.15, 0.3, 1.5])
def test_many_interrupts_leave_one_line(after: float, tmp_path: Path) -> None:
    with start("demo", "-q", "-o", tmp_path / "out") as running:
        time.sleep(after)
        for _ in range(6):
            running.send_signal(signal.SIGINT)
            time.sleep(0.01)
        try:
            _, told = running.communicate(timeout=60)
        finally:
            running.kill()
    # Until the command is at work, the signal ends Python itself, which says where it was.
    assert running.returncode in {-signal.SIGINT, 130}
    if running.returncode == 130:
        assert told in {"", "hlta: interrupted\n"}
    assert not (tmp_path / "out").exists()


# ---- the current folder --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        pytest.param(("score", MODEL, MODEL.parent / "corpus"), marks=pytest.mark.slow),
    ],
)
def test_no_module_comes_from_the_current_folder(
    arguments: tuple[object, ...], tmp_path: Path
) -> None:
    for name in ("typer", "numba", "numpy", "polars", "rich", "scipy", "json", "csv"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('ran a module of the folder')")
    with start(*arguments, cwd=tmp_path) as running:
        out, told = running.communicate()
    assert (running.returncode, told) == (0, "")
    assert "folder" not in out
