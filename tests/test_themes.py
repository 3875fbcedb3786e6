"""Themes that all words fall into, from votes and from the company of words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics import adjusted_rand_score

from hlta.algorithm import themes
from hlta.algorithm.clustering import BARRED, NEAREST, places, squared_distances
from hlta.algorithm.seeds import NO_SEEDS, Seeds
from hlta.algorithm.themes import (
    _FIRM,
    _cores,
    _kept_apart,
    _leading,
    _positions,
    company,
    find_themes,
    usual_number,
)
from hlta.algorithm.votes import word_vectors
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from tests.synthetic import VOTED, cast_votes

TOPS = VOTED[-1]


def in_themes(seed: int = 0) -> np.ndarray:
    """600 documents, each with words of one theme: 108 words, of which any two seldom meet."""
    rng = np.random.default_rng(seed)
    of_document = rng.integers(0, 3, 600)
    likely = np.where(of_document[:, None] == TOPS, 0.15, 0.01)
    return (rng.random(likely.shape) < likely).astype(np.int8)


@pytest.mark.parametrize(("n_documents", "number"), [(1, 2), (1000, 12), (9_999, 15), (10**6, 24)])
def test_more_documents_have_more_themes(n_documents: int, number: int) -> None:
    assert usual_number(n_documents) == number


@pytest.mark.parametrize("n", [40, 600])
def test_leading_eigenvectors_are_those_of_the_matrix(n: int) -> None:
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.concatenate(([5.0, 4.0, 3.5], np.linspace(0.5, 0.0, n - 3)))
    matrix = turn * values @ turn.T
    found = _leading(matrix.astype(np.float32), 3)
    expected = turn[:, :3] * values[:3] @ turn[:, :3].T
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-5)


def test_words_of_a_theme_have_the_same_company() -> None:
    vectors = company(as_documents(in_themes()), n_jobs=1, monitor=Monitor())
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-9)
    close = vectors @ vectors.T
    same = TOPS[:, None] == TOPS
    assert close[same].mean() > close[~same].mean() + 0.3


def test_company_is_the_same_whether_all_pairs_are_kept_or_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = as_documents(in_themes())
    for n_small in (10, 500):
        monkeypatch.setattr(themes, "_SMALL", n_small)
        alike = []
        for few in (0.0, 1.0):
            monkeypatch.setattr(themes, "_FEW", few)
            vectors = company(documents, monitor=Monitor())
            alike.append(vectors @ vectors.T)
        np.testing.assert_allclose(alike[0], alike[1], atol=1e-3)


@pytest.mark.parametrize("n_small", [10, 500])
def test_positions_are_those_of_the_table_of_all_similarities(
    monkeypatch: pytest.MonkeyPatch, n_small: int
) -> None:
    monkeypatch.setattr(themes, "_SMALL", n_small)
    vectors = word_vectors(cast_votes(10))
    own = company(as_documents(in_themes()), monitor=Monitor())
    similar = vectors.toarray() @ vectors.toarray().T + 0.3 * own @ own.T
    scale = 1.0 / np.sqrt(np.maximum(similar.sum(axis=1), 1.0))
    values, turn = np.linalg.eigh(similar * scale * scale[:, None])
    expected = turn[:, -4:] * np.sqrt(values[-4:])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = _positions(vectors, 4, own)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)


def test_company_does_not_depend_on_threads() -> None:
    documents = as_documents(in_themes())
    one, two = (company(documents, n_jobs=n, monitor=Monitor()) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_roots_are_the_themes_on_which_votes_agree() -> None:
    found = find_themes(word_vectors(cast_votes(40)), 3)
    assert adjusted_rand_score(found, TOPS) == 1.0


def test_company_decides_where_votes_say_little() -> None:
    """Five votes, 70% of which are chance."""
    vectors = word_vectors(cast_votes(5, share=0.7))
    beside = company(as_documents(in_themes()), n_jobs=1, monitor=Monitor())
    alone, both = (find_themes(vectors, 3, beside_it) for beside_it in (None, beside))
    assert adjusted_rand_score(both, TOPS) > 0.7 > adjusted_rand_score(alone, TOPS)


def test_no_root_has_a_single_word() -> None:
    for number in (1, 5, 20, 108):
        found = find_themes(word_vectors(cast_votes(5)), number)
        assert np.bincount(found).min() >= 2
        assert found.max() < number


@pytest.mark.parametrize("votes", [2, 5, 40])
def test_cores_are_groups_of_average_linkage_over_all_words(votes: int) -> None:
    vectors = word_vectors(cast_votes(votes))
    together, apart = frozenset({0, 41, 82}), frozenset({1, 2, 3, 4, 5})
    for seeds in (NO_SEEDS, Seeds((together,), (apart,))):
        barred = seeds.barred(seeds.height + 1)
        distance = np.maximum(squared_distances(vectors), NEAREST)
        if len(seeds):
            distance[places(np.array([[0, 41], [0, 82], [41, 82]]), vectors.shape[0])] = 0.0
            distance[places(barred, vectors.shape[0])] = BARRED
        expected = fcluster(linkage(distance, "average"), 1.0 - _FIRM, "distance")
        assert len(set(expected)) > 1
        assert adjusted_rand_score(_cores(vectors, seeds, barred), expected) == 1.0


def test_roots_keep_to_seeds() -> None:
    together, apart = frozenset({0, 41, 82}), frozenset({1, 2, 3, 4, 5})
    seeds = Seeds((together, frozenset({0, 41})), (apart,))
    found = find_themes(word_vectors(cast_votes(20)), 3, seeds=seeds)
    assert len(set(found[list(together)])) == 1
    assert len(set(found[list(apart)])) == len(apart)
    assert np.bincount(found).min() >= 2


def test_what_is_barred_gets_the_next_best_theme_or_a_new_one() -> None:
    closeness = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.6], [0.6, 0.5]])
    barred = np.array([[0, 1], [0, 2], [1, 2]])
    assert _kept_apart(np.zeros(4, dtype=np.intp), closeness, barred).tolist() == [0, 1, 2, 0]
