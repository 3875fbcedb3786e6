"""Annotations of kernels are their compiled signatures; vectors of K numbers, against NumPy."""

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import boolean, float32, float64, int64, njit, uint32, uint64

from hlta._kernels.compiling import kernel, kernel_on_demand, types
from hlta._kernels.lanes import are_within, at_most, load, spread, store, with_first
from hlta._kernels.types import Id, Ids, Ints, OutReals, Reals, RealTable, Single, Unsigned
from hlta._support.arrays import read_only


class Mixed(NamedTuple):
    """Fields of several types, one of which is a scalar."""

    indptr: Ints
    indices: Ids
    flag: bool


class Alike(NamedTuple):
    """Fields of one type."""

    first: Reals
    second: Reals


class Nested(NamedTuple):
    """A bundle of bundles."""

    alike: Alike
    mixed: Mixed


class Memory(NamedTuple):
    """An array that is written to."""

    out: OutReals


@kernel
def scalars(flag: bool, whole: int, real: float, single: Single, number: Id, key: Unsigned) -> None:
    """Nothing."""


@kernel
def arrays(values: Reals, table: RealTable, out: OutReals) -> float:
    out[0] = values[0] + table[0, 0]
    return float(out[0])


@kernel
def bundles(alike: Alike, mixed: Mixed, nested: Nested) -> tuple[float, int]:
    total = alike.first[0] + alike.second[0] + nested.alike.first[0]
    return total, mixed.indptr[0] + mixed.indices[0] + int64(mixed.flag)


@kernel
def fill(memory: Memory, value: float) -> None:
    for k in range(memory.out.size):
        memory.out[k] = value


@kernel_on_demand
def first_of(values: Any) -> Any:
    return values[0]


def signature(compiled: Any) -> Any:
    (only,) = compiled.nopython_signatures
    return only


def array(element: Any, dimensions: int, *, mutable: bool = False) -> Any:
    return types.Array(element, dimensions, "C", readonly=not mutable)


ALIKE = Alike(*(read_only(np.array([value])) for value in (1.0, 2.0)))
MIXED = Mixed(read_only(np.array([3])), read_only(np.array([4], dtype=np.uint32)), True)


def test_annotations_are_the_compiled_signatures() -> None:
    assert signature(scalars).args == (boolean, int64, float64, float32, uint32, uint64)
    assert signature(scalars).return_type == types.void
    written = array(float64, 1, mutable=True)  # others are read-only
    assert signature(arrays).args == (array(float64, 1), array(float64, 2), written)
    alike = types.NamedUniTuple(array(float64, 1), 2, Alike)
    mixed = types.NamedTuple((array(int64, 1), array(uint32, 1), boolean), Mixed)
    assert signature(bundles).args == (alike, mixed, types.NamedTuple((alike, mixed), Nested))
    assert signature(bundles).return_type == types.Tuple((float64, int64))
    with pytest.raises(KeyError):
        kernel(without_a_type)


def without_a_type(text: str) -> None:
    """Nothing."""


def test_what_is_compiled_on_demand_takes_the_types_of_its_first_call() -> None:
    assert first_of.nopython_signatures == []  # type: ignore[attr-defined]
    assert first_of(np.array([7.0])) == 7.0
    assert signature(first_of).args == (array(float64, 1, mutable=True),)


def test_arrays_arrive_plain_and_in_named_tuples() -> None:
    assert bundles(ALIKE, MIXED, Nested(ALIKE, MIXED)) == (4.0, 8)
    values, table, memory = np.ones(1), np.ones((1, 1)), Memory(np.zeros(3))
    assert arrays(values, table, np.zeros(1)) == 2.0
    assert arrays(read_only(values), read_only(table), np.zeros(1)) == 2.0
    fill(memory, 2.0)
    assert memory.out.tolist() == [2.0] * 3


def test_without_the_compiler_a_sentence_says_so() -> None:
    code = "from hlta import HLTA, HltaError"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    last = done.stderr.splitlines()[-1]
    assert last.endswith("hlta needs the compiler that this switches off; leave it out")


# ---- vectors of K numbers ------------------------------------------------------------------------


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


@pytest.mark.parametrize("n_states", [2, 3, 8, 24])
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


def within(a: Any, low: float, high: float, states: Any) -> Any:
    """Whether all numbers are within limits, for the compiler alone."""
    return are_within(load(a, 0, states), low, high)


@pytest.mark.parametrize("n_states", [2, 3, 8, 24])
def test_limits_hold_for_every_lane(n_states: int) -> None:
    compile_: Any = njit
    compiled, states = compile_(within), (0,) * n_states
    numbers = np.linspace(1.0, 2.0, n_states)[None]
    assert compiled(numbers, 1.0, 2.0, states)
    for k in range(n_states):
        for outside in (0.9, 2.1, np.inf, np.nan):
            changed = numbers.copy()
            changed[0, k] = outside
            assert not compiled(changed, 1.0, 2.0, states)
