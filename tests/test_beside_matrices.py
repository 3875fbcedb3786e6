"""What is given beside a matrix: words to leave out, and a table of its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import Corpus, DocumentsError, OptionError, read_corpus
from hlta.monitor import Monitor
from hlta.reading.matrices.beside_matrices import without_words
from hlta.reading.matrices.matrix_files import Matrix, read_matrix, write_matrix
from tests.command import run
from tests.portions import Notes

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("the", "Nets", "graphs", "deep", "and")
COUNTS = np.array([[3, 1, 0, 2, 1], [1, 1, 0, 0, 1], [2, 0, 4, 0, 1], [1, 0, 0, 0, 0]])


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    write_matrix(tmp_path / "m.npz", Matrix(csr_array(COUNTS), WORDS))
    return tmp_path / "m.npz"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"exclude": ["nets", "DEEP"]}, ("the", "graphs", "and")),
        ({"stop_words": "auto"}, ("Nets", "graphs", "deep")),
        ({"stop_words": ["deep"]}, ("the", "Nets", "graphs", "and")),
        ({"stop_words": None}, WORDS),
        ({"max_df": 3, "min_df": 2}, ("Nets", "and")),
        ({"max_df": 0.9, "min_df": 0.3}, ("Nets", "and")),  # shares are rounded inwards
        ({"max_df": 0.75, "stop_words": "english", "exclude": ["deep"]}, ("Nets", "graphs")),
    ],
)
def test_words_are_left_out_as_the_options_say(
    matrix: Path, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    saved, every = matrix.with_name("saved"), dict[str, Any](stop_words=None)
    read_corpus(matrix, **every).save(saved)
    for path, chosen in ((matrix, every | options), (saved, options)):
        corpus = read_corpus(path, **chosen)
        assert corpus.words == words
        columns = [WORDS.index(word) for word in words]
        dense = (COUNTS[:, columns] > 0).astype(int)
        assert corpus.documents.to_csr().toarray().tolist() == dense.tolist()


def many_counts() -> Matrix:
    """Words of all kinds in 200 documents of a hundred words or so."""
    rng = np.random.default_rng(0)
    subjects = rng.poisson(8, (200, 30)) * (rng.random((200, 30)) < 0.1)
    style = rng.poisson(0.2, (200, 30))
    everywhere, once = np.full((200, 1), 3), np.eye(200, 1, dtype=int)
    stop = rng.poisson(2, (200, 2))
    counts = np.hstack((subjects, style, everywhere, once, stop))
    names = [f"subject{k}" for k in range(30)] + [f"style{k}" for k in range(30)]
    return Matrix(csr_array(counts), (*names, "ubiquitous", "unique", "the", "and"))


def test_words_of_a_matrix_that_say_little_are_left_out_and_counted(tmp_path: Path) -> None:
    whole = many_counts()
    write_matrix(tmp_path / "m.npz", whole)
    monitor = Notes()
    corpus = read_corpus(tmp_path / "m.npz", progress=monitor)
    assert set(corpus.words) == {f"subject{k}" for k in range(30)}
    (note,) = monitor.notes
    for part in ("2 stop words", "1 in more than 100", "1 in fewer than 2", "30 filler words"):
        assert part in note
    every: dict[str, Any] = {"stop_words": None, "min_df": 1, "max_df": 1.0, "keep_style": True}
    assert read_corpus(tmp_path / "m.npz", progress=monitor, **every).words == whole.words
    assert len(monitor.notes) == 1
    Corpus(whole.counts, whole.words).save(tmp_path / "saved")  # words were chosen before
    assert read_corpus(tmp_path / "saved").words == whole.words
    without_counts = Matrix(csr_array((whole.counts > 0).astype(int)), whole.words)
    write_matrix(tmp_path / "m.npz", without_counts)
    assert "style3" in read_corpus(tmp_path / "m.npz").words


def test_what_makes_no_sense_is_refused(matrix: Path) -> None:
    with pytest.raises(
        DocumentsError, match=r"1 of 5 words are left with min_df=4, stop_words=None;"
    ):
        read_corpus(matrix, min_df=4, stop_words=None)
    with pytest.raises(OptionError, match="ngrams is an option for texts"):
        read_corpus(matrix, min_df=4, ngrams=2)
    path = matrix.with_name("rows.csv")
    path.write_text(TABLE)
    with pytest.raises(OptionError, match=r"metadata='.*' belongs to a matrix.*leave it out"):
        read_corpus(path, metadata=path)


@given(st.integers(1, 5), st.integers(0, 5), st.sets(st.sampled_from("abcdef")))
def test_what_is_kept_is_within_the_bounds(low: int, span: int, exclude: set[str]) -> None:
    dense = np.tri(6, dtype=int)
    corpus = Corpus(dense, list("abcdef"), ids=list("uvwxyz"))
    options = {"min_df": low, "max_df": low + span, "exclude": sorted(exclude)}
    kept = [
        word
        for word, frequency in zip("abcdef", dense.sum(axis=0), strict=True)
        if low <= frequency <= low + span and word not in exclude
    ]
    if len(kept) < 2:
        with pytest.raises(DocumentsError, match="words are left"):
            without_words(corpus, options, None, Monitor())
    else:
        smaller = without_words(corpus, options, None, Monitor())
        assert list(smaller.words) == kept
        assert smaller.ids is not None
        assert list(smaller.ids) == list("uvwxyz")


TABLE = """year;heading;category;abstract
2001;A;x;first text
2002;B;y;second
2003;;x;third
2004;D;y;fourth
"""


def test_a_table_tells_what_the_documents_are(matrix: Path) -> None:
    path = matrix.with_name("rows.csv")
    path.write_text(TABLE)
    corpus = read_corpus(matrix, metadata=path, title="heading")
    assert {name: list(values) for name, values in corpus.metadata.items()} == {
        "titles": ["A", "B", "", "D"],
        "dates": ["2001", "2002", "2003", "2004"],
        "groups": ["x", "y", "x", "y"],
        "texts": ["first text", "second", "third", "fourth"],
    }
    path.write_text(TABLE.partition("\n")[2])
    numbered = read_corpus(matrix, metadata=path, date="1", group="3").metadata
    assert numbered.keys() == {"dates", "groups"}
    assert list(numbered["groups"]) == list("xyxy")


def test_rows_are_found_by_id_where_the_matrix_has_ids(tmp_path: Path) -> None:
    (tmp_path / "m.sparse.txt").write_text("b, nets\na, nets\na, deep\n")
    path = tmp_path / "rows.csv"
    path.write_text("id,date\na,2001\nc,2003\nb,2002\n")
    corpus = read_corpus(tmp_path / "m.sparse.txt", metadata=path)
    assert corpus.dates is not None
    assert list(corpus.dates) == ["2002", "2001"]
    path.write_text("id,date\na,2001\n")
    with pytest.raises(DocumentsError, match="no row for the document 'b'"):
        read_corpus(tmp_path / "m.sparse.txt", metadata=path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", "is empty"),
        ("date\n2001\n", "has 1 rows for the 4 documents"),
        ("size,length\n" + "1,2\n" * 4, "no column has a usual name"),
        ("date,group\n2001,x\n2002\n2003,x\n2004,y\n", "row 2, has 1 fields"),
        ("date\n\0\n", "holds no text"),
    ],
)
def test_tables_that_do_not_fit_are_refused(matrix: Path, table: str, message: str) -> None:
    path = matrix.with_name("rows.csv")
    path.write_text(table)
    with pytest.raises(DocumentsError, match=message):
        read_corpus(matrix, metadata=path)


def test_commands_choose_words_keep_counts_and_take_a_table(matrix: Path) -> None:
    path, target = matrix.with_name("rows.csv"), matrix.with_name("smaller.npz")
    path.write_text(TABLE)
    options = ("--stop-words", "english", "--max-df", 2)
    assert run("convert", matrix, target, *options).exit_code == 0
    smaller = read_matrix(target)
    assert smaller.words == ("Nets", "graphs", "deep")
    assert smaller.counts.toarray().tolist() == COUNTS[:, 1:4].tolist()
    target = matrix.with_name("corpus")
    done = run("convert", matrix, target, "--metadata", path, "--title", "heading")
    assert done.exit_code == 0, done.output
    assert Corpus.load(target).metadata.keys() == {"titles", "dates", "groups", "texts"}
