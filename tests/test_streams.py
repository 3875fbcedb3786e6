"""Kernels over streams of words, against plain Python."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlta._kernels.streams import BIT_PLACE, collect_rows
from hlta._kernels.tokens import END


@given(
    st.lists(st.lists(st.integers(-1, 49)), min_size=1), st.integers(1, 9000), st.integers(0, 2**32)
)
def test_rows_are_ascending_sets(documents: list[list[int]], n_columns: int, seed: int) -> None:
    column = np.random.default_rng(seed).integers(-1, n_columns, 50).astype(np.int32)
    stream = np.array([w for document in documents for w in (*document, END)], dtype=np.int32)
    blocks = -(-n_columns // 4096)
    indptr = np.empty(len(documents) + 1, dtype=np.int64)
    indices = np.empty(len(stream), dtype=np.uint32)
    bits, heads = np.zeros(64 * blocks, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)
    filled = collect_rows(stream, column, bits, heads, BIT_PLACE, indptr, indices)
    expected = [
        sorted({int(column[w]) for w in document if w >= 0 and column[w] >= 0})
        for document in documents
    ]
    assert [indices[a:b].tolist() for a, b in pairwise(indptr)] == expected
    assert filled == sum(map(len, expected))
    assert not bits.any()
    assert not heads.any()
