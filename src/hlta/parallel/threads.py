"""Fan work out to threads; results come back in the order of the work.

Kernels release the GIL, so threads are enough. What is computed never depends on how many there
are: callers cut the work by the data alone and merge in order.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Task = TypeVar("Task")
Result = TypeVar("Result")


def resolve_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of threads: None is all processors, -1 too, -2 all but one."""
    usable = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    if n_jobs is None:
        return usable
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise OptionError(f"n_jobs={n_jobs!r}: use a number of threads, or None for all processors")
    return n_jobs if n_jobs > 0 else max(1, usable + 1 + n_jobs)


@lru_cache(maxsize=4)
def _pool(jobs: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001
    # The process is part of the key: a forked child must not wait for threads of its parent.
    return ThreadPoolExecutor(jobs, thread_name_prefix="hlta")


def map_in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], n_jobs: int | None
) -> Iterator[Result]:
    """`map(function, tasks)` on threads, with no more than two results a thread waiting."""
    jobs = resolve_jobs(n_jobs)
    if jobs == 1:
        yield from map(function, tasks)
        return
    pool = _pool(jobs, os.getpid())
    rest = iter(tasks)
    waiting: deque[Future[Result]] = deque(
        pool.submit(function, task) for task in islice(rest, 2 * jobs)
    )
    try:
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(function, task) for task in islice(rest, 1))
            yield result
    finally:
        for future in waiting:
            future.cancel()
