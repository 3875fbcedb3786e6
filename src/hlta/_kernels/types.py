"""Types of compiled functions: annotations for type checkers that name the type Numba compiles for.

Arrays whose type begins with `Out` may be written to; the others are read-only views, see
`hlta._support.arrays.read_only`. Numba accepts a writable array as a read-only argument, but not as a
read-only field of a named tuple.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np
from numba import float32, float64, int8, int32, int64, uint8, uint32, uint64
from numba.core.types import Array, UniTuple
from numpy.typing import NDArray


def _read(element: Any, dimensions: int) -> Any:
    return Array(element, dimensions, "C", readonly=True)


Flags: TypeAlias = Annotated[NDArray[np.uint8], _read(uint8, 1)]
Ids: TypeAlias = Annotated[NDArray[np.uint32], _read(uint32, 1)]
Ints: TypeAlias = Annotated[NDArray[np.int64], _read(int64, 1)]
IntTable: TypeAlias = Annotated[NDArray[np.int64], _read(int64, 2)]
Reals: TypeAlias = Annotated[NDArray[np.float64], _read(float64, 1)]
RealTable: TypeAlias = Annotated[NDArray[np.float64], _read(float64, 2)]
RealCube: TypeAlias = Annotated[NDArray[np.float64], _read(float64, 3)]
Singles: TypeAlias = Annotated[NDArray[np.float32], _read(float32, 1)]
SingleTable: TypeAlias = Annotated[NDArray[np.float32], _read(float32, 2)]
CodeTable: TypeAlias = Annotated[NDArray[np.int8], _read(int8, 2)]
Stream: TypeAlias = Annotated[NDArray[np.int32], _read(int32, 1)]

OutFlags: TypeAlias = Annotated[NDArray[np.uint8], Array(uint8, 1, "C")]
OutIds: TypeAlias = Annotated[NDArray[np.uint32], Array(uint32, 1, "C")]
OutIdTable: TypeAlias = Annotated[NDArray[np.uint32], Array(uint32, 2, "C")]
OutInts: TypeAlias = Annotated[NDArray[np.int64], Array(int64, 1, "C")]
OutIntTable: TypeAlias = Annotated[NDArray[np.int64], Array(int64, 2, "C")]
OutReals: TypeAlias = Annotated[NDArray[np.float64], Array(float64, 1, "C")]
OutRealTable: TypeAlias = Annotated[NDArray[np.float64], Array(float64, 2, "C")]
OutRealCube: TypeAlias = Annotated[NDArray[np.float64], Array(float64, 3, "C")]
OutSingles: TypeAlias = Annotated[NDArray[np.float32], Array(float32, 1, "C")]
OutSingleTable: TypeAlias = Annotated[NDArray[np.float32], Array(float32, 2, "C")]
OutStream: TypeAlias = Annotated[NDArray[np.int32], Array(int32, 1, "C")]
OutKeys: TypeAlias = Annotated[NDArray[np.uint64], Array(uint64, 1, "C")]
OutKeyTable: TypeAlias = Annotated[NDArray[np.uint64], Array(uint64, 2, "C")]

States: TypeAlias = Annotated[tuple[int, ...], UniTuple(int64, 2)]
"""A tuple whose length is a number of states; compiled for 2, and for others on demand."""

Id: TypeAlias = Annotated[int, uint32]
Unsigned: TypeAlias = Annotated[int, uint64]
Single: TypeAlias = Annotated[float, float32]
