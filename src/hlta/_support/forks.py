"""Forked processes lack the threads of their parent; Polars would wait for its own threads for ever."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from hlta._support.threads import check_number_of_threads
from hlta.errors import OptionError

_THREADS: Final = Path("/proc/self/task")  # where the system has it
_OF_POLARS: Final = re.compile(r"polars-\d+")
_lost = False  # whether this process, or an ancestor, was forked from one with threads of Polars


def check_threads_of_polars() -> None:
    """Refuse to use Polars where it would hang, after a fork, or panic, for a bad POLARS_MAX_THREADS."""
    check_number_of_threads("POLARS_MAX_THREADS")
    if _lost:
        raise OptionError(
            "this process was forked after Polars was used, and Polars would hang in it; start "
            'processes with multiprocessing.get_context("spawn") or "forkserver", or read before forking'
        )


def _note_threads() -> None:
    """Before a fork, note whether Polars has threads, which the child will lack."""
    global _lost_by_fork  # noqa: PLW0603
    names: list[str] = []
    for thread in _THREADS.glob("*/comm"):
        with suppress(OSError):  # it has ended meanwhile
            names.append(thread.read_text(encoding="utf-8", errors="replace").strip())
    _lost_by_fork = any(map(_OF_POLARS.fullmatch, names))


def _lose_threads() -> None:
    """After a fork, note in the child whether it lacks threads of Polars."""
    global _lost  # noqa: PLW0603
    _lost = _lost or _lost_by_fork


_lost_by_fork = False
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_note_threads, after_in_child=_lose_threads)
