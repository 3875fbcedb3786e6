"""A tree over given partitions: its shape, and parameters that EM can start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.documents.matrix import as_documents
from hlta.learning.given_structure import fitted_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from hlta import LatentTree

WORDS = tuple(f"w{k}" for k in range(12))
FINE = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])


def tree_over(*partitions: np.ndarray, seed: int = 0) -> LatentTree:
    X = (np.random.default_rng(seed).random((200, 12)) < 0.3).astype(np.int8)
    return fitted_tree(list(partitions), as_documents(X), WORDS)


def test_parts_become_latent_variables_above_their_words() -> None:
    tree = tree_over(FINE, FINE // 2)
    assert tree.words == WORDS
    assert [len(nodes) for nodes in tree.levels] == [12, 4, 2]
    np.testing.assert_array_equal(tree.parent[:12], 12 + FINE)
    assert tree.parent[12:16].tolist() == [16, 16, 17, 17]
    assert sorted(tree.parent[16:].tolist())[0] == -1


def test_a_part_that_stays_the_same_is_one_topic_at_the_upper_level() -> None:
    coarse = np.array([0] * 6 + [1] * 3 + [2] * 3)
    tree = tree_over(FINE, coarse)
    assert [len(nodes) for nodes in tree.levels] == [12, 2, 3]
    np.testing.assert_array_equal(tree.level[12:], [1, 1, 2, 2, 2])
    top = tree.levels[2]
    assert all(tree.parent[v] in (-1, *top) for v in top)


def test_a_part_of_a_single_word_is_no_topic() -> None:
    fine = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4])
    tree = tree_over(fine, np.array([0] * 6 + [1] * 6))
    assert tree.level[11] == 0
    assert tree.level[tree.parent[11]] == 2
    assert [len(nodes) for nodes in tree.levels] == [12, 4, 2]


def test_a_single_part_is_a_single_latent_variable() -> None:
    tree = tree_over(np.zeros(12, dtype=int))
    assert tree.n_latents == 1


def test_words_that_no_document_has_and_those_in_all_do_no_harm() -> None:
    X = np.zeros((50, 12), dtype=np.int8)
    X[:, 3:5] = 1
    tree = fitted_tree([FINE, FINE // 2], as_documents(X), WORDS)
    assert np.isfinite(tree.log_likelihood(X)).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_known_structure_is_fitted_about_as_well_as_its_own_parameters(seed: int) -> None:
    truth = planted(150, seed)
    train, test = (truth.sample(n, seed=seed + n).toarray() for n in (3000, 1000))
    above, partitions = truth.parent[:150], []
    for _ in truth.levels[1:]:
        partitions.append(np.unique(above, return_inverse=True)[1])
        above = truth.parent[above]
    tree = fitted_tree(partitions, as_documents(train), truth.words)
    independent = train.mean(axis=0).clip(1e-4, 1 - 1e-4)
    floor = (test @ np.log(independent) + (1 - test) @ np.log(1 - independent)).mean()
    best, found = truth.log_likelihood(test).mean(), tree.log_likelihood(test).mean()
    assert (found - floor) / (best - floor) > 0.9
