"""Shards in files: mapped when they are needed, and refused when they are not what they were."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.documents.matrix import Documents, as_documents
from hlta.documents.shards import HeldShard, Presences, StoredShard, write_shard
from hlta.errors import FormatError
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = [[0, 2], [], [1], [0, 1, 2]]
PRESENCES = Presences(np.array([0, 2, 2, 3, 6]), np.array([0, 2, 1, 0, 1, 2], dtype=np.uint32))


@pytest.fixture
def stored(tmp_path: Path) -> StoredShard:
    write_shard(tmp_path, "7.", PRESENCES)
    return StoredShard.found(str(tmp_path), "7.", 4, 6, 3)


def rewrite(shard: StoredShard, presences: Presences) -> None:
    """Write other arrays in the place of those of a shard."""
    for path in Path(shard.folder).iterdir():
        path.unlink()
    write_shard(Path(shard.folder), shard.name, presences)


def test_a_shard_comes_back(stored: StoredShard) -> None:
    for back, array in zip(stored.presences(), PRESENCES, strict=True):
        assert isinstance(back, np.memmap)
        np.testing.assert_array_equal(back, array)
    assert stored.is_stored
    assert not HeldShard(PRESENCES).is_stored


def test_documents_travel_as_the_names_of_their_files(stored: StoredShard) -> None:
    documents = Documents.of_shards([stored] * 1000, 3)[2:3000]
    assert len(pickle.dumps(documents[:9])) < 1000
    back = pickle.loads(pickle.dumps(documents))
    np.testing.assert_array_equal(back.indices, documents.indices)


@pytest.mark.skipif(not Path("/proc").exists(), reason="open files are counted in /proc")
def test_many_shards_do_not_need_as_many_open_files(tmp_path: Path) -> None:
    shards = []
    for number in range(200):
        write_shard(tmp_path, f"{number}.", PRESENCES)
        shards.append(StoredShard.found(str(tmp_path), f"{number}.", 4, 6, 3))
    documents = Documents.of_shards(shards, 3)
    assert documents.document_frequency.tolist() == [400, 400, 400]
    assert len(os.listdir("/proc/self/fd")) < 300


@pytest.mark.parametrize("most", [32, 256])
def test_passes_visit_more_shards_than_are_mapped_at_a_time(tmp_path: Path, most: int) -> None:
    whole = as_documents(planted(20, 2).sample(1_000, seed=1))
    shards = []
    for number, part in enumerate(whole.cut(200)):
        write_shard(tmp_path, f"{number}.", part.presences())
        sizes = len(part), part.n_presences
        shards.append(StoredShard.found(str(tmp_path), f"{number}.", *sizes, whole.n_words))
    assert len(shards) > 128
    of_pass, same = (d.shards(1, most) for d in (Documents.of_shards(shards, 20), whole))
    assert len(of_pass) == most
    for shard, expected in zip(of_pass, same, strict=True):
        np.testing.assert_array_equal(shard.indices, expected.indices)


OTHER = Presences(np.array([0, 1]), np.array([1], dtype=np.uint32))


@pytest.mark.parametrize("is_mapped", [False, True])
@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (
            lambda shard: os.truncate(f"{shard.folder}/7.indices.npy", 130),
            r"7\.indices\.npy has ch",
        ),
        (
            lambda shard: os.utime(f"{shard.folder}/7.indptr.npy", ns=(1, 1)),
            r"7\.indptr\.npy has ch",
        ),
        (lambda shard: rewrite(shard, OTHER), r"7\.indptr\.npy has changed meanwhile"),
        (
            lambda shard: os.unlink(f"{shard.folder}/7.indices.npy"),
            r"No such file.*7\.indices\.npy",
        ),
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
def test_a_shard_is_checked_before_it_is_used(
    stored: StoredShard, presences: Presences, message: str
) -> None:
    rewrite(stored, presences)
    with pytest.raises(FormatError, match=message):
        StoredShard.found(stored.folder, "7.", 4, 6, 3).presences()
