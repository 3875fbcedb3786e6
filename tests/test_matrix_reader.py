"""Matrices in the formats of the field, there and back."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, save_npz

from hlta import DocumentsError
from hlta.reading.matrix_formats import Matrix
from hlta.reading.matrix_reader import read_matrix
from hlta.reading.matrix_writer import write_matrix

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("deep", "learning", "größe", "neural-network")
COUNTS = np.array([[1, 0, 2, 0], [0, 1, 0, 0], [3, 0, 0, 12]])
NAMES = ("docword.x.txt", "x.ldac", "x.lda.txt", "x.sparse.txt", "x.npz", "x.mtx")


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(tmp_path: Path, name: str) -> None:
    written = write_matrix(tmp_path / name, Matrix(csr_array(COUNTS), WORDS, ("a", "b 1", "c")))
    assert sorted(tmp_path.iterdir()) == sorted(written)
    back = read_matrix(tmp_path / name)
    order = [back.words.index(word) for word in WORDS]
    expected = COUNTS if name != "x.sparse.txt" else COUNTS > 0  # pairs hold no counts
    np.testing.assert_array_equal(back.counts.toarray()[:, order], expected)
    assert back.ids == (("a", "b_1", "c") if name == "x.sparse.txt" else None)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=1)
    )
)
def test_any_matrix_survives(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[int]]
) -> None:
    folder = tmp_path_factory.mktemp("m")
    words = tuple(f"w{k}" for k in range(len(rows[0])))
    for name in ("docword.x.txt", "x.ldac", "x.npz", "x.mtx"):
        write_matrix(folder / name, Matrix(csr_array(np.array(rows)), words))
        np.testing.assert_array_equal(read_matrix(folder / name).counts.toarray(), rows)


def test_what_others_write(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "docword.kos.txt.gz", "wb") as file:
        file.write(b"2\n3\n3\n1 2 5\n1 3 1\n2 1 1\n")
    (tmp_path / "vocab.kos.txt").write_text("a\nb\nc\n")
    np.testing.assert_array_equal(
        read_matrix(tmp_path / "docword.kos.txt.gz").counts.toarray(), [[0, 5, 1], [1, 0, 0]]
    )
    (tmp_path / "y.sparse.txt").write_text("0, thirtieth\n0, smola\n1,cvpr\n1\tsmola\n0 smola\n")
    tuples = read_matrix(tmp_path / "y.sparse.txt")
    assert tuples.words == ("thirtieth", "smola", "cvpr")
    np.testing.assert_array_equal(tuples.counts.toarray(), [[1, 1, 0], [0, 1, 1]])
    save_npz(tmp_path / "x.npz", csr_array(COUNTS))
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    assert read_matrix(tmp_path / "x.npz").words == WORDS
    (tmp_path / "mine").write_text("w\nx\ny\nz")
    assert read_matrix(tmp_path / "x.npz", tmp_path / "mine").words == tuple("wxyz")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docword.x.txt", "2\n3\n", r"line 3, must be a whole number"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n", r"3 numbers after its head, which announces 2 lines"),
        ("docword.x.txt", "2\n3\n1\n3 1 1\n", r"line 4: document 3 is not from 1 to 2"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n1 0 1\n", r"line 5: word 0 is not from 1 to 3"),
        ("docword.x.txt", "2\n3\n1\n1 x 1\n", r"holds 'x' where a number must be"),
        ("docword.x.txt", "2\n4\n1\n1 1 1\n", r"has 3 words, .*needs 4"),
        ("x.ldac", "2 0:1 1:1\n2 0:1\n", r"line 2: it announces 2 words and has 1"),
        ("x.ldac", "1 a:1\n", r"line 1, holds 'a'"),
        ("x.sparse.txt", "0, a\nb\n", r"line 2, is not a pair"),
        ("x.npz", "PK", r"x.npz' is damaged"),
        ("x.mtx", "nothing", r"x.mtx' is damaged"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "vocab.txt").write_text("a\nb\nc\n")
    with pytest.raises(DocumentsError, match=message):
        read_matrix(tmp_path / name)


def test_words_are_missed(tmp_path: Path) -> None:
    (tmp_path / "x.ldac").write_text("1 0:1\n")
    with pytest.raises(DocumentsError, match=r"does not name its 1 words.*x\.vocab.*vocab\.txt"):
        read_matrix(tmp_path / "x.ldac")


def test_what_a_format_cannot_express(tmp_path: Path) -> None:
    empty = Matrix(csr_array(np.array([[0, 0], [1, 1]])), ("a", "b"))
    with pytest.raises(DocumentsError, match="document '0' has no words"):
        write_matrix(tmp_path / "x.sparse.txt", empty)
    with pytest.raises(DocumentsError, match="written uncompressed"):
        write_matrix(tmp_path / "docword.x.txt.gz", empty)
    assert not list(tmp_path.iterdir())
