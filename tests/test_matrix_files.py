"""Files with matrices of words: each format there and back, what is wrong named, tables beside them."""

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse
from scipy.io import mmwrite
from scipy.sparse import coo_array, csr_array, save_npz

from hlta import Corpus, DocumentsError, FormatError, OptionError, read_corpus
from hlta._support import array_archives
from hlta._support.writing import check_unlocked, drafting
from hlta.monitor import Monitor
from hlta.reading.matrices.beside_matrices import without_words
from hlta.reading.matrices.matrix_files import Matrix, format_of, read_matrix, write_matrix
from hlta.reading.matrices.text_formats import read_matrix_market
from tests.command import ran
from tests.portions import Notes
from tests.there import there
from tests.zipped import zipped

WORDS = ("deep", "learning", "größe", "neural-network")
COUNTS = np.array([[1, 0, 2, 0], [0, 1, 0, 0], [3, 0, 0, 12]])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays(int, st.tuples(st.integers(1, 9), st.just(4)), elements=st.integers(0, 12)))
@pytest.mark.parametrize("name", ["docword.x.txt", "x.ldac", "x.lda.txt", "x.npz", "x.mtx"])
def test_counts_and_words_come_back(tmp_path: Path, name: str, counts: NDArray[np.int64]) -> None:
    written = write_matrix(tmp_path / name, Matrix(csr_array(counts), WORDS, ("a",) * len(counts)))
    assert sorted(tmp_path.iterdir()) == sorted(written)
    back = read_matrix(tmp_path / name)
    assert (back.words, back.ids) == (WORDS, None)
    np.testing.assert_array_equal(back.counts.toarray(), counts)


def test_tuples_come_back_with_ids_and_without_counts(tmp_path: Path) -> None:
    write_matrix(tmp_path / "x.sparse.txt", Matrix(csr_array(COUNTS), WORDS, ("a", "b 1", "c")))
    back = read_matrix(tmp_path / "x.sparse.txt")
    assert back.ids == ("a", "b_1", "c")
    order = [back.words.index(word) for word in WORDS]
    np.testing.assert_array_equal(back.counts.toarray()[:, order], COUNTS > 0)


@pytest.mark.parametrize("name", ["docword.x.txt", "x.ldac", "x.mtx"])
def test_counts_are_not_read_with_the_words_of_another_matrix(tmp_path: Path, name: str) -> None:
    """A run was killed after the words were replaced, and before the counts were."""
    counts, words = write_matrix(tmp_path / name, Matrix(csr_array(COUNTS), WORDS))
    with drafting(counts) as draft:
        pass
    (draft / "moving").mkdir(parents=True)
    (tmp_path / "new").mkdir()
    new = write_matrix(tmp_path / "new" / name, Matrix(csr_array(COUNTS[:, ::-1]), WORDS[::-1]))
    new[0].replace(draft / "moving" / name)
    new[1].replace(words)
    with pytest.raises(FormatError, match="is only half replaced"):
        read_matrix(counts)
    check_unlocked(counts)  # as the next run that writes it does
    back = read_matrix(counts)
    assert back.words == WORDS[::-1]
    np.testing.assert_array_equal(back.counts.toarray(), COUNTS[:, ::-1])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.sparse.txt", "document '0' has no words"),
        ("docword.x.txt.gz", "written uncompressed; leave .gz out"),
    ],
)
def test_what_a_format_cannot_say_is_not_written(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        write_matrix(tmp_path / name, Matrix(csr_array([[0, 0], [1, 1]]), ("a", "b")))
    assert not list(tmp_path.iterdir())


# ---- as others write them ------------------------------------------------------------------------


def test_tuples_are_pairs_between_commas_tabs_or_spaces(tmp_path: Path) -> None:
    path = tmp_path / "y.sparse.txt"
    path.write_text("0, thirtieth\n0 , smola\n1,cvpr, x\n1\t smola\n\n0 smola 3\n\n")
    matrix = read_matrix(path)
    assert (matrix.ids, matrix.words) == (("0", "1"), ("thirtieth", "smola", "cvpr"))
    np.testing.assert_array_equal(matrix.counts.toarray(), [[1, 1, 0], [0, 1, 1]])
    gap = "\u3000" * 1_000_000  # is one look
    path.write_text(f"a{gap},{gap}b\nc{gap} {gap}d", encoding="utf-8")
    matrix = read_matrix(path)
    assert (matrix.ids, matrix.words) == (("a", "c"), ("b", "d"))


@pytest.mark.parametrize("words", ["vocab.txt", "ap.words.txt", "ap.vocab"])
def test_a_dat_file_beside_its_words_is_in_lda_c(tmp_path: Path, words: str) -> None:
    path = tmp_path / "ap.dat"
    path.write_text("2 0:1 2:3\n\n1 1:1\n0\n")
    assert format_of(path) is None
    (tmp_path / words).write_text("a\nb\nc\nd\n")
    assert format_of(path) == "lda-c"
    expected = [[1, 0, 3, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(read_matrix(path).counts.toarray(), expected)


def test_words_are_beside_a_matrix_or_given(tmp_path: Path) -> None:
    save_npz(tmp_path / "x.npz", csr_array(np.eye(3, dtype=int)))
    with pytest.raises(DocumentsError, match=r"does not name its 3 words.*x\.vocab.*vocab\.txt"):
        read_matrix(tmp_path / "x.npz")
    (tmp_path / "vocab.txt").write_text("a\nb\nc")
    (tmp_path / "mine").write_text("x\ny\nz")
    assert read_matrix(tmp_path / "x.npz").words == tuple("abc")
    assert read_matrix(tmp_path / "x.npz", tmp_path / "mine").words == tuple("xyz")
    (tmp_path / "vocab.kos.txt").write_text("d\ne\nf\n")
    with gzip.open(tmp_path / "docword.kos.txt.gz", "wb") as file:
        file.write(b"2\n3\n3\n1 2 5\n1 3 1\n2 1 1\n")
    matrix = read_matrix(tmp_path / "docword.kos.txt.gz")
    np.testing.assert_array_equal(matrix.counts.toarray(), [[0, 5, 1], [1, 0, 0]])
    assert matrix.words == ("d", "e", "f")


MARKET = "%%MatrixMarket matrix "
HEAD = MARKET + "coordinate integer general\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docword.x.txt", "2\n3\n", r"line 3, must be a whole number"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n", r"3 numbers after its head, which announces 2 lines"),
        ("docword.x.txt", "2\n3\n1\n3 1 1\n", r"line 4: document 3 is not from 1 to 2"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n1 0 1\n", r"line 5: word 0 is not from 1 to 3"),
        ("docword.x.txt", "2\n3\n1\n1 x 1\n", r"holds 'x' where a whole number below 2\^63"),
        ("docword.x.txt", f"2\n3\n1\n1 1 {2**63}\n", r"holds '9223372036854775808' where"),
        ("docword.x.txt", f"{2**63}\n3\n1\n1 1 1\n", r"line 1, must be a whole number"),
        ("docword.x.txt", f"{2**60}\n3\n1\n1 1 1\n", r"announces 1,152,921,504,606,846,976 doc"),
        ("docword.x.txt", f"2\n{2**60}\n1\n1 1 1\n", r"needs 1,152,921,504,606,846,976"),
        ("x.ldac", f"{2**62} 1:1\n", r"line 1: it announces 4,611,686,018,427,387,904 words"),
        ("x.ldac", f"1 {2**62}:1\n", r"has 3 words, .*needs 4,611,686,018,427,387,905"),
        ("x.ldac", f"1 {2**63 - 1}:1\n", r"line 1: 9223372036854775807 is not a number of a word"),
        ("x.ldac", ": :\n", r"line 1: it does not begin with its number of words"),
        ("x.ldac", "1 -1:1\n", r"line 1: -1 is not a number of a word"),
        ("x.sparse.txt", "0,,b\n", r"line 1, is not a pair"),
        ("x.sparse.txt", "a\u3000b\n", r"line 1, is not a pair"),
        ("x.ldac", "2 0:1 1:1\n2 0:1\n", r"line 2: it announces 2 words but has 1"),
        ("x.ldac", "1 a:1\n", r"line 1, holds 'a'"),
        ("x.npz", "PK", r"x.npz' is damaged"),
        ("x.mtx", f"{HEAD}2 2 1\n1 1 1\n", r"has 2 columns, but the vocabulary has 3 words"),
        ("x.mtx", "", "does not begin with %%MatrixMarket matrix"),
        ("x.mtx", MARKET + "\n", "does not begin with %%MatrixMarket matrix"),
        ("x.mtx", HEAD, "line 1, must be 3 whole numbers"),
        ("x.mtx", f"{HEAD}{2**62} 8 1\n1 7 1", "announces 4,611,686,018,427,387,904 documents"),
        ("x.mtx", MARKET + "array real general\n1 1\n", "'array' matrices are not read, only"),
        ("x.mtx", MARKET + "coordinate real hermitian\n1 1 0\n", "'hermitian' matrices are"),
        ("x.mtx", MARKET + "coordinate complex general\n1 1 0\n", "'complex' matrices are not"),
        ("x.mtx", HEAD + "2 -3 1\n1 1 1\n", "line 2, must be 3 whole numbers"),
        ("x.mtx", HEAD + "2 3 2\n1 1 1\n", "has 3 numbers after its head, which announces 2"),
        ("x.mtx", HEAD + "2 3 1\n3 1 1\n", "line 3: row 3 is not from 1 to 2"),
        ("x.mtx", HEAD + "2 3 1\n1 0 1\n", "line 3: column 0 is not from 1 to 3"),
        ("x.mtx", HEAD + "2 3 1\n1 1 1.5\n", "holds '1.5' where a whole number"),
        ("x.mtx", HEAD + "2 8 1\n1 7 1\0", r"holds '1\\x00' where"),
        ("x.mtx", HEAD + "2 8 1\n1 7 1\u00e9", "holds '1é' where"),
    ],
)
def test_what_is_wrong_in_one_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "vocab.txt").write_text("a\nb\nc\n")
    with pytest.raises(DocumentsError, match=message):
        read_matrix(tmp_path / name)


# ---- MatrixMarket --------------------------------------------------------------------------------


NAME = Path("x.mtx")


def read_market(text: str | bytes) -> list[list[float]]:
    data = text.encode() if isinstance(text, str) else text
    matrix = read_matrix_market(io.BytesIO(data), NAME)
    dense: list[list[float]] = matrix.toarray().tolist()
    return dense


@settings(max_examples=60)
@given(
    arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 99)),
    st.sampled_from([np.int64, np.uint8, np.float64]),
)
def test_what_scipy_writes_is_read(matrix: Any, kind: Any) -> None:
    matrix = matrix.astype(kind)
    buffer = io.BytesIO()
    mmwrite(buffer, coo_array(matrix), symmetry="general")
    np.testing.assert_array_equal(read_market(buffer.getvalue()), matrix)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + "% a remark\n\n%\n 2  3 2 \n 1 1\t5\n\n2 3 1", [[5, 0, 0], [0, 0, 1]]),
        (HEAD + "1 2 3\n1 1 5\n1 1 1\n1 2 1\n", [[6, 1]]),
        (HEAD + "2 2 0\n", [[0, 0], [0, 0]]),
        ("%%matrixmarket Matrix Coordinate PATTERN general\n2 2 1\n2 1\n", [[0, 0], [1, 0]]),
        (MARKET + "coordinate real general\n1 2 1\n1 2 2.5e0\n", [[0, 2.5]]),
    ],
)
def test_layouts_fields_and_symmetries(text: str, expected: list[list[float]]) -> None:
    assert read_market(text) == expected


# ---- SciPy's archives ----------------------------------------------------------------------------


STORED = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1], [0, 3, 0, 0]])


def saved(path: Path, kind: str, **changes: Any) -> Path:
    """A matrix as SciPy saves it, some of whose arrays are others, or None: left out."""
    buffer = io.BytesIO()
    sparse.save_npz(buffer, sparse.csr_array(STORED).asformat(kind))
    buffer.seek(0)
    with np.load(buffer) as archive:
        arrays = dict(archive) | changes
    np.savez_compressed(path / "x.npz", **{k: v for k, v in arrays.items() if v is not None})
    (path / "vocab.txt").write_text("a\nb\nc\nd\n")
    return path / "x.npz"


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia"])
def test_every_format_of_scipy_is_read_with_its_counts(tmp_path: Path, kind: str) -> None:
    np.testing.assert_array_equal(read_matrix(saved(tmp_path, kind)).counts.toarray(), STORED)


def test_entries_of_one_place_are_added_without_wrapping(tmp_path: Path) -> None:
    data = np.full(6, 100, dtype=np.int8)
    path = saved(tmp_path, "coo", row=np.zeros(6, int), col=np.zeros(6, int), data=data)
    assert read_matrix(path).counts.toarray()[0, 0] == 600


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("csr", {"indices": np.full(6, 2**30)}, "must be < 4"),
        ("coo", {"row": np.full(6, -1)}, "negative axis 0 index: -1"),
        ("csr", {"shape": np.array([4, 4, 4])}, r"its shape is \[4, 4, 4\]"),
        ("csr", {"shape": np.array([-4, 4])}, r"its shape is"),
        ("coo", {"shape": np.array([2**60, 4])}, "announces 1,152,921,504,606,846,976 documents"),
        ("csr", {"format": np.array(b"lil")}, "its format is 'lil'"),
        ("csr", {"format": None}, "it has no array 'format'"),
        ("coo", {"col": None}, "it has no array 'col'"),
        ("csr", {"data": np.array([{}] * 6)}, "Python objects"),
        ("csr", {"more": np.zeros(1 << 19)}, r"x\.npz' is damaged: it would unpack to 4,"),
        ("csr", {"words": np.array([["a", "b"]])}, "its words are not a list of strings"),
    ],
)
def test_damage_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, changes: Any, message: str
) -> None:
    monkeypatch.setattr(array_archives, "_ALWAYS_ALLOWED", 1 << 20)
    path = saved(tmp_path, kind, **changes)
    with pytest.raises(DocumentsError, match=message):
        read_matrix(path)


def test_members_that_are_no_arrays_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(zipped({"format.npy": "nonsense"}))
    with pytest.raises(DocumentsError, match="its header cannot be read"):
        read_matrix(tmp_path / "x.npz")


# ---- words and tables beside matrices ------------------------------------------------------------


NAMED = ("the", "Nets", "graphs", "deep", "and")
NUMBERS = np.array([[3, 1, 0, 2, 1], [1, 1, 0, 0, 1], [2, 0, 4, 0, 1], [1, 0, 0, 0, 0]])


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    write_matrix(tmp_path / "m.npz", Matrix(csr_array(NUMBERS), NAMED))
    return tmp_path / "m.npz"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"exclude": ["nets", "DEEP"]}, ("the", "graphs", "and")),
        ({"stop_words": "auto"}, ("Nets", "graphs", "deep")),
        ({"stop_words": ["deep"]}, ("the", "Nets", "graphs", "and")),
        ({"max_df": 3, "min_df": 2}, ("Nets", "and")),
        ({"max_df": 0.9, "min_df": 0.3}, ("Nets", "and")),  # shares are rounded inwards
        ({"max_df": 0.75, "stop_words": "english", "exclude": ["deep"]}, ("Nets", "graphs")),
    ],
)
def test_words_are_left_out(matrix: Path, options: dict[str, Any], words: tuple[str, ...]) -> None:
    saved, every = matrix.with_name("saved"), dict[str, Any](stop_words=None)
    read_corpus(matrix, **every).save(saved)
    for path, chosen in ((matrix, every | options), (saved, options)):
        corpus = read_corpus(path, **chosen)
        assert corpus.words == words
        columns = [NAMED.index(word) for word in words]
        dense = (NUMBERS[:, columns] > 0).astype(int)
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
    with pytest.raises(DocumentsError, match=r"1 of 5 words are left with min_df=4, stop_words=N"):
        read_corpus(matrix, min_df=4, stop_words=None)
    path = matrix.with_name("rows.csv")
    path.write_text(TABLE)
    with pytest.raises(OptionError, match=r"metadata='.*' belongs to a matrix.*leave it out"):
        read_corpus(path, metadata=path)


@given(st.integers(1, 5), st.integers(0, 5), st.sets(st.sampled_from("abcdef")))
def test_what_is_kept_is_within_the_bounds(low: int, span: int, exclude: set[str]) -> None:
    dense = np.tri(6, dtype=int)
    corpus = Corpus(dense, list("abcdef"), ids=list("uvwxyz"))
    options = {"min_df": low, "max_df": low + span, "exclude": sorted(exclude)}
    within = dict(zip("abcdef", dense.sum(axis=0).tolist(), strict=True))
    kept = [w for w, n in within.items() if low <= n <= low + span and w not in exclude]
    if len(kept) < 2:
        with pytest.raises(DocumentsError, match="words are left"):
            without_words(corpus, options, None, Monitor())
    else:
        smaller = without_words(corpus, options, None, Monitor())
        assert list(smaller.words) == kept
        assert list(there(smaller.ids)) == list("uvwxyz")


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
    (tmp_path / "rows.csv").write_text("id,date\na,2001\nc,2003\nb,2002\n")
    given = tmp_path / "m.sparse.txt", tmp_path / "rows.csv"
    assert list(there(read_corpus(given[0], metadata=given[1]).dates)) == ["2002", "2001"]
    given[1].write_text("id,date\na,2001\n")
    with pytest.raises(DocumentsError, match="no row for the document 'b'"):
        read_corpus(given[0], metadata=given[1])


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
    ran("convert", matrix, target, *options)
    smaller = read_matrix(target)
    assert smaller.words == ("Nets", "graphs", "deep")
    assert smaller.counts.toarray().tolist() == NUMBERS[:, 1:4].tolist()
    target = matrix.with_name("corpus")
    ran("convert", matrix, target, "--metadata", path, "--title", "heading")
    assert Corpus.load(target).metadata.keys() == {"titles", "dates", "groups", "texts"}
