"""Files with matrices of words: each format there and back, and what is wrong with one named."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.io import mmwrite
from scipy.sparse import coo_array, csr_array, save_npz

from hlta import DocumentsError, FormatError
from hlta._support import array_archives
from hlta._support.writing import check_unlocked, drafting
from hlta.reading.matrices.matrix_files import Matrix, format_of, read_matrix, write_matrix
from hlta.reading.matrices.matrix_market import read_matrix_market
from tests.zipped import zipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

# ---- there and back ------------------------------------------------------------------------------


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
def test_what_a_format_cannot_express_is_not_written(
    tmp_path: Path, name: str, message: str
) -> None:
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


COORDINATES = "%%MatrixMarket matrix coordinate integer general\n"


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
        ("docword.x.txt", "2\n4\n1\n1 1 1\n", r"has 3 words, .*needs 4"),
        ("x.ldac", "2 0:1 1:1\n2 0:1\n", r"line 2: it announces 2 words but has 1"),
        ("x.ldac", "1 a:1\n", r"line 1, holds 'a'"),
        ("x.npz", "PK", r"x.npz' is damaged"),
        ("x.mtx", f"{COORDINATES}2 2 1\n1 1 1\n", r"has 2 columns, but the vocabulary has 3 words"),
        ("x.mtx", "nothing", r"x.mtx' does not begin with %%MatrixMarket matrix"),
    ],
)
def test_what_is_wrong_with_a_matrix_is_named(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "vocab.txt").write_text("a\nb\nc\n")
    with pytest.raises(DocumentsError, match=message):
        read_matrix(tmp_path / name)


# ---- MatrixMarket --------------------------------------------------------------------------------


ARRAY = "%%MatrixMarket matrix array "
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
    st.booleans(),
    st.booleans(),
)
def test_what_scipy_writes_is_read(matrix: Any, kind: Any, sparse: bool, symmetric: bool) -> None:
    if symmetric and matrix.shape[0] == matrix.shape[1]:
        matrix = np.maximum(matrix, matrix.T)
    matrix = matrix.astype(kind)
    buffer = io.BytesIO()
    mmwrite(buffer, coo_array(matrix) if sparse else matrix)
    np.testing.assert_array_equal(read_market(buffer.getvalue()), matrix)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COORDINATES + "2 3 2\n1 1 5\n2 3 1\n", [[5, 0, 0], [0, 0, 1]]),
        (COORDINATES + "% a remark\n\n%\n 2  3 2 \n 1 1\t5\n\n2 3 1", [[5, 0, 0], [0, 0, 1]]),
        (COORDINATES + "1 2 3\n1 1 5\n1 1 1\n1 2 1\n", [[6, 1]]),
        (COORDINATES + "2 2 0\n", [[0, 0], [0, 0]]),
        ("%%matrixmarket Matrix Coordinate PATTERN general\n2 2 1\n2 1\n", [[0, 0], [1, 0]]),
        ("%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 2.5e0\n", [[0, 2.5]]),
        (ARRAY + "integer general\n2 3\n1\n2\n3\n4\n5\n6\n", [[1, 3, 5], [2, 4, 6]]),
        (ARRAY + "real general\n1 2\n0.5\n0\n", [[0.5, 0]]),
        (ARRAY + "integer symmetric\n2 2\n1 2\n4\n", [[1, 2], [2, 4]]),
        (ARRAY + "integer general\n0 8\n", []),
    ],
)
def test_layouts_fields_and_symmetries(text: str, expected: list[list[float]]) -> None:
    assert read_market(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin with %%MatrixMarket matrix"),
        ("%%MatrixMarket matrix\n", "does not begin with %%MatrixMarket matrix"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", "'pattern' matrices are not read"),
        ("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "'hermitian' matrices are"),
        ("%%MatrixMarket matrix list real general\n1 1 0\n", "'list' matrices are not"),
        (COORDINATES, "line 1, must be 3 whole numbers"),
        (COORDINATES + "2 -3 1\n1 1 1\n", "line 2, must be 3 whole numbers"),
        (COORDINATES + "2 3 2\n1 1 1\n", "has 3 numbers after its head, which announces 2"),
        (COORDINATES + "2 3 1\n3 1 1\n", "line 3: row 3 is not from 1 to 2"),
        (COORDINATES + "2 3 1\n1 0 1\n", "line 3: column 0 is not from 1 to 3"),
        (COORDINATES + "2 3 1\n1 1 1.5\n", "holds '1.5' where a whole number"),
        (COORDINATES + "2 8 2\n1 7 1\0", "has 3 numbers"),
        (COORDINATES + "2 8 1\n1 7 1\0", r"holds '1\\x00' where"),
        (COORDINATES + "2 8 1\n1 7 1\u00e9", "holds '1é' where"),
        (COORDINATES + f"{2**62} 8 1\n1 7 1", "announces 4,611,686,018,427,387,904 documents"),
        ("%%MatrixMarket matrix coordinate integer symmetric\n2 3 0\n", "has 2 rows and 3 columns"),
        (ARRAY + "integer general\n2 3\n1\n2\n", "which announces 6 lines of 1"),
        (ARRAY + f"integer general\n{2**62} 0\n", "announces 4,611,686"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(DocumentsError, match=f"'x.mtx'.*{message}"):
        read_market(text)


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
        ("csr", {"indices": np.full(6, 2**30)}, "column numbers from 1073741824"),
        ("csc", {"indices": np.full(6, 2**30)}, "column numbers from 1073741824"),
        ("bsr", {"indices": np.full(99, 2**30)}, "column numbers from 1073741824"),
        ("csc", {"indptr": np.array([0, 9, 9, 9, 9])}, "pointers do not ascend"),
        ("coo", {"row": np.full(6, -1)}, "row numbers from -1"),
        ("csr", {"shape": np.array([4, 4, 4])}, r"its shape is \[4, 4, 4\]"),
        ("csr", {"shape": np.array([-4, 4])}, r"its shape is"),
        ("coo", {"shape": np.array([2**60, 4])}, "announces 1,152,921,504,606,846,976 documents"),
        ("csr", {"format": np.array(b"lil")}, "its format is 'lil'"),
        ("csr", {"format": None}, "it has no array 'format'"),
        ("csr", {"indptr": None}, "it has no array 'indptr'"),
        ("coo", {"col": None}, "it has no array 'col'"),
        ("csr", {"data": np.array(["x"] * 6)}, "values of dtype <U1"),
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
