"""Sums over the words of some documents, and over the documents of each word."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta._kernels.row_sums import sum_documents, sum_variables
from hlta._support.arrays import read_only
from hlta.documents.matrix import as_documents


@pytest.mark.parametrize("chosen", [[], [3], [0, 7, 7, 2], list(range(60))])
def test_sums_are_those_of_dense_matrices(chosen: list[int]) -> None:
    rng = np.random.default_rng(len(chosen))
    X = rng.random((60, 23)) < 0.2
    X[7] = False  # a document without words
    rows = as_documents(csr_array(X.astype(np.int8))).rows
    numbers = np.array(chosen, dtype=np.int64)
    of_documents, of_words = rng.random(len(chosen)), rng.random(23)
    by_word, by_document = np.full(23, np.nan), np.full(len(chosen), np.nan)
    sum_documents(rows, read_only(numbers), read_only(of_documents), by_word)
    sum_variables(rows, read_only(numbers), read_only(of_words), by_document)
    np.testing.assert_allclose(by_word, X[numbers].T @ of_documents, rtol=1e-9)
    np.testing.assert_allclose(by_document, X[numbers] @ of_words, rtol=1e-9)
