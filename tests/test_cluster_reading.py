"""Files that a cluster of Dask reads: the same corpus as in one process, workers dying included."""

from __future__ import annotations

import gzip
from errno import ENOSPC
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from hlta import ClusterError, Corpus, read_corpus
from hlta.cli import app
from hlta.cluster import passes_on
from hlta.text.scanner import StreamWriter
from tests.portions import cut_small, folder_of_many_kinds, rows, told, write
from tests.workers import MARKS, first_of, killing, where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

distributed = pytest.importorskip("distributed")

pytestmark = MARKS


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        yield cluster


@pytest.fixture
def client(workers: Any) -> Iterator[Any]:
    with distributed.Client(workers, set_as_default=False) as client:
        client.wait_for_workers(2)  # one that was killed is on its way
        yield client


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.tsv", rows(400))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = folder_of_many_kinds(tmp_path / "folder")
    (root / "huge.txt.gz").write_bytes(gzip.compress(bytes(65 << 20), 1))
    return root


# What happens on a worker.

_patches: list[pytest.MonkeyPatch] = []


def patch(name: str, value: Any) -> None:
    _patches.append(pytest.MonkeyPatch())
    _patches[-1].setattr(name, value, raising=False)


def heal() -> None:
    _patches.pop().undo()


def hide() -> None:
    """Let files be nowhere."""

    def nowhere(path: str, *_: str) -> None:
        raise FileNotFoundError(2, "No such file or directory", path)

    patch("hlta.reading.portions.open", nowhere)


def change() -> None:
    patch("hlta.reading.portions._stamp", lambda _: (0, 0))


def age() -> None:
    patch("hlta.reading.portions.packages", lambda: {"polars": "0.1"})


@pytest.mark.parametrize("n_workers", [1, 4])
def test_workers_read_the_same_to_the_bit(folder: Path, table: Path, n_workers: int) -> None:
    expected = [told(path, ngrams=2) for path in (folder, table)]
    assert len(expected[0][1]) == 8
    with distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        client = cluster.scheduler_address
        assert [told(path, ngrams=2, client=client) for path in (folder, table)] == expected


def test_workers_that_are_killed_change_nothing(workers: Any, client: Any, folder: Path) -> None:
    expected = told(folder)
    with killing(workers, 3) as killed:
        while len(killed) < 3:
            assert told(folder, client=client) == expected


def test_a_file_that_one_worker_cannot_read_is_read_by_another(client: Any, table: Path) -> None:
    expected = told(table)
    with where(client, [first_of(client)], hide, heal):
        assert told(table, client=client) == expected


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (
            hide,
            r"portion \d+ of \d+ failed 4 times, the last time on tcp://.*: \[Errno 2\] No such file "
            r"or directory: '.*/table.*'; files must be on a disk that all workers see",
        ),
        (change, r"table\.tsv' is another file there, or has changed"),
        (age, r"on tcp://.*: it has polars 0\.1, but your process has polars .*; install the same"),
    ],
)
def test_workers_with_other_files_or_packages_are_named(
    client: Any, table: Path, harm: Callable[[], None], message: str
) -> None:
    with where(client, None, harm, heal), pytest.raises(ClusterError, match=message):
        read_corpus(table, client=client)


def test_commands_read_on_a_cluster(workers: Any, table: Path, tmp_path: Path) -> None:
    address = ["--cluster", workers.scheduler_address]
    for target, options in (("here", []), ("there", address)):
        result = CliRunner().invoke(app, ["convert", str(table), str(tmp_path / target), *options])
        assert result.exit_code == 0, result.output
    here, there = (Corpus.load(tmp_path / name) for name in ("here", "there"))
    assert here.words == there.words
    assert here.documents.indices.tobytes() == there.documents.indices.tobytes()


def test_what_cannot_be_cut_is_read_here(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "table.tsv.gz"
    path.write_bytes(gzip.compress("\n".join(rows(300)).encode()))
    expected = told(path)
    with where(client, None, hide, heal), passes_on(client):
        assert told(path) == expected


def test_a_full_disk_of_the_client_is_told_as_such(
    table: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(StreamWriter, "append", full)
    with pytest.raises(OSError, match="No space left"):
        read_corpus(table, client=client)
