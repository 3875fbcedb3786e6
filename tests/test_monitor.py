"""Monitors: stages are reported in order, once, and with the time they took."""

from __future__ import annotations

import io
import re

import pytest

from hlta import Monitor, OptionError, TextMonitor
from hlta.monitor import as_monitor


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Stands for `time.monotonic`; it moves when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr("hlta.monitor.time.monotonic", stopped)
    return stopped


def work(monitor: Monitor) -> None:
    with monitor.stage("outer"), monitor.stage("inner", 3):
        for _ in range(3):
            monitor.advance()
    monitor.note("done")


def shown_last(stream: io.StringIO) -> str:
    """The line that a terminal shows."""
    return stream.getvalue().rsplit("\r", 1)[-1].rstrip()


def test_a_file_gets_a_line_per_finished_stage() -> None:
    stream = io.StringIO()
    work(TextMonitor(stream))
    without_times = re.sub(r"\d+\.\d\d s", "0 s", stream.getvalue())
    assert without_times == "outer: inner (3) 0 s\nouter 0 s\ndone\n"


def test_a_terminal_gets_a_line_that_changes_in_place() -> None:
    stream = Terminal()
    work(TextMonitor(stream, every=0.0))
    assert "\router: inner 2 of 3" in stream.getvalue()
    assert stream.getvalue().count("\n") == 3


def test_a_shorter_line_covers_a_longer_one() -> None:
    stream = Terminal()
    monitor = TextMonitor(stream)
    monitor.begin("a long name", 5)
    monitor.note("x")
    assert stream.getvalue().endswith("\r" + "x".ljust(len("a long name 0 of 5")) + "\n")


def test_a_terminal_is_not_written_to_all_the_time(clock: Clock) -> None:
    stream = Terminal()
    monitor = TextMonitor(stream, every=1.0)
    monitor.begin("reading", None)
    before = stream.getvalue()
    clock.now = 0.5
    monitor.advance()
    assert stream.getvalue() == before
    clock.now = 1.5
    monitor.advance(1999)
    assert shown_last(stream) == "reading 2,000"


@pytest.mark.parametrize(
    ("seconds", "units", "left"),
    [
        (20.0, 10, ", 3 min 0 s left"),
        (20.0, 50, ", 20 s left"),
        (59.6, 50, ", 1 min 0 s left"),
        (0.4, 10, ""),  # too early to tell
        (20.0, 100, ""),
    ],
)
def test_the_time_left_is_shown_once_it_can_be_told(
    clock: Clock, seconds: float, units: int, left: str
) -> None:
    stream = Terminal()
    monitor = TextMonitor(stream, every=0.0)
    monitor.begin("reading", 100)
    clock.now = seconds
    monitor.advance(units)
    assert shown_last(stream) == f"reading {units} of 100{left}"


def test_an_interrupted_stage_is_not_completed(clock: Clock) -> None:
    def interrupted() -> None:
        clock.now = 2.0
        raise KeyboardInterrupt

    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt), TextMonitor(stream).stage("pairs", 5):
        interrupted()
    assert stream.getvalue() == "pairs (5) 2.00 s, not completed\n"


@pytest.mark.parametrize("progress", [False, None])
def test_no_progress_is_silent(progress: object, capsys: pytest.CaptureFixture[str]) -> None:
    work(as_monitor(progress))
    assert capsys.readouterr() == ("", "")


def test_progress_true_writes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    work(as_monitor(True))
    out, err = capsys.readouterr()
    assert out == ""
    assert "outer: inner (3)" in err


def test_progress_can_be_a_monitor() -> None:
    monitor = Monitor()
    assert as_monitor(monitor) is monitor


@pytest.mark.parametrize("progress", ["yes", 1, 0])
def test_any_other_progress_is_refused(progress: object) -> None:
    with pytest.raises(OptionError, match=f"progress={progress!r}: use True, False or"):
        as_monitor(progress)
