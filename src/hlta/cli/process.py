"""The command as a process: its streams, the signals that end it, and its warnings."""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import time
import warnings
from contextlib import suppress
from typing import Any, Final

from hlta.cli.option_names import as_typed
from hlta.cli.printing import tell

_GRACE: Final = 5.0  # seconds for cleaning up, in which further signals change nothing
_STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")  # not all are on every system


def begin() -> Ending:
    """Prepare this process for the command: its streams, the signals that end it, and its warnings."""
    begin_streams()
    ending = Ending()
    for name in _ENDING:
        number = getattr(signal, name, None)
        # A signal that is ignored, as with nohup, stays so.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, ending)
    warnings.showwarning = lambda message, *_: tell(f"hlta: {as_typed(str(message))}")
    return ending


def end() -> None:
    """Ignore interrupts from here on, flush the streams, and discard what one no longer takes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _give_up(stream)


class Ending:
    """A signal handler that ends the command by an exception, so that half-written files are removed.

    Further signals within `_GRACE` seconds are ignored, while these files are removed.

    number  of the last signal that was not ignored, or None
    """

    def __init__(self) -> None:
        self._last = -_GRACE
        self.number: int | None = None

    def __call__(self, number: int, _: Any) -> None:
        """Act on a signal."""
        now = time.monotonic()
        if now - self._last < _GRACE:
            return
        self._last, self.number = now, number
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)


def begin_streams() -> None:
    """Open standard streams that are closed, so that no file gets their numbers; set up `_escape`."""
    codecs.register_error("hlta.escaped", _escape)
    for descriptor, (name, mode) in enumerate(_STREAMS):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="hlta.escaped")


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Characters that an encoding lacks, as escapes of JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[k : k + 2].hex() for k in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.end


def _give_up(stream: Any) -> None:
    """Discard what is left to print: let the stream write to the null device."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
