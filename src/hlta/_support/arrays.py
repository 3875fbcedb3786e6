"""Small array helpers that every room needs: names of their types, offsets, ranges, digests."""

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
"""Digits of sums and means that are sure: further ones depend on the order of the summands."""
TINY: Final = float(np.finfo(np.float64).tiny)
"""What stands for a divisor of 0, or for a probability of 0 in a logarithm."""


def offsets(lengths: ArrayLike) -> Ints:
    """Where each of consecutive lists begins, and where the last one ends: int64 (lists + 1,)."""
    lengths = np.asarray(lengths)
    out = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=out[1:])
    return out


def gather_lists(begin: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Lists of these lengths, one after the other, of entries that begin elsewhere.

    Gives where each of them begins, and where the last one ends; and where each entry is.
    """
    starts = offsets(lengths)
    return starts, np.repeat(begin - starts[:-1], lengths) + np.arange(starts[-1])


def ranges(count: int, size: int = 256) -> list[tuple[int, int]]:
    """The numbers below `count` in consecutive ranges of `size`, the last one perhaps shorter.

    By default, rows of a table that is computed piece by piece fit into a cache.
    """
    return [(begin, min(begin + size, count)) for begin in range(0, count, size)]


def aligned_zeros(shape: tuple[int, ...]) -> Floats:
    """Zeros, float64, that begin at a cache line, so that blocks of eight lie in one line each."""
    size = 8 * math.prod(shape)
    room = np.zeros(size + CACHE_LINE, dtype=np.uint8)
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + size].view(np.float64).reshape(shape)


def read_only(array: NDArray[Element]) -> NDArray[Element]:
    """A plain view that cannot be written to: the type that the inputs of compiled kernels have."""
    view = array.view(np.ndarray)
    view.setflags(write=False)
    return view


def digest_of(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """What tells arrays, and their names, from any others."""
    digest = blake2b()
    for name, array in sorted(arrays.items()):
        digest.update(f" {name} {array.dtype.str} {array.shape} ".encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
