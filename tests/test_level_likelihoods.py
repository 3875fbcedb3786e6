"""What levels contribute, by enumeration and by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import DocumentsError, LatentTree
from hlta.evaluate import level_likelihoods
from tests.oracles import enumerate_joint
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray


def independent_words(tree: LatentTree, X: NDArray[np.int8]) -> float:
    p = tree.marginals[: tree.n_words]
    return float((X * np.log(p) + (1 - X) * np.log1p(-p)).sum(axis=1).mean())


def level_one(tree: LatentTree, X: NDArray[np.int8]) -> float:
    """Each latent variable of level 1 with its words, apart from all others."""
    total = np.zeros(len(X))
    for v in tree.levels[1]:
        words = [w for w in tree.children[v] if w < tree.n_words]
        q, p = tree.marginals[v], tree.probability[words]
        log_p = np.where(X[:, words, None] == 1, np.log(p), np.log1p(-p)).sum(axis=1)
        total += np.logaddexp(np.log1p(-q) + log_p[:, 0], np.log(q) + log_p[:, 1])
    return float(total.mean())


@pytest.mark.parametrize("seed", range(5))
def test_from_independent_words_to_the_whole_tree(seed: int) -> None:
    tree = planted(14, seed)
    X = tree.sample(6, seed=seed).toarray()
    means = level_likelihoods(tree, X)
    assert len(means) == len(tree.levels) + 1
    assert means[0] == pytest.approx(independent_words(tree, X))
    assert means[1] == pytest.approx(level_one(tree, X))
    assert means[-1] == pytest.approx(enumerate_joint(tree, X).log_likelihood.mean())


def test_a_level_without_latent_variables_adds_nothing() -> None:
    tree = planted(14, 0)
    level = np.where(tree.level > 0, tree.level + 1, 0)
    raised = LatentTree(tree.words, tree.parent, level, tree.probability)
    X = tree.sample(6, seed=0).toarray()
    without, *means = level_likelihoods(tree, X)
    np.testing.assert_allclose(level_likelihoods(raised, X), [without, without, *means])


def test_documents_of_other_words_are_refused() -> None:
    with pytest.raises(DocumentsError, match="3 columns"):
        level_likelihoods(planted(14, 0), np.ones((2, 3)))
