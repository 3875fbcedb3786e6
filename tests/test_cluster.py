"""Passes and reading on a cluster of Dask: the same bits as with threads, workers dying included."""

import gzip
import os
import random
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from hlta import HLTA, ClusterError, Corpus, Documents, OptionError, read_corpus
from hlta import cluster as module
from hlta._support.passes import Collecting, run_pass
from hlta.cluster import passes_on
from hlta.documents.shards import StoredShard
from hlta.text.scanner import StreamWriter
from tests.command import ran
from tests.jobs import on_jobs
from tests.portions import cut_small, folder_of_many_kinds, rows, shown, write
from tests.synthetic import planted

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

# Dask's processes leave sockets and loops behind for the garbage collector.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Creating scratch directories:UserWarning"),
]
Item = TypeVar("Item")


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


_patches: list[pytest.MonkeyPatch] = []


def replace(name: str, value: Any) -> None:
    _patches.append(pytest.MonkeyPatch())
    _patches[-1].setattr(name, value, raising=False)


def put_back() -> None:
    _patches.pop().undo()


def refuse(shard: StoredShard) -> None:
    raise PermissionError(f"{shard.name}indices.npy is forbidden")


def find_nowhere(path: str, *_: str) -> None:
    raise FileNotFoundError(2, "No such file or directory", path)


FORBID_READING = partial(replace, "hlta.documents.shards.StoredShard.verify", refuse)
HIDE = partial(replace, "hlta.reading.portions.open", find_nowhere)
CHANGE = partial(replace, "hlta.reading.portions._stamp", lambda _: (0, 0))
AGE = partial(replace, "hlta.reading.portions.packages", lambda: {"polars": "0.1"})


def fill_disk() -> None:
    """Let this process write to no file, as if the disk were full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def empty_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def first_of(client: Any) -> str:
    return min(map(str, client.nthreads()))


@contextmanager
def where(
    client: Any,
    workers: list[str] | None,
    harm: Callable[[], None],
    heal: Callable[[], None] = put_back,
) -> Iterator[None]:
    """Do harm to workers, or to all, and heal them in the end."""
    client.run(harm, workers=workers)
    try:
        yield
    finally:
        client.run(heal, workers=workers)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A corpus of several shards, of which each pass makes eight."""
    folder = tmp_path_factory.mktemp("cluster") / "corpus"
    tree = planted(40, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.corpus_folder.SHARD", 2_000)
        Corpus(tree.sample(2_000, seed=1), tree.words).save(folder)
    return Corpus.load(folder)


@pytest.fixture(autouse=True)
def small_shards_and_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)
    for room in ("counts", "posteriors"):
        monkeypatch.setattr(f"hlta.tree.{room}.GRAIN", 1_000)


def fitted(corpus: Corpus, **options: Any) -> HLTA:
    return HLTA(samples=1, em_steps=6, em_updates=6, **options).fit(corpus)


def bits(model: HLTA) -> list[bytes]:
    parameters = model.tree_.parameters
    return [array.tobytes() for array in (model.tree_.parent, parameters.word, parameters.latent)]


@pytest.mark.parametrize("em", ["batch", "stepwise"])
def test_workers_give_the_same_bits_as_threads(corpus: Corpus, client: Any, em: str) -> None:
    ours, theirs = fitted(corpus, em=em), fitted(corpus, em=em, client=client)
    assert bits(ours) == bits(theirs)
    np.testing.assert_array_equal(ours.score_samples(corpus), theirs.score_samples(corpus))
    assert ours.share_table(corpus).equals(theirs.share_table(corpus))


def at_work(documents: Documents) -> int:
    return os.getpid() + 0 * len(documents)


def run(work: Callable[[Documents], Item], documents: Documents) -> list[Item]:
    """What some work gives for each shard of a pass."""
    found: list[Item] = on_jobs(None, run_pass, Collecting(work), documents.shards(1_000))
    return found


def test_passes_leave_this_process_only_while_they_are_told_to(corpus: Corpus, client: Any) -> None:
    here = os.getpid()
    with passes_on(client):
        assert here not in run(at_work, corpus.documents)
        in_memory = corpus.documents.take(np.arange(2_000))
        assert set(run(at_work, in_memory)) == {here}
    assert set(run(at_work, corpus.documents)) == {here}
    with client.as_current(), passes_on(None):
        assert here not in run(at_work, corpus.documents)


def test_workers_that_are_killed_change_nothing(corpus: Corpus, workers: Any, client: Any) -> None:
    expected = bits(fitted(corpus))
    with killing(workers, 3) as killed:
        while len(killed) < 3:
            assert bits(fitted(corpus, client=client)) == expected


@pytest.mark.parametrize(("harm", "heal"), [(FORBID_READING, put_back), (fill_disk, empty_disk)])
def test_a_worker_that_fails_changes_nothing(
    harm: Callable[[], None], heal: Callable[[], None], corpus: Corpus, client: Any
) -> None:
    expected = bits(fitted(corpus))
    with where(client, [first_of(client)], harm, heal):
        assert bits(fitted(corpus, client=client)) == expected


def test_a_shard_that_no_worker_reads_is_named_with_one(corpus: Corpus, client: Any) -> None:
    tree = planted(40, 3)
    message = (
        r"shards \d to \d of \d of a pass failed 4 times, the last time on tcp://.*: a shard of "
        r".*0000\d\.indices\.npy is forbidden.*a disk that all workers see"
    )
    with (
        where(client, None, FORBID_READING),
        passes_on(client),
        pytest.raises(ClusterError, match=message),
    ):
        tree.log_likelihood(corpus.documents)


@contextmanager
def one_worker(**options: Any) -> Iterator[tuple[Any, Any]]:
    """A cluster of its own, and its client."""
    usual: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**usual | options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield cluster, client


def test_a_worker_out_of_memory_is_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TRIES", 1)
    message = r"shards \d to \d of \d of a pass failed 1 times, .* on tcp://.*give it more"
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        one_worker(memory_limit="600MB") as (_, client),
        passes_on(client),
        pytest.raises(ClusterError, match=message),
    ):
        run(greedily, corpus.documents)


def greedily(documents: Documents) -> int:
    """Take more memory than there is, little by little, so that it is noticed."""
    taken: list[object] = []
    while len(taken) < 50:
        taken.append(np.ones(1 << 22))
        time.sleep(0.1)
    return len(documents)


def slowly(documents: Documents) -> int:
    time.sleep(1.0)
    return len(documents)


def test_a_scheduler_that_ends_is_named(corpus: Corpus) -> None:
    with one_worker() as (cluster, client), passes_on(client):
        end = threading.Timer(1.5, cluster.close)
        end.start()
        with pytest.raises(ClusterError, match="the connection to the scheduler is lost"):
            run(slowly, corpus.documents)
        end.join()


def test_an_address_does_and_nothing_is_left(corpus: Corpus, workers: Any, tmp_path: Path) -> None:
    model = fitted(corpus, client=workers.scheduler_address, checkpoint=tmp_path / "kept")
    assert bits(model) == bits(fitted(corpus))
    assert [path.name for path in tmp_path.iterdir()] in ([], ["kept"])
    model.save(tmp_path / "model.hlta")
    assert HLTA.load(tmp_path / "model.hlta").client is None


def test_workers_of_this_machine_are_started_and_ended(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "types.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with passes_on("local", 1):
        (worker,) = set(run(at_work, corpus.documents))
        assert worker != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    assert not (tmp_path / "ran").exists()  # nothing comes from the current folder
    assert "PYTHONSAFEPATH" not in os.environ


def test_other_versions_are_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module._versions.cache_clear()
    monkeypatch.setattr(module, "__version__", "0.0")
    message = r"the worker tcp://.* has hlta .*, but your process has 0\.0; install the same"
    try:
        with pytest.raises(ClusterError, match=message), passes_on(client):
            pass
    finally:
        module._versions.cache_clear()


def test_a_cluster_without_workers_and_none_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 1.0)
    nobody: Any
    with one_worker(n_workers=0) as (_, empty):
        for nobody, error, message in (
            (empty, ClusterError, "has no workers, and none came within 1 seconds"),
            ("tcp://127.0.0.1:1", ClusterError, r"'tcp://127.0.0.1:1' cannot be reached"),
            ("127.0.0.1", ClusterError, "cannot be reached: missing port number in address"),
            (["tcp://127.0.0.1:1"], OptionError, "use a client of Dask"),
        ):
            with pytest.raises(error, match=message), passes_on(nobody):
                pass


# ---- reading -------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.tsv", rows(400))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = folder_of_many_kinds(tmp_path / "folder")
    (root / "huge.txt.gz").write_bytes(gzip.compress(bytes(65 << 20), 1))
    return root


def test_workers_read_the_same_to_the_bit(client: Any, folder: Path, table: Path) -> None:
    expected = [shown(path, ngrams=2) for path in (folder, table)]
    assert len(expected[0][1]) == 8
    assert [shown(path, ngrams=2, client=client) for path in (folder, table)] == expected


def test_killed_workers_read_the_same(workers: Any, client: Any, folder: Path) -> None:
    expected = shown(folder)
    with killing(workers, 3) as killed:
        while len(killed) < 3:
            assert shown(folder, client=client) == expected


def test_a_file_that_one_worker_cannot_read_is_read_by_another(client: Any, table: Path) -> None:
    expected = shown(table)
    with where(client, [first_of(client)], HIDE):
        assert shown(table, client=client) == expected


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (
            HIDE,
            r"portion \d+ of \d+ failed 4 times, the last time on tcp://.*: \[Errno 2\] No such file "
            r"or directory: '.*/table.*'; files must be on a disk that all workers see",
        ),
        (CHANGE, r"table\.tsv' is another file there, or has changed"),
        (AGE, r"on tcp://.*: it has polars 0\.1, but your process has polars .*; install the same"),
    ],
)
def test_workers_with_other_files_or_packages_are_named(
    client: Any, table: Path, harm: Callable[[], None], message: str
) -> None:
    with where(client, None, harm), pytest.raises(ClusterError, match=message):
        read_corpus(table, client=client)


def test_commands_read_on_a_cluster(workers: Any, table: Path, tmp_path: Path) -> None:
    ran("convert", table, tmp_path / "here")
    ran("convert", table, tmp_path / "there", "--cluster", workers.scheduler_address)
    here, there = (Corpus.load(tmp_path / name) for name in ("here", "there"))
    assert here.words == there.words
    assert here.documents.indices.tobytes() == there.documents.indices.tobytes()


def test_what_cannot_be_cut_is_read_here(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "table.tsv.gz"
    path.write_bytes(gzip.compress("\n".join(rows(300)).encode()))
    expected = shown(path)
    with where(client, None, HIDE), passes_on(client):
        assert shown(path) == expected


def test_a_full_disk_is_told(table: Path, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(StreamWriter, "append", full)
    with pytest.raises(OSError, match="No space left"):
        read_corpus(table, client=client)
