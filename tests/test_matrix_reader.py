"""Matrices in the formats of the field, as others write them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

from hlta import DocumentsError
from hlta.reading.matrices.matrix_files import format_of, read_matrix

if TYPE_CHECKING:
    from pathlib import Path


def test_a_compressed_bag_of_words_finds_its_vocabulary(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "docword.kos.txt.gz", "wb") as file:
        file.write(b"2\n3\n3\n1 2 5\n1 3 1\n2 1 1\n")
    (tmp_path / "vocab.kos.txt").write_text("a\nb\nc\n")
    matrix = read_matrix(tmp_path / "docword.kos.txt.gz")
    np.testing.assert_array_equal(matrix.counts.toarray(), [[0, 5, 1], [1, 0, 0]])
    assert matrix.words == ("a", "b", "c")


def test_tuples_are_pairs_between_commas_tabs_or_spaces(tmp_path: Path) -> None:
    (tmp_path / "y.sparse.txt").write_text(
        "0, thirtieth\n0 , smola\n1,cvpr, x\n1\t smola\n0 smola 3\n\n"
    )
    matrix = read_matrix(tmp_path / "y.sparse.txt")
    assert matrix.words == ("thirtieth", "smola", "cvpr")
    assert matrix.ids == ("0", "1")
    np.testing.assert_array_equal(matrix.counts.toarray(), [[1, 1, 0], [0, 1, 1]])


def test_a_million_spaces_between_a_pair_are_one_look(tmp_path: Path) -> None:
    gap = "\u3000" * 1_000_000
    (tmp_path / "y.sparse.txt").write_text(f"a{gap},{gap}b\nc{gap} {gap}d", encoding="utf-8")
    matrix = read_matrix(tmp_path / "y.sparse.txt")
    assert (matrix.ids, matrix.words) == (("a", "c"), ("b", "d"))


@pytest.mark.parametrize("words", ["vocab.txt", "ap.words.txt", "ap.vocab"])
def test_a_dat_file_beside_its_words_is_in_lda_c(tmp_path: Path, words: str) -> None:
    path = tmp_path / "ap.dat"
    path.write_text("2 0:1 2:3\n1 1:1\n")
    assert format_of(path) is None
    (tmp_path / words).write_text("a\nb\nc\n")
    assert format_of(path) == "lda-c"
    matrix = read_matrix(path)
    np.testing.assert_array_equal(matrix.counts.toarray(), [[1, 0, 3], [0, 1, 0]])


def test_lda_c_has_as_many_columns_as_the_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "x.ldac").write_text("1 0:2\n0\n")
    (tmp_path / "x.vocab").write_text("a\nb\nc\n")
    matrix = read_matrix(tmp_path / "x.ldac")
    np.testing.assert_array_equal(matrix.counts.toarray(), [[2, 0, 0], [0, 0, 0]])


def test_words_of_scipys_matrices_are_beside_them_or_given(tmp_path: Path) -> None:
    save_npz(tmp_path / "x.npz", csr_array(np.eye(3, dtype=int)))
    (tmp_path / "vocab.txt").write_text("a\nb\nc")
    (tmp_path / "mine").write_text("x\ny\nz")
    assert read_matrix(tmp_path / "x.npz").words == tuple("abc")
    assert read_matrix(tmp_path / "x.npz", tmp_path / "mine").words == tuple("xyz")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docword.x.txt", "2\n3\n", r"line 3, must be a whole number"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n", r"3 numbers after its head, which announces 2 lines"),
        ("docword.x.txt", "2\n3\n1\n3 1 1\n", r"line 4: document 3 is not from 1 to 2"),
        ("docword.x.txt", "2\n3\n2\n1 1 1\n1 0 1\n", r"line 5: word 0 is not from 1 to 3"),
        (
            "docword.x.txt",
            "2\n3\n1\n1 x 1\n",
            r"holds 'x' where a whole number below 2\^63 must be",
        ),
        ("docword.x.txt", f"2\n3\n1\n1 1 {2**63}\n", r"holds '9223372036854775808' where"),
        ("docword.x.txt", f"{2**63}\n3\n1\n1 1 1\n", r"line 1, must be a whole number"),
        ("docword.x.txt", "-2\n3\n1\n1 1 1\n", r"line 1, must be a whole number"),
        ("docword.x.txt", f"{2**60}\n3\n1\n1 1 1\n", r"announces 1,152,921,504,606,846,976 doc"),
        ("docword.x.txt", f"2\n{2**60}\n1\n1 1 1\n", r"needs 1,152,921,504,606,846,976"),
        ("x.ldac", f"1 {2**63}:1\n", r"line 1, holds '9223372036854775808'"),
        ("x.ldac", f"{2**62} 1:1\n", r"line 1: it announces 4,611,686,018,427,387,904 words"),
        ("x.ldac", f"1 {2**62}:1\n", r"has 3 words, .*needs 4,611,686,018,427,387,905"),
        ("x.ldac", f"1 {2**63 - 1}:1\n", r"line 1: 9223372036854775807 is not a number of a word"),
        ("x.ldac", ": :\n", r"line 1: it does not begin with its number of words"),
        ("x.ldac", "1 -1:1\n", r"line 1: -1 is not a number of a word"),
        ("x.ldac", "1 1:-1\n", r"line 1: -1 is not a number of a word or a count"),
        ("x.sparse.txt", "0,,b\n", r"line 1, is not a pair"),
        ("x.sparse.txt", "0 ,\n", r"line 1, is not a pair"),
        ("x.sparse.txt", "a\u3000b\n", r"line 1, is not a pair"),
        ("docword.x.txt", "2\n4\n1\n1 1 1\n", r"has 3 words, .*needs 4"),
        ("x.ldac", "2 0:1 1:1\n2 0:1\n", r"line 2: it announces 2 words but has 1"),
        ("x.ldac", "1 a:1\n", r"line 1, holds 'a'"),
        ("x.sparse.txt", "0, a\nb\n", r"line 2, is not a pair"),
        ("x.npz", "PK", r"x.npz' is damaged"),
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


def test_missing_words_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.ldac").write_text("1 0:1\n")
    with pytest.raises(DocumentsError, match=r"does not name its 1 words.*x\.vocab.*vocab\.txt"):
        read_matrix(tmp_path / "x.ldac")
