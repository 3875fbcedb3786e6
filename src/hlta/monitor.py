"""Who is told how far long work has come. A monitor reports; it never decides."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, TextIO

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Monitor:
    """Silent. Subclasses say what they hear; calls may come from several threads."""

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[None]:
        """Work of `total` units, if that is known, begins; it ends with the block.

        Stages can stand within stages.
        """
        self.begin(name, total)
        try:
            yield
        except BaseException:
            self.end(completed=False)
            raise
        self.end(completed=True)

    def begin(self, name: str, total: int | None) -> None:
        """A stage begins."""

    def advance(self, units: int = 1) -> None:
        """Some units of the innermost stage are done."""

    def end(self, *, completed: bool) -> None:
        """The innermost stage ends, completed or not."""

    def note(self, message: str) -> None:
        """Something worth knowing, such as a choice that was made."""


class _Open:
    """A stage under way."""

    def __init__(self, name: str, total: int | None) -> None:
        self.name, self.total, self.done = name, total, 0
        self.began = time.monotonic()


class TextMonitor(Monitor):
    """Lines of text: one that is rewritten on a terminal, one a finished stage elsewhere."""

    def __init__(self, stream: TextIO | None = None, *, every: float = 0.1) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._every = every
        self._stages: list[_Open] = []
        self._shown = 0.0
        self._width = 0
        self._lock = Lock()

    def begin(self, name: str, total: int | None) -> None:
        with self._lock:
            self._stages.append(_Open(name, total))
            self._show(force=True)

    def advance(self, units: int = 1) -> None:
        with self._lock:
            self._stages[-1].done += units
            self._show(force=False)

    def end(self, *, completed: bool) -> None:
        with self._lock:
            stage = self._stages.pop()
            path = [*(s.name for s in self._stages), stage.name]
            spent = time.monotonic() - stage.began
            units = "" if stage.total is None else f" ({stage.total:,})"
            how = "" if completed else ", not completed"
            self._write(f"{': '.join(path)}{units} {spent:.2f} s{how}", final=True)

    def note(self, message: str) -> None:
        with self._lock:
            self._write(message, final=True)

    def _show(self, *, force: bool) -> None:
        now = time.monotonic()
        if not self._live or (not force and now - self._shown < self._every):
            return
        self._shown = now
        stage = self._stages[-1]
        text = ": ".join(s.name for s in self._stages)
        if not stage.total and stage.done:
            text += f" {stage.done:,}"
        if stage.total:
            text += f" {stage.done:,} of {stage.total:,}"
            spent = now - stage.began
            if 0 < stage.done < stage.total and spent > 0.5:
                text += f", {_duration(spent / stage.done * (stage.total - stage.done))} left"
        self._write(text, final=False)

    def _write(self, text: str, *, final: bool) -> None:
        if self._live:
            self._stream.write("\r" + text.ljust(self._width) + ("\n" if final else ""))
            self._width = 0 if final else len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def as_monitor(progress: Any) -> Monitor:
    """The `progress` of the estimator: False is silent, True writes to stderr, or a `Monitor`."""
    if isinstance(progress, Monitor):
        return progress
    if progress is None or progress is False:
        return Monitor()
    if progress is True:
        return TextMonitor()
    raise OptionError(f"progress={progress!r}: use True, False or an hlta.Monitor")
