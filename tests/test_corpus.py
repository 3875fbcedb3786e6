"""Documents with the names of their words, and with what else is known of them."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

import hlta
from hlta import Corpus, DocumentsError, FormatError, OptionError
from hlta._support import spool
from hlta.documents import strings as strings_module
from hlta.documents.strings import Strings

if TYPE_CHECKING:
    from pathlib import Path

X = np.array([[1, 0, 2], [0, 1, 1], [0, 0, 0]])
IDS = ["one", "größe", "🙂\n"]


def test_columns_follow_the_words_asked_for() -> None:
    corpus = Corpus(X, ["a", "b", "c"])
    same = corpus.aligned(["a", "b", "c"])
    assert same is corpus.documents
    other = corpus.aligned(["c", "new", "a"])
    assert other.shape == (3, 3)
    np.testing.assert_array_equal(other.indptr, [0, 2, 3, 3])
    np.testing.assert_array_equal(other.indices, [0, 2, 0])
    assert repr(corpus) == "Corpus(3 documents, 3 words)"
    assert len(corpus) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "b"], "2 entries for 3 columns"),
        (["a", "b", "a"], "'a' 2 times"),
        (["a", "b", ""], "holds ''"),
        (["a", "b", 3], "holds 3"),
    ],
)
def test_words_must_name_the_columns(words: list[str], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        Corpus(X, words)


def test_what_is_known_of_documents_must_fit() -> None:
    for ids, message in (
        (["a"], "ids has 1 entries for 3 documents"),
        (["a", 2, "c"], "entry 1 of ids is 2, of type int"),
        ("abc", "ids is a single string"),
    ):
        with pytest.raises(DocumentsError, match=message):
            Corpus(X, ["a", "b", "c"], ids=ids)


def test_parts_keep_what_is_known() -> None:
    corpus = Corpus(X, ["a", "b", "c"], ids=IDS, dates=["2020", "", "2021-05"])
    part = corpus.take([2, 0])
    assert list(part.metadata["ids"]) == ["🙂\n", "one"]
    assert part.dates is not None
    assert part.dates[0] == "2021-05"
    assert part.titles is None
    np.testing.assert_array_equal(part.documents.indptr, [0, 0, 2])
    assert corpus.take(np.array([False, True, False])).ids[0] == "größe"  # type: ignore[index]
    train, test = corpus.split(1 / 3, random_state=1)
    assert (len(train), len(test)) == (2, 1)
    assert sorted([*train.ids, *test.ids]) == sorted(IDS)  # type: ignore[misc]
    assert train.words == corpus.words
    again = corpus.split(1 / 3, random_state=1)[1]
    assert list(again.ids) == list(test.ids)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="leaves one part without documents"):
        corpus.split(0.1)


@pytest.mark.parametrize("in_memory", [1, 1 << 28])
def test_strings_are_a_sequence(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    monkeypatch.setattr(strings_module, "_AT_ONCE", 2)
    values = ["", "a", "größe", "", "\ud800", "x" * 100]
    strings = Strings.of(values)
    assert list(strings) == values
    assert [strings[k] for k in range(-3, 3)] == values[-3:] + values[:3]
    assert strings[1:4] == values[1:4]
    assert "a" in strings
    with pytest.raises(IndexError):
        strings[6]
    assert list(Strings.of([])) == []


def test_a_corpus_comes_back_from_disk(tmp_path: Path) -> None:
    texts = ["deep learning of graphs", "learning graphs", "deep seas"] * 3
    groups = [f"g{k % 2}" for k in range(9)]
    corpus = Corpus.from_texts(texts, groups=groups, stop_words=["of"], min_df=1, ngrams=2)
    corpus.save(tmp_path / "c")
    back = hlta.load(tmp_path / "c")
    assert isinstance(back, Corpus)
    assert isinstance(back.documents.indices, np.memmap)
    assert back.words == corpus.words
    assert back.text_options == corpus.text_options
    assert list(back.metadata["groups"]) == groups
    assert back.ids is None
    np.testing.assert_array_equal(back.documents.indices, corpus.documents.indices)
    model = hlta.HLTA(em_steps=3)
    assert model.fit(back).score(back) == model.fit(corpus).score(corpus)
    with pytest.raises(OptionError, match="exists"):
        corpus.save(tmp_path / "c")
    corpus.take([0, 1]).save(tmp_path / "c", overwrite=True)
    assert len(hlta.load(tmp_path / "c")) == 2  # type: ignore[arg-type]
    assert [p.name for p in tmp_path.iterdir()] == ["c"]


def test_damage_is_found(tmp_path: Path) -> None:
    def damaged(name: str, change: object) -> None:
        shutil.rmtree(tmp_path / "c", ignore_errors=True)
        Corpus(X, ["a", "b", "c"], ids=IDS).save(tmp_path / "c")
        if isinstance(change, dict):
            header = json.loads((tmp_path / "c" / name).read_text()) | change
            (tmp_path / "c" / name).write_text(json.dumps(header))
        elif change is None:
            (tmp_path / "c" / name).unlink()
        else:
            np.save(tmp_path / "c" / name, change)
        with pytest.raises(FormatError):
            hlta.load(tmp_path / "c")

    damaged("corpus.json", {"version": 2})
    damaged("corpus.json", {"words": ["a", "b"]})
    damaged("corpus.json", {"documents": 4})
    damaged("corpus.json", {"about": ["secrets"]})
    damaged("corpus.json", {"text": {"ngrams": 0}})
    damaged("corpus.json", None)
    damaged("indices.npy", None)
    damaged("indices.npy", np.array([0, 2, 1, 3], dtype="<u4"))
    damaged("indices.npy", np.array([0, 2, 1, 2], dtype="<i8"))
    damaged("indptr.npy", np.array([0, 3, 2, 4], dtype="<i8"))
    damaged("ids.ends.npy", np.array([0, 3, 200], dtype="<i8"))
