"""Shards in files, passes over them, and the threads that these run on."""

import errno
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta._support import threads
from hlta._support.passes import Collecting, Merging, run_pass
from hlta._support.threads import map_in_order, resolve_jobs
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.documents.shards import Presences, StoredShard, write_array, write_shard
from hlta.errors import FormatError, OptionError
from tests.jobs import on_jobs
from tests.synthetic import planted

ROWS = [[0, 2], [], [1], [0, 1, 2]]
PRESENCES = Presences(np.array([0, 2, 2, 3, 6]), np.array([0, 2, 1, 0, 1, 2], dtype=np.uint32))


@pytest.fixture
def stored(tmp_path: Path) -> StoredShard:
    write_shard(tmp_path, "7.", PRESENCES)
    return StoredShard.of_files(str(tmp_path), "7.", 4, 6, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no files")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="cannot be written: File too large") as caught:
            write_array(tmp_path / "x.npy", np.zeros(1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.errno == errno.EFBIG
    assert not list(tmp_path.iterdir())


def rewrite(shard: StoredShard, presences: Presences) -> None:
    """Write other arrays in the place of those of a shard."""
    for path in Path(shard.folder).iterdir():
        path.unlink()
    write_shard(Path(shard.folder), shard.name, presences)


def test_a_shard_comes_back_and_travels_as_the_names_of_its_files(stored: StoredShard) -> None:
    for found, array in zip(stored.presences(), PRESENCES, strict=True):
        assert isinstance(found, np.memmap)
        np.testing.assert_array_equal(found, array)
    assert Documents.of_shards([stored], 3).is_stored
    assert not Documents.of_shards([PRESENCES], 3).is_stored
    documents = Documents.of_shards([stored] * 1000, 3)[2:3000]
    assert len(pickle.dumps(documents[:9])) < 1000
    back = pickle.loads(pickle.dumps(documents))
    np.testing.assert_array_equal(back.indices, documents.indices)


@pytest.mark.skipif(not Path("/proc").exists(), reason="open files are counted in /proc")
def test_many_shards_do_not_need_as_many_open_files(stored: StoredShard) -> None:
    folder, before, shards = Path(stored.folder), len(os.listdir("/proc/self/fd")), []
    for number in range(200):
        for array in Presences._fields:
            os.link(folder / f"7.{array}.npy", folder / f"copy {number}.{array}.npy")
        shards.append(StoredShard.of_files(stored.folder, f"copy {number}.", 4, 6, 3))
    documents = Documents.of_shards(shards, 3)
    assert documents.document_frequency.tolist() == [400, 400, 400]
    assert len(os.listdir("/proc/self/fd")) - before <= 256  # of 400 files


def test_passes_visit_more_shards_than_are_mapped_at_a_time(tmp_path: Path) -> None:
    whole = as_documents(planted(20, 2).sample(1_000, seed=1))
    shards = []
    for number, part in enumerate(whole.cut(140)):
        write_shard(tmp_path, f"{number}.", part.presences())
        sizes = len(part), part.n_presences
        shards.append(StoredShard.of_files(str(tmp_path), f"{number}.", *sizes, whole.n_words))
    assert len(shards) > 128
    for most in (32, 256):
        of_pass, same = (d.shards(1, most) for d in (Documents.of_shards(shards, 20), whole))
        assert len(of_pass) == most
        for shard, expected in zip(of_pass, same, strict=True):
            np.testing.assert_array_equal(shard.indices, expected.indices)


OTHER = Presences(np.array([0, 1]), np.array([1], dtype=np.uint32))


@pytest.mark.parametrize("is_mapped", [False, True])
@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (lambda shard: os.truncate(f"{shard.folder}/7.indices.npy", 130), r"7\.indices\.npy has"),
        (lambda shard: os.utime(f"{shard.folder}/7.indptr.npy", ns=(1, 1)), r"7\.indptr\.npy has"),
        (lambda shard: rewrite(shard, OTHER), r"7\.indptr\.npy has changed meanwhile"),
        (lambda shard: os.unlink(f"{shard.folder}/7.indices.npy"), r"No such f.*7\.indices\.npy"),
    ],
)
def test_a_shard_that_is_not_what_it_was_is_named(
    stored: StoredShard, harm: Callable[[StoredShard], None], message: str, is_mapped: bool
) -> None:
    documents = Documents.of_shards([stored], 3)
    if is_mapped:
        assert documents.presences().indptr[-1] == 6
    harm(stored)
    with pytest.raises(FormatError, match=rf"cannot be read: .*{message}.*load the corpus again"):
        documents.presences()


@pytest.mark.parametrize(
    ("presences", "message"),
    [
        (Presences(np.array([0, 6]), PRESENCES.indices), "7.indptr does not fit the number of doc"),
        (
            Presences(np.array([0, 2, 2, 3, 3]), PRESENCES.indices[:3]),
            "7.indices does not fit the number of presences",
        ),
        (Presences(PRESENCES.indptr, PRESENCES.indices[::-1]), "must be distinct and ascending"),
        (Presences(PRESENCES.indptr, PRESENCES.indices + np.uint32(1)), "a word number 3, but 3"),
    ],
)
def test_shards_are_checked_first(stored: StoredShard, presences: Presences, message: str) -> None:
    rewrite(stored, presences)
    with pytest.raises(FormatError, match=message):
        StoredShard.of_files(stored.folder, "7.", 4, 6, 3).presences()


def test_numbers_of_threads_below_0_count_from_all_processors() -> None:
    assert resolve_jobs(3) == 3
    assert resolve_jobs(np.int64(3)) == 3
    assert resolve_jobs(None) == resolve_jobs(-1) >= 1
    assert resolve_jobs(-2) == max(1, resolve_jobs(None) - 1)
    assert resolve_jobs(-1000) == 1
    odd: list[Any] = [0, True, 2.0, "all"]
    for n_jobs in odd:
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
def test_fewer_threads_than_asked_for_do(allowed: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
