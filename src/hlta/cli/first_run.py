"""The first run compiles the kernels: in two processes, side by side with reading, and says so."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta._kernels.cache import is_kept, writable_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta.monitor import Monitor

_SOURCE: Final = Path(__file__).parents[1]
_STAGE: Final = "compiling (first run only)"
# What reading waits for, and then about half of the rest for each process, dependencies first. The
# two halves share nothing but `_kernels.postings` and `_kernels.information`. More processes would
# wait for one chain: pairs of words, progressive EM, islands.
_FOR_READING: Final = ("_kernels.tokens", "_kernels.streams")
_HERE: Final = (
    *("_kernels.postings", "_kernels.information", "_kernels.propagation"),
    *("_kernels.wordless", "_kernels.em_steps", "_kernels.mixture"),
    *("_kernels.posterior_inference", "_kernels.parent_search"),
    *("_kernels.prim", "_kernels.row_sums", "_kernels.sparse_products"),
)
_THERE: Final = (
    *("_kernels.pair_counts", "_kernels.nearest", "_kernels.document_groups"),
    *("_kernels.progressive_em", "_kernels.one_island"),
    *("_kernels.soft_information", "_kernels.bridge_em"),
    *("_kernels.map_neighbours", "_kernels.map_forces", "_kernels.division"),
)


_MODULES: Final = (*_FOR_READING, *_HERE, *_THERE)


def compiled_modules() -> list[str]:
    """The modules with functions that are compiled when they are imported."""
    return [f"hlta.{name}" for name in _MODULES]


@contextmanager
def compiling(monitor: Monitor) -> Iterator[Callable[[], None]]:
    """Compile the kernels that are not in the cache: those for reading now, the others meanwhile.

    The block reads, and calls the function that it is given before it learns.
    """
    if (os.cpu_count() or 1) < 2 or not _missing():
        yield lambda: None
        return
    code = f"import gc; gc.disable(); {'; '.join(f'import hlta.{name}' for name in _THERE)}"
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=quiet, stdout=quiet, stderr=quiet
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
    """Import modules without collecting garbage, of which compilation makes much and leaves little."""
    collects = gc.isenabled()
    gc.disable()
    try:
        for name in names:
            import_module(f"hlta.{name}")
    finally:
        if collects:
            gc.enable()


def _missing(source: Path = _SOURCE) -> bool:
    """Whether kernels wait to be compiled and can be kept, as far as can be seen without importing."""
    files = [(source / name.replace(".", "/")).with_suffix(".py") for name in _MODULES]
    return not all(map(is_kept, files)) and all(map(writable_folder, files))
