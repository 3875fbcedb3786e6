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


def test_the_time_left_is_shown_once_it_can_be_told(clock: Clock) -> None:
    stream = Terminal()
    monitor = TextMonitor(stream, every=0.0)
    monitor.begin("reading", 100)
    for seconds, units, left in (
        (0.4, 10, ""),  # too early to tell
        (20.0, 0, ", 3 min 0 s left"),
        (59.6, 40, ", 1 min 0 s left"),
        (70.0, 50, ""),
    ):
        clock.now = seconds
        monitor.advance(units)
        assert shown_last(stream).endswith(f"of 100{left}")


def test_an_interrupted_stage_is_not_completed(clock: Clock) -> None:
    def interrupted() -> None:
        clock.now = 2.0
        raise KeyboardInterrupt

    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt), TextMonitor(stream).stage("pairs", 5):
        interrupted()
    assert stream.getvalue() == "pairs (5) 2.00 s, not completed\n"


def test_progress_is_silent_on_stderr_or_a_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    work(as_monitor(False))
    work(as_monitor(None))
    assert capsys.readouterr() == ("", "")
    work(as_monitor(True))
    out, err = capsys.readouterr()
    assert out == ""
    assert "outer: inner (3)" in err
    monitor = Monitor()
    assert as_monitor(monitor) is monitor
    for odd in ("yes", 1, 0):
        with pytest.raises(OptionError, match=f"progress={odd!r}"):
            as_monitor(odd)
