"""The process in which `benchmarks.compiling` imports modules: prints one line of JSON.

    python -m benchmarks.cold_import MODULE ...

Numba keeps what it compiles in `NUMBA_CACHE_DIR`. Kernels with a signature are compiled when their
module is imported. The time of an import excludes the time of those modules of the list that it
imports in turn; those have a time of their own.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import json
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_REFERENCES = 4  # the reference kernel is compiled so many times


def clocks() -> tuple[float, float]:
    """CPU seconds of the process, all threads included, and wall seconds."""
    return time.process_time(), time.perf_counter()


class Stopwatch(importlib.abc.MetaPathFinder):
    """Takes the time of the modules that it is told, as they are executed."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.spent = {name: [0.0, 0.0] for name in modules}
        self._running: list[str] = []
        self._since = clocks()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module as usual, and wrap its execution if it is one of ours."""
        if name not in self.spent:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        loader = spec.loader
        execute = loader.exec_module

        def timed(module: ModuleType) -> None:
            self._switch(name)
            try:
                execute(module)
            finally:
                self._switch(None)

        loader.exec_module = timed  # type: ignore[method-assign]  # of this one instance
        return spec

    def _switch(self, name: str | None) -> None:
        """Charge the time so far to the innermost module; enter `name`, or leave if None."""
        now = clocks()
        if self._running:
            spent = self.spent[self._running[-1]]
            for clock in range(2):
                spent[clock] += now[clock] - self._since[clock]
        self._since = now
        if name is None:
            self._running.pop()
        else:
            self._running.append(name)


def compile_reference() -> None:
    """Compile one small kernel: the same work for every version of the library."""
    from numba import njit

    def walk(values, steps):  # type: ignore[no-untyped-def]  # Numba types it
        total = 0.0
        for step in range(steps):
            for i in range(len(values)):
                if values[i] > total:
                    values[i] = (values[i] * 0.5 + step) / (1.0 + abs(total))
                else:
                    total += values[i] * values[i] - i
        return total

    njit("float64(float64[::1], int64)", error_model="numpy")(walk)


def main() -> None:
    """Import Numba, compile the reference, import the modules."""
    modules = sys.argv[1:]
    points = [clocks()]
    importlib.import_module("numba")
    points.append(clocks())
    compile_reference()  # the first one also initialises the compiler
    points.append(clocks())
    for _ in range(_REFERENCES):
        compile_reference()
    points.append(clocks())
    stopwatch = Stopwatch(modules)
    sys.meta_path.insert(0, stopwatch)
    for name in modules:
        importlib.import_module(name)
    points.append(clocks())
    numba, _, reference, all_modules = (
        [after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(points)
    )
    answer = {
        "file": importlib.import_module("hlta").__file__,
        "numba": numba,
        "reference": [seconds / _REFERENCES for seconds in reference],
        "modules": stopwatch.spent,
        "all": all_modules,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
