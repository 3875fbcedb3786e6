"""Locks that processes hold on files; the system releases them when a process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from hlta._support.writing import system
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


class Lock:
    """A file that is locked, until it is released and deleted.

    `sure` is False where the file system knows no locks: others may have the same one.
    """

    def __init__(self, path: Path, file: BinaryIO, *, sure: bool) -> None:
        self._path, self._file, self.sure = path, file, sure

    def release(self) -> None:
        """Delete the file, and release it; Windows deletes no file that is open."""
        if sys.platform == "win32":
            self._file.close()
        try:
            with suppress(OSError):
                system.remove(self._path)
        finally:
            self._file.close()


def acquire(path: Path) -> Lock | None:
    """Lock a file, which is made if need be; None if another one has it."""
    file = system.open_lock(path)
    try:
        _lock(file.fileno())
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    except OSError:
        return Lock(path, file, sure=False)
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return Lock(path, file, sure=True)
    file.close()  # another one has just released and deleted it
    return None


@contextmanager
def locked(path: Path, refusal: str) -> Iterator[None]:
    """Hold the lock on a file, which is deleted in the end; `refusal` says that another one has it."""
    lock = acquire(path)
    if lock is None:
        raise OptionError(refusal)
    try:
        yield
    finally:
        lock.release()
