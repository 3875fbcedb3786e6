"""Passes over documents, and the threads that they run on: in order, bounded, failing as they should."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta._support import threads
from hlta._support.passes import Collecting, Merging, run_pass
from hlta._support.threads import map_in_order, resolve_jobs
from hlta.errors import OptionError
from tests.jobs import on_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# ---- threads -------------------------------------------------------------------------------------


def test_numbers_of_threads_below_0_count_from_all_processors() -> None:
    assert resolve_jobs(3) == 3
    assert resolve_jobs(np.int64(3)) == 3
    assert resolve_jobs(None) == resolve_jobs(-1) >= 1
    assert resolve_jobs(-2) == max(1, resolve_jobs(None) - 1)
    assert resolve_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, True, 2.0, "all"])
def test_a_wrong_number_of_threads_is_refused(n_jobs: Any) -> None:
    with pytest.raises(OptionError, match="n_jobs="):
        resolve_jobs(n_jobs)


def who(_: int) -> int:
    time.sleep(0.002)
    return threading.get_ident()


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_results_come_in_order_from_this_thread_and_others(n_jobs: int) -> None:
    def late(task: int) -> int:
        time.sleep(0.002 * (task % 3))
        return task * task

    assert on_jobs(n_jobs, map_in_order, late, range(40)) == [task * task for task in range(40)]
    assert on_jobs(n_jobs, map_in_order, late, []) == []
    seen = set(on_jobs(n_jobs, map_in_order, who, range(40)))
    assert threading.get_ident() in seen
    assert min(n_jobs, 2) <= len(seen) <= n_jobs


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_fewer_threads_than_asked_for_are_enough(
    allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a limit on the processes of a user or a container."""
    start, running = threading.Thread.start, set[threading.Thread]()

    def limited(thread: threading.Thread) -> None:
        if sum(one.is_alive() for one in running) >= allowed:
            raise RuntimeError("can't start new thread")
        running.add(thread)
        start(thread)

    threads._pool.cache_clear()
    monkeypatch.setattr(threading.Thread, "start", limited)
    seen = on_jobs(8, map_in_order, who, range(60))
    threads._pool.cache_clear()
    assert len(seen) == 60
    assert len(set(seen)) <= allowed + 1


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


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failure_reaches_the_caller_and_no_task_is_begun_after_it(n_jobs: int) -> None:
    begun: list[int] = []

    def fail(task: int) -> None:
        begun.append(task)
        if task == 2:
            raise RuntimeError("task 2")
        time.sleep(0.02)

    with pytest.raises(RuntimeError, match="task 2"):
        on_jobs(n_jobs, map_in_order, fail, range(1000))
    assert 3 <= len(begun) <= 5
    assert on_jobs(n_jobs, map_in_order, abs, range(10)) == list(range(10))  # the next call works


def test_calls_within_calls_do_not_wait_for_each_other() -> None:
    def inner(task: int) -> int:
        return sum(on_jobs(2, map_in_order, abs, range(task)))

    assert on_jobs(2, map_in_order, inner, range(6)) == [0, 0, 1, 3, 6, 10]


# ---- passes --------------------------------------------------------------------------------------

# Their sum depends on the order to the last bit.
VALUES: list[float] = (10.0 ** np.random.default_rng(0).uniform(-8, 8, 40)).tolist()


class Adding:
    """Adds numbers; some shards are done later than those after them."""

    def zeros(self) -> float:
        return 0.0

    def accumulate(self, shard: int) -> float:
        time.sleep(0.002 * (shard % 3 == 0))
        return VALUES[shard]

    def merge(self, total: float, part: float) -> float:
        return total + part


def added(values: Iterable[float]) -> float:
    """One after the other; newer versions of `sum` are more exact."""
    total = 0.0
    for value in values:
        total += value
    return total


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_a_pass_has_the_same_bits_for_any_number_of_threads(n_jobs: int) -> None:
    found = on_jobs(n_jobs, run_pass, Adding(), range(len(VALUES)))
    assert found == added(VALUES) != added(reversed(VALUES))
    assert on_jobs(n_jobs, run_pass, Adding(), []) == 0.0
    with pytest.raises(IndexError):
        on_jobs(n_jobs, run_pass, Adding(), range(50))
    squares: Collecting[range, list[int]] = Collecting(lambda shard: [k * k for k in shard])
    shards = [range(3), range(3, 3), range(3, 7), range(7, 20)]
    for _ in range(2):  # each pass begins with zeros of its own
        assert on_jobs(n_jobs, run_pass, squares, shards) == [
            [k * k for k in shard] for shard in shards
        ]


@given(st.permutations(range(12)))
def test_parts_may_come_in_any_order(order: list[int]) -> None:
    merging = Merging(Adding())
    for number in order:
        merging.add(number, VALUES[number])
    assert merging.total == added(VALUES[:12])
