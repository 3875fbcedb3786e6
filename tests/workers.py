"""Workers of a cluster of Dask to whom tests do harm."""

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

# Dask's processes leave sockets and loops behind for the garbage collector.
MARKS = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Creating scratch directories:UserWarning"),
]


@contextmanager
def killing(workers: Any, times: int) -> Iterator[list[int]]:
    """Kill a worker at random moments meanwhile, so many in all."""
    killed, stop, rng = list[int](), threading.Event(), random.Random(0)

    def kill() -> None:
        while len(killed) < times and not stop.wait(rng.uniform(0.1, 0.5)):
            alive = [one.process.pid for one in workers.workers.values() if one.process]
            for pid in rng.sample([pid for pid in alive if pid], 1):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        stop.set()
        thread.join()


def first_of(client: Any) -> str:
    return min(map(str, client.nthreads()))


@contextmanager
def where(
    client: Any, workers: list[str] | None, harm: Callable[[], None], heal: Callable[[], None]
) -> Iterator[None]:
    """Do harm to workers, or to all, and heal them in the end."""
    client.run(harm, workers=workers)
    try:
        yield
    finally:
        client.run(heal, workers=workers)
