"""`read_corpus`: files of any kind become a corpus."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta import DocumentsError, OptionError, TextOptions, read_corpus
from hlta.options import TextKeywords
from hlta.reading.corpus_reader import CorpusKeywords, read_with_words
from hlta.reading.matrices.matrix_files import Matrix, write_matrix
from hlta.reading.records import ReadKeywords, ReadOptions
from tests.portions import Notes

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS: dict[str, Any] = {"min_df": 1, "stop_words": None}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "x.csv"
    rows = ("7,Nets,deep nets learn,2020", "8,,deep nets,", "9,Graphs,graphs learn,2021")
    path.write_text("\n".join(["id,title,abstract,year", *rows]))
    return path


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "m.npz"
    write_matrix(path, Matrix(csr_array(np.array([[2, 0], [1, 1]])), ("a", "b")))
    return path


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
    assert "texts" not in read_corpus(table, keep_texts=False, **OPTIONS).metadata


@pytest.mark.parametrize(
    "options", [{"ngrams": 2}, {"ngrams": 1}, {"n_words": None}, {"text": "body"}, {"mail": "keep"}]
)
def test_words_take_no_options_for_texts(
    matrix: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    corpus = read_corpus(matrix, **OPTIONS)
    assert (corpus.words, corpus.text_options) == (("a", "b"), None)
    corpus.save(tmp_path / "saved")
    assert read_corpus(tmp_path / "saved").words == ("a", "b")
    name = next(iter(options))
    for path in (matrix, tmp_path / "saved"):
        with pytest.raises(OptionError, match=f"{name} is an option for texts, but .* holds words"):
            read_corpus(path, **options)


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        ("x.csv", {"vocabulary": "x.csv"}, "is not a matrix file; leave it out"),
        ("x.csv", {"n_gram": 2}, r"'n_gram' is not an option for texts; use one of text, .*ngrams"),
        ("nowhere.npz", {}, r"'nowhere\.npz' does not exist"),
        (["x.csv", "m.npz"], {}, r"'m\.npz' holds words already, so .* only path"),
    ],
)
@pytest.mark.usefixtures("table", "matrix")
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: Any, options: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((OptionError, DocumentsError), match=message):
        read_corpus(paths, **options)


def test_progress_and_the_columns_that_were_taken_are_told_once(tmp_path: Path) -> None:
    def told(path: Path, **options: Any) -> list[str]:
        monitor = Notes()
        read_corpus(path, progress=monitor, max_df=1.0, **options)
        assert monitor.done >= 200  # in hundreds
        return [note for note in monitor.notes if note.startswith("Reading")]

    rows = ["Abstract,year,keywords", *(f"words of text {k},2001,none" for k in range(250))]
    entries = ['{"summary": "further words of text", "created": "2002"}'] * 250
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("\n".join(rows))
    (tmp_path / "c.jsonl").write_text("\n".join(entries))
    of_rows = 'Reading a.csv: text from "Abstract", date from "year"'
    assert told(tmp_path / "a.csv") == [of_rows]
    assert told(tmp_path / "c.jsonl", text="summary", id="created") == [
        'Reading c.jsonl: text from "summary", id from "created", date from "created"'
    ]
    assert told(tmp_path) == [of_rows]  # of two tables that are alike, the first is told


def test_documents_are_read_with_given_words_unless_those_of_a_matrix(table: Path) -> None:
    corpus = read_with_words(table, ["nets", "new"], TextOptions())
    assert corpus.documents.to_csr().toarray().tolist() == [[1, 0], [1, 0], [0, 0]]
    assert corpus.ids is not None
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
