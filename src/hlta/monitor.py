"""Progress of long work. A monitor reports; it never decides."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, TextIO

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST_SPENT = 0.5  # seconds of a stage before the time left is worth showing


class Monitor:
    """The silent monitor, and the base class of others.

    A subclass overrides the methods that it needs; the others do nothing. Stages can nest. Calls may
    come from several threads.

    Examples
    --------
    >>> from hlta import Monitor
    >>> class Names(Monitor):
    ...     def begin(self, name, total):
    ...         print(name, total)
    >>> with Names().stage("reading", 100):
    ...     pass
    reading 100
    """

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[None]:
        """Begin a stage, and end it with the block.

        Parameters
        ----------
        name
            What is done, for people: "reading".
        total
            How many units of work the stage has, if that is known.

        Yields
        ------
        None
        """
        self.begin(name, total)
        try:
            yield
        except BaseException:
            self.end(completed=False)
            raise
        self.end(completed=True)

    def begin(self, name: str, total: int | None) -> None:
        """Called when a stage begins.

        Parameters
        ----------
        name
            What is done, for people.
        total
            How many units of work the stage has, or None if that is not known.
        """

    def advance(self, units: int = 1) -> None:
        """Called when the innermost stage has done more units of work.

        Parameters
        ----------
        units
            How many units were done since the last call.
        """

    def end(self, *, completed: bool) -> None:
        """Called when the innermost stage ends.

        Parameters
        ----------
        completed
            False if an error or an interrupt ended it.
        """

    def note(self, message: str) -> None:
        """Called with something worth knowing, such as a choice that was made.

        Parameters
        ----------
        message
            A sentence for people.
        """


class _Stage:
    """A stage under way."""

    def __init__(self, name: str, total: int | None) -> None:
        self.name = name
        self.total = total
        self.done = 0
        self.began = time.monotonic()


class TextMonitor(Monitor):
    """Writes progress as text: on a terminal one line in place, elsewhere a line per finished stage.

    Parameters
    ----------
    stream
        Where to write; by default stderr.
    every
        Least number of seconds between two updates of the line on a terminal.

    Examples
    --------
    >>> import sys
    >>> from hlta import TextMonitor
    >>> TextMonitor(sys.stdout).note("batch EM: the corpus is small")
    batch EM: the corpus is small
    """

    def __init__(self, stream: TextIO | None = None, *, every: float = 0.1) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._every = every
        self._stages: list[_Stage] = []
        self._last_shown = 0.0
        self._width = 0  # of the line in place: the next one must cover it
        self._lock = Lock()

    def begin(self, name: str, total: int | None) -> None:
        """Show the new stage.

        Parameters
        ----------
        name, total
            As in `Monitor.begin`.
        """
        with self._lock:
            self._stages.append(_Stage(name, total))
            self._show(force=True)

    def advance(self, units: int = 1) -> None:
        """Update the line in place, unless it was updated a moment ago.

        Parameters
        ----------
        units
            As in `Monitor.advance`.
        """
        with self._lock:
            self._stages[-1].done += units
            self._show(force=False)

    def end(self, *, completed: bool) -> None:
        """Write a line with the seconds that the stage took.

        Parameters
        ----------
        completed
            As in `Monitor.end`.
        """
        with self._lock:
            path = self._path()
            stage = self._stages.pop()
            spent = time.monotonic() - stage.began
            units = "" if stage.total is None else f" ({stage.total:,})"
            outcome = "" if completed else ", not completed"
            self._write(f"{path}{units} {spent:.2f} s{outcome}", final=True)

    def note(self, message: str) -> None:
        """Write the message as a line.

        Parameters
        ----------
        message
            As in `Monitor.note`.
        """
        with self._lock:
            self._write(message, final=True)

    def _path(self) -> str:
        return ": ".join(stage.name for stage in self._stages)

    def _show(self, *, force: bool) -> None:
        now = time.monotonic()
        if not self._live or (not force and now - self._last_shown < self._every):
            return
        self._last_shown = now
        stage = self._stages[-1]
        text = self._path()
        if not stage.total and stage.done:
            text += f" {stage.done:,}"
        if stage.total:
            text += f" {stage.done:,} of {stage.total:,}"
            spent = now - stage.began
            if 0 < stage.done < stage.total and spent > _LEAST_SPENT:
                left = spent / stage.done * (stage.total - stage.done)
                text += f", {_duration(left)} left"
        self._write(text, final=False)

    def _write(self, text: str, *, final: bool) -> None:
        line = text + "\n"
        if self._live:
            line = "\r" + text.ljust(self._width) + ("\n" if final else "")
            self._width = 0 if final else len(text)
        with suppress(BrokenPipeError):  # nobody reads it any more, and the work goes on
            self._stream.write(line)
            self._stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def as_monitor(progress: Any) -> Monitor:
    """The monitor that `progress` asks for: False or None is silent, True writes to stderr."""
    if isinstance(progress, Monitor):
        return progress
    if progress is None or progress is False:
        return Monitor()
    if progress is True:
        return TextMonitor()
    raise OptionError(f"progress={progress!r}: use True, False or an hlta.Monitor")
