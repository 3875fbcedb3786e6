"""Without the compiler a sentence says so; vectors of K numbers, against NumPy."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from hlta import OptionError
from hlta._kernels.lanes import are_within, at_most, load, spread, store, with_first
from hlta._support.threads import check_number_of_threads


@pytest.mark.parametrize(
    "variable", ["NUMBA_DISABLE_JIT=1", "NUMBA_NUM_THREADS=many", "POLARS_MAX_THREADS=0"]
)
def test_variables_that_stop_packages_end_in_a_sentence(variable: str, tmp_path: Path) -> None:
    name, value = variable.split("=")
    (tmp_path / "a.csv").write_text("text\na b\n")
    done = subprocess.run(
        [sys.executable, "-m", "hlta", "convert", tmp_path / "a.csv", tmp_path / "a.npz"],
        env=os.environ | {name: value},
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"hlta: {variable}: ")
    assert done.returncode == 1


@pytest.mark.parametrize("number", ["0", "-1", "many", ""])
def test_odd_numbers_of_threads_are_refused(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", number)
    with pytest.raises(OptionError, match=f"^NUMBA_NUM_THREADS={number}: use a number of threads"):
        check_number_of_threads("NUMBA_NUM_THREADS")


def operations(a: Any, b: Any, states: Any, out: Any) -> Any:
    """Every operation once, for the compiler alone."""
    x, y = load(a, 1, states), load(b, 0, states)
    store(out, 0, x + y)
    store(out, 1, x * y)
    store(out, 2, x / 2.0)
    store(out, 3, spread(3.0, states) / y)
    store(out, 4, with_first(x, 7.0))
    store(out, 5, at_most(x, 0.5))
    x += y * 2.0
    store(out, 6, x)
    return y[len(states) - 1]


@pytest.mark.parametrize("n_states", [2, 3, 24])
def test_lanes_are_elementwise(n_states: int) -> None:
    rng = np.random.default_rng(n_states)
    a, b, out = rng.random((2, n_states)), rng.random((1, n_states)), np.empty((7, n_states))
    compile_: Any = njit
    last = compile_(operations)(a, b, (0,) * n_states, out)
    x, y = a[1], b[0]
    with_seven = x.copy()
    with_seven[0] = 7.0
    expected = [x + y, x * y, x / 2.0, 3.0 / y, with_seven, np.minimum(x, 0.5), x + y * 2.0]
    np.testing.assert_allclose(out, expected, rtol=1e-15)
    assert last == y[-1]


@pytest.mark.parametrize("n_states", [2, 3, 24])
def test_limits_hold_for_every_lane(n_states: int) -> None:
    def within(a: Any, low: float, high: float, states: Any) -> Any:
        return are_within(load(a, 0, states), low, high)

    compile_: Any = njit
    compiled, states = compile_(within), (0,) * n_states
    numbers = np.linspace(1.0, 2.0, n_states)[None]
    assert compiled(numbers, 1.0, 2.0, states)
    for k in range(n_states):
        for outside in (0.9, 2.1, np.inf, np.nan):
            changed = numbers.copy()
            changed[0, k] = outside
            assert not compiled(changed, 1.0, 2.0, states)
