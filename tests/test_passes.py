"""Passes over documents: zeros, accumulate each shard, merge in the order of the shards."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta._support.passes import Collecting, Merging, Part, Pass, Shard, passes_at, run_pass

if TYPE_CHECKING:
    from collections.abc import Sequence


class Adding:
    """Adds numbers, whose sum depends on the order to the last bit; later shards are done first."""

    def __init__(self, values: list[float]) -> None:
        self.values = values
        self.merged: list[float] = []

    def zeros(self) -> float:
        return 0.0

    def accumulate(self, shard: int) -> float:
        time.sleep(0.002 * (shard % 3 == 0))
        return self.values[shard]

    def merge(self, total: float, part: float) -> float:
        self.merged.append(part)
        return total + part


class Squares(Collecting[tuple[int, int], list[int]]):
    """One list per shard, with the thread that made it noted."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        super().__init__(self.squares)

    def squares(self, shard: tuple[int, int]) -> list[int]:
        self.threads.add(threading.get_ident())
        return [k * k for k in range(*shard)]


def values(count: int) -> list[float]:
    rng = np.random.default_rng(0)
    numbers: list[float] = (rng.normal(size=count) * 10.0 ** rng.integers(-8, 8, count)).tolist()
    return numbers


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_parts_are_merged_in_the_order_of_the_shards(n_jobs: int) -> None:
    work = Adding(values(40))
    run_pass(work, range(40), n_jobs)
    assert work.merged == work.values


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_a_sum_has_the_same_bits_for_any_number_of_threads(n_jobs: int) -> None:
    work = Adding(values(40))
    expected = 0.0
    for value in work.values:
        expected += value
    assert run_pass(work, range(40), n_jobs) == expected
    assert expected != sum(reversed(work.values))  # the order matters here


def test_without_shards_there_are_zeros() -> None:
    assert run_pass(Adding([]), [], 2) == 0.0
    assert run_pass(Squares(), [], 2) == []


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_collected_items_follow_each_other(n_jobs: int) -> None:
    shards = [(0, 3), (3, 3), (3, 7), (7, 20)]
    expected = [[k * k for k in range(*shard)] for shard in shards]
    assert run_pass(Squares(), shards, n_jobs) == expected


def test_each_pass_begins_with_zeros_of_its_own() -> None:
    work = Squares()
    first, second = (run_pass(work, [(0, 3)], 1) for _ in range(2))
    assert first == second == [[0, 1, 4]]


def test_one_job_accumulates_in_this_thread() -> None:
    work = Squares()
    run_pass(work, [(0, 3), (3, 5)], 1)
    assert work.threads == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failing_shard_fails_the_pass(n_jobs: int) -> None:
    with pytest.raises(IndexError):
        run_pass(Adding(values(3)), range(5), n_jobs)


@given(st.permutations(range(12)))
def test_parts_may_come_in_any_order(order: list[int]) -> None:
    work = Adding(values(12))
    merging = Merging(work)
    for number in order:
        merging.add(number, work.values[number])
    assert work.merged == work.values
    assert merging.total == run_pass(Adding(values(12)), range(12), 1)


class Backwards:
    """A place that takes small numbers, and visits the last shard first."""

    def __init__(self) -> None:
        self.passes = 0

    def reaches(self, shards: Sequence[Any]) -> bool:
        return len(shards) > 1

    def run(self, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
        assert not apart
        self.passes += 1
        merging = Merging(work)
        for number in reversed(range(len(shards))):
            merging.add(number, work.accumulate(shards[number]))
        return merging.total


def test_a_pass_runs_at_the_place_that_is_named_if_that_reaches_its_shards() -> None:
    place = Backwards()
    with passes_at(place):
        elsewhere = run_pass(Adding(values(12)), range(12), 1)
        assert place.passes == 1
        run_pass(Adding(values(12)), range(1), 1)
        assert place.passes == 1
        with passes_at(None):
            here = run_pass(Adding(values(12)), range(12), 1)
    run_pass(Adding(values(12)), range(12), 1)
    assert place.passes == 1
    assert here == elsewhere
