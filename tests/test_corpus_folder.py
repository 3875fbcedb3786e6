"""A corpus on disk: it comes back as it was, and damage is found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import hlta
from hlta import HLTA, Corpus, FormatError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["deep learning of graphs", "learning graphs", "deep seas"] * 3
GROUPS = [f"g{k % 2}" for k in range(9)]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.from_texts(TEXTS, groups=GROUPS, stop_words=["of"], min_df=1, ngrams=2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A saved corpus with ids."""
    path = tmp_path / "saved"
    X = [[1, 0, 2], [0, 1, 1], [0, 0, 0]]
    Corpus(X, ["a", "b", "c"], ids=["one", "größe", "🙂\n"]).save(path)
    return path


def test_a_corpus_comes_back_from_disk(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    back = Corpus.load(tmp_path / "c")
    assert back.words == corpus.words
    assert back.text_options == corpus.text_options
    known = {name: list(values) for name, values in back.metadata.items()}
    assert known == {"groups": GROUPS, "texts": list(corpus.texts or ())}
    assert back.phrases is not None
    assert corpus.phrases is not None
    assert back.phrases.names == corpus.phrases.names
    np.testing.assert_array_equal(back.phrases.rows, corpus.phrases.rows)
    np.testing.assert_array_equal(
        back.phrases.documents.to_csr().toarray(), corpus.phrases.documents.to_csr().toarray()
    )
    np.testing.assert_array_equal(back.documents.indptr, corpus.documents.indptr)
    np.testing.assert_array_equal(back.documents.indices, corpus.documents.indices)
    assert isinstance(back.documents.indices, np.memmap)


def test_a_model_learned_from_disk_is_the_same(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    back = Corpus.load(tmp_path / "c")
    model = HLTA(em_steps=3)
    assert model.fit(back).score(back) == model.fit(corpus).score(corpus)


def test_load_recognises_a_corpus(folder: Path) -> None:
    assert isinstance(hlta.load(folder), Corpus)


def test_a_folder_that_exists_is_replaced_only_when_asked(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    with pytest.raises(OptionError, match="exists"):
        corpus.save(tmp_path / "c")
    corpus.take([0, 1]).save(tmp_path / "c", overwrite=True)
    assert len(Corpus.load(tmp_path / "c")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_tokenizer_of_ones_own_cannot_be_saved(tmp_path: Path) -> None:
    own = Corpus.from_texts(TEXTS, tokenizer=str.split)
    with pytest.raises(OptionError, match="a tokenizer of your own"):
        own.save(tmp_path / "c")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "the \"format\" in corpus.json is 'other', not 'hlta-corpus'"),
        ({"version": 2}, "format version 2, this hlta reads version 1"),
        ({"words": ["a", "b"]}, "indices exceed the words"),
        ({"words": ["a", "b", "a"]}, "'a' 2 times"),
        ({"documents": 4}, "indptr does not fit the number of documents"),
        ({"documents": "many"}, "holds no corpus, or it is damaged"),
        ({"about": ["secrets"]}, "'secrets' is not one of ids, titles"),
        ({"about": ["titles"]}, "titles.npy"),
        ({"text": {"ngrams": 0}}, "ngrams=0"),
        ({"text": {"n_gram": 1}}, "n_gram"),
    ],
)
def test_a_damaged_header_is_found(folder: Path, change: dict[str, Any], message: str) -> None:
    file = folder / "corpus.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(FormatError, match=message) as error:
        Corpus.load(folder)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("indices.npy", np.array([0, 2, 1, 3], dtype="<u4"), "indices exceed the words"),
        ("indices.npy", np.array([0, 2, 1, 2], dtype="<i8"), "not a one-dimensional array of <u4"),
        ("indices.npy", np.zeros((4, 1), dtype="<u4"), "not a one-dimensional array"),
        ("indptr.npy", np.array([0, 3, 2, 4], dtype="<i8"), "indptr does not ascend"),
        ("indptr.npy", np.array([1, 3, 4, 4], dtype="<i8"), "indptr does not begin at 0"),
        ("indptr.npy", np.array([0, 3, 4, 5], dtype="<i8"), "indptr ends at 5 instead of 4"),
        ("ids.ends.npy", np.array([0, 3, 200], dtype="<i8"), "ids.ends ends at 200 instead of"),
        ("ids.ends.npy", np.array([3, 15], dtype="<i8"), "ids has 2 entries for 3 documents"),
    ],
)
def test_damaged_arrays_are_found(
    folder: Path, name: str, array: np.ndarray[Any, Any], message: str
) -> None:
    np.save(folder / name, array)
    with pytest.raises(FormatError, match=message):
        Corpus.load(folder)


@pytest.mark.parametrize("name", ["corpus.json", "indices.npy", "indptr.npy", "ids.ends.npy"])
def test_missing_and_empty_files_are_found(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        Corpus.load(folder)
    (folder / name).unlink()
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        hlta.load(folder)
