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


def saved_in(folder: Path) -> Path:
    """A saved corpus with ids."""
    X = [[1, 0, 2], [0, 1, 1], [0, 0, 0]]
    Corpus(X, ["a", "b", "c"], ids=["one", "größe", "🙂\n"]).save(folder / "saved")
    return folder / "saved"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return saved_in(tmp_path)


def check_same(back: Corpus, corpus: Corpus) -> None:
    assert back.words == corpus.words
    assert back.text_options == corpus.text_options
    assert {name: list(values) for name, values in back.metadata.items()} == {
        name: list(values) for name, values in corpus.metadata.items()
    }
    for one, other in zip(back.documents.presences(), corpus.documents.presences(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of about four presences."""
    monkeypatch.setattr("hlta.documents.corpus_folder.SHARD", 4)


def test_a_corpus_comes_back_from_disk(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    assert isinstance(hlta.load(tmp_path / "c"), Corpus)
    back = Corpus.load(tmp_path / "c")
    check_same(back, corpus)
    assert isinstance(back.documents.indices, np.memmap)
    assert back.phrases is not None
    assert corpus.phrases is not None
    assert back.phrases.names == corpus.phrases.names
    np.testing.assert_array_equal(back.phrases.rows, corpus.phrases.rows)
    assert (back.phrases.documents.to_csr() != corpus.phrases.documents.to_csr()).nnz == 0


@pytest.mark.usefixtures("small_shards")
def test_many_shards_are_as_good_as_one(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    shards = {path.name.split(".")[0] for path in (tmp_path / "c").glob("0*.npy")}
    assert len(shards) == 3
    back = Corpus.load(tmp_path / "c")
    assert back.documents.is_stored
    check_same(back, corpus)
    back.save(tmp_path / "again")
    for path in (tmp_path / "c").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    model = HLTA(em_steps=3, samples=2)
    assert model.fit(back).score(back) == model.fit(corpus).score(corpus)


@pytest.mark.usefixtures("small_shards")
def test_a_corpus_of_many_shards_replaces_another_one(tmp_path: Path, corpus: Corpus) -> None:
    corpus.save(tmp_path / "c")
    corpus.take([0]).save(tmp_path / "c", overwrite=True)
    names = sorted(path.name for path in (tmp_path / "c").glob("0*"))
    assert names == ["00000.indices.npy", "00000.indptr.npy"]


def test_folders_of_version_2_have_one_shard_without_a_number(folder: Path) -> None:
    expected = Corpus.load(folder).documents.to_csr().toarray()
    for name in ("indptr", "indices"):
        (folder / f"00000.{name}.npy").rename(folder / f"{name}.npy")
    header = json.loads((folder / "corpus.json").read_text())
    del header["shards"]
    (folder / "corpus.json").write_text(json.dumps(header | {"version": 2}))
    np.testing.assert_array_equal(Corpus.load(folder).documents.to_csr().toarray(), expected)


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
        ({"format": [1]}, r'"format" in corpus.json is \[1\]'),
        ({"version": 5}, "format version 5, but this hlta reads versions 1 to 4"),
        ({"version": []}, "format version"),
        ({"shards": None}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[3, True]]}, '"shards" in corpus.json is not a list of pairs of numbers'),
        ({"shards": [[2, 4]]}, '"shards" in corpus.json does not fit the number of documents'),
        ({"shards": [[3, 5]]}, "00000.indices does not fit the number of presences"),
        ({"shards": [[3, 4], [0, 0]]}, "00001.indptr.npy"),
        ({"shards": [[4, 4]], "documents": 4}, "indptr does not fit the number of documents"),
        ({"documents": 3.0}, '"documents" in corpus.json is not a whole number'),
        ({"words": ["a", "b"]}, "there is a word number 2, but 2 words"),
        ({"words": ["a", "b", "a"]}, "'a' 2 times"),
        ({"words": "abc"}, '"words" in corpus.json is not a list of strings'),
        ({"about": [["ids"]]}, '"about" in corpus.json is not a list of strings'),
        ({"sections": "many"}, '"sections" in corpus.json is not a number of sections'),
        ({"sections": 3}, "no file sections.starts.npy"),
        ({"phrases": 3}, '"phrases" in corpus.json is not a list of strings'),
        ({"about": ["secrets"]}, "'secrets' is not one of ids, titles"),
        ({"about": ["titles"]}, "titles.npy"),
        ({"phrases": ["a b"]}, "there is no file phrases.rows.npy"),
        ({"text": ["ngrams"]}, '"text" in corpus.json does not hold the options of a text'),
        ({"text": {"include": 5}}, "include=5"),
        ({"text": {"lowercase": []}}, r"lowercase=\[\]"),
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
    ("name", "values", "dtype", "message"),
    [
        ("00000.indices", [0, 2, 1, 3], "<u4", "there is a word number 3, but 3"),
        ("00000.indices", [3, 3, 3, 3], "<u4", "must be distinct and ascending"),
        ("00000.indices", [0, 2, 1, 2], ">u4", "not a one-dimensional array of <u4"),
        ("00000.indices", [[0]] * 4, "<u4", "not a one-dimensional array"),
        ("00000.indptr", [0, 3, 2, 4], "<i8", "indptr does not ascend"),
        ("00000.indptr", [1, 3, 4, 4], "<i8", "indptr does not ascend from 0"),
        ("00000.indptr", [0, 3, 4, 5], "<i8", "indptr ends at 5 instead of 4"),
        ("ids.ends", [0, 3, 200], "<i8", "ids.ends ends at 200 instead of"),
        ("ids.ends", [3, 15], "<i8", "ids has 2 entries for 3 documents"),
    ],
)
def test_damaged_arrays_are_found(
    folder: Path, name: str, values: list[Any], dtype: str, message: str
) -> None:
    np.save(folder / f"{name}.npy", np.array(values, dtype=dtype))
    with pytest.raises(FormatError, match=message):
        Corpus.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole[:60],
        lambda whole: whole[:-1],
        lambda whole: whole + b"\0",
        lambda whole: whole.replace(b"(4,)", b"(4,("),
        lambda whole: whole.replace(b"(4,)", b'"4,)'),
        lambda whole: whole.replace(b"(4,)", b"(-4)"),
        lambda whole: whole.replace(b"<u4", b"|O8"),
        lambda whole: whole.replace(b"(4,), }   ", b"(2**60,),}"),
        lambda _: b"PK\x03\x04",
    ],
)
def test_a_damaged_file_of_numpy_is_named(folder: Path, change: Any) -> None:
    file = folder / "00000.indices.npy"
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FormatError, match=r"indices.npy .*; use another copy, or save the corpus"):
        Corpus.load(folder)


@settings(max_examples=100)
@given(st.sampled_from(["corpus.json", *(f"{name}.npy" for name in ARRAYS)]), st.data())
def test_any_damage_is_found_or_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    """Whatever byte is another one: the corpus is refused, or it can be read and learned from."""
    folder = saved_in(tmp_path_factory.mktemp("damaged"))
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


@pytest.mark.parametrize("name", ["corpus.json", *(f"{name}.npy" for name in ARRAYS)])
def test_missing_and_empty_files_are_found(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        list(Corpus.load(folder).ids or ())
    (folder / name).unlink()
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        hlta.load(folder)
