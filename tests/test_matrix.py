"""The document-word matrix: what is accepted, what is refused, and how it is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from hlta.documents.matrix import Documents, as_documents
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

few = settings(max_examples=60, deadline=None)
DENSE = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1]])


@pytest.mark.parametrize(
    "container",
    [
        np.asarray,
        np.asfortranarray,
        np.ndarray.tolist,
        lambda x: x != 0,
        lambda x: x.astype(np.float32),
        lambda x: x.astype(np.uint8),
        sparse.csr_matrix,
        sparse.csr_array,
        sparse.csc_array,
        sparse.coo_array,
        sparse.lil_matrix,
        lambda x: sparse.csr_array(x.astype(float)),
    ],
)
def test_every_container_gives_the_same_documents(container: Any) -> None:
    documents = as_documents(container(DENSE), n_words=4)
    assert documents.indptr.tolist() == [0, 2, 2, 5]
    assert documents.indices.tolist() == [1, 3, 0, 2, 3]
    assert documents.indptr.dtype == np.int64
    assert documents.indices.dtype == np.uint32
    assert as_documents(documents) is documents


def test_zeros_duplicates_and_disorder_are_put_right_in_a_copy() -> None:
    # 127 times 2 in int8 would wrap to a negative number if entries were summed as they are.
    columns = np.array([3] * 127 + [1, 0])
    data = np.array([2] * 127 + [1, 0], dtype=np.int8)
    matrix = sparse.csr_array((data, columns, [0, 129]), shape=(1, 4))
    documents = as_documents(matrix)
    assert documents.indices.tolist() == [1, 3]
    assert matrix.nnz == 129
    assert matrix.indices[0] == 3


def test_a_clean_matrix_is_not_copied() -> None:
    matrix = sparse.csr_array(DENSE)
    assert np.shares_memory(as_documents(matrix).indices, matrix.indices)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.array([[0, -1]]), r"negative values \(-1\); use 0, 1 or counts"),
        (sparse.csr_array([[0, -2.5]]), "negative values"),
        (np.array([[0.0, np.nan]]), "NaN or infinite"),
        (np.array([[0.0, np.inf]]), "NaN or infinite"),
        (sparse.csr_array([[0.0, np.nan]]), "NaN or infinite"),
        (sparse.csr_array(np.array([[1j, 0]])), "dtype complex128"),
        (["some text"], "list of dtype <U9"),
        (np.array([["a", "b"]]), "numeric matrix"),
        ([[1, 0], [1]], "documents must be a matrix"),
        (np.array([0, 1]), r"not 1-dimensional; for one document use documents.reshape\(1, -1\)"),
        (np.zeros((2, 2, 2)), "not 3-dimensional"),
        (np.zeros((0, 3)), "no documents"),
        (np.zeros((3, 0)), "no words"),
        (sparse.csr_array((0, 3)), "no documents"),
    ],
)
def test_what_is_not_a_matrix_of_counts_is_refused(matrix: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        as_documents(matrix)


def test_another_number_of_columns_is_refused() -> None:
    with pytest.raises(
        DocumentsError, match="4 columns, the tree has 5 words; give one column per word"
    ):
        as_documents(DENSE, n_words=5)
    with pytest.raises(DocumentsError, match="4 columns"):
        as_documents(as_documents(DENSE), n_words=5)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("indices", [1, 3, 0, 2, 9], "word numbers from 0 to 9, but has 4 columns"),
        ("indices", [1, 3, -1, 2, 3], "word numbers from -1"),
        ("indptr", [0, 3, 2, 5], "row pointers do not ascend"),
        ("indptr", [0, 2, 2, 7], "row pointers do not ascend"),
    ],
)
def test_a_damaged_sparse_matrix_is_refused(part: str, value: list[int], message: str) -> None:
    matrix = sparse.csr_array(DENSE)
    setattr(matrix, part, np.array(value, dtype=np.int32))
    with pytest.raises(DocumentsError, match=message):
        as_documents(matrix)


@few
@given(arrays(np.int8, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.integers(0, 1)))
def test_take_is_indexing_and_frequencies_are_column_sums(matrix: NDArray[np.int8]) -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, len(matrix), 5)
    documents = as_documents(matrix)
    np.testing.assert_array_equal(documents.take(rows).to_csr().toarray(), matrix[rows])
    np.testing.assert_array_equal(documents.document_frequency, matrix.sum(axis=0))


@few
@given(st.lists(st.integers(0, 30), min_size=1, max_size=300), st.integers(1, 200))
def test_shards_cover_every_document_once_in_order(lengths: list[int], grain: int) -> None:
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    documents = Documents(indptr, np.zeros(indptr[-1], dtype=np.uint32), 1)
    shards = documents.shards(grain)
    assert [row for begin, end in shards for row in range(begin, end)] == list(range(len(lengths)))
    assert len(shards) <= 32
    assert len(shards) <= max(1, (indptr[-1] + len(lengths)) / grain)


def test_shards_have_about_equal_work() -> None:
    documents = as_documents(np.ones((1000, 20)))
    sizes = np.array([end - begin for begin, end in documents.shards(1000)])
    assert len(sizes) == 16
    assert sizes.max() <= sizes.min() + 1


def test_slices_share_memory_and_equal_taken_rows() -> None:
    documents = as_documents(DENSE)
    for begin, end in [(0, 3), (1, 3), (1, 1), (2, 9), (-2, None), (3, 5)]:
        part = documents[begin:end]
        expected = documents.take(np.arange(3)[begin:end])
        assert part.indptr.tolist() == expected.indptr.tolist()
        assert part.indices.tolist() == expected.indices.tolist()
        assert part.n_words == 4
    assert np.shares_memory(documents[1:].indices, documents.indices)
    with pytest.raises(ValueError, match=r"documents\[::2\]: slices have steps of 1"):
        documents[::2]


def test_chunks_are_consecutive_and_complete() -> None:
    documents = as_documents(DENSE)
    chunks = [(begin, part.to_csr().toarray().tolist()) for begin, part in documents.chunks(2)]
    present = (DENSE != 0).astype(int).tolist()
    assert chunks == [(0, present[:2]), (2, present[2:])]


def test_the_matrix_goes_to_scipy_and_back() -> None:
    documents = as_documents(DENSE)
    assert documents.to_csr().dtype == np.int8
    assert documents.to_csr(np.float64).toarray().tolist() == (DENSE != 0).tolist()
    assert as_documents(documents.to_csr()).indices.tolist() == documents.indices.tolist()
