"""What the comparisons of methods share: each learns in a process of its own, and only once.

A cell is a method on a corpus with a seed. What it found is kept in a file, or that it took too long.
Whatever goes wrong, be it an exception, a lack of memory or the time limit, is reported, and the other
cells go on.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Cell = TypeVar("Cell", bound=tuple[Any, ...])
_LONGEST_REASON = 300  # characters
_PACKAGES = ("hlta", "numpy", "numba", "scikit-learn", "tomotopy", "corextopic", "topica")


class Outcome(NamedTuple):
    """What a cell found, or the reason why there is nothing."""

    found: Any
    reason: str = ""
    limit: float = 0.0  # seconds, if it took longer
    machine: str = ""


def is_installed(package: str) -> bool:
    """Whether a package is there."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def machine() -> str:
    """Processor, number of cores, system and versions on one line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    versions = [f"{package} {version(package)}" for package in _PACKAGES if is_installed(package)]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{names[0] if names else platform.processor()}, {cores} cores, "
        f"{platform.system()}, Python {platform.python_version()}; {', '.join(versions)}"
    )


def file_of(cell: Sequence[object], folder: Path) -> Path:
    """The file that keeps what a cell found; documents that have changed get another one."""
    parts = [_marked(part) for part in cell if part is not None]
    return folder / f"{re.sub(r'[^0-9A-Za-z]+', '-', '-'.join(parts)).strip('-')}.json"


def _marked(part: object) -> str:
    path = Path(str(part))
    if not path.is_absolute():
        return str(part)
    known = path.stat()
    mark = f"{path} {known.st_size} {known.st_mtime_ns}"
    return f"{path.name}-{zlib.crc32(mark.encode()):08x}"


def outcomes(
    cells: Iterable[Cell], learn: Callable[[Cell], Any], folder: Path, limit: float
) -> list[Outcome]:
    """What a method found with each seed; after one that found nothing, no other is tried.

    The first three parts of a cell are its corpus, its method and its seed.
    """
    found: list[Outcome] = []
    for cell in cells:
        found.append(_outcome(cell, learn, file_of(cell, folder), limit))
        print(f"{cell[0]}, {cell[1]}, {cell[2]}: {found[-1].reason or 'done'}", file=sys.stderr)
        if found[-1].found is None:
            break
    return found


def _outcome(cell: Cell, learn: Callable[[Cell], Any], file: Path, limit: float) -> Outcome:
    if file.exists():
        kept = Outcome(*json.loads(file.read_text(encoding="utf-8")))
        if kept.found is not None or limit <= kept.limit:
            return kept
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        future = pool.submit(learn, cell)
        try:
            done = Outcome(future.result(timeout=limit), machine=machine())
        except TimeoutError:
            for process in list(pool._processes.values()):
                process.kill()
            done = Outcome(None, f"no result after {limit:,.0f} s", limit)
        except Exception as error:  # one method must not end the others
            return Outcome(None, f"{type(error).__name__}: {error}"[:_LONGEST_REASON])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(done), encoding="utf-8")
    return done
