"""How loops are compiled: once, into `cache`, releasing the GIL, dividing by 0 as NumPy does.

A function's annotations, from `hlta._kernels.types`, are its compiled signature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

from numba import boolean, config, float64, int64, njit, void
from numba.core import types as _types

from hlta._kernels.cache import KernelCache
from hlta.errors import OptionError

if getattr(config, "DISABLE_JIT", 0):
    raise OptionError(
        "NUMBA_DISABLE_JIT=1: hlta needs the compiler that this switches off; leave it out"
    )
Function = TypeVar("Function", bound=Callable[..., Any])


# Without `fastmath`: nothing is reordered or fused, so that results do not depend on the processor.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# References to arrays are not counted, because the caller holds them: counting those to a tree's tables
# for each document takes as long as a short document. With this option, functions cannot create arrays.
_UNCOUNTED: Final[dict[str, Any]] = {"_nrt": False}
types: Any = _types  # untyped: its constructors have no annotations
_SCALARS: Final[dict[Any, Any]] = {bool: boolean, int: int64, float: float64, type(None): void}


def kernel(function: Function) -> Function:
    """Compile for the annotated types when the module is imported."""
    return _compile(function, _signature(function))


def kernel_on_demand(function: Function) -> Function:
    """Compile at the first call, for its argument types; for kernels that most runs do not need."""
    return _compile(function)


def kernel_of_states(function: Function) -> Function:
    """Compile for two states when the module is imported, for another number at its first call.

    The number of states is the length of a tuple among the arguments, see `types.States`.
    """
    compiled: Any = _compile(function, **_UNCOUNTED)
    compiled.compile(_signature(function).args)
    return cast("Function", compiled)


def helper(function: Function) -> Function:
    """Compile for calls from kernels only, in half the time; a call from Python would crash."""
    return _compile(function, _signature(function), no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Inline the function into each kernel that calls it."""
    return _compile(function, forceinline=True, no_cpython_wrapper=True, **_UNCOUNTED)


def _compile(function: Function, signature: Any = None, **options: Any) -> Function:
    compile_: Any = njit  # Numba annotates its documented options only
    compiled: Any = compile_(**_OPTIONS, **options)(function)
    compiled._cache = KernelCache(function)
    if signature is not None:
        compiled.compile(signature)
        compiled.disable_compile()
    return cast("Function", compiled)


def _signature(function: Callable[..., Any]) -> Any:
    hints = get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*map(_numba_type, hints.values()))


def _numba_type(hint: Any) -> Any:
    """The Numba type of an annotation: one of `types`, a scalar, a tuple or a named tuple."""
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
