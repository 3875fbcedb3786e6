"""Work on threads: in order, bounded, and failing as it should."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from hlta.errors import OptionError
from hlta.parallel.threads import map_in_order, resolve_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_numbers_of_threads() -> None:
    everything = resolve_jobs(None)
    assert everything >= 1
    assert resolve_jobs(3) == 3
    assert resolve_jobs(-1) == everything
    assert resolve_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, True, 2.0, "all"])
def test_a_wrong_number_of_threads_is_refused(n_jobs: Any) -> None:
    with pytest.raises(OptionError, match="n_jobs="):
        resolve_jobs(n_jobs)


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_results_come_in_order(n_jobs: int) -> None:
    def late(task: int) -> int:
        time.sleep(0.002 * (task % 3))
        return task * task

    assert list(map_in_order(late, range(40), n_jobs)) == [task * task for task in range(40)]


def test_one_job_stays_in_this_thread() -> None:
    names = map_in_order(lambda _: threading.current_thread(), range(3), 1)
    assert set(names) == {threading.current_thread()}


def test_few_results_wait() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for task in range(1000):
            taken += 1
            yield task

    results = map_in_order(lambda task: task, tasks(), 2)
    assert next(results) == 0
    assert taken <= 6
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failure_reaches_the_caller_and_the_next_call_works(n_jobs: int) -> None:
    def fail(task: int) -> int:
        if task == 3:
            raise RuntimeError("task 3")
        return task

    with pytest.raises(RuntimeError, match="task 3"):
        list(map_in_order(fail, range(10), n_jobs))
    assert list(map_in_order(abs, range(10), n_jobs)) == list(range(10))
