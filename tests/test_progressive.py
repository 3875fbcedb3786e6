"""EM on small tables against enumeration and a general optimiser."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

from hlta.algorithm import progressive_em as progressive

Floats = NDArray[np.float64]


# Helpers of kernels can't be called from Python; these can.
@njit
def learn_three(cells, prior, p):  # type: ignore[no-untyped-def]
    return progressive.learn_three(cells, prior, p)


@njit
def fit_one(cells, known, out):  # type: ignore[no-untyped-def]
    return progressive.fit_one(cells, known, out)


@njit
def learn_two(cells, known, same, edge, p):  # type: ignore[no-untyped-def]
    return progressive.learn_two(cells, known, same, edge, p)


@njit
def fit_edge(cells, above, below, edge):  # type: ignore[no-untyped-def]
    return progressive.fit_edge(cells, above, below, edge)


shares = st.floats(0.02, 0.98)


def bits(count: int) -> NDArray[np.int64]:
    """Bit v of cell c at [c, v]."""
    return (np.arange(1 << count)[:, None] >> np.arange(count)) & 1


def chances(p: Floats, count: int) -> Floats:
    """P(cell | latent = y), cells by y, for `count` variables with p[v, y] = P(v = 1 | y)."""
    on = bits(count)[:, :, None]
    return np.where(on == 1, p[None], 1.0 - p[None]).prod(axis=1)


def telling(rng: np.random.Generator) -> Floats:
    """P(v = 1 | y) of two variables that tell something about y: else EM rests far from the optimum."""
    return np.stack((rng.uniform(0.02, 0.3, 2), rng.uniform(0.6, 0.95, 2)), axis=1)


def joint(prior: float, p: Floats) -> Floats:
    """P(y, cell) of two variables, cells by y."""
    return chances(p, 2) * np.array([1.0 - prior, prior])


@settings(max_examples=40, deadline=None)
@given(shares, st.lists(shares, min_size=6, max_size=6), st.integers(0, 7))
def test_three_variables_are_fitted_as_well_as_any_model_can(
    prior: float, values: list[float], turned: int
) -> None:
    p = np.array(values).reshape(3, 2)
    truth = chances(p, 3) @ [1.0 - prior, prior]
    cells = 10_000.0 * truth[np.arange(8) ^ turned]
    found_prior, found = np.zeros(1), np.zeros((5, 2))
    log_likelihood = learn_three(cells, found_prior, found)
    model = chances(found[:3], 3) @ [1.0 - found_prior[0], found_prior[0]]
    assert log_likelihood == pytest.approx(cells @ np.log(model), abs=0.05)
    ceiling = cells @ np.log(cells / cells.sum())
    assert ceiling - 3.0 <= log_likelihood <= ceiling + 1e-6
    assert not found[3:].any()


def test_three_variables_with_a_latent_that_is_on_when_they_are() -> None:
    p = np.array([[0.05, 0.8], [0.02, 0.6], [0.1, 0.7]])
    cells = 1e5 * (chances(p, 3) @ [0.8, 0.2])
    prior, found = np.zeros(1), np.zeros((3, 2))
    learn_three(cells, prior, found)
    assert prior[0] == pytest.approx(0.2, abs=0.01)
    np.testing.assert_allclose(found, p, atol=0.02)


@pytest.mark.parametrize(
    "cells", [np.eye(8)[0] * 50, np.eye(8)[7] * 50, np.eye(8)[5] * 3, np.zeros(8)]
)
def test_three_variables_that_never_vary(cells: Floats) -> None:
    prior, found = np.zeros(1), np.zeros((3, 2))
    assert np.isfinite(learn_three(cells, prior, found))
    for values in (prior, found):
        assert (values >= progressive.LEAST).all()
        assert (values <= 1.0 - progressive.LEAST).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_one_variable_reaches_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = joint(rng.uniform(0.1, 0.9), telling(rng))
    cells = rng.integers(1, 200, 8).astype(float)

    def loss(p: Floats) -> float:
        both = np.concatenate((known @ (1.0 - p), known @ p))
        return -float(cells @ np.log(both))

    out = np.zeros(2)
    fit_one(cells, known, out)
    best = minimize(loss, [0.5, 0.5], bounds=[(1e-6, 1.0 - 1e-6)] * 2)
    # EM rests when a step gains little, so it may be short of the optimum.
    assert loss(out) <= best.fun + 0.5


def two_loss(cells: Floats, known: Floats, edge: Floats, p: Floats) -> float:
    below = chances(p, 2)  # cells of w and x, by z
    through = np.stack((1.0 - edge, edge), axis=1)  # y by z
    table = known @ through @ below.T
    return -float((cells.reshape(4, 4).T * np.log(table)).sum())


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_a_second_latent_is_no_worse_than_the_first_and_finds_the_planted_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = joint(rng.uniform(0.1, 0.5), rng.uniform(0.05, 0.9, (2, 2)))
    edge, p = np.array([0.05, rng.uniform(0.4, 0.9)]), np.array([[0.05, 0.8], [0.02, 0.7]])
    table = known @ np.stack((1.0 - edge, edge), axis=1) @ chances(p, 2).T
    cells = 5000.0 * table.T.ravel()
    same = np.array([[0.1, 0.6], [0.1, 0.5]])
    found_edge, found = np.zeros(2), np.zeros((2, 2))
    log_likelihood = learn_two(cells, known, same, found_edge, found)
    assert log_likelihood == pytest.approx(-two_loss(cells, known, found_edge, found), abs=0.1)
    one = known @ chances(same, 2).T
    assert log_likelihood >= (cells.reshape(4, 4).T * np.log(one)).sum() - 1e-6
    assert log_likelihood >= -two_loss(cells, known, edge, p) - 25.0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_an_edge_reaches_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    above = joint(rng.uniform(0.1, 0.6), telling(rng))
    below = chances(telling(rng), 2)
    cells = rng.integers(0, 100, 16).astype(float)

    def loss(edge: Floats) -> float:
        table = above @ np.stack((1.0 - edge, edge), axis=1) @ below.T
        return -float((cells.reshape(4, 4).T * np.log(table)).sum())

    edge = np.array([0.5, 0.5])
    fit_edge(cells, above, below, edge)
    best = minimize(loss, [0.5, 0.5], bounds=[(1e-6, 1.0 - 1e-6)] * 2)
    assert loss(edge) <= best.fun + 0.5
    for there in product((edge[0], 0.3), (edge[1], 0.7)):
        assert best.fun <= loss(np.array(there)) + 1e-6
