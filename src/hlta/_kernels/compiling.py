"""How kernels are compiled: once, to the disk cache, without the GIL, with numbers as NumPy's."""

from __future__ import annotations

from typing import Any

from numba import njit

# `contract` allows a multiplication and an addition to be fused; nothing else may be reordered, so
# that results depend on the data and the processor alone.
_options: dict[str, Any] = {
    "nogil": True,
    "cache": True,
    "error_model": "numpy",
    "fastmath": {"contract"},
}


def kernel(signature: Any = None) -> Any:
    """Compile a function; with a signature when its module is imported, and for those types only."""
    return njit(signature, **_options)


def inlined() -> Any:
    """Make a function a part of each kernel that calls it."""
    return njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_options)  # type: ignore[call-overload]


def helper(signature: Any = None) -> Any:
    """Compile a function for kernels alone, which halves the compilation: called from Python it crashes.

    Without a signature it is compiled for all types it is called with, a literal number being a
    type of its own.
    """
    return njit(signature, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_options)  # type: ignore[call-overload]
