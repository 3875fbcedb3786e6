"""The command beside a person: bars on a terminal, and a reader that stops reading."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from hlta.cli.output import monitoring

FROZEN = Path(__file__).parent / "frozen"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_bars_while_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with monitoring(quiet=False) as monitor, monitor.stage("reading", 3):
        monitor.advance(3)
    assert "reading" in terminal.getvalue()
    assert "/3" in terminal.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_fit_goes_on_if_nobody_reads_its_progress(tmp_path: Path, texts_file: Path) -> None:
    command = f'"{sys.executable}" -m hlta fit "{texts_file}" -o "{tmp_path}/results" 2>&1 | :'
    subprocess.run(["sh", "-c", command], check=True)
    assert (tmp_path / "results" / "model.hlta").exists()


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "hlta", "topics", str(FROZEN / "model.hlta")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before anything is written
        assert process.stderr.read() == b""
    assert process.returncode == 0
