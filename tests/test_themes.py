"""Themes: groups of members found all at once."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from hlta.algorithm.themes import themes

COUNT = 4
TRUE = np.repeat(np.arange(COUNT), (30, 15, 10, 5))


def noisy(seed: int, noise: float) -> np.ndarray:
    """How alike members are: more within themes, but for noise."""
    rng = np.random.default_rng(seed)
    chance = rng.random((len(TRUE), len(TRUE)))
    like: np.ndarray = 0.5 * (TRUE[:, None] == TRUE) + noise * (chance + chance.T)
    np.fill_diagonal(like, 1.0)
    return like


def test_themes_of_any_size_are_found() -> None:
    size = np.ones(len(TRUE))
    assert adjusted_rand_score(themes(noisy(0, 0.1), size, COUNT), TRUE) == 1.0


def test_the_order_of_members_changes_nothing() -> None:
    like, size = noisy(1, 0.3), np.random.default_rng(1).integers(1, 9, len(TRUE)).astype(float)
    order = np.random.default_rng(2).permutation(len(TRUE))
    one, two = themes(like, size, 6), themes(like[np.ix_(order, order)], size[order], 6)
    assert adjusted_rand_score(one[order], two) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_no_member_is_nearer_to_another_theme(seed: int) -> None:
    """Slowly: all eigenvectors, and the centres one by one."""
    like = noisy(seed, 0.4)
    size = np.random.default_rng(seed).integers(1, 9, len(like)).astype(float)
    found = themes(like, size, COUNT)
    values, vectors = np.linalg.eigh(like)
    points = vectors[:, -COUNT:] * np.sqrt(values[-COUNT:])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    centres = []
    for theme in range(found.max() + 1):
        centre = sum(size[k] * points[k] for k in np.flatnonzero(found == theme))
        centres.append(centre / np.linalg.norm(centre))
    nearest = [int(np.argmax([point @ centre for centre in centres])) for point in points]
    assert found.tolist() == nearest


def test_few_members_are_each_a_theme() -> None:
    assert themes(np.eye(3), np.ones(3), 5).tolist() == [0, 1, 2]
