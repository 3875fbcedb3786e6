"""Progressive EM on small tables, against a slow twin, enumeration and a general optimiser."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from hlta._kernels import bridge_em, progressive_em
from hlta._kernels.progressive_em import LEAST
from tests import slow_structure
from tests.slow_structure import Cell, Cells, Floats


def from_python(helper: Any) -> Any:
    """A helper of kernels, compiled once more with a door for Python: without it, it would crash."""
    return njit(lambda *arguments: helper(*arguments))  # noqa: PLW0108


learn_lcm = from_python(progressive_em.learn_lcm)
pem_lcm = from_python(progressive_em.pem_lcm)
pem_ltm_2l = from_python(progressive_em.pem_ltm_2l)
pem_bridge = from_python(bridge_em.pem_bridge)

few = settings(max_examples=30)
seeds = st.integers(0, 10_000)
shares = st.floats(0.02, 0.98)


def bits(count: int) -> NDArray[np.int64]:
    """Bit v of cell c at [c, v]."""
    on: NDArray[np.int64] = (np.arange(1 << count)[:, None] >> np.arange(count)) & 1
    return on


def chances(p: Floats, count: int) -> Floats:
    """P(cell | latent = y), cells by y, for `count` variables with p[v, y] = P(v = 1 | y)."""
    on = bits(count)[:, :, None]
    cells: Floats = np.where(on == 1, p[None], 1.0 - p[None]).prod(axis=1)
    return cells


def telling(rng: np.random.Generator) -> Floats:
    """P(v = 1 | y) of two variables that tell something about y: else EM rests far from the optimum."""
    return np.stack((rng.uniform(0.02, 0.3, 2), rng.uniform(0.6, 0.95, 2)), axis=1)


def pair_cells(prior: float, p: Floats) -> Floats:
    """P(y, cell) of two variables, cells by y."""
    joint: Floats = chances(p, 2) * np.array([1.0 - prior, prior])
    return joint


def as_cells(cells: Floats) -> Cells:
    """The table as the slow twin takes it."""
    count = len(cells).bit_length() - 1
    return {tuple(bits(count)[c].tolist()): float(cells[c]) for c in range(len(cells))}


def by_cell(known: Floats) -> dict[Cell, Floats]:
    return {tuple(bits(2)[c].tolist()): known[c] for c in range(4)}


def fitted_lcm(cells: Floats) -> tuple[float, Floats, float]:
    """Prior, parameters and log-likelihood; the table of parameters may have more rows than three."""
    prior, p = np.zeros(1), np.zeros((5, 2))
    log_likelihood = learn_lcm(cells, prior, p)
    assert not p[3:].any()
    return float(prior[0]), p[:3], log_likelihood


@pytest.mark.slow
@few
@given(seeds, st.sampled_from([1.0, 8.0]))
def test_learn_lcm_agrees_with_its_oracle(seed: int, skew: float) -> None:
    cells = np.random.default_rng(seed).gamma(1.0 / skew, 100.0, 8).round() + 1.0
    expected = slow_structure.learn_lcm(as_cells(cells))
    prior, p, log_likelihood = fitted_lcm(cells)
    assert prior == pytest.approx(expected.prior, rel=1e-9)
    np.testing.assert_allclose(p, expected.p, rtol=1e-9)
    assert log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-9)


@settings(max_examples=40)
@given(shares, st.lists(shares, min_size=6, max_size=6), st.integers(0, 7))
def test_learn_lcm_is_as_good_as_any_model(prior: float, values: list[float], turned: int) -> None:
    truth = chances(np.array(values).reshape(3, 2), 3) @ [1.0 - prior, prior]
    cells = 10_000.0 * truth[np.arange(8) ^ turned]
    found_prior, found, log_likelihood = fitted_lcm(cells)
    model = chances(found, 3) @ [1.0 - found_prior, found_prior]
    assert log_likelihood == pytest.approx(cells @ np.log(model), abs=1e-6)
    ceiling = cells @ np.log(cells / cells.sum())
    assert ceiling - 6.0 <= log_likelihood <= ceiling + 1e-6  # of 10,000 documents: EM stops early


def test_learn_lcm_of_variables_that_never_vary_stays_within_bounds() -> None:
    for cells in (np.eye(8)[0] * 50, np.eye(8)[7] * 50, np.eye(8)[5] * 3, np.zeros(8)):
        prior, found, log_likelihood = fitted_lcm(cells)
        assert np.isfinite(log_likelihood)
        for values in (np.array(prior), found):
            assert (values >= LEAST).all()
            assert (values <= 1.0 - LEAST).all()


@few
@given(seeds)
def test_pem_lcm_agrees_with_its_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = pair_cells(rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.95, (2, 2)))
    cells = rng.integers(0, 200, 8).astype(float)
    out = np.zeros(2)
    pem_lcm(cells, known, out)
    expected = slow_structure.pem_lcm(as_cells(cells), by_cell(known))
    np.testing.assert_allclose(out, expected, rtol=1e-9)


@pytest.mark.slow
@few
@given(seeds)
def test_pem_ltm_2l_agrees_with_its_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = pair_cells(rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.95, (2, 2)))
    cells = rng.integers(0, 200, 16).astype(float)
    same = rng.uniform(0.05, 0.95, (2, 2))
    edge, p = np.zeros(2), np.zeros((2, 2))
    log_likelihood = pem_ltm_2l(cells, known, same, edge, p)
    expected = slow_structure.pem_ltm_2l(as_cells(cells), by_cell(known), same)
    assert log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-9)
    np.testing.assert_allclose(edge, expected.edge, rtol=1e-9)
    np.testing.assert_allclose(p, expected.p, rtol=1e-9)


@few
@given(seeds)
def test_pem_bridge_agrees_with_its_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    above = pair_cells(rng.uniform(0.1, 0.6), telling(rng))  # P(Y, cell of two children of Y)
    cells, below = rng.integers(0, 100, 16).astype(float), chances(telling(rng), 2)
    edge = np.array([0.3, 0.3])
    pem_bridge(cells, above, below, edge)
    given = as_cells(cells), by_cell(above), by_cell(below)
    expected = slow_structure.pem_bridge(*given, np.array([0.3, 0.3]))
    np.testing.assert_allclose(edge, expected, rtol=1e-9)
