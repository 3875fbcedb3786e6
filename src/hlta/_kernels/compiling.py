"""How loops are compiled: once, to the disk cache, without the GIL, with NumPy's arithmetic.

Annotations are the compiled signature. The names below say what an argument is: `Ids` and the like
are read; those that begin with `Out` are written to. Read arrays are read-only views, see
`hlta._support.arrays.read_only`: Numba converts plain arguments by itself, but not what lies in a
named tuple.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numba import boolean, float32, float64, int32, int64, njit, uint8, uint32, uint64, void
from numba.core import types as _types
from numba.core.types import Array
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])


def _read(element: Any, dimensions: int) -> Any:
    return Array(element, dimensions, "C", readonly=True)


Flags: TypeAlias = Annotated[NDArray[np.uint8], _read(uint8, 1)]
Ids: TypeAlias = Annotated[NDArray[np.uint32], _read(uint32, 1)]
Ints: TypeAlias = Annotated[NDArray[np.int64], _read(int64, 1)]
IntTable: TypeAlias = Annotated[NDArray[np.int64], _read(int64, 2)]
Reals: TypeAlias = Annotated[NDArray[np.float64], _read(float64, 1)]
RealTable: TypeAlias = Annotated[NDArray[np.float64], _read(float64, 2)]
Singles: TypeAlias = Annotated[NDArray[np.float32], _read(float32, 1)]
SingleTable: TypeAlias = Annotated[NDArray[np.float32], _read(float32, 2)]
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

Id: TypeAlias = Annotated[int, uint32]
Unsigned: TypeAlias = Annotated[int, uint64]
Single: TypeAlias = Annotated[float, float32]

# `contract` allows a multiplication and an addition to be fused. Nothing else may be reordered, so
# that results depend on the data and the processor alone.
_OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,
    "cache": True,
    "error_model": "numpy",
    "fastmath": {"contract"},
    "no_cfunc_wrapper": True,
}
types: Any = _types  # whose constructors have no annotations
_SCALARS: Final[dict[Any, Any]] = {bool: boolean, int: int64, float: float64, type(None): void}


def kernel(function: Function) -> Function:
    """Compile for the annotated types, when the module is imported."""
    return _compiled(function, _signature(function))


def kernel_on_demand(function: Function) -> Function:
    """Compile when first called, for the types of that call: for what most runs do not need."""
    return _compiled(function)


def helper(function: Function) -> Function:
    """Compile for other kernels alone, which halves the compilation: a call from Python crashes."""
    return _compiled(function, _signature(function), no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Make a function a part of each kernel that calls it."""
    return _compiled(function, forceinline=True, no_cpython_wrapper=True)


def _compiled(function: Function, *signature: Any, **options: Any) -> Function:
    compile_: Any = njit  # typed by Numba for the options that are documented alone
    compiled: Function = compile_(*signature, **_OPTIONS, **options)(function)
    return compiled


def _signature(function: Callable[..., Any]) -> Any:
    hints = get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*map(_numba_type, hints.values()))


def _numba_type(hint: Any) -> Any:
    """The Numba type of an annotation: a name from above, a scalar, a tuple or a named tuple."""
    if get_origin(hint) is Annotated:
        return get_args(hint)[1]
    if get_origin(hint) is tuple:
        return types.Tuple([_numba_type(part) for part in get_args(hint)])
    if isinstance(hint, type) and issubclass(hint, tuple):
        fields = get_type_hints(hint, include_extras=True).values()
        parts = [_numba_type(field) for field in fields]
        if len(set(parts)) == 1:
            return types.NamedUniTuple(parts[0], len(parts), hint)
        return types.NamedTuple(parts, hint)
    return _SCALARS[hint]
