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
    return njit(forceinline=True, **_options)


def helper() -> Any:
    """Compile a function for kernels alone: Python can't call it, which halves the compilation."""
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_options)  # type: ignore[call-overload]
