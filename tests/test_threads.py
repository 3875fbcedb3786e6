"""Work on threads: in order, bounded, and failing as it should."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta._support import threads
from hlta._support.threads import map_in_order, resolve_jobs
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("n_jobs", [3, np.int64(3)])
def test_a_number_of_threads_is_taken_as_it_is(n_jobs: Any) -> None:
    assert resolve_jobs(n_jobs) == 3


def test_none_and_minus_1_are_all_processors() -> None:
    assert resolve_jobs(None) == resolve_jobs(-1) >= 1


def test_minus_2_is_all_processors_but_one_and_one_at_least() -> None:
    assert resolve_jobs(-2) == max(1, resolve_jobs(None) - 1)
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

    assert map_in_order(late, range(40), n_jobs) == [task * task for task in range(40)]


def test_many_jobs_share_the_work_of_this_thread() -> None:
    seen = set(map_in_order(who, range(40), 3))
    assert threading.get_ident() in seen
    assert 2 <= len(seen) <= 3


def test_one_job_stays_in_this_thread() -> None:
    names = map_in_order(lambda _: threading.current_thread(), range(3), 1)
    assert set(names) == {threading.current_thread()}


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_fewer_threads_than_asked_for_are_enough(
    allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a limit on the processes of a user or a container."""
    start, running = threading.Thread.start, set[threading.Thread]()

    def limited(thread: threading.Thread) -> None:
        alive = {one for one in running if one.is_alive()}
        if len(alive) >= allowed:
            raise RuntimeError("can't start new thread")
        running.add(thread)
        start(thread)

    threads._pool.cache_clear()
    monkeypatch.setattr(threading.Thread, "start", limited)
    seen = map_in_order(who, range(60), 8)
    threads._pool.cache_clear()
    assert len(seen) == 60
    assert len(set(seen)) <= allowed + 1


def who(_: int) -> int:
    time.sleep(0.002)
    return threading.get_ident()


def test_an_interrupt_while_threads_begin_lets_them_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, begun = ThreadPoolExecutor(2), list[Future[object]]()

    def submit(function: Callable[[], object]) -> None:
        if begun:
            raise KeyboardInterrupt
        begun.append(ThreadPoolExecutor.submit(pool, function))

    monkeypatch.setattr(pool, "submit", submit)
    with pytest.raises(KeyboardInterrupt):
        threads._begin(pool, 2)
    assert begun[0].result(timeout=60)


def test_no_task_is_begun_after_a_failure() -> None:
    begun: list[int] = []

    def fail(task: int) -> None:
        begun.append(task)
        if task == 2:
            raise RuntimeError("stop")
        time.sleep(0.02)

    with pytest.raises(RuntimeError, match="stop"):
        map_in_order(fail, range(1000), 2)
    assert 3 <= len(begun) <= 5


def test_calls_within_calls_do_not_wait_for_each_other() -> None:
    def inner(task: int) -> int:
        return sum(map_in_order(abs, range(task), 2))

    assert map_in_order(inner, range(6), 2) == [0, 0, 1, 3, 6, 10]


def test_no_tasks() -> None:
    assert map_in_order(abs, [], 2) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failure_reaches_the_caller_and_the_next_call_works(n_jobs: int) -> None:
    def fail(task: int) -> int:
        if task == 3:
            raise RuntimeError("task 3")
        return task

    with pytest.raises(RuntimeError, match="task 3"):
        map_in_order(fail, range(10), n_jobs)
    assert map_in_order(abs, range(10), n_jobs) == list(range(10))
