"""Compile the kernels in the first run: in two processes, one of them while documents are read."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

from hlta._kernels.cache import is_kept, writable_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta.monitor import Monitor

_STAGE: Final = "compiling (first run only)"
# The modules that reading needs; and then about half of the rest for each process, dependencies first.
# The two halves share nothing but `information`. More processes would not help: they would all wait for
# one chain of modules, from pairs of words through progressive EM to islands.
_FOR_READING: Final = ("tokens", "streams")
_HERE: Final = (
    *("information", "propagation", "wordless", "mixture"),
    *("posterior_inference", "parent_search", "sparse_products"),
)
_THERE: Final = (
    *("pair_counts", "nearest", "document_groups", "progressive_em", "one_island"),
    *("soft_information", "bridge_em", "map_forces", "division"),
)
MODULES: Final = (*_FOR_READING, *_HERE, *_THERE)
"""The modules of kernels with functions that are compiled when they are imported."""


@contextmanager
def compiling(monitor: Monitor) -> Iterator[Callable[[], None]]:
    """Compile the kernels that are not in the cache: those that reading needs before the block begins.

    While the block reads, a second process compiles half of the others. Before the block learns, it
    calls the function that it is given, which compiles the rest.
    """
    if (os.cpu_count() or 1) < 2 or not _missing():
        yield lambda: None
        return
    imports = ", ".join(f"hlta._kernels.{name}" for name in _THERE)
    ends = "from hlta._support.limited import end_with_parent; end_with_parent()"
    code = f"{ends}; import gc; gc.disable(); import {imports}"
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=pipe, stdout=quiet, stderr=quiet
    ) as there:
        waiting = True

        def finish() -> None:
            nonlocal waiting
            if not waiting:
                return
            waiting = False
            with monitor.stage(_STAGE):
                _import(_HERE)
                there.wait()
                _import(_THERE)  # from the cache

        try:
            with monitor.stage(_STAGE):
                _import(_FOR_READING)
            yield finish
        finally:
            there.kill()


def _import(names: tuple[str, ...]) -> None:
    """Import modules without garbage collection, which compilation would often start to little effect."""
    collects = gc.isenabled()
    gc.disable()
    try:
        for name in names:
            import_module(f"hlta._kernels.{name}")
    finally:
        if collects:
            gc.enable()


def _missing() -> bool:
    """Whether kernels are not in the cache but could be, as far as can be seen without importing them."""
    return not all(map(is_kept, MODULES)) and writable_folder() is not None
