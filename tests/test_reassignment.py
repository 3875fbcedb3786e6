"""Who moves to which parent, given what they share, and the search for it, against dense arithmetic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hlta.learning.reassignment import MI_GAIN, Reassigned, best_parents, reassign_by_mi, weights_of
from tests.oracles import Floats, parent_information

few = settings(max_examples=40)
seeds = st.integers(0, 10_000)
PARENTS, CHILDREN = 4, 6  # before words are misplaced, each parent has six


def soft(P: Floats) -> csr_array:
    """What is on in each document, where it is not 0."""
    return csr_array(P.astype(np.float32))


class Level:
    """Words below four parents whose posteriors are known, and where each word belongs."""

    def __init__(self, seed: int, misplaced: int, count: int = 400) -> None:
        rng = np.random.default_rng(seed)
        on = rng.random((count, PARENTS)) < 0.3
        self.home = np.repeat(np.arange(PARENTS), CHILDREN)
        n = len(self.home)
        p = np.stack((rng.uniform(0.02, 0.15, n), rng.uniform(0.5, 0.9, n)), axis=1)
        drawn = rng.random((count, n)) < np.where(on[:, self.home], p[:, 1], p[:, 0])
        self.lower = drawn.astype(np.float64)
        noise = rng.uniform(0.0, 0.1, on.shape)
        self.upper = np.where(on, 1.0 - noise, 0.0).astype(np.float32).astype(np.float64)
        self.current = self.home.copy()
        moved = rng.permutation(n)[:misplaced]
        self.current[moved] = (self.home[moved] + rng.integers(1, PARENTS, misplaced)) % PARENTS
        self.given = self.estimated()

    def estimated(self) -> Floats:
        """P(variable = 1 | current parent)."""
        both = (self.lower * self.upper[:, self.current]).mean(axis=0)
        return self.conditional(both, self.lower.mean(axis=0), self.current)

    def by_mi(self) -> Reassigned:
        return reassign_by_mi(soft(self.lower), soft(self.upper), self.current, self.given)

    def conditional(self, joint: Floats, marginal: Floats, to: NDArray[np.int64]) -> Floats:
        """P(variable = 1 | new parent)."""
        of_parent = self.upper.mean(axis=0)[to]
        return np.stack(((marginal - joint) / (1.0 - of_parent), joint / of_parent), axis=1)


@few
@given(seeds)
def test_words_choose_by_information_and_get_the_parameters_below_the_new_parent(seed: int) -> None:
    level = Level(seed, misplaced=8)
    reassigned = level.by_mi()
    information = parent_information(level.lower, level.upper)
    best = information.argmax(axis=1)
    rows = np.arange(len(best))
    gains = information[rows, best] > MI_GAIN * information[rows, level.current]
    expected = np.where(gains, best, level.current)
    if np.bincount(expected, minlength=PARENTS).min() >= 2:  # no parent is given up
        np.testing.assert_array_equal(reassigned.parent, expected)
    moved = reassigned.parent != level.current
    assert moved.any()
    to = reassigned.parent[moved]
    joint = (level.lower[:, moved] * level.upper[:, to]).mean(axis=0)
    below = level.conditional(joint, level.lower[:, moved].mean(axis=0), to)
    np.testing.assert_allclose(reassigned.probability[moved], below, rtol=1e-9)
    np.testing.assert_array_equal(reassigned.probability[~moved], level.given[~moved])


def test_a_parent_left_with_one_child_is_given_up_and_that_child_looks_again() -> None:
    level = Level(0, misplaced=0)
    kept = slice(0, 3 * CHILDREN)  # but the words of the last parent
    upper = level.upper.copy()
    upper[:, 3] = level.lower[:, 0]  # which word 0 likes best, and no other
    current = level.home[kept].copy()
    current[[0, 1, CHILDREN]] = 3
    reassigned = reassign_by_mi(soft(level.lower[:, kept]), soft(upper), current, level.given[kept])
    assert reassigned.alive.tolist() == [1, 1, 1, 0]
    np.testing.assert_array_equal(reassigned.parent, level.home[kept])


def test_one_parent_stays_however_few_children_it_has() -> None:
    P = np.array([[1.0], [1.0], [0.0], [1.0]])
    reassigned = reassign_by_mi(soft(P), soft(P), np.array([0]), np.array([[0.1, 0.9]]))
    assert reassigned.alive.tolist() == [1]
    assert reassigned.parent.tolist() == [0]


def random_posteriors(rng: np.random.Generator, on: NDArray[np.bool_]) -> Floats:
    """Around 0.9 where on, else around 0.1; small ones are 0 and some are 1. As float32 keeps them.

    None is so near to 1 that the differences from 1 in the kernel lose their digits.
    """
    P = np.where(on, rng.beta(5.0, 0.5, on.shape), rng.beta(0.5, 5.0, on.shape))
    P = np.minimum(P, 0.99)
    P[P < 0.15] = 0.0
    P[rng.random(P.shape) < 0.1 * on] = 1.0
    kept: Floats = P.astype(np.float32).astype(np.float64)
    return kept


def level(seed: int, words: bool) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """P(on | d) of 14 variables, two of which never vary, and 5 parents, and the parent of each."""
    rng = np.random.default_rng(seed)
    on = rng.random((60, 5)) < 0.3
    on[:, 1] |= on[:, 0]
    current, drawn_from = rng.integers(0, 5, (2, 14))
    present = rng.random((60, 14)) < np.where(on[:, drawn_from], 0.7, 0.1)
    present[:, 1], present[:, 2] = False, True
    lower = present.astype(np.float64) if words else random_posteriors(rng, present)
    return lower, random_posteriors(rng, on), current


@few
@given(seeds, st.booleans())
def test_find_parents_agrees_with_its_oracle(seed: int, words: bool) -> None:
    lower, upper, current = level(seed, words)
    alive = (np.random.default_rng(seed).random(5) < 0.7).astype(np.uint8)
    chosen = np.flatnonzero(np.arange(14) % 3)
    tables = weights_of(soft(lower).tocsc()), weights_of(soft(upper))
    found = best_parents(*tables, upper.sum(axis=0), chosen, current[chosen], alive)
    expected = parent_information(lower, upper)[chosen]
    at_home = expected[np.arange(len(chosen)), current[chosen]]
    np.testing.assert_allclose(found.current_information, at_home, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.marginal, lower.mean(axis=0)[chosen], rtol=1e-9)
    joint = lower.T @ upper / len(lower)
    for k, v in enumerate(chosen):
        candidates = np.flatnonzero((alive == 1) & (expected[k] > 1e-12))
        if len(candidates) == 0:
            assert found.best[k] == -1 or found.best_information[k] < 1e-9
            continue
        assert found.best[k] in candidates
        best = expected[k, candidates].max()
        assert found.best_information[k] == pytest.approx(best, rel=1e-9, abs=1e-12)
        assert expected[k, found.best[k]] == pytest.approx(best, rel=1e-9, abs=1e-12)
        assert found.joint[k] == pytest.approx(joint[v, found.best[k]], rel=1e-9)
