"""The UD-test, to the last digits: where its answer flips is the oracle's difference in BIC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from hlta._kernels.document_groups import (
    Groups,
    count_candidate,
    reset_groups,
    split_groups,
)
from hlta._kernels.one_island import Island, fit_candidate, start_island, ud_test
from hlta.documents.matrix import as_documents
from hlta.learning.paper.mutual_information import postings_of
from tests import slow_structure
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._kernels.postings import Postings


class Joined(NamedTuple):
    """What becomes of a candidate."""

    passes: bool
    p0: float
    p1: float
    groups: int


def join(
    postings: Postings, groups: Groups, island: Island, size: int, w: int, threshold: float
) -> tuple[bool, float, float, int]:
    """Let members 3 to size - 1 of an island join untested, and test the last of `members`."""
    members, p, prior = island.members, island.probability, island.prior
    of_x = np.empty(2)
    passes = False
    count = start_island(postings, groups, island)
    for m in range(3, size + 1):
        x = members[m]
        count_candidate(x, postings, count, groups)
        fit_candidate(p, prior[0], count, groups, of_x)
        if m == size:
            passes = ud_test(w, p, prior[0], of_x, count, groups, threshold)
        else:
            count = split_groups(x, m, of_x[0], of_x[1], postings, count, groups)
            p[m, 0], p[m, 1] = of_x[0], of_x[1]
    reset_groups(postings, members, size, groups)
    return passes, of_x[0], of_x[1], count


compiled_join: Any = njit(join)  # helpers of kernels can't be called from Python


def join_last(X: NDArray[np.int8], w: int, threshold: float) -> Joined:
    """All columns but the last are an island; the last is its candidate, member w next to it."""
    count, n = X.shape
    documents = as_documents(X)
    groups = Groups(
        of_document=np.zeros(count, dtype=np.uint32),
        table=np.empty((count + 2, 4), dtype=np.int64),
        likelihood=np.empty((count + 2, 2)),
    )
    island = Island(np.arange(n), np.empty((n, 2)), np.empty(1))
    postings = postings_of(documents.rows, documents.document_frequency)
    joined = Joined(*compiled_join(postings, groups, island, n - 1, w, threshold))
    assert not groups.of_document.any()  # at rest again
    return joined


def example(seed: int, n: int) -> NDArray[np.int8]:
    X: NDArray[np.int8] = planted(max(n, 6), seed).sample(200, seed=seed).toarray()
    return np.ascontiguousarray(X[:, :n])


def slow_island(X: NDArray[np.int8]) -> slow_structure.Island:
    lcm = slow_structure.learn_lcm(slow_structure.table(X[:, :3]))
    island = slow_structure.Island([0, 1, 2], lcm.p, lcm.prior)
    for x in range(3, X.shape[1] - 1):
        of_x = slow_structure.fit_candidate(X, island, x)
        island = slow_structure.Island(
            [*island.members, x], np.vstack((island.p, of_x)), island.prior
        )
    return island


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(4, 7), st.data())
def test_the_ud_test_flips_at_the_difference_in_bic(seed: int, n: int, data: st.DataObject) -> None:
    X = example(seed, n)
    island = slow_island(X)
    w = data.draw(st.integers(0, n - 2))
    of_x = slow_structure.fit_candidate(X, island, n - 1)
    gain = slow_structure.bic_gain(X, island, w, n - 1, of_x)
    margin = 1e-9 * max(1.0, abs(gain))
    above, below = (join_last(X, w, gain + step) for step in (margin, -margin))
    assert above.passes
    assert not below.passes
    np.testing.assert_allclose((above.p0, above.p1), of_x, rtol=1e-9)


def test_groups_are_the_patterns_of_the_members() -> None:
    X = example(3, 6)
    patterns = len(np.unique(X[:, :5], axis=0))
    # The first group is kept where no document is in it any more.
    assert join_last(X, 0, 0.0).groups in {patterns, patterns + 1}


@pytest.mark.parametrize("w", [0, 1, 2, 3])
def test_the_ud_test_fails_where_two_variables_have_something_of_their_own(w: int) -> None:
    """Member w and the candidate share a cause that the other members don't have."""
    rng = np.random.default_rng(0)
    y, z = rng.random((2, 3000)) < 0.3
    on = np.stack((y, y, y, y, z), axis=1)
    on[:, w] = z
    X = (rng.random(on.shape) < np.where(on, 0.8, 0.1)).astype(np.int8)
    assert not join_last(X, w, 3.0).passes
    on[:] = y[:, None]
    X = (rng.random(on.shape) < np.where(on, 0.8, 0.1)).astype(np.int8)
    assert join_last(X, w, 3.0).passes
