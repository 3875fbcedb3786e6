"""What benchmarks measure with: two functions in turn, CPU time, memory."""

from __future__ import annotations

import resource
import statistics
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Timing(NamedTuple):
    """Two functions that ran in turn.

    Attributes
    ----------
    first, second
        Median seconds of each function.
    ratio
        Median over the rounds: seconds of the first function per second of the other one.
    best
        The same ratio for the shortest run of each function.
    """

    first: float
    second: float
    ratio: float
    best: float


def in_turn(first: Callable[[], object], second: Callable[[], object], rounds: int) -> Timing:
    """Run the two functions alternately for some rounds, after one round that does not count."""
    first(), second()
    pairs = []
    for _ in range(rounds):
        times = []
        for function in (first, second):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
        pairs.append(times)
    ratio = statistics.median(a / b for a, b in pairs)
    firsts, seconds = zip(*pairs, strict=True)
    best = min(firsts) / min(seconds)
    return Timing(statistics.median(firsts), statistics.median(seconds), ratio, best)


def cpu_seconds() -> float:
    """CPU time so far of this process and of its children that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def memory(process: int | str = "self", kind: str = "RssAnon") -> int:
    """Kilobytes of memory that a process has: anonymous memory, or with "VmRSS" all of it."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.split(f"{kind}:")[1].split()[0])


class PeakMemory:
    """The peak of a kind of memory of this process while a block runs, in kilobytes."""

    def __init__(self, kind: str = "RssAnon") -> None:
        self._kind, self._stop = kind, threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> PeakMemory:
        self.peak = memory(kind=self._kind)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.02):
            self.peak = max(self.peak, memory(kind=self._kind))
