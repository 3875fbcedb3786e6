"""`Corpus`: documents, the names of their words, what else is known of them; on disk."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlta
from hlta import HLTA, Corpus, DocumentsError, FormatError, OptionError, TextOptions
from tests.there import there

X = np.array([[1, 0, 2], [0, 1, 1], [0, 0, 0]])
WORDS = ["a", "b", "c"]
IDS = ["one", "größe", "🙂\n"]
TEXTS = ["deep nets learn", "deep nets", "graphs learn"]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus(X, WORDS, ids=IDS, dates=["2020", "", "2021-05"])


def ids(corpus: Corpus) -> list[str]:
    return list(there(corpus.ids))


@pytest.mark.parametrize(
    ("words", "given", "message"),
    [
        (["a", "b"], IDS, "2 entries for 3 columns"),
        (["a", "b", "a"], IDS, "'a' 2 times"),
        (["a", "b", ""], IDS, "holds ''"),
        (["a", "b", 3], IDS, "holds 3"),
        ("abc", IDS, "words is a single string"),
        (WORDS, ["a"], "ids has 1 entries for 3 documents"),
        (WORDS, ["a", 2, "c"], "entry 1 of ids is 2, of type int"),
        (WORDS, "abc", "ids is a single string"),
        (WORDS, 3, "ids is of type int; give a list"),
    ],
)
def test_words_and_metadata_that_do_not_fit(words: Any, given: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        Corpus(X, words, ids=given)


def test_a_corpus_of_texts_keeps_how_they_were_read() -> None:
    corpus = Corpus.from_texts(iter(TEXTS), ids=IDS, min_df=1, stop_words=None)
    assert corpus.text_options == TextOptions(min_df=1, stop_words=None, languages=())
    assert ids(corpus) == IDS
    assert list(there(corpus.texts)) == TEXTS
    assert set(corpus.words) == {"deep", "nets", "learn", "graphs"}
    assert Corpus.from_texts(TEXTS, keep_texts=False, min_df=1).texts is None


def test_an_unknown_option_is_named_beside_the_known_ones() -> None:
    unknown: dict[str, Any] = {"n_gram": 2}
    message = r"'n_gram' is not an option for texts; use one of lowercase, .*ngrams, include"
    with pytest.raises(OptionError, match=message):
        Corpus.from_texts(TEXTS, **unknown)


def test_columns_follow_the_words_asked_for(corpus: Corpus) -> None:
    assert corpus.aligned(WORDS) is corpus.documents  # no copy
    aligned = corpus.aligned(["c", "new", "a"])
    assert aligned.to_csr().toarray().tolist() == [[1, 0, 1], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(aligned.indptr, [0, 2, 3, 3])
    np.testing.assert_array_equal(aligned.indices, [0, 2, 0])
    assert aligned.indptr.dtype == np.int64
    assert aligned.indices.dtype == np.uint32


def test_taken_documents_keep_order_and_metadata(corpus: Corpus) -> None:
    assert (repr(corpus), len(corpus)) == ("Corpus(3 documents, 3 words)", 3)
    assert ids(corpus.take(np.array([False, True, False]))) == ["größe"]
    part = corpus.take([2, 0])
    assert ids(part) == ["🙂\n", "one"]
    assert list(part.metadata["dates"]) == ["2021-05", "2020"]
    assert part.titles is None
    np.testing.assert_array_equal(part.documents.indptr, [0, 0, 2])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([-3], "rows holds -3; the 3 documents have the numbers 0 to 2"),
        ([0, 3], "rows holds 3; the 3 documents"),
        ([2**63], "rows"),
        *((rows, "rows must be a list of whole numbers") for rows in ([1.0], [[0]], ["0"], [None])),
        ([True, False], "rows has 2 truth values for 3 documents"),
        (np.bool_(True), "rows has 1 truth values for 3 documents"),
    ],
)
def test_documents_that_do_not_exist_are_not_taken(corpus: Corpus, rows: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corpus.take(rows)


def test_a_split_is_a_reproducible_partition(corpus: Corpus) -> None:
    train, test = corpus.split(1 / 3, random_state=1)
    assert (len(train), len(test)) == (2, 1)
    assert sorted(ids(train) + ids(test)) == sorted(IDS)
    assert ids(train) == [name for name in IDS if name in ids(train)]  # in the old order
    assert train.words == test.words == corpus.words
    assert ids(corpus.split(1 / 3, random_state=1)[1]) == ids(test)

    for share, message in (
        (0.1, "leaves one part without documents"),
        (1.5, "test=1.5: use a number, from 0 to 1"),
    ):
        with pytest.raises(OptionError, match=message):
            corpus.split(share)
    with pytest.raises(OptionError, match="random_state=-1: use a whole number, 0 or more"):
        corpus.split(random_state=-1)


LEARNING = ["deep learning of graphs", "learning graphs", "deep seas"] * 3
ARRAYS = ("00000.indices", "00000.indptr", "ids", "ids.ends")
GROUPS = [f"g{k % 2}" for k in range(9)]


@pytest.fixture
def of_texts() -> Corpus:
    return Corpus.from_texts(LEARNING, groups=GROUPS, stop_words=["of"], min_df=1, ngrams=2)


@pytest.fixture
def folder(corpus: Corpus, tmp_path: Path) -> Path:
    """A saved corpus with ids."""
    corpus.save(tmp_path / "saved")
    return tmp_path / "saved"


def check_same(back: Corpus, of_texts: Corpus) -> None:
    assert back.words == of_texts.words
    assert back.text_options == of_texts.text_options
    ours, theirs = (
        {name: list(values) for name, values in one.metadata.items()} for one in (back, of_texts)
    )
    assert ours == theirs
    for one, other in zip(back.documents.presences(), of_texts.documents.presences(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of about four presences."""
    monkeypatch.setattr("hlta.documents.corpus_folder.SHARD", 4)


def test_a_corpus_comes_back_from_disk(tmp_path: Path, of_texts: Corpus) -> None:
    of_texts.save(tmp_path / "c")
    assert isinstance(hlta.load(tmp_path / "c"), Corpus)
    back = Corpus.load(tmp_path / "c")
    check_same(back, of_texts)
    assert isinstance(back.documents.indices, np.memmap)
    assert back.phrases is not None
    assert of_texts.phrases is not None
    assert back.phrases.names == of_texts.phrases.names
    np.testing.assert_array_equal(back.phrases.rows, of_texts.phrases.rows)
    assert (back.phrases.documents.to_csr() != of_texts.phrases.documents.to_csr()).nnz == 0


@pytest.mark.usefixtures("small_shards")
def test_many_shards_are_as_good_as_one(tmp_path: Path, of_texts: Corpus) -> None:
    of_texts.save(tmp_path / "c")
    shards = {path.name.split(".")[0] for path in (tmp_path / "c").glob("0*.npy")}
    assert len(shards) == 3
    back = Corpus.load(tmp_path / "c")
    assert back.documents.is_stored
    check_same(back, of_texts)
    back.save(tmp_path / "again")
    for path in (tmp_path / "c").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    model = HLTA(em_steps=3, samples=2)
    assert model.fit(back).score(back) == model.fit(of_texts).score(of_texts)


def test_folders_of_version_2_have_one_shard_without_a_number(folder: Path) -> None:
    expected = Corpus.load(folder).documents.to_csr().toarray()
    for name in ("indptr", "indices"):
        (folder / f"00000.{name}.npy").rename(folder / f"{name}.npy")
    header = json.loads((folder / "corpus.json").read_text())
    del header["shards"]
    (folder / "corpus.json").write_text(json.dumps(header | {"version": 2}))
    np.testing.assert_array_equal(Corpus.load(folder).documents.to_csr().toarray(), expected)


@pytest.mark.usefixtures("small_shards")
def test_a_folder_that_exists_is_replaced_only_when_asked(tmp_path: Path, of_texts: Corpus) -> None:
    of_texts.save(tmp_path / "c")
    with pytest.raises(OptionError, match="exists"):
        of_texts.save(tmp_path / "c")
    of_texts.take([0, 1]).save(tmp_path / "c", overwrite=True)
    assert len(Corpus.load(tmp_path / "c")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["c"]
    assert len(list((tmp_path / "c").glob("0*"))) == 2  # of one shard, and none of the three


def test_a_tokenizer_of_ones_own_cannot_be_saved(tmp_path: Path) -> None:
    own = Corpus.from_texts(LEARNING, tokenizer=str.split)
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
        ({"fields": "kind"}, '"fields" in corpus.json is not a list of strings'),
        ({"fields": ["kind"]}, "there is no file fields.0.npy"),
        ({"group": 5}, "group_name holds 5"),
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


def test_what_is_no_json_or_no_text_is_found(folder: Path) -> None:
    file = folder / "ids.npy"
    file.write_bytes(file.read_bytes().replace("größe".encode(), b"gr\xff\xff  e"))
    corpus = Corpus.load(folder)
    with pytest.raises(FormatError, match="a string of a saved corpus is damaged"):
        list(corpus.ids or ())
    (folder / "corpus.json").write_text("[" * 100_000)
    with pytest.raises(FormatError, match=r"corpus\.json is not JSON"):
        Corpus.load(folder)


@pytest.mark.parametrize("name", ["corpus.json", *(f"{name}.npy" for name in ARRAYS)])
def test_missing_and_empty_files_are_found(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        list(Corpus.load(folder).ids or ())
    (folder / name).unlink()
    with pytest.raises(FormatError, match="holds no corpus, or it is damaged"):
        hlta.load(folder)
