"""The first run compiles the kernels, in two processes at once, and says so."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hlta.monitor import Monitor

_SOURCE: Final = Path(__file__).parents[1]
# About half of the work each; compiling a kernel in both does no harm.
_THERE: Final = ("algorithm.one_island", "algorithm.bridge_em")
_HERE: Final = (
    *("_kernels.tokens", "_kernels.streams", "_kernels.pair_counts"),
    *("_kernels.wordless", "_kernels.propagation", "_kernels.parent_search"),
)


def compile_kernels(monitor: Monitor) -> None:
    """Compile the kernels that are not in the cache; after the first run, all of them are."""
    if (os.cpu_count() or 1) < 2 or not _missing():
        return
    with monitor.stage("compiling, which only the first run does"):
        code = "; ".join(f"import hlta.{name}" for name in _THERE)
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            [sys.executable, "-c", code], stdin=quiet, stdout=quiet, stderr=quiet
        ) as there:
            for name in _HERE:
                import_module(f"hlta.{name}")
            there.wait()
        import_module("hlta.algorithm.hlta")


def _missing(source: Path = _SOURCE) -> bool:
    """Whether kernels are yet to be compiled, judged without importing them."""
    if "NUMBA_CACHE_DIR" in os.environ or not os.access(source / "_kernels", os.W_OK):
        return False  # the cache is elsewhere
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    for name in (*_THERE, *_HERE):
        file = (source / name.replace(".", "/")).with_suffix(".py")
        compiled = (file.parent / "__pycache__").glob(f"{file.stem}.*.{python}*.nbi")
        newest = max((path.stat().st_mtime for path in compiled), default=0.0)
        if newest < file.stat().st_mtime:
            return True
    return False
