"""Searches for parents against dense arithmetic, and cavity posteriors against trees with an edge cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hlta._kernels import parent_search
from hlta._kernels.information import mutual_information
from hlta._kernels.parent_search import NEAR
from hlta.algorithm.reassignment import best_cavity_parents, best_parents
from hlta.algorithm.soft_assignments import SoftAssignments
from tests.compiled import from_python
from tests.oracles import (
    both_on,
    cavity_information,
    dense_messages,
    information,
    parent_information,
)
from tests.strategies import trees_with_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree
    from tests.oracles import Floats

few = settings(max_examples=40)
seeds = st.integers(0, 10_000)
shared_information = from_python(mutual_information)
joint_probability = from_python(parent_search.both_on)
without_child = from_python(parent_search.without_child)
without_parent = from_python(parent_search.without_parent)


def soft(P: Floats) -> SoftAssignments:
    """What is on in each document, where it is not 0."""
    documents, variables = np.nonzero(P)
    indptr = np.searchsorted(documents, np.arange(len(P) + 1))
    values = P[documents, variables].astype(np.float32)
    return SoftAssignments(indptr, variables.astype(np.uint32), values, P.shape[1])


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


def level(seed: int, words: bool) -> tuple[Floats, Floats, NDArray[np.int64], Floats]:
    """P(on | d) of 14 variables and 5 parents, the parent of each, P(variable = 1 | parent)."""
    rng = np.random.default_rng(seed)
    on = rng.random((60, 5)) < 0.3
    on[:, 1] |= on[:, 0]
    current, drawn_from = rng.integers(0, 5, (2, 14))
    present = rng.random((60, 14)) < np.where(on[:, drawn_from], 0.7, 0.1)
    lower = present.astype(np.float64) if words else random_posteriors(rng, present)
    given_parent = np.stack((rng.uniform(0.01, 0.4, 14), rng.uniform(0.3, 0.95, 14)), axis=1)
    return lower, random_posteriors(rng, on), current, given_parent


# ---- mutual information --------------------------------------------------------------------------


@few
@given(st.lists(st.floats(0.001, 1.0), min_size=4, max_size=4))
def test_mutual_information_agrees_with_its_oracle(cells: list[float]) -> None:
    table = np.array(cells) / sum(cells)
    both, p, q = table[3], table[2] + table[3], table[1] + table[3]
    expected = information(both, p, q, include_negative=True)
    assert shared_information(both, p, q) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("both", "p", "q"), [(0.0, 0.0, 0.3), (0.3, 1.0, 0.3), (0.0, 0.0, 0.0)])
def test_what_never_varies_shares_no_information(both: float, p: float, q: float) -> None:
    assert shared_information(both, p, q) == 0.0


# ---- by posteriors -------------------------------------------------------------------------------


@few
@given(seeds, st.booleans())
def test_find_parents_agrees_with_its_oracle(seed: int, words: bool) -> None:
    lower, upper, current, _ = level(seed, words)
    alive = (np.random.default_rng(seed).random(5) < 0.7).astype(np.uint8)
    chosen = np.flatnonzero(np.arange(14) % 3)
    found = best_parents(soft(lower), soft(upper), chosen, current[chosen], alive, n_jobs=2)
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


def test_find_parents_finds_none_where_all_avoid_the_variable() -> None:
    upper = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    one = np.array([0])
    found = best_parents(soft(1.0 - upper), soft(upper), one, one, np.ones(2, np.uint8), n_jobs=1)
    assert found.best.tolist() == [-1]
    assert found.current_information.tolist() == [0.0]


# ---- by cavity posteriors ------------------------------------------------------------------------


@pytest.mark.slow
@few
@given(seeds, st.booleans())
def test_find_cavity_parents_agrees_with_its_oracle(seed: int, words: bool) -> None:
    lower, upper, current, given_parent = level(seed, words)
    chosen = np.flatnonzero(np.arange(14) % 3)
    found = best_cavity_parents(
        soft(lower), soft(upper), given_parent, chosen, current[chosen], n_jobs=2
    )
    expected = cavity_information(lower, upper, given_parent, current, NEAR)
    at_home = expected.current[chosen]
    np.testing.assert_allclose(found.current_information, at_home, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(found.marginal, expected.marginal[chosen], rtol=1e-9)
    for k, v in enumerate(chosen):
        best = expected.others[v].max()
        if best <= 1e-12:
            assert found.best[k] == -1 or found.best_information[k] < 1e-9
            continue
        assert found.best_information[k] == pytest.approx(best, rel=1e-9, abs=1e-11)
        to = found.best[k]
        assert to != current[v]
        assert expected.others[v, to] == pytest.approx(best, rel=1e-9, abs=1e-11)
        assert found.joint[k] == pytest.approx(expected.joint[v, to], rel=1e-9)


@few
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.01, 100.0))
@example(0.0625, 0.03125, 0.99999)
@example(0.3, 0.6, 1.0)
@example(0.99, 0.98, 0.01)
def test_both_on_has_the_odds_ratio(a: float, b: float, ratio: float) -> None:
    expected = float(both_on(np.array(a), np.array(b), ratio))
    assert joint_probability(a, b, ratio) == pytest.approx(expected, rel=1e-9)


def test_both_on_of_independent_variables_is_a_product() -> None:
    assert joint_probability(0.3, 0.4, 1.0) == pytest.approx(0.12, rel=1e-15)


def cut_above(tree: LatentTree, v: int, prior: float) -> LatentTree:
    """The tree in which v, with all below it, is independent of its parent."""
    probability = tree.probability.copy()
    probability[v] = prior
    return tree.with_probability(probability)


ordinary = st.floats(0.05, 0.95)


@pytest.mark.slow
@settings(max_examples=80)
@given(trees_with_documents(probability=ordinary), ordinary, st.data())
def test_cavity_posteriors_are_those_of_the_tree_without_the_edge(
    case: tuple[LatentTree, NDArray[np.int8]], prior: float, data: st.DataObject
) -> None:
    tree, documents = case
    edges = [v for v in range(tree.n_nodes) if v != tree.root]
    v = data.draw(st.sampled_from(edges))
    up, (p0, p1) = int(tree.parent[v]), tree.probability[v].tolist()
    ratio = p1 * (1.0 - p0) / ((1.0 - p1) * p0)
    whole, cut = (
        dense_messages(tree, documents),
        dense_messages(cut_above(tree, v, prior), documents),
    )
    of_parent = whole.posterior(tree)[:, up - tree.n_words]
    of_child = whole.joint[:, v, :, 1].sum(axis=1)
    hidden = v >= tree.n_words
    # Posteriors are moved away from 0 and 1, beyond which they would not be exact.
    assume(min(of_parent.min(), 1.0 - of_parent.max()) > 1e-3)
    assume(not hidden or min(of_child.min(), 1.0 - of_child.max()) > 1e-3)
    for d in range(len(documents)):
        a, b = float(of_parent[d]), float(of_child[d]) if hidden else float(documents[d, v])
        expected = cut.posterior(tree)[d, up - tree.n_words]
        assert without_child(a, b, p0, p1, ratio) == pytest.approx(expected, rel=1e-9)
        if hidden:
            expected = cut.joint[d, v, :, 1].sum()
            assert without_parent(a, b, p0, p1, ratio, prior) == pytest.approx(expected, rel=1e-9)


def test_a_child_that_is_on_for_sure_stays_on() -> None:
    assert without_parent(0.3, 1.0, 0.1, 0.8, 36.0, 0.2) == 1.0
