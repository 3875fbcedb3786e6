"""The map of the documents as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_array, vstack
from scipy.spatial import Delaunay

from hlta.explorer.layout.document_map import document_places, sunflower
from hlta.explorer.layout.square import in_square
from hlta.options import LISTED
from tests.clusters import clustered_shares, purity

if TYPE_CHECKING:
    from hlta import HLTA, Corpus


def test_documents_on_the_same_topics_are_near_each_other() -> None:
    shares, cluster = clustered_shares(400, seed=0)
    assert purity(document_places(shares, 2), cluster) > 0.9


def test_threads_and_the_order_of_documents_change_nothing() -> None:
    shares, _ = clustered_shares(300, seed=1)
    shares = csr_array(vstack((shares, shares[:20] * 0.15)))
    place = in_square(document_places(shares, 1))
    np.testing.assert_array_equal(place, in_square(document_places(shares, 3)))
    order = np.random.default_rng(0).permutation(320)
    np.testing.assert_array_equal(place[order], in_square(document_places(shares[order], 2)))


def test_documents_on_no_topic_lie_around_the_others() -> None:
    shares, _ = clustered_shares(250, seed=2)
    weak = csr_array(vstack((shares, shares[:30] * 0.15, csr_array((20, shares.shape[1])))))
    place = document_places(weak, 1)
    assert (Delaunay(place[:250]).find_simplex(place[250:]) < 0).all()  # outside of all of them
    assert (np.ptp(place, axis=0) < 1.2 * np.ptp(place[:250], axis=0)).all()  # and close to them
    np.testing.assert_array_equal(place[:250], document_places(shares, 1))


@pytest.mark.parametrize("topics", [0, 1, 2, 3])
@pytest.mark.parametrize("documents", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("value", [0.0, 0.1, 0.9])
def test_few_documents_or_topics(documents: int, topics: int, value: float) -> None:
    shares = csr_array(np.full((documents, topics), value))
    square = in_square(document_places(shares, 1))
    assert square.shape == (documents, 2)
    assert len(np.unique(square, axis=0)) == documents


def test_documents_each_on_a_topic_of_its_own() -> None:
    square = in_square(document_places(csr_array(np.eye(40) * 0.9), 2))
    assert len(np.unique(square, axis=0)) == 40


@pytest.mark.parametrize("copies", [50, 3000])
def test_copies_lie_beside_each_other(copies: int) -> None:
    shares, _ = clustered_shares(100, seed=3)
    shares = csr_array(vstack((shares, shares[[7] * copies])))
    place = document_places(shares, 2)
    own = np.sqrt(((place[100:] - place[7]) ** 2).sum(axis=1))
    assert own.max() <= 0.21 * np.sqrt(copies + 1)
    assert len(np.unique(in_square(place), axis=0)) > 0.95 * (100 + copies)


def test_a_sunflower_is_evenly_spread() -> None:
    place = sunflower(np.arange(500))
    distance = np.sqrt(((place[:, None] - place[None]) ** 2).sum(axis=2))
    np.fill_diagonal(distance, np.inf)
    nearest = distance.min(axis=1)
    assert nearest.min() > 0.9
    assert nearest.max() < 2.1


def test_groups_of_the_demo_are_kept_together(demo: tuple[HLTA, Corpus]) -> None:
    model, corpus = demo
    assert corpus.groups is not None
    shares = model.assign(corpus, least=LISTED)
    label = np.unique(list(corpus.groups), return_inverse=True)[1]
    chance = ((np.bincount(label) / len(label)) ** 2).sum()
    assert purity(document_places(shares, 2), label) > 2 * chance
