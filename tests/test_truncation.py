"""A tree cut at a level: what is below stays, what is uppermost is independent."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import OptionError
from hlta.tree.truncation import truncated
from tests.examples import HIERARCHY
from tests.strategies import random_tree
from tests.synthetic import planted


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [1, 2])
def test_what_is_below_the_cut_stays(seed: int, level: int) -> None:
    tree = planted(30, seed)
    cut = truncated(tree, level)
    kept = np.flatnonzero(tree.level <= level)
    assert cut.words == tree.words
    assert cut.names == tuple(tree.names[v] for v in kept)
    np.testing.assert_array_equal(cut.level, tree.level[kept])
    np.testing.assert_allclose(cut.marginals, tree.marginals[kept], rtol=1e-12)
    lower = np.flatnonzero(cut.level < level)
    np.testing.assert_array_equal(cut.probability[lower], tree.probability[lower])
    assert [cut.names[v] for v in cut.parent[lower]] == [tree.names[v] for v in tree.parent[lower]]


@pytest.mark.parametrize("seed", range(6))
def test_the_uppermost_are_independent(seed: int) -> None:
    tree = random_tree(seed, 20, 9)  # words and latent variables hang at any level
    for level in range(1, int(tree.level.max()) + 1):
        cut = truncated(tree, level)
        links = np.flatnonzero((cut.level == level) & (cut.parent >= 0))
        np.testing.assert_array_equal(cut.probability[links, 0], cut.probability[links, 1])
        # So are variables whose parent was above the cut.
        kept = np.flatnonzero(tree.level <= level)
        loose = np.flatnonzero((tree.parent[kept] >= 0) & (tree.level[tree.parent[kept]] > level))
        np.testing.assert_array_equal(cut.probability[loose, 0], cut.probability[loose, 1])
        np.testing.assert_allclose(cut.marginals, tree.marginals[kept], rtol=1e-9)


def test_cut_at_the_top_only_links_are_lost() -> None:
    cut = truncated(HIERARCHY, 2)
    np.testing.assert_array_equal(cut.parent[:12], HIERARCHY.parent[:12])
    np.testing.assert_array_equal(cut.probability[:12], HIERARCHY.probability[:12])
    assert cut.probability[12:, 0] == pytest.approx(HIERARCHY.marginals[12:])


def test_names_are_kept() -> None:
    cut = truncated(planted(30, 0).with_words([f"w{k}" for k in range(30)]), 1)
    assert all(name.startswith("Z1-") for name in cut.latent_names)


@pytest.mark.parametrize("level", [0, 3, 1.0])
def test_a_level_that_is_not_there_is_refused(level: int) -> None:
    with pytest.raises(OptionError, match="use a whole number, from 1 to 2"):
        truncated(HIERARCHY, level)
