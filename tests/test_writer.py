"""Documents that are made a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hlta._support import spool
from hlta.documents.matrix import Documents, as_documents
from hlta.documents.writer import ABSENT, DocumentsWriter, of_words, renumbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

MATRICES = arrays(np.int8, st.tuples(st.integers(1, 8), st.just(5)), elements=st.integers(0, 1))


@settings(max_examples=50, deadline=None)
@given(st.lists(MATRICES, min_size=1, max_size=4), st.booleans())
def test_documents_come_back_in_the_order_in_which_they_came(
    parts: list[NDArray[np.int8]], to_file: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if to_file:
            patch.setattr(spool, "IN_MEMORY", 8)
        writer = DocumentsWriter(5)
        for part in parts:
            writer.append(as_documents(part))
        documents = writer.read()
    np.testing.assert_array_equal(documents.to_csr().toarray(), np.concatenate(parts))


@settings(max_examples=50, deadline=None)
@given(MATRICES, st.permutations(range(5)), st.integers(1, 5))
def test_columns_are_taken_in_any_order(
    matrix: NDArray[np.int8], order: list[int], count: int
) -> None:
    chosen = np.array(order[:count])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 3)
        documents = of_words(as_documents(matrix), chosen)
    np.testing.assert_array_equal(documents.to_csr().toarray(), matrix[:, chosen])
    Documents(*documents.presences(), count)  # checks them


def test_new_columns_may_be_empty() -> None:
    documents = as_documents([[1, 1, 0], [0, 1, 1]])
    number = np.array([3, ABSENT, 0], dtype=np.uint32)
    wider = renumbered(documents, number, 4)
    assert wider.to_csr().toarray().tolist() == [[0, 0, 0, 1], [1, 0, 0, 0]]
