"""Groups of members that are alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from hlta._kernels.row_sums import sum_documents, sum_variables
from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import read_only
from hlta.documents.matrix import as_documents
from hlta.learning.grouping import NO_PAIRS, average_linkage, cut, height_of, place_loners, ward


def rows_of(seed: int, n: int) -> np.ndarray:
    """Random rows, some of whose entries are 0."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, 7)) < 0.4, rng.random((n, 7)), 0.0)


@given(st.integers(0, 2**32), st.integers(2, 30), st.data())
def test_groups_are_those_of_scipy(seed: int, n: int, data: st.DataObject) -> None:
    dense = rows_of(seed, n)
    linked, expected = ward(sparse.csr_array(dense)), linkage(dense, "ward")
    np.testing.assert_allclose(linked[:, 2] * np.sqrt(2.0), expected[:, 2], atol=1e-7)
    width = data.draw(st.integers(1, n))
    height = height_of([linked], width)
    found = cut(linked, height)
    if (np.abs(linked[:, 2] - height) < 1e-5).sum() <= 1:  # no ties
        own = cut_tree(expected, n_clusters=width).ravel()
        assert adjusted_rand_score(found, own) == 1.0


@given(st.integers(0, 2**32), st.integers(2, 30))
def test_average_linkage_is_that_of_scipy(seed: int, n: int) -> None:
    dense = rows_of(seed, n)
    expected = linkage(dense, "average", "sqeuclidean")[:, 2] / 2.0
    np.testing.assert_allclose(average_linkage(sparse.csr_array(dense))[:, 2], expected, atol=1e-9)


def test_members_at_equal_distances_join_together_or_not_at_all() -> None:
    linked = ward(sparse.csr_array(np.repeat(np.eye(6), 2, axis=0)))
    assert [int(cut(linked, height_of([linked], k)).max()) + 1 for k in (12, 9, 6, 3, 1)] == [
        *(12, 12, 6, 6, 1)
    ]


def test_several_trees_are_cut_at_one_height() -> None:
    """Two pairs in each of two trees, one of them wider than the others."""
    near, far = (
        sparse.csr_array(np.array([[0.0], [0.1], [5.0], [5.0 + wide]])) for wide in (0.1, 2.0)
    )
    linked = [ward(near), ward(far)]
    groups = [cut(tree, height_of(linked, 5)) for tree in linked]
    assert [len(set(own.tolist())) for own in groups] == [2, 3]
    assert height_of([np.empty((0, 4)), np.empty((0, 4))], 1) < 0.0


def test_members_that_must_not_meet_never_do() -> None:
    dense = np.zeros((5, 1))
    groups = cut(ward(sparse.csr_array(dense), np.array([[1, 0]])), np.inf)
    assert groups[0] != groups[1]
    assert len(set(groups.tolist())) == 2


def test_who_is_alone_joins_others_or_takes_another() -> None:
    """The last member is alone: it joins those like it, or, if barred, takes one that is free."""
    dense = np.zeros((6, 3))
    dense[:3, 0] = dense[3:5, 1] = 1.0
    dense[5] = (0.8, 0.1, 0.6)
    rows, parts = sparse.csr_array(dense), np.array([0, 0, 0, 1, 1, 2])
    assert place_loners(parts, rows).tolist() == [0, 0, 0, 1, 1, 0]
    barred = np.array([[0, 5], [3, 5]])
    assert place_loners(parts, rows, barred, np.array([0, 3, 5])).tolist() == [0, 2, 0, 1, 1, 2]
    none_free = place_loners(parts, rows, barred, np.arange(6))
    assert none_free.tolist() == parts.tolist()


@given(st.integers(0, 2**32), st.integers(2, 20))
def test_nobody_stays_alone(seed: int, n: int) -> None:
    parts = np.unique(np.random.default_rng(seed).integers(0, n, n), return_inverse=True)[1]
    found = place_loners(parts, sparse.csr_array(rows_of(seed, n)), NO_PAIRS)
    assert np.bincount(found).min() >= 2
    assert found.max() <= parts.max()


# ---- products and sums of sparse matrices --------------------------------------------------------


def table(matrix: np.ndarray) -> SparseTable:
    sparse = csr_array(matrix)
    start, column = sparse.indptr.astype(np.int64), sparse.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(sparse.data))


@pytest.mark.parametrize(("begin", "end"), [(0, 9), (2, 5), (4, 4)])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_products_are_those_of_dense_matrices(begin: int, end: int, density: float) -> None:
    rng = np.random.default_rng(end)
    left, right = (
        rng.normal(size=shape) * (rng.random(shape) < density) for shape in ((9, 6), (6, 11))
    )
    out = rng.normal(size=(end - begin, 11))
    expected = out + left[begin:end] @ right
    add_product(table(left), table(right), begin, end, out)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("chosen", [[], [3], [0, 7, 7, 2], list(range(60))])
def test_sums_are_those_of_dense_matrices(chosen: list[int]) -> None:
    rng = np.random.default_rng(len(chosen))
    X = rng.random((60, 23)) < 0.2
    X[7] = False  # a document without words
    rows, numbers = as_documents(X).rows, np.array(chosen, dtype=np.int64)
    of_documents, of_words = rng.random(len(chosen)), rng.random(23)
    by_word, by_document = np.full(23, np.nan), np.full(len(chosen), np.nan)
    sum_documents(rows, read_only(numbers), read_only(of_documents), by_word)
    sum_variables(rows, read_only(numbers), read_only(of_words), by_document)
    np.testing.assert_allclose(by_word, X[numbers].T @ of_documents, rtol=1e-9)
    np.testing.assert_allclose(by_document, X[numbers] @ of_words, rtol=1e-9)
