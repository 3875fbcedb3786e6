"""`read_corpus`: files of any kind become a corpus."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta import DocumentsError, Monitor, OptionError, TextOptions, read_corpus
from hlta.options import TextKeywords
from hlta.reading.corpus_reader import CorpusKeywords, read_with_words
from hlta.reading.matrices.matrix_files import Matrix, write_matrix
from hlta.reading.records import ReadKeywords, ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

ROWS = "id,title,abstract,year\n7,Nets,deep nets learn,2020\n8,,deep nets,\n9,Graphs,graphs learn,2021\n"
OPTIONS: dict[str, Any] = {"min_df": 1, "stop_words": None}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "x.csv"
    path.write_text(ROWS)
    return path


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "m.npz"
    write_matrix(path, Matrix(csr_array(np.array([[2, 0], [1, 1]])), ("a", "b")))
    return path


@pytest.fixture
def saved(tmp_path: Path, matrix: Path) -> Path:
    read_corpus(matrix, **OPTIONS).save(tmp_path / "saved")
    return tmp_path / "saved"


def test_no_phrase_goes_from_a_title_into_the_text(tmp_path: Path) -> None:
    pairs = [("neural", "network"), ("graph", "nodes")]
    rows = [
        {"title": a, "text": f"{b} {more}"} for a, b in pairs for more in ("one", "two", "three")
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(rows))
    corpus = read_corpus(path, ngrams=2, min_df=3, stop_words=None)
    assert set(corpus.words) == {"neural", "network", "graph", "nodes"}


def test_a_corpus_knows_what_the_table_does(table: Path) -> None:
    corpus = read_corpus(table, **OPTIONS)
    assert {name: list(values) for name, values in corpus.metadata.items()} == {
        "ids": ["7", "8", "9"],
        "titles": ["Nets", "", "Graphs"],
        "dates": ["2020", "", "2021"],
        "texts": ["deep nets learn", "deep nets", "graphs learn"],
    }
    assert corpus.text_options == TextOptions(**OPTIONS, languages=())
    assert set(corpus.words) == {"deep", "nets", "learn", "graphs"}


@pytest.mark.parametrize(
    ("snippet", "texts"),
    [(4, ["deep …", "deep …", "grap …"]), (None, ["deep nets learn", "deep nets", "graphs learn"])],
)
def test_a_snippet_of_each_text_is_kept(table: Path, snippet: int | None, texts: list[str]) -> None:
    corpus = read_corpus(table, snippet=snippet, **OPTIONS)
    assert list(corpus.metadata["texts"]) == texts


def test_without_a_snippet_no_texts_are_kept(table: Path) -> None:
    assert read_corpus(table, snippet=0, **OPTIONS).texts is None


def test_a_matrix_is_read_without_options_for_texts(matrix: Path) -> None:
    corpus = read_corpus(matrix, **OPTIONS)
    assert corpus.words == ("a", "b")
    assert corpus.text_options is None
    assert corpus.documents.to_csr().toarray().tolist() == [[1, 0], [1, 1]]


def test_a_saved_corpus_is_read_without_options(saved: Path) -> None:
    assert read_corpus(saved).words == ("a", "b")


@pytest.mark.parametrize("source", ["matrix", "saved"])
@pytest.mark.parametrize(
    "options", [{"ngrams": 2}, {"ngrams": 1}, {"n_words": None}, {"text": "body"}, {"mail": "keep"}]
)
def test_words_take_no_options_for_texts(
    request: pytest.FixtureRequest, source: str, options: dict[str, Any]
) -> None:
    name = next(iter(options))
    with pytest.raises(OptionError, match=f"{name} is an option for texts, but .* holds words"):
        read_corpus(request.getfixturevalue(source), **options)


def test_a_vocabulary_is_for_matrices(table: Path, saved: Path) -> None:
    for path in (table, saved):
        with pytest.raises(OptionError, match="is not a matrix file; leave it out"):
            read_corpus(path, vocabulary=table)


def test_an_unknown_option_is_named_beside_those_of_reading_and_of_texts(table: Path) -> None:
    unknown: dict[str, Any] = {"n_gram": 2}
    message = r"'n_gram' is not an option for texts; use one of text, .*broken, lowercase, .*ngrams"
    with pytest.raises(OptionError, match=message):
        read_corpus(table, **unknown)


def test_a_matrix_that_does_not_exist_is_named() -> None:
    with pytest.raises(DocumentsError, match=r"'nowhere\.npz' does not exist"):
        read_corpus("nowhere.npz")


def test_the_columns_that_were_taken_are_told_once(tmp_path: Path) -> None:
    class Notes(Monitor):
        def __init__(self) -> None:
            self.told: list[str] = []

        def note(self, message: str) -> None:
            self.told.append(message)

    rows = ["Abstract,year,keywords", *(f"words of text {k},2001,none" for k in range(3))]
    entries = ['{"summary": "further words of text", "created": "2002"}'] * 3
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("\n".join(rows))
    (tmp_path / "c.jsonl").write_text("\n".join(entries))
    monitor = Notes()
    read_corpus(tmp_path / "a.csv", progress=monitor)
    assert monitor.told[0] == 'Reading a.csv: text from "Abstract", date from "year"'
    monitor = Notes()
    read_corpus(tmp_path / "c.jsonl", progress=monitor, text="summary", id="created")
    assert monitor.told[0] == (
        'Reading c.jsonl: text from "summary", id from "created", date from "created"'
    )
    monitor = Notes()
    read_corpus(tmp_path, progress=monitor)  # of two tables that are alike, the first is told
    assert [note for note in monitor.told if note.startswith("Reading")] == [
        'Reading a.csv: text from "Abstract", date from "year"'
    ]


def test_progress_is_told_in_hundreds(tmp_path: Path) -> None:
    class Counting(Monitor):
        done = 0

        def advance(self, steps: int = 1) -> None:
            self.done += steps

    path = tmp_path / "lines"
    path.write_text("some words\n" * 250)
    monitor = Counting()
    read_corpus(path, progress=monitor, max_df=1.0, stop_words=None)
    assert monitor.done == 200


def test_documents_are_read_with_given_words(table: Path) -> None:
    corpus = read_with_words(table, ["nets", "new"], TextOptions())
    assert corpus.documents.to_csr().toarray().tolist() == [[1, 0], [1, 0], [0, 0]]
    assert corpus.ids is not None


def test_words_of_a_matrix_cannot_read_texts(table: Path) -> None:
    with pytest.raises(DocumentsError, match="learned from a matrix and cannot read texts"):
        read_with_words(table, ["nets"], None)


@pytest.mark.parametrize(
    ("keywords", "options"), [(TextKeywords, TextOptions), (ReadKeywords, ReadOptions)]
)
def test_keywords_are_the_fields_of_the_options(keywords: Any, options: Any) -> None:
    chosen = [field.name for field in fields(options) if field.compare]  # not what reading found
    assert list(keywords.__annotations__) == chosen
    assert not keywords.__required_keys__
    assert set(CorpusKeywords.__annotations__) >= set(keywords.__annotations__)
