"""Passes on a cluster of Dask: the same passes, whose shards other processes accumulate.

A task is a function of a model and of ranges of shards, which lie in files that all workers see; only
the model and the ranges are sent, and nothing stays on a worker that a pass could not do without. So a
worker may leave at any moment: what it had in hand is given to another one. Parts are merged here, in
the order of the shards, so the result has the same bits as with threads. Reading files is such a
pass, too: its shards are portions of them, and options take the place of the model.
"""

from __future__ import annotations

import os
import pickle
import platform
import sys
import time
from bisect import bisect_left
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from importlib import metadata
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic

from hlta._support.passes import Merging, Part, Pass, Shard, passes_at
from hlta._support.threads import on_threads, threads_now
from hlta._support.version import __version__
from hlta.errors import ClusterError, HltaError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


LOCAL: Final = "local"
"""Instead of an address: workers on this machine, a process for each thread."""
PATIENCE: Final = 60.0
"""Seconds to wait for a scheduler, or for a first worker."""
TASKS_PER_THREAD: Final = 2
"""Tasks that a pass has for each thread, at most; with two, a slow worker leaves one to the others."""
_TICK: Final = 5.0  # seconds between two looks at the workers, while no task ends
_TRIES: Final = 4  # of each task, as far as possible on different workers
_SAFE_PATH: Final = "PYTHONSAFEPATH"  # which Python reads
_THREADS_OF_POLARS: Final = "POLARS_MAX_THREADS"  # which Polars reads when it begins to work
_INSTALL: Final = 'install it with: pip install "hlta[dask]"'


@contextmanager
def passes_on(client: Any, n_jobs: int | None = None) -> Iterator[None]:
    """Let passes run meanwhile on the cluster of a client of Dask, of an address, or of `LOCAL`.

    With None, it is that of the client that is active; without one, they run on so many threads.
    """
    if client is None:
        client = _active_client()
    with on_threads(n_jobs), ExitStack() as stack:
        if isinstance(client, str):
            client = stack.enter_context(_started(client))
        if client is not None:
            stack.enter_context(passes_at(Cluster(_checked(client))))
        yield


def _checked(client: Any) -> Any:
    """A client of Dask."""
    if not (hasattr(client, "submit") and hasattr(client, "scheduler_info")):
        raise OptionError(
            f"client={client!r}: use a client of Dask (dask.distributed.Client), the address of a "
            f"scheduler, {LOCAL!r}, or None"
        )
    return client


class Cluster:
    """The workers of a client, as a place where passes run."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._threads: dict[str, int] = {}
        self._looked = -_TICK
        _wait_for_workers(client)
        _check_versions(client)

    def reaches(self, shards: Sequence[Any]) -> bool:
        """Whether there are several shards, all of them in files."""
        return len(shards) > 1 and all(getattr(shard, "is_stored", False) for shard in shards)

    def run(self, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
        """Accumulate the shards on the workers, and merge their parts in order here."""
        running = _Running(self._client, work, shards, self._workers(), apart=apart)
        try:
            with self._client.as_current():
                running.to_the_end()
        except _NotMerged as failure:
            raise failure.problem from None
        finally:
            running.cancel()
        return running.merging.total

    def _workers(self) -> dict[str, int]:
        """The threads of each worker; short passes do not ask the scheduler each time."""
        if time.monotonic() - self._looked > _TICK:
            self._threads, self._looked = _threads(self._client), time.monotonic()
        return self._threads


class _Running(Generic[Shard, Part]):
    """A pass on its way: the tasks that are not yet done, each a range of shards.

    Dask would give all tasks to the worker that has the model first, so they are dealt out to the
    threads of all workers. No task is bound to its worker: others take it if that one is slow or gone.
    """

    def __init__(
        self,
        client: Any,
        work: Pass[Shard, Part],
        shards: Sequence[Shard],
        workers: Mapping[str, int],
        *,
        apart: bool,
    ) -> None:
        self._client, self._shards = client, shards
        self.merging, self._apart = Merging(work), apart
        # The scheduler keeps this task, and so the model is sent again if a worker that had it leaves.
        packed = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        self._work = client.submit(pickle.loads, packed, pure=False)
        self._tries: dict[int, int] = {}
        self._open: dict[Any, tuple[int, int]] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._threads = [[worker] for worker, n in workers.items() for _ in range(n)] or [[]]
        self._ahead = TASKS_PER_THREAD * len(self._threads)
        size = 1 if apart else -(-len(shards) // self._ahead)
        self._tasks = [(k, min(k + size, len(shards))) for k in range(0, len(shards), size)]
        self._begun = 0
        self._begin()

    def _begin(self) -> None:
        """Deal out tasks, so many that few parts wait for those before them to be merged."""
        merged = bisect_left(self._tasks, (self.merging.next, 0))
        tasks = range(self._begun, min(merged + self._ahead, len(self._tasks)))
        for place in range(min(len(tasks), len(self._threads))):
            numbers = tasks[place :: len(self._threads)]
            worker = self._threads[numbers[0] % len(self._threads)]
            self._submit([self._tasks[number] for number in numbers], worker)
        self._begun = max(self._begun, tasks.stop)

    def _submit(self, tasks: Sequence[tuple[int, int]], workers: Sequence[str]) -> None:
        """Let workers accumulate the shards of tasks, or others if these are gone."""
        futures = self._client.map(
            _accumulate,
            [self._shards[slice(*task)] for task in tasks],
            work=self._work,
            versions=_versions(),
            pure=False,
            workers=list(workers) or None,
            allow_other_workers=bool(workers),
        )
        self._open.update(zip(futures, tasks, strict=True))
        for future in futures:
            future.add_done_callback(self._ended.put)

    def to_the_end(self) -> None:
        """Merge parts as they come."""
        from distributed import CancelledError

        seen = time.monotonic()
        try:
            while self._open:
                if self._took_one() or _threads(self._client):
                    seen = time.monotonic()
                elif time.monotonic() - seen > PATIENCE:
                    raise _no_workers(self._client)
        except (CancelledError, OSError) as error:
            raise ClusterError(
                f"the connection to the scheduler is lost: {error}; start the cluster again, and fit "
                "with the same checkpoint to go on"
            ) from None

    def _took_one(self) -> bool:
        """Merge the parts of a task that ended, or give it to another worker; whether one ended."""
        from distributed import CancelledError
        from distributed import TimeoutError as TimedOut

        try:
            future = self._ended.get(timeout=_TICK)
        except Empty:
            return False
        task = self._open[future]
        try:
            parts = future.result(timeout=PATIENCE if self._apart else _TICK)
        except TimedOut:  # the worker ended, or does not answer: once more, perhaps by another one
            self._ended.put(future)
            return False
        except CancelledError:
            raise
        except Exception as error:
            del self._open[future]
            self._try_again(task, *_what_failed(error))
            return True
        del self._open[future]
        try:
            for number, part in enumerate(parts, start=task[0]):
                self.merging.add(number, part)
        except OSError as problem:
            raise _NotMerged(problem) from None
        self._begin()
        return True

    def _try_again(self, task: tuple[int, int], worker: str, problem: str) -> None:
        """Give a task that failed to another worker, a few times."""
        begin, end = task
        self._tries[begin] = self._tries.get(begin, 1) + 1
        if self._tries[begin] > _TRIES:
            shards = f"shards {begin + 1} to {end} of {len(self._shards)} of a pass"
            place = f"portion {end} of {len(self._shards)}" if self._apart else shards
            raise ClusterError(
                f"{place} failed {_TRIES} times, the last time on {worker}: {problem}; files must be on "
                "a disk that all workers see, under the same path"
            )
        self._submit([task], [other for other in _threads(self._client) if other != worker])

    def cancel(self) -> None:
        """Let go of all tasks that are not done."""
        if self._open and self._client.status == "running":
            self._client.cancel(list(self._open), force=True)


def _accumulate(
    shards: Sequence[Shard], work: Pass[Shard, Part], versions: dict[str, str]
) -> list[Part]:
    """What a worker does: the parts of some shards, which it maps."""
    from distributed import get_worker

    if (own := _versions()) != versions:
        raise ClusterError(_other_versions(versions, own))
    os.environ.setdefault(_THREADS_OF_POLARS, str(get_worker().state.nthreads))
    try:
        return [work.accumulate(shard) for shard in shards]
    except (HltaError, OSError, MemoryError) as error:
        raise _Failure(get_worker().address, str(error) or type(error).__name__) from None


class _NotMerged(Exception):  # noqa: N818
    """An error of this process, such as a full disk, which is none of the connection."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(problem)
        self.problem = problem


class _Failure(Exception):  # noqa: N818
    """What went wrong on a worker."""

    def __init__(self, worker: str, problem: str) -> None:
        super().__init__(worker, problem)


def _what_failed(error: Exception) -> tuple[str, str]:
    """The worker on which a task failed, and why."""
    from distributed import KilledWorker

    if isinstance(error, _Failure):
        return error.args[0], error.args[1]
    if isinstance(error, KilledWorker):
        where = error.last_worker.address
        return where, "the worker ended; if its memory was too small, give it more"
    raise error


def _wait_for_workers(client: Any) -> None:
    """Wait for a first worker, not for ever."""
    from distributed import TimeoutError as TimedOut

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimedOut:
        raise _no_workers(client) from None


def _no_workers(client: Any) -> ClusterError:
    return ClusterError(
        f"the cluster at {client.scheduler.address} has no workers, and none came within "
        f"{PATIENCE:.0f} seconds; start some (dask worker {client.scheduler.address})"
    )


def _check_versions(client: Any) -> None:
    """Refuse workers without hlta, or with other versions: their bits might be others.

    Workers that leave meanwhile do not matter, and those that come later are checked with each task.
    """
    expected = _versions()
    for worker, found in client.run(_versions, on_error="return").items():
        if isinstance(found, OSError):  # of the connection
            continue
        if isinstance(found, ImportError):
            raise ClusterError(
                f"the worker {worker} has no hlta ({found}); install hlta {__version__} on all workers"
            )
        if isinstance(found, BaseException):
            raise ClusterError(f"the worker {worker} does not answer as expected: {found}")
        if found != expected:
            raise ClusterError(f"the worker {worker}: {_other_versions(expected, found)}")


@lru_cache(maxsize=1)
def _versions() -> dict[str, str]:
    """The versions on which the bits of a result depend."""
    packages = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite")}
    return {"hlta": __version__, "python": ".".join(platform.python_version_tuple()[:2])} | packages


def _other_versions(expected: dict[str, str], found: dict[str, str]) -> str:
    name = next(name for name in expected if found.get(name) != expected[name])
    return (
        f"it has {name} {found.get(name)}, but your process has {expected[name]}; install the same "
        "versions on all workers"
    )


def _threads(client: Any) -> dict[str, int]:
    """The threads of each worker that is there."""
    return dict(client.nthreads())


def _active_client() -> Any:
    """The client of Dask that is active, if there is one."""
    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None


@contextmanager
def _started(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, or of workers on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise OptionError(f"client={address!r} needs Dask; {_INSTALL}") from None
    if address != LOCAL:
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"the scheduler {address!r} cannot be reached: {error}; give the address that it "
                "printed when it began, such as tcp://10.0.0.1:8786"
            ) from None
        with client:
            yield client
        return
    with (
        _nothing_from_the_current_folder(),
        LocalCluster(
            n_workers=threads_now(), threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _nothing_from_the_current_folder() -> Iterator[None]:
    """Let processes that begin meanwhile import no file of the current folder, such as `types.py`."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
