"""What is kept beside a model for serving: made once, and made again when it does not fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import Corpus, Monitor, TopicTree
from hlta._support.writing import check_folder
from hlta.explorer.page_data import MAIN, decoded
from hlta.serving.keeping import Arrays, key_of, make, read, write
from tests.examples import HIERARCHY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOPICS = TopicTree.from_tree(HIERARCHY, lowest_level=1)
X = np.random.default_rng(0).random((40, 8)) < 0.4


def corpus_of(matrix: object = X, **known: Any) -> Corpus:
    return Corpus(matrix, HIERARCHY.words, titles=[f"title {k}" for k in range(40)], **known)


def made(corpus: Corpus) -> Arrays:
    return make(HIERARCHY, TOPICS, corpus, 30, Monitor(), 1)


def test_a_folder_holds_what_was_made(tmp_path: Path) -> None:
    arrays = made(corpus_of(dates=["1987", ""] * 20))
    folder = tmp_path / "x.served"
    write(folder, "a key", arrays)
    kept = read(folder, "a key")
    assert kept is not None
    assert kept.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(kept[name], array)
    write(folder, "another", arrays)  # it may be replaced, as all in it is of hlta
    assert check_folder(folder, overwrite=True) == folder.resolve()


def test_shares_of_topics_are_those_of_the_model() -> None:
    arrays = made(corpus_of())
    documents = corpus_of().documents
    shares, main = TOPICS.shares().with_flags(documents)
    for k in range(len(TOPICS)):
        part = slice(*arrays["topics.start"][k : k + 2])
        rows, codes = arrays["topics"][part], arrays["topics.share"][part]
        assert rows.tolist() == np.flatnonzero(shares[:, k] >= 0.05).tolist()
        np.testing.assert_allclose(decoded(codes), shares[rows, k], atol=1e-4)
        np.testing.assert_array_equal(codes >= MAIN, main[rows, k])
        part = slice(*arrays["on.start"][k : k + 2])
        assert arrays["on"][part].tolist() == np.flatnonzero(shares[:, k] >= 0.2).tolist()


def test_distinct_dates_and_groups_are_numbered() -> None:
    arrays = made(corpus_of(groups=["b", "", "a", "b"] * 10))
    assert arrays["groups"].tobytes() == b"ab"
    assert arrays["groups.ends"].tolist() == [0, 1, 2]
    assert arrays["groups.number"].tolist() == [2, 0, 1, 2] * 10
    assert arrays["dates.number"].tolist() == [0] * 40


def cut(folder: Path) -> None:
    file = folder / "served.places.npy"
    file.write_bytes(file.read_bytes()[:-4])


def lose(folder: Path) -> None:
    (folder / "served.on.npy").unlink()


def scramble(folder: Path) -> None:
    (folder / "served.words.npy").write_bytes(b"no array")


def half_a_header(folder: Path) -> None:
    file = folder / "served.json"
    file.write_text(file.read_text()[:40])


def other_lengths(folder: Path) -> None:
    header = json.loads((folder / "served.json").read_text())
    header["arrays"]["on"][1] += 1
    (folder / "served.json").write_text(json.dumps(header))


def list_for_a_header(folder: Path) -> None:
    (folder / "served.json").write_text("[1]")


@pytest.mark.parametrize(
    "damage", [cut, lose, scramble, half_a_header, other_lengths, list_for_a_header]
)
def test_a_damaged_folder_is_as_none(damage: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "x.served"
    write(folder, "a key", made(corpus_of()))
    assert read(folder, "another key") is None
    assert read(folder, "a key") is not None
    damage(folder)
    assert read(folder, "a key") is None


def test_there_may_be_no_folder(tmp_path: Path) -> None:
    assert read(tmp_path / "x.served", "a key") is None


def test_a_key_is_of_one_model_and_one_corpus() -> None:
    key = key_of(HIERARCHY, TOPICS, corpus_of(), None)
    assert key == key_of(HIERARCHY, TOPICS, corpus_of(), None)
    other = TopicTree.from_tree(HIERARCHY, lowest_level=2)
    changed = X.copy()
    changed[3, 2] ^= True
    keys = {
        key,
        key_of(HIERARCHY, other, corpus_of(), None),
        key_of(HIERARCHY, TOPICS, corpus_of(), 5),
        key_of(HIERARCHY, TOPICS, corpus_of(changed), None),
        key_of(HIERARCHY, TOPICS, corpus_of(groups=["a"] * 40), None),
        key_of(HIERARCHY, TOPICS, corpus_of(dates=["a"] * 40), None),
    }
    assert len(keys) == 6
