"""Matrices in the formats of the field, there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import DocumentsError, FormatError
from hlta._support.writing import check_unlocked, drafting
from hlta.reading.matrices.matrix_files import Matrix, read_matrix, write_matrix

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("deep", "learning", "größe", "neural-network")
COUNTS = np.array([[1, 0, 2, 0], [0, 1, 0, 0], [3, 0, 0, 12]])
NAMES = ("docword.x.txt", "x.ldac", "x.lda.txt", "x.npz", "x.mtx")


@pytest.mark.parametrize("name", NAMES)
def test_counts_and_words_come_back(tmp_path: Path, name: str) -> None:
    written = write_matrix(tmp_path / name, Matrix(csr_array(COUNTS), WORDS, ("a", "b 1", "c")))
    assert sorted(tmp_path.iterdir()) == sorted(written)
    back = read_matrix(tmp_path / name)
    assert back.words == WORDS
    assert back.ids is None
    np.testing.assert_array_equal(back.counts.toarray(), COUNTS)


def test_tuples_come_back_with_ids_and_without_counts(tmp_path: Path) -> None:
    write_matrix(tmp_path / "x.sparse.txt", Matrix(csr_array(COUNTS), WORDS, ("a", "b 1", "c")))
    back = read_matrix(tmp_path / "x.sparse.txt")
    assert back.ids == ("a", "b_1", "c")
    order = [back.words.index(word) for word in WORDS]
    np.testing.assert_array_equal(back.counts.toarray()[:, order], COUNTS > 0)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=1)
    )
)
def test_any_matrix_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[int]]
) -> None:
    folder = tmp_path_factory.mktemp("m")
    words = tuple(f"w{k}" for k in range(len(rows[0])))
    for name in ("docword.x.txt", "x.ldac", "x.npz", "x.mtx"):
        write_matrix(folder / name, Matrix(csr_array(np.array(rows)), words))
        np.testing.assert_array_equal(read_matrix(folder / name).counts.toarray(), rows)


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


@pytest.fixture
def with_an_empty_row() -> Matrix:
    return Matrix(csr_array(np.array([[0, 0], [1, 1]])), ("a", "b"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.sparse.txt", "document '0' has no words, which this format cannot express"),
        ("docword.x.txt.gz", "written uncompressed; leave .gz out"),
    ],
)
def test_what_a_format_cannot_express_is_not_written(
    tmp_path: Path, with_an_empty_row: Matrix, name: str, message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        write_matrix(tmp_path / name, with_an_empty_row)
    assert not list(tmp_path.iterdir())
