"""Passes on a Dask cluster: its workers accumulate the shards, in place of threads of this process.

A task is a range of shards, which are in files that all workers can read; only the model and the range
are sent, and workers keep no state that a pass depends on. So a worker may leave at any moment: its
tasks are given to another one. This process merges the parts in the order of the shards, so the result
has the same bits as with threads. Reading files is such a pass, too: its shards are portions of the
files, and it has options in place of a model.
"""

from __future__ import annotations

import os
import pickle
import platform
import sys
from collections import deque
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final, Generic

from hlta._support.passes import Merging, Part, Pass, Shard, passes_at
from hlta._support.threads import on_threads, threads_now
from hlta._support.version import __version__
from hlta.errors import ClusterError, HltaError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


LOCAL: Final = "local"
"""In place of an address, this starts workers on this machine, a process for each thread."""
PATIENCE: Final = 60.0
"""Seconds to wait for a scheduler, for a first worker, and between checks that a worker is left."""
TASKS_PER_THREAD: Final = 2
"""Tasks submitted per thread at a time, at most; with two, others can take one from a slow worker."""
_TRIES: Final = 4  # attempts at a task, preferably not on the worker where it failed last
_SAFE_PATH: Final = "PYTHONSAFEPATH"  # an environment variable of Python
_THREADS_OF_POLARS: Final = "POLARS_MAX_THREADS"  # which Polars reads when it is first used
_INSTALL: Final = 'install it with: pip install "hlta[dask]"'


@contextmanager
def passes_on(client: Any, n_jobs: int | None = None) -> Iterator[None]:
    """Run the passes of the block on a Dask cluster: a client's, one at an address, or `LOCAL` workers.

    If `client` is None, it is the active client; without one, passes run on `n_jobs` threads.
    """
    if client is None:
        client = _active_client()
    with on_threads(n_jobs), ExitStack() as stack:
        if isinstance(client, str):
            client = stack.enter_context(_start_client(client))
        if client is not None:
            stack.enter_context(passes_at(Cluster(_check_client(client))))
        yield


def _check_client(client: Any) -> Any:
    """The client; raises `OptionError` if it is not one of Dask."""
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
        _wait_for_workers(client)
        _check_versions(client)

    def reaches(self, shards: Sequence[Any]) -> bool:
        """Whether there are several shards, all of them in files."""
        return len(shards) > 1 and all(getattr(shard, "is_stored", False) for shard in shards)

    def run(self, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
        """Accumulate the shards on the workers, and merge their parts in order here."""
        merging = Merging(work)
        with self._client.as_current():
            running = _Running(self._client, work, shards, apart=apart)
            try:
                for number, part in enumerate(running.parts()):
                    merging.add(number, part)
            finally:
                running.cancel()
        return merging.total


class _Running(Generic[Shard, Part]):
    """A running pass: its tasks, each a range of shards, of which a few are submitted at a time.

    Dask would give all tasks to the worker that has the model first, so each is submitted to a worker,
    in turn for all threads. Another worker can take a task if its own is slow or gone.
    """

    def __init__(
        self, client: Any, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool
    ) -> None:
        self._client, self._shards, self._apart = client, shards, apart
        # As the scheduler keeps this task, it sends the model again if a worker that has it leaves.
        packed = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        self._work = client.submit(pickle.loads, packed, pure=False)
        self._open: deque[tuple[range, Any]] = deque()

    def parts(self) -> Iterator[Part]:
        """The parts of all shards, in order; at most `TASKS_PER_THREAD` tasks per thread are open."""
        workers = [[name] for name, n in self._client.nthreads().items() for _ in range(n)] or [[]]
        ahead = TASKS_PER_THREAD * len(workers)
        size = 1 if self._apart else -(-len(self._shards) // ahead)
        for number, begin in enumerate(range(0, len(self._shards), size)):
            if len(self._open) == ahead:
                yield from self._result(*self._open.popleft())
            task = range(begin, min(begin + size, len(self._shards)))
            self._open.append((task, self._submit(task, workers[number % len(workers)])))
        while self._open:
            yield from self._result(*self._open.popleft())

    def _submit(self, task: range, workers: Sequence[str]) -> Any:
        """Submit a task, preferably to these workers."""
        return self._client.submit(
            _accumulate,
            self._shards[task.start : task.stop],
            work=self._work,
            versions=_versions(),
            pure=False,
            workers=list(workers) or None,
            allow_other_workers=bool(workers),
        )

    def _result(self, task: range, future: Any) -> list[Part]:
        """The parts of a task; if it fails, it is submitted again, up to `_TRIES` times in all."""
        from distributed import CancelledError

        for left in reversed(range(_TRIES)):
            try:
                return self._parts_of(future)
            except (CancelledError, OSError) as error:
                raise ClusterError(
                    f"the connection to the scheduler is lost: {error}; start the cluster again, and "
                    "fit with the same checkpoint to go on"
                ) from None
            except Exception as error:
                worker, problem = _what_failed(error)
            if left:
                others = [name for name in self._client.nthreads() if name != worker]
                future = self._submit(task, others)
        shards = f"shards {task.start + 1} to {task.stop} of {len(self._shards)} of a pass"
        place = f"portion {task.stop} of {len(self._shards)}" if self._apart else shards
        raise ClusterError(
            f"{place} failed {_TRIES} times, the last time on {worker}: {problem}; files must be on "
            "a disk that all workers see, under the same path"
        )

    def _parts_of(self, future: Any) -> list[Part]:
        """The parts of a task; raises `ClusterError` if no worker is left after `PATIENCE` seconds."""
        from distributed import TimeoutError as TimedOut

        while True:
            try:
                found: list[Part] = future.result(timeout=PATIENCE)
            except TimedOut:
                if not self._client.nthreads():
                    raise _no_workers(self._client) from None
            else:
                return found

    def cancel(self) -> None:
        """Cancel the submitted tasks whose parts were not fetched."""
        if self._open and self._client.status == "running":
            self._client.cancel([future for _, future in self._open], force=True)


def _accumulate(
    shards: Sequence[Shard], work: Pass[Shard, Part], versions: dict[str, str]
) -> list[Part]:
    """The parts of some shards, which are computed on a worker."""
    from distributed import get_worker

    if (own := _versions()) != versions:
        raise ClusterError(_other_versions(versions, own))
    os.environ.setdefault(_THREADS_OF_POLARS, str(get_worker().state.nthreads))
    try:
        return [work.accumulate(shard) for shard in shards]
    except (HltaError, OSError, MemoryError) as error:
        raise _Failure(get_worker().address, str(error) or type(error).__name__) from None


class _Failure(Exception):  # noqa: N818
    """An error on a worker, with the worker's address."""

    def __init__(self, worker: str, problem: str) -> None:
        super().__init__(worker, problem)


def _what_failed(error: Exception) -> tuple[str, str]:
    """The worker on which a task failed, and why; raises errors of other kinds again."""
    from distributed import KilledWorker

    if isinstance(error, _Failure):
        return error.args[0], error.args[1]
    if isinstance(error, KilledWorker):
        where = error.last_worker.address
        return where, "the worker ended; if its memory was too small, give it more"
    raise error


def _wait_for_workers(client: Any) -> None:
    """Wait for a first worker; raise `ClusterError` if there is none after `PATIENCE` seconds."""
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
    """Refuse workers without hlta, or with other versions, whose results could differ in some bits.

    Workers that leave meanwhile are skipped; those that join later are checked with each task.
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
def _start_client(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, or of workers on this machine."""
    try:
        from distributed import Client, LocalCluster
        from distributed.comm.addressing import resolve_address
    except ImportError:
        raise OptionError(f"client={address!r} needs Dask; {_INSTALL}") from None
    if address != LOCAL:
        try:
            resolve_address(address)  # with a malformed one, `Client` would take two minutes
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
    """Keep processes that start in the block from importing files of the current folder."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
