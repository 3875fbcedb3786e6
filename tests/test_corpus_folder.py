"""A corpus on disk: it comes back as it was, and damage is found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlta
from hlta import HLTA, Corpus, Documents, FormatError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["deep learning of graphs", "learning graphs", "deep seas"] * 3
ARRAYS = ("00000.indices", "00000.indptr", "ids", "ids.ends")
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


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of about four presences."""
    monkeypatch.setattr("hlta.documents.corpus_folder.SHARD", 4)


@pytest.mark.usefixtures("small_shards")
def test_many_shards_are_as_good_as_one(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    shards = {path.name.split(".")[0] for path in (tmp_path / "c").glob("0*.npy")}
    assert len(shards) == 3
    back = Corpus.load(tmp_path / "c")
    assert back.documents.is_stored
    np.testing.assert_array_equal(back.documents.indptr, corpus.documents.indptr)
    np.testing.assert_array_equal(back.documents.indices, corpus.documents.indices)
    back.save(tmp_path / "again")
    for path in (tmp_path / "c").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    model = HLTA(em_steps=3, samples=2)
    assert model.fit(back).score(back) == model.fit(corpus).score(corpus)


@pytest.mark.usefixtures("small_shards")
def test_a_corpus_of_many_shards_replaces_another_one(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    corpus.take([0]).save(tmp_path / "c", overwrite=True)
    assert [path.name for path in sorted((tmp_path / "c").glob("0*"))] == [
        "00000.indices.npy",
        "00000.indptr.npy",
    ]


def test_folders_of_version_2_have_one_shard_without_a_number(folder: Path) -> None:
    expected = Corpus.load(folder).documents.to_csr().toarray()
    for name in ("indptr", "indices"):
        (folder / f"00000.{name}.npy").rename(folder / f"{name}.npy")
    header = json.loads((folder / "corpus.json").read_text())
    del header["shards"]
    (folder / "corpus.json").write_text(json.dumps(header | {"version": 2}))
    np.testing.assert_array_equal(Corpus.load(folder).documents.to_csr().toarray(), expected)


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
        ({"version": 5}, "format version 5, but this hlta reads versions 1 to 4"),
        ({"shards": None}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[3, 4, 0]]}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[3, -4]]}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[3, True]]}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[2, 4]]}, '"shards" in corpus.json does not fit the number of documents'),
        ({"shards": [[3, 5]]}, "00000.indices does not fit the number of presences"),
        ({"shards": [[3, 4], [0, 0]]}, "00001.indptr.npy"),
        ({"words": ["a", "b"]}, "there is a word number 2, but 2 words"),
        ({"words": "abc"}, '"words" in corpus.json is not a list of strings'),
        ({"words": ["a", "b", 3]}, '"words" in corpus.json is not a list of strings'),
        ({"words": ["a", "b", "a"]}, "'a' 2 times"),
        ({"documents": 4}, '"shards" in corpus.json does not fit the number of documents'),
        ({"shards": [[4, 4]], "documents": 4}, "indptr does not fit the number of documents"),
        ({"documents": "many"}, '"documents" in corpus.json is not a whole number'),
        ({"documents": 3.0}, '"documents" in corpus.json is not a whole number'),
        ({"format": [1]}, r'"format" in corpus.json is \[1\]'),
        ({"version": []}, "format version"),
        ({"about": "ids"}, '"about" in corpus.json is not a list of strings'),
        ({"about": [["ids"]]}, '"about" in corpus.json is not a list of strings'),
        ({"phrases": 3}, '"phrases" in corpus.json is not a list of strings'),
        ({"phrases": ["a b"]}, "there is no file phrases.rows.npy"),
        ({"text": ["ngrams"]}, '"text" in corpus.json does not hold the options of a text'),
        ({"text": {"include": 5}}, "include=5: use a list of words"),
        ({"text": {"stop_words": 5}}, "stop_words=5: use a language, a list of words, or None"),
        ({"text": {"lowercase": []}}, r"lowercase=\[\]: use True or False"),
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
        (
            "00000.indices.npy",
            np.array([0, 2, 1, 3], dtype="<u4"),
            "there is a word number 3, but 3",
        ),
        (
            "00000.indices.npy",
            np.array([3, 3, 3, 3], dtype="<u4"),
            "must be distinct and ascending",
        ),
        (
            "00000.indices.npy",
            np.array([2, 0, 1, 2], dtype="<u4"),
            "must be distinct and ascending",
        ),
        (
            "00000.indices.npy",
            np.array([0, 2, 1, 2], dtype=">u4"),
            "not a one-dimensional array of <u4",
        ),
        (
            "00000.indices.npy",
            np.array([0, 2, 1, 2], dtype="<i8"),
            "not a one-dimensional array of <u4",
        ),
        ("00000.indices.npy", np.zeros((4, 1), dtype="<u4"), "not a one-dimensional array"),
        ("00000.indptr.npy", np.array([0, 3, 2, 4], dtype="<i8"), "indptr does not ascend"),
        ("00000.indptr.npy", np.array([1, 3, 4, 4], dtype="<i8"), "indptr does not ascend from 0"),
        ("00000.indptr.npy", np.array([0, 3, 4, 5], dtype="<i8"), "indptr ends at 5 instead of 4"),
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: whole[:60], "indices.npy is not a whole array of NumPy"),
        (lambda whole: whole[:-1], "indices.npy is not a whole array of NumPy"),
        (lambda whole: whole + b"\0", "indices.npy has 145 bytes, its array 144"),
        (
            lambda whole: whole.replace(b"(4,)", b"(4,("),
            "indices.npy is not a whole array of NumPy",
        ),
        (
            lambda whole: whole.replace(b"(4,)", b'"4,)'),
            "indices.npy is not a whole array of NumPy",
        ),
        (
            lambda whole: whole.replace(b"(4,)", b"(-4)"),
            "indices.npy is not a whole array of NumPy",
        ),
        (lambda whole: whole.replace(b"<u4", b"|O8"), "indices.npy is not a whole array of NumPy"),
        (
            lambda whole: whole.replace(b"(4,), }   ", b"(2**60,),}"),
            "is not a whole array of NumPy",
        ),
        (lambda _: b"PK\x03\x04", "indices.npy is not a whole array of NumPy"),
    ],
)
def test_a_damaged_file_of_numpy_is_named(folder: Path, change: Any, message: str) -> None:
    file = folder / "00000.indices.npy"
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FormatError, match=f"{message}.*; use another copy, or save the corpus"):
        Corpus.load(folder)


@settings(max_examples=100)
@given(
    st.sampled_from(
        ["corpus.json", "00000.indices.npy", "00000.indptr.npy", "ids.npy", "ids.ends.npy"]
    ),
    st.data(),
)
def test_any_damage_is_found_or_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    """Whatever byte is another one: the corpus is refused, or it can be read and learned from."""
    folder = tmp_path_factory.mktemp("damaged") / "saved"
    X = [[1, 0, 2], [0, 1, 1], [0, 0, 0]]
    Corpus(X, ["a", "b", "c"], ids=["one", "größe", "🙂\n"]).save(folder)
    whole = bytearray((folder / name).read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] = data.draw(st.integers(0, 255))
    (folder / name).write_bytes(whole)
    try:
        corpus = Corpus.load(folder)
        list(corpus.ids or ())
    except FormatError:
        return
    documents = corpus.documents
    assert documents.shape == (3, 3)
    Documents(documents.indptr, documents.indices, 3)


def test_a_header_nested_too_deeply_is_found(folder: Path) -> None:
    (folder / "corpus.json").write_text("[" * 100_000)
    with pytest.raises(FormatError, match=r"corpus\.json is not JSON"):
        Corpus.load(folder)


def test_a_string_that_is_no_text_is_found_when_it_is_read(folder: Path) -> None:
    file = folder / "ids.npy"
    file.write_bytes(file.read_bytes().replace("größe".encode(), b"gr\xff\xff  e"))
    corpus = Corpus.load(folder)
    with pytest.raises(FormatError, match="a string of a saved corpus is damaged"):
        list(corpus.ids or ())


@pytest.mark.parametrize(
    "name", ["corpus.json", "00000.indices.npy", "00000.indptr.npy", "ids.ends.npy"]
)
def test_missing_and_empty_files_are_found(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        Corpus.load(folder)
    (folder / name).unlink()
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        hlta.load(folder)
