"""What documents are about, as points."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from hlta.explorer.layout.features import directions, kinds_of, principal_coordinates
from tests.clusters import clustered_shares


def test_rows_have_length_1_unless_they_are_empty() -> None:
    shares = csr_array([[0.8, 0.2, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    rows = directions(shares).toarray()
    np.testing.assert_allclose((rows**2).sum(axis=1), [1.0, 1.0, 0.0], rtol=1e-12)


def test_rare_topics_tell_more() -> None:
    shares = csr_array(np.array([[0.5, 0.5]] + [[1.0, 0.0]] * 99))
    common, rare = directions(shares).toarray()[0]
    assert rare > 100 * common > 0.0


def test_documents_that_are_alike_are_of_one_kind() -> None:
    rows = csr_array([[0.6, 0.8], [1.0, 0.0], [0.60001, 0.79999], [0.61, 0.79]])
    kinds = kinds_of(rows)
    assert kinds.kind[0] == kinds.kind[2]
    assert len(set(kinds.kind.tolist())) == kinds.rows.shape[0] == 3
    np.testing.assert_allclose(kinds.rows.toarray()[kinds.kind], rows.toarray(), atol=1e-3)


def test_the_order_of_the_documents_does_not_change_the_kinds() -> None:
    rows = directions(clustered_shares(200, seed=1)[0])
    order = np.random.default_rng(0).permutation(200)
    kinds, others = kinds_of(rows), kinds_of(rows[order])
    assert (kinds.rows != others.rows).nnz == 0
    np.testing.assert_array_equal(kinds.kind[order], others.kind)


def test_coordinates_are_those_of_a_singular_value_decomposition() -> None:
    rows = directions(clustered_shares(300, seed=2)[0])
    dense = rows.toarray() - rows.toarray().mean(axis=0)
    left, values, _ = np.linalg.svd(dense, full_matrices=False)
    coordinates = principal_coordinates(rows)
    assert coordinates.shape == (300, dense.shape[1])
    for k in range(5):
        expected = left[:, k] * values[k]
        sign = np.sign(expected @ coordinates[:, k])
        np.testing.assert_allclose(coordinates[:, k], sign * expected, atol=1e-5)
