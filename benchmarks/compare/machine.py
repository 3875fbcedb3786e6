"""The machine that an experiment ran on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("hlta", "numpy", "numba", "scikit-learn", "tomotopy", "corextopic")


def machine() -> str:
    """Processor, number of cores, system and versions on one line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    versions = []
    for package in _PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} not installed")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{names[0] if names else platform.processor()}, {cores} cores, "
        f"{platform.system()}, Python {platform.python_version()}; {', '.join(versions)}"
    )
