"""Clocks for the benchmarks: two functions in turn, a whole process, CPU time."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


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


class Spent(NamedTuple):
    """CPU and wall seconds of some piece of work."""

    cpu: float
    wall: float


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


def run_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> tuple[Spent, str]:
    """Run a process to its end: what it took, and its standard output."""
    spent, output, _ = run_with_progress(command, environment, cwd)
    return spent, output


def run_with_progress(
    command: Sequence[str], environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> tuple[Spent, str, str]:
    """Run a process to its end: what it took, its standard output, and its standard error.

    If it fails, its error messages appear before `CalledProcessError` is raised.
    """
    environment = os.environ | dict(environment or {})
    cpu, start = cpu_seconds(), time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=environment
    )
    spent = Spent(cpu_seconds() - cpu, time.perf_counter() - start)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return spent, done.stdout, done.stderr
