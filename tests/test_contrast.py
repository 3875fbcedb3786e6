"""Contrast of words: the kernel of titles, against the sum over pairs of documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.topics.contrast import _DOUBT, title_weights, word_contrast

SUBJECTS = 4
WORDS = 12  # of each subject


def slow_contrast(X: np.ndarray) -> np.ndarray:
    """Word by word, the other words alone, pair by pair of documents."""
    n = len(X)
    weight = np.log(n / np.maximum(X.sum(axis=0), 1))
    vectors = X * weight
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    out = []
    for word in range(X.shape[1]):
        others = np.delete(vectors, word, axis=1)
        having, mean = others[X[:, word] > 0], others.mean(axis=0)
        products = having @ having.T
        pairs = products.sum() - np.trace(products)
        pairs += 2 * _DOUBT * (having @ mean).sum() + _DOUBT**2 * mean @ mean
        along = (having @ mean).sum() + _DOUBT * mean @ mean
        most = max(pairs * (mean @ mean), np.finfo(float).tiny)
        out.append(np.clip(1 - along**2 / most, 0, 1))
    return np.array(out)


@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(2, 12))
def test_contrast_is_that_of_pairs_of_documents(seed: int, n: int, words: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((n, words)) < rng.random(words)).astype(float)
    names = [f"w{k}" for k in range(words)]
    found = word_contrast(as_documents(X), names)
    assert found == pytest.approx(slow_contrast(X), abs=1e-6)
    order = rng.permutation(n)
    assert word_contrast(as_documents(X[order]), names) == pytest.approx(found, abs=2e-6)


def test_words_of_subjects_have_contrast_and_words_of_style_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And so they have in a sample of the documents."""
    rng = np.random.default_rng(0)
    subject = rng.integers(SUBJECTS, size=600)
    own = np.repeat(np.eye(SUBJECTS), WORDS, axis=1)[subject] * 0.5
    style = np.full((600, 6), 0.3)
    X = rng.random((600, SUBJECTS * WORDS + 6)) < np.hstack((own, style))
    documents, names = as_documents(X.astype(int)), [f"w{k}" for k in range(X.shape[1])]
    found = word_contrast(documents, names)
    assert found[:-6].min() > 0.4
    assert found[-6:].max() < 0.05
    weights = title_weights(found)
    np.testing.assert_array_equal(
        np.argsort(weights, kind="stable"), np.argsort(found, kind="stable")
    )
    assert title_weights(np.zeros(3)).min() > 0.0
    monkeypatch.setattr("hlta.topics.contrast._MOST_DOCUMENTS", 300)
    of_sample = word_contrast(documents, names)
    assert (of_sample != found).any()
    assert of_sample == pytest.approx(found, abs=0.15)
