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
    """Make a process of any kind one that the command can run in."""
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
    """Nothing is left to stop, and nothing to print on a stream that takes no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _give_up(stream)


class Ending:
    """Ends the command by an exception, so that nothing half-written stays behind.

    Further signals within seconds change nothing: what is half-written is being removed.

    number  of the last signal, or None
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
    """Open the streams that were closed, so that no file takes their place; write any character."""
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
    """Characters that an encoding lacks, as JSON and Python write them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[k : k + 2].hex() for k in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.end


def _give_up(stream: Any) -> None:
    """Let the rest of what is printed go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
