"""Helpers of kernels, made callable: from Python they would crash."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound="Callable[..., Any]")


def from_python(helper: Function) -> Function:
    """The same function, compiled once more with a door for Python."""

    def call(*arguments: Any) -> Any:
        return helper(*arguments)

    compiled: Function = njit(call)
    return compiled
