"""The document-word matrix: what is accepted, what is refused, and how it is cut."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse

from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.documents.sparse_matrices import check_matrix
from hlta.documents.writer import ABSENT, DocumentsWriter, renumber_words, take_words
from hlta.errors import DocumentsError, OptionError

few = settings(max_examples=60)
DENSE = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1]])


@pytest.mark.parametrize(
    "container",
    [
        np.asarray,
        np.asfortranarray,
        np.ndarray.tolist,
        lambda x: x != 0,
        lambda x: x.astype(np.float32),
        sparse.csr_matrix,
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


def test_order_repeats_and_what_lies_behind_are_seen_whatever_the_flags_say() -> None:
    matrix = sparse.csr_array(([1, 1, 1, 1], [3, 1, 2, 2], [0, 2, 4]), shape=(2, 4))
    matrix.has_canonical_format = True
    matrix.indices = np.append(matrix.indices, np.full(9, 2**30, dtype=np.int32))
    matrix.data = np.append(matrix.data, np.ones(9, dtype=matrix.dtype))
    documents = as_documents(matrix)
    assert documents.indices.tolist() == [1, 3, 2]
    assert documents.indptr.tolist() == [0, 2, 3]


def test_memory_is_shared_where_it_can_be() -> None:
    matrix = sparse.csr_array(DENSE)
    documents = as_documents(matrix)
    assert np.shares_memory(documents.indices, matrix.indices)
    assert np.shares_memory(documents[1:].indices, documents.indices)
    with pytest.raises(ValueError, match="slices have steps of 1"):
        documents[::2]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.array([[0, -1]]), r"negative values \(-1\); use 0, 1 or counts"),
        (sparse.csr_array([[0, -2.5]]), "negative values"),
        (np.array([[0.0, np.nan]]), "NaN or infinite"),
        (sparse.csr_array([[0.0, np.nan]]), "NaN or infinite"),
        (sparse.csr_array(np.array([[1j, 0]])), "dtype complex128"),
        (["some text"], "list of dtype <U9"),
        (np.array([["a", "b"]]), "numeric matrix"),
        ([[1, 0], [1]], "documents must be a matrix"),
        (np.array([0, 1]), r"not 1-dimensional; for one document use documents.reshape\(1, -1\)"),
        (np.zeros((2, 2, 2)), "not 3-dimensional"),
        (np.zeros((0, 3)), "no documents"),
        (np.zeros((3, 0)), "no words"),
    ],
)
def test_what_is_not_a_matrix_of_counts_is_refused(matrix: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        as_documents(matrix)


def test_other_columns_and_numbers_beyond_those_of_kernels_are_refused() -> None:
    for matrix in (DENSE, as_documents(DENSE)):
        with pytest.raises(DocumentsError, match="4 columns, but the tree has 5 words"):
            as_documents(matrix, n_words=5)
    with pytest.raises(DocumentsError, match=r"4,294,967,298 words; there can be 2,147,483,647"):
        as_documents(sparse.csr_array(([1], [2**32 + 1], [0, 1]), shape=(1, 2**32 + 2)))
    with pytest.raises(DocumentsError, match=r"1,099,511,627,776 documents; there can be"):
        as_documents(sparse.coo_array((2**40, 3)))
    with pytest.raises(OptionError, match="rows holds 3"):
        as_documents(DENSE).take(np.array([0, 3]))


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [
        ([0, 2, 3], [0, 2, 3], "there is a word number 3, but 3 words"),
        ([0, 2, 2], [0, 2, 1], "indptr ends at 2 instead of 3"),
        ([0, 4, 3], [0, 2, 1], "indptr does not ascend"),
        ([1, 2, 3], [0, 2, 1], "indptr does not ascend from 0"),
        ([], [], "indptr does not ascend from 0"),
        (np.array([0, 1], dtype=np.int32), [0], "contiguous vector"),
        ([0, 1], np.array([0], dtype=np.int64), "contiguous vector"),
        ([0, 2], np.arange(4, dtype=np.uint32)[::2], "contiguous vector"),
        ([[0, 1]], [0], "contiguous vector"),
        ("abc", "abc", "indptr must be a contiguous vector of int64"),
    ],
)
def test_documents_are_checked_when_they_are_made(indptr: Any, indices: Any, message: str) -> None:
    pointers = np.array(indptr, dtype=np.int64) if isinstance(indptr, list) else indptr
    numbers = np.array(indices, dtype=np.uint32) if isinstance(indices, list) else indices
    with pytest.raises(DocumentsError, match=message):
        Documents(pointers, numbers, 3)


@few
@given(st.lists(st.lists(st.integers(0, 5), max_size=4), min_size=1, max_size=8), st.integers(1, 3))
def test_rows_are_as_good_as_they_are_row_by_row(rows: list[list[int]], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.shards._AT_ONCE", at_once)
        if all(row == sorted(set(row)) for row in rows):
            documents_of(rows)
        else:
            with pytest.raises(DocumentsError, match="distinct and ascending"):
                documents_of(rows)


@few
@given(st.lists(st.integers(0, 30), min_size=1, max_size=300), st.integers(1, 200))
def test_shards_cover_every_document_once_in_order(lengths: list[int], grain: int) -> None:
    documents = documents_of([list(range(n)) for n in lengths], 30)
    shards = documents.shards(grain)
    assert np.concatenate([shard.lengths for shard in shards]).tolist() == lengths
    assert all(len(shard) for shard in shards)
    assert len(shards) <= 32
    assert len(shards) <= max(1, (sum(lengths) + len(lengths)) / grain)


def test_shards_have_about_equal_work_and_a_largest_size() -> None:
    documents = as_documents(np.ones((1000, 20)))
    sizes = np.array([len(shard) for shard in documents.shards(1000)])
    assert len(sizes) == 16
    assert sizes.max() <= sizes.min() + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 300)
        assert len(documents.shards(100)) == 64


@few
@given(
    st.lists(st.lists(st.integers(0, 5), max_size=4, unique=True).map(sorted), min_size=1),
    st.lists(st.integers(0, 12), max_size=4),
    st.data(),
)
def test_documents_are_the_same_however_they_are_cut(
    rows: list[list[int]], cuts: list[int], data: st.DataObject
) -> None:
    whole = documents_of(rows)
    documents = in_shards(whole, cuts)
    assert documents.shape == whole.shape
    assert documents.n_presences == whole.n_presences == sum(map(len, rows))
    assert documents.lengths.tolist() == [len(row) for row in rows]
    assert same(documents, whole)
    np.testing.assert_array_equal(documents.document_frequency, whole.document_frequency)
    begin, end = sorted(data.draw(st.lists(st.integers(0, len(rows)), min_size=2, max_size=2)))
    assert same(documents[begin:end], documents_of(rows[begin:end]))
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9))
    assert same(documents.take(np.array(chosen)), documents_of([rows[k] for k in chosen]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 3)
        for parts in ([*documents.parts()], [*documents.chunks(2)]):
            before = np.cumsum([0, *(len(part) for _, part in parts)])[:-1]
            assert [first for first, _ in parts] == before.tolist()
            assert [words for _, part in parts for words in words_of(part)] == rows
        for grain in (1, 2, 5):
            ours, theirs = documents.shards(grain), whole.shards(grain)
            assert [words_of(one) for one in ours] == [words_of(one) for one in theirs]


def documents_of(rows: list[list[int]], n_words: int = 6) -> Documents:
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return Documents(indptr, np.array([w for row in rows for w in row], dtype=np.uint32), n_words)


def words_of(documents: Documents) -> list[list[int]]:
    indptr, indices = documents.presences()
    return [indices[a:b].tolist() for a, b in pairwise(indptr)]


def in_shards(documents: Documents, cuts: list[int]) -> Documents:
    """The same documents in several shards, some of them empty."""
    bounds = [0, *sorted(min(cut, len(documents)) for cut in cuts), len(documents)]
    parts = [documents[begin:end].presences() for begin, end in pairwise(bounds)]
    return Documents.of_shards(parts, documents.n_words)


def same(one: Documents, other: Documents) -> bool:
    (ours, words), (theirs, others) = one.presences(), other.presences()
    assert (ours.dtype, words.dtype) == (theirs.dtype, others.dtype)
    return bool(ours.tolist() == theirs.tolist() and words.tolist() == others.tolist())


# ---- documents that are made a few at a time -----------------------------------------------------

MATRICES = arrays(np.int8, st.tuples(st.integers(1, 8), st.just(5)), elements=st.integers(0, 1))


@few
@given(st.lists(MATRICES, min_size=1, max_size=4), st.sampled_from([8, 1 << 20]))
def test_documents_come_back_in_their_order(parts: list[NDArray[np.int8]], in_memory: int) -> None:
    writer = DocumentsWriter(5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta._support.spool.IN_MEMORY", in_memory)
        for part in parts:
            writer.append(as_documents(part))
        documents = writer.read()
    np.testing.assert_array_equal(documents.to_csr().toarray(), np.concatenate(parts))


@few
@given(MATRICES, st.permutations(range(5)), st.integers(1, 5))
def test_columns_come_in_any_order(matrix: NDArray[np.int8], order: list[int], count: int) -> None:
    chosen = np.array(order[:count])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 3)
        documents = take_words(as_documents(matrix), chosen)
    np.testing.assert_array_equal(documents.to_csr().toarray(), matrix[:, chosen])
    Documents(*documents.presences(), count)  # checks them


def test_new_columns_may_be_empty() -> None:
    documents = as_documents([[1, 1, 0], [0, 1, 1]])
    wider = renumber_words(documents, np.array([3, ABSENT, 0], dtype=np.uint32), 4)
    assert wider.to_csr().toarray().tolist() == [[0, 0, 0, 1], [1, 0, 0, 0]]


# ---- SciPy's matrices ----------------------------------------------------------------------------


STORED = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1], [0, 3, 0, 0]])
WILD = 2**30
WRAP = 2**31 - 1


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia", "dok", "lil"])
@settings(max_examples=30)
@given(arrays(np.int8, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 3)))
def test_every_format_comes_through(kind: str, matrix: NDArray[np.int8]) -> None:
    given = sparse.csr_array(matrix).asformat(kind)
    np.testing.assert_array_equal(check_matrix(given).toarray(), matrix)
    np.testing.assert_array_equal(as_documents(given).to_csr().toarray(), matrix != 0)


def damaged(kind: str, part: str, value: Any) -> Any:
    """A matrix in which one array is another one."""
    matrix = sparse.csr_array(STORED).asformat(kind)
    setattr(matrix, part, value)
    return matrix


@pytest.mark.parametrize(
    ("kind", "part", "value", "message"),
    [
        ("csr", "indices", np.full(6, WILD), "must be < 4"),
        ("csr", "indices", np.zeros(6), "its places are not whole numbers"),
        ("csr", "indices", np.full(6, 2**64 - 1, dtype=np.uint64), "must be >= 0"),
        ("csr", "indptr", np.array([0, 1, 1, 2]), "index pointer size"),
        ("csr", "indptr", np.array([0, 2, 2, 5, 2**40]), "[Ll]ast value of index pointer"),
        ("csr", "indptr", np.array([0, 5, 2, 5, 6]), "pointers do not ascend"),
        ("csr", "indptr", np.array([0, WRAP, -WRAP - 1, -1, 6], "i4"), "pointers do not ascend"),
        ("csr", "indptr", np.array([0, 0, 0, 0, -2]), "pointers do not ascend"),
        ("csr", "data", np.ones(2), "the same size"),
        ("csr", "data", np.array([{}] * 6), "values of dtype object"),
        ("csc", "indices", np.full(6, -1), "must be >= 0"),
        ("bsr", "indices", np.full(6, WILD), "must be < 4"),
        ("bsr", "indptr", np.array([0, WILD, WILD]), "pointer"),
        ("bsr", "data", np.ones((3, 3, 3)), "blocks do not divide its shape"),
        ("bsr", "data", np.ones((6, 0, 2)), "by zero"),
        (
            "coo",
            "coords",
            (np.full(6, WILD), np.zeros(6, dtype=int)),
            "axis 0 index 1073741824 exceeds",
        ),
        ("coo", "coords", (np.zeros(6, dtype=int), np.full(6, -9)), "negative axis 1 index: -9"),
        ("coo", "coords", (np.zeros(3, dtype=int), np.zeros(6, dtype=int)), "the same length"),
        ("coo", "data", np.ones(99), "the same length"),
        ("coo", "data", np.array(1.0), "is damaged"),
        ("coo", "coords", (np.array(1), np.array(2)), "is damaged"),
        ("csr", "data", np.ones((6, 1)), "should be 1-D"),
        ("dia", "offsets", np.array([0.5] * 4), "its places are not whole numbers"),
        ("dia", "offsets", np.array([1]), "did not match"),
        ("dia", "data", np.array(3), "too many indices"),
        ("lil", "rows", np.array([[1, WILD], [], [0], []], dtype=object), "as many columns as"),
        ("lil", "rows", np.array([[1, WILD], [], [0, 2, 3], [1]], dtype=object), "must be < 4"),
        ("lil", "rows", np.array([[1], [0]], dtype=object), "as many columns as"),
        ("lil", "data", np.array([[1, [2]], [], [1, 1, 1], [1]], dtype=object), "inhomogeneous"),
        ("dok", "_dict", {(0, WILD): 1}, "axis 1 index 1073741824"),
        ("dok", "_dict", {(2**70, 0): 1}, "too large"),
        ("dok", "_dict", {7: 1}, "not iterable"),
    ],
)
def test_a_damaged_array_is_refused(kind: str, part: str, value: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        as_documents(damaged(kind, part, value))


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia"])
def test_unusual_types_of_numbers_are_read(kind: str) -> None:
    """Values of types that SciPy refuses, and short or unsigned places."""
    for dtype in (">i4", ">f8", "<f2", ">u2"):
        values = sparse.csr_array(STORED).asformat(kind).data.astype(dtype)
        np.testing.assert_array_equal(check_matrix(damaged(kind, "data", values)).toarray(), STORED)
    if kind in ("csr", "csc", "bsr"):
        indptr = sparse.csr_array(STORED).asformat(kind).indptr
        matrix = damaged(kind, "indptr", indptr.astype("i2"))
        matrix.indices = matrix.indices.astype(np.uint8)
        np.testing.assert_array_equal(check_matrix(matrix).toarray(), STORED)


def test_diagonals_beyond_the_matrix_are_empty() -> None:
    matrix = damaged("dia", "offsets", np.array([-(2**62), 1, 9, 2**62]))
    matrix.data = np.ones((4, 7))
    expected = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    np.testing.assert_array_equal(check_matrix(matrix).toarray(), expected)
