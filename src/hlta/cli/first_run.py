"""The first run compiles the kernels before anything else, and says so."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Final

from hlta._kernels.cache import is_kept, writable_folder

if TYPE_CHECKING:
    from hlta.monitor import Monitor

_MODULES: Final = (
    *("tokens", "streams", "postings", "information", "propagation", "wordless", "em_steps"),
    *("mixture", "posterior_inference", "parent_search", "prim", "row_sums", "sparse_products"),
    *("pair_counts", "nearest", "document_groups", "progressive_em", "one_island"),
    *("soft_information", "bridge_em", "map_neighbours", "map_forces", "division"),
)


def compiled_modules() -> list[str]:
    """The modules with functions that are compiled when they are imported."""
    return [f"hlta._kernels.{name}" for name in _MODULES]


def compile_kernels(monitor: Monitor) -> None:
    """Compile the kernels now if they are not in the cache and can be kept there."""
    if not _missing():
        return
    with monitor.stage("compiling (first run only)"):
        gc.disable()  # compilation makes much garbage and leaves little
        try:
            for name in compiled_modules():
                import_module(name)
        finally:
            gc.enable()


def _missing() -> bool:
    """Whether kernels wait to be compiled and can be kept, as far as can be seen without importing."""
    return not all(map(is_kept, _MODULES)) and writable_folder() is not None
