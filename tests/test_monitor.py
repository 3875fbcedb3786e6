"""Progress is told in order, and once."""

from __future__ import annotations

import io

import pytest

from hlta import Monitor, OptionError, TextMonitor
from hlta.monitor import _duration, as_monitor


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(monitor: Monitor) -> None:
    with monitor.stage("outer"), monitor.stage("inner", 3):
        for _ in range(3):
            monitor.advance()
    monitor.note("done")


def test_a_file_gets_a_line_a_stage() -> None:
    stream = io.StringIO()
    work(TextMonitor(stream))
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("outer: inner (3) 0.0")
    assert lines[1].startswith("outer 0.0")
    assert lines[2] == "done"


def test_a_terminal_gets_a_line_that_changes() -> None:
    stream = Terminal()
    work(TextMonitor(stream, every=0.0))
    shown = stream.getvalue()
    assert "\router: inner 2 of 3" in shown
    assert shown.count("\n") == 3


def test_time_left_is_said_when_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("hlta.monitor.time.monotonic", lambda: float(next(clock)))
    stream = Terminal()
    monitor = TextMonitor(stream)
    monitor.begin("reading", 100)
    monitor.advance(10)
    assert "reading 10 of 100, " in stream.getvalue()
    assert " left" in stream.getvalue()
    assert _duration(59.6) == "1 min 0 s"
    assert _duration(3.2) == "3 s"


def test_an_error_is_no_success() -> None:
    stream = io.StringIO()
    monitor = TextMonitor(stream)
    with pytest.raises(KeyboardInterrupt), monitor.stage("pairs", 5):
        raise KeyboardInterrupt
    assert stream.getvalue().endswith(", not completed\n")


def test_progress_is_a_switch_or_a_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    work(as_monitor(False))
    assert capsys.readouterr() == ("", "")
    work(as_monitor(True))
    assert "outer: inner (3)" in capsys.readouterr().err
    monitor = Monitor()
    assert as_monitor(monitor) is monitor
    with pytest.raises(OptionError, match="progress='yes'"):
        as_monitor("yes")
