"""Words as vectors, by the words that occur beside them."""

from __future__ import annotations

import numpy as np
import pytest

from hlta.documents.matrix import as_documents
from hlta.learning import embedding
from hlta.learning.embedding import embed_words, leading
from hlta.monitor import Monitor
from tests.synthetic import VOTED, in_root_topics

TOPS = VOTED[-1]


@pytest.mark.parametrize("n", [40, 600])
def test_leading_eigenvectors_are_those_of_the_matrix(n: int) -> None:
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.concatenate(([5.0, 4.0, 3.5], np.linspace(0.5, 0.0, n - 3)))
    matrix = turn * values @ turn.T
    found = leading(matrix.astype(np.float32), 3)
    expected = turn[:, :3] * values[:3] @ turn[:, :3].T
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-5)


def test_words_of_a_theme_have_the_same_embed_words() -> None:
    vectors = embed_words(as_documents(in_root_topics()), n_jobs=1, monitor=Monitor())
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-9)
    close = vectors @ vectors.T
    same = TOPS[:, None] == TOPS
    assert close[same].mean() > close[~same].mean() + 0.3


def test_vectors_are_the_same_whether_all_pairs_are_kept_or_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = as_documents(in_root_topics())
    for n_small in (10, 500):
        monkeypatch.setattr(embedding, "_SMALL", n_small)
        alike = []
        for few in (0.0, 1.0):
            monkeypatch.setattr(embedding, "_FEW", few)
            vectors = embed_words(documents, monitor=Monitor())
            alike.append(vectors @ vectors.T)
        np.testing.assert_allclose(alike[0], alike[1], atol=1e-3)


def test_vectors_do_not_depend_on_threads() -> None:
    documents = as_documents(in_root_topics())
    one, two = (embed_words(documents, n_jobs=n, monitor=Monitor()) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_the_best_partners_of_many_words_tell_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = as_documents(in_root_topics())
    whole = embed_words(documents, monitor=Monitor())
    monkeypatch.setattr(embedding, "MOST_AT_ONCE", 10)
    few = embed_words(documents, monitor=Monitor())
    np.testing.assert_allclose(np.linalg.norm(few, axis=1), 1.0, rtol=1e-9)
    same = TOPS[:, None] == TOPS
    gaps = [(v @ v.T)[same].mean() - (v @ v.T)[~same].mean() for v in (whole, few)]
    assert gaps[1] > 0.5 * gaps[0] > 0.1
