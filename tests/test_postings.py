"""Lists of documents."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.serving.postings import by_word

matrices = st.integers(1, 6).flatmap(
    lambda words: st.lists(st.lists(st.booleans(), min_size=words, max_size=words), min_size=1)
)


@given(matrices, st.integers(0, 2**32))
def test_documents_are_listed_and_counted_by_word(rows: list[list[bool]], seed: int) -> None:
    X = np.array(rows, dtype=np.int8)
    mask = np.random.default_rng(seed).random(len(X)) < 0.5
    having = by_word(as_documents(X))
    for word in range(X.shape[1]):
        assert having.of(word).tolist() == np.flatnonzero(X[:, word]).tolist()
    assert having.count(mask).tolist() == X[mask].sum(axis=0).tolist()
