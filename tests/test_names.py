"""Where the names of the topics stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from hlta.explorer.layout.names import topic_places

if TYPE_CHECKING:
    from numpy.typing import NDArray


def two_islands() -> tuple[NDArray[np.uint16], csr_array]:
    """Topic 0 on one island, 1 on the other, 2 on both but denser on the second, 3 on neither."""
    rng = np.random.default_rng(0)
    place = np.concatenate(
        (rng.normal([10_000, 20_000], 900, (300, 2)), rng.normal([50_000, 40_000], 300, (300, 2)))
    )
    shares = np.zeros((600, 4))
    shares[:300, 0] = shares[300:, 1] = 0.6
    shares[:30, 2] = shares[300:500, 2] = 0.3
    shares[:, 3] = 0.1
    return place.round().astype(np.uint16), csr_array(shares)


def test_names_stand_where_their_topics_are_densest() -> None:
    first, second, both, neither = topic_places(*two_islands())
    assert neither is None
    assert first is not None
    assert second is not None
    assert both is not None
    assert np.hypot(first[0] - 10_000, first[1] - 20_000) < 400
    assert np.hypot(second[0] - 50_000, second[1] - 40_000) < 200
    assert np.hypot(both[0] - 50_000, both[1] - 40_000) < 300


def test_half_of_the_documents_are_within_the_radius() -> None:
    place, shares = two_islands()
    found = topic_places(place, shares)[0]
    assert found is not None
    x, y, radius = found
    within = np.hypot(place[:300, 0].astype(float) - x, place[:300, 1].astype(float) - y) <= radius
    assert 0.4 < within.mean() < 0.6


def test_a_document_counts_by_the_share_of_the_topic() -> None:
    """Many documents on all topics do not draw the names of all topics to them."""
    rng = np.random.default_rng(0)
    place = np.concatenate((rng.normal(20_000, 500, (200, 2)), rng.normal(50_000, 500, (260, 2))))
    shares = np.zeros((460, 30))
    shares[:200, 0] = 0.9
    shares[200:] = 0.9
    found = topic_places(place.astype(np.uint16), csr_array(shares))[0]
    assert found is not None
    assert np.hypot(found[0] - 20_000, found[1] - 20_000) < 500


def test_a_name_stands_at_a_document_of_its_topic_and_not_between_two() -> None:
    """Two documents in a crowd: it is densest between them, and least so at the edge of the map."""
    corner = np.mgrid[30_000:34_000:40j, 30_000:34_000:40j].reshape(2, -1).T
    two = [[31_000, 29_800], [34_200, 33_000]]
    place = np.concatenate((two, corner)).round().astype(np.uint16)
    shares = np.zeros((len(place), 1))
    shares[:2] = 0.9
    found = topic_places(place, csr_array(shares))[0]
    assert found is not None
    assert list(found[:2]) in two


def test_the_order_of_documents_moves_no_name() -> None:
    place = np.array(
        [[10_000, 10_000], [50_000, 50_000]], dtype=np.uint16
    )  # as dense as each other
    shares = np.array([[0.9], [0.9]])
    assert topic_places(place[::-1].copy(), csr_array(shares)) == topic_places(
        place, csr_array(shares)
    )


def test_one_document_is_a_place_without_extent() -> None:
    one = topic_places(np.array([[32768, 32768]], dtype=np.uint16), csr_array([[0.9, 0.0]]))
    assert one == [(32768, 32768, 0), None]
    assert topic_places(np.zeros((0, 2), dtype=np.uint16), csr_array((0, 2))) == [None, None]
