"""Programs in Python that may take only so much memory; run as a program, this module runs them."""

from __future__ import annotations

import runpy
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def limited(program: Path, *arguments: str, memory: int) -> list[str]:
    """The command that runs a program with so many bytes; it imports nothing from the current folder."""
    return [sys.executable, "-I", __file__, str(memory), str(program), *arguments]


def limit_memory(most: int) -> None:
    """End rather than take more than a number of bytes of addresses, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    limit = most if allowed == resource.RLIM_INFINITY else min(allowed, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, allowed))


if __name__ == "__main__":
    limit_memory(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")
