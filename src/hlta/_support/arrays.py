"""Small helpers for arrays: names of their types, offsets, ranges, digests."""

from __future__ import annotations

import math
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

# Short names of types, for signatures that no user sees.
Floats: TypeAlias = "NDArray[np.float64]"
Floats32: TypeAlias = "NDArray[np.float32]"
Ints: TypeAlias = "NDArray[np.int64]"
Ints32: TypeAlias = "NDArray[np.int32]"
Indices: TypeAlias = "NDArray[np.intp]"
Bools: TypeAlias = "NDArray[np.bool_]"

Element = TypeVar("Element", bound=np.generic)
CACHE_LINE: Final = 64
"""Bytes that a processor loads at once."""
SURE_DIGITS: Final = 9
"""Decimals of sums and means that are reliable: further ones depend on the order of the summands."""
TINY: Final = float(np.finfo(np.float64).tiny)
"""The lower bound for divisors, and for probabilities in logarithms, that may be 0."""


def offsets(lengths: ArrayLike) -> Ints:
    """Where each of consecutive lists begins, and where the last one ends: int64 (lists + 1,)."""
    lengths = np.asarray(lengths)
    out = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=out[1:])
    return out


def gather_lists(begin: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Indices that gather lists, which begin at `begin` and have these lengths, one after the other.

    Returns the `offsets` of the gathered lists, and the index of each of their entries.
    """
    starts = offsets(lengths)
    return starts, np.repeat(begin - starts[:-1], lengths) + np.arange(starts[-1])


def ranges(count: int, size: int = 256) -> list[tuple[int, int]]:
    """The numbers below `count` in consecutive ranges of `size`, the last one perhaps shorter.

    The default suits tables that are computed some rows at a time: these rows fit into a cache.
    """
    return [(begin, min(begin + size, count)) for begin in range(0, count, size)]


def aligned_zeros(shape: tuple[int, ...]) -> Floats:
    """Float64 zeros, aligned to a cache line, so that each block of eight lies in one line."""
    size = 8 * math.prod(shape)
    room = np.zeros(size + CACHE_LINE, dtype=np.uint8)
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + size].view(np.float64).reshape(shape)


def read_only(array: NDArray[Element]) -> NDArray[Element]:
    """A read-only view as a plain `numpy.ndarray`: the type that compiled kernels take as input."""
    view = array.view(np.ndarray)
    view.setflags(write=False)
    return view


def digest_of(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A hash of the names, types, shapes and contents of arrays."""
    digest = blake2b()
    for name, array in sorted(arrays.items()):
        digest.update(f" {name} {array.dtype.str} {array.shape} ".encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
