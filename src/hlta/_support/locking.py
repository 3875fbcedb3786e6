"""Locks that processes hold on files; the system releases them when a process ends, however it ends."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, refusal: str) -> Iterator[None]:
    """Hold the lock on a file, which is made if need be; `refusal` says that another one holds it."""
    with path.open("ab") as file:
        try:
            _lock(file.fileno())
        except (BlockingIOError, PermissionError):
            raise OptionError(refusal) from None
        yield
