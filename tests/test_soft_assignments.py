"""Variables that are on to a degree: by document, by variable, by level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.documents.matrix import as_documents
from hlta.learning.paper.soft_assignments import (
    NEGLIGIBLE,
    SoftAssignments,
    latents_by_level,
    words_of,
)
from tests.oracles import list_postings
from tests.synthetic import planted

if TYPE_CHECKING:
    from tests.oracles import Floats

EXAMPLE = SoftAssignments(
    indptr=np.array([0, 2, 2, 5]),
    indices=np.array([0, 2, 1, 2, 3], dtype=np.uint32),
    values=np.array([0.5, 1.0, 0.25, 0.75, 0.5], dtype=np.float32),
    n_variables=5,
)


def dense(soft: SoftAssignments) -> Floats:
    out = np.zeros((soft.n_documents, soft.n_variables))
    out[np.repeat(np.arange(soft.n_documents), np.diff(soft.indptr)), soft.indices] = soft.values
    return out


def test_sums_are_expected_numbers_of_documents() -> None:
    np.testing.assert_array_equal(EXAMPLE.sums, [0.5, 0.25, 1.75, 0.5, 0.0])


def test_by_variable_is_the_transpose() -> None:
    postings, weight = EXAMPLE.by_variable
    documents = np.repeat(np.arange(5), np.diff(postings.start))
    out = np.zeros((5, 3))
    out[documents, postings.document] = weight
    np.testing.assert_array_equal(out.T, dense(EXAMPLE))
    expected = [entry for held in list_postings(dense(EXAMPLE)) for entry in held]
    assert list(zip(postings.document, postings.place, strict=True)) == expected


@pytest.mark.parametrize("chosen", [[0, 1, 2, 3, 4], [3, 0], [4], [2]])
def test_columns_are_numbered_anew(chosen: list[int]) -> None:
    part = EXAMPLE.columns(np.array(chosen))
    assert part.n_variables == len(chosen)
    np.testing.assert_array_equal(dense(part), dense(EXAMPLE)[:, chosen])


def test_words_are_on_or_off() -> None:
    X = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1]])
    np.testing.assert_array_equal(dense(words_of(as_documents(X))), X)


def test_latents_by_level_are_posteriors_but_for_negligible_ones() -> None:
    tree = planted(60, 2)
    X = tree.sample(300, seed=2)
    posterior = tree.posteriors(X).dense()
    posterior[posterior < NEGLIGIBLE] = 0.0
    levels = latents_by_level(tree, as_documents(X))
    assert len(levels) == len(tree.levels) - 1 >= 3
    for soft, nodes in zip(levels, tree.levels[1:], strict=True):
        np.testing.assert_allclose(dense(soft), posterior[:, nodes - 60], rtol=1e-6)
