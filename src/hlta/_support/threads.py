"""Run tasks on threads; results are in the order of the tasks.

Kernels release the GIL, so threads suffice. Results never depend on the number of threads: callers cut
the work into tasks without regard to it, and merge in order. So fewer than were asked for may run.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from numbers import Integral
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Task = TypeVar("Task")
Result = TypeVar("Result")


def check_number_of_threads(variable: str) -> None:
    """Refuse a value of an environment variable with which Numba or Polars would fail."""
    given = os.environ.get(variable, "1")
    if not re.fullmatch(r"\+?0*[1-9][0-9]*", given.strip()):
        raise OptionError(
            f"{variable}={given:.40}: use a number of threads, at least 1, or unset it"
        )


def resolve_jobs(n_jobs: Any) -> int:
    """Turn `n_jobs` into a number of threads: None or -1 for all processors, -2 for all but one."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    usable = len(affinity(0)) if affinity else os.cpu_count() or 1
    if n_jobs is None:
        return usable
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if not whole or n_jobs == 0:
        raise OptionError(f"n_jobs={n_jobs!r}: use a number of threads, or None for all processors")
    return int(n_jobs) if n_jobs > 0 else max(1, usable + 1 + int(n_jobs))


_jobs: Final = ContextVar[int | None]("hlta_jobs", default=None)


@contextmanager
def on_threads(n_jobs: int | None) -> Iterator[None]:
    """Let work in the block run on so many threads; None changes nothing.

    The number is a context variable, not an argument of every function, since no result depends on it.
    """
    if n_jobs is None:
        yield
        return
    token = _jobs.set(resolve_jobs(n_jobs))
    try:
        yield
    finally:
        _jobs.reset(token)


def threads_now() -> int:
    """The number of threads that work runs on: that of `on_threads`, or else that of all processors."""
    return _jobs.get() or resolve_jobs(None)


@lru_cache(maxsize=4)
def _pool(threads: int, process: int) -> ThreadPoolExecutor | None:
    """A pool of so many threads, or of as many as the system lets start; None if it lets none start.

    The process id is part of the key: a forked child must not wait for its parent's threads.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="hlta")
    begun = _begin(pool, threads)
    if begun == threads:
        return pool
    pool.shutdown()
    return _pool(begun, process) if begun else None


def _begin(pool: ThreadPoolExecutor, threads: int) -> int:
    """Start all threads of a pool, and return how many the system let start."""
    begun, go = 0, Event()
    try:
        with suppress(RuntimeError):  # can't start new thread
            while begun < threads:
                pool.submit(go.wait)  # a thread each, since none is free
                begun += 1
    finally:
        go.set()  # or else, after an interrupt, the process would wait for them for ever
    return begun


def map_in_order(function: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """`[function(task) for task in tasks]`, on as many threads as `on_threads` says.

    Each thread takes the next task when it has finished one. After a failure or Ctrl-C, no thread
    takes another task.
    """
    threads = threads_now()
    helpers = min(threads, len(tasks)) - 1
    results: list[Result | None] = [None] * len(tasks)
    remaining = iter(range(len(tasks)))
    lock = Lock()
    stopped = False

    def work() -> None:
        nonlocal stopped
        try:
            while True:
                with lock:
                    number = None if stopped else next(remaining, None)
                if number is None:
                    return
                results[number] = function(tasks[number])
        except BaseException:
            stopped = True
            raise

    def help_out() -> None:
        with on_threads(threads):
            work()

    pool = _pool(helpers, os.getpid()) if helpers > 0 else None
    if pool is None:
        work()
    else:
        others = [pool.submit(help_out) for _ in range(helpers)]
        try:
            work()
        finally:
            # A helper that has not begun has no task left; its pool may even wait for this very thread.
            failures = [future.exception() for future in others if not future.cancel()]
        for failure in failures:
            if failure is not None:
                raise failure
    return results  # type: ignore[return-value]
