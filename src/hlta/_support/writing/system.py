"""The few functions that change anything on the disk; all others of the package call these."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import tempfile
import time
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from pathlib import Path

_UNKNOWN: Final = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_PAUSES: Final = (0.01, 0.03, 0.1, 0.3, 1.0) if sys.platform == "win32" else ()
# The functions that exchange two names, and the arguments that say so.
_HERE: Final = -2 if sys.platform == "darwin" else -100  # the current folder, as a descriptor
_EXCHANGE: Final = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_EXCHANGES: Final = {"linux": "renameat2", "darwin": "renameatx_np"}


def create(path: Path) -> BinaryIO:
    """Open a file that does not exist yet, to write it."""
    return path.open("xb")


def create_scratch() -> BinaryIO:
    """Open a file without a name, which is gone when it is closed."""
    return tempfile.TemporaryFile()


def create_scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """Make a folder that is gone when it is closed."""
    return tempfile.TemporaryDirectory(prefix="hlta-", ignore_cleanup_errors=True)


def open_lock(path: Path) -> BinaryIO:
    """Open a file for its lock; it is made if need be.

    A link in its place is not followed, and a pipe is an error instead of waited for.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.fdopen(os.open(path, flags, 0o666), "ab")


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder, which must not exist."""
    path.mkdir(mode)


def set_mode(path: Path, mode: int) -> None:
    """Set the permissions of a file or folder."""
    path.chmod(mode)


def sync(file: BinaryIO) -> None:
    """Wait until all that was written to a file is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can be asked to."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
    finally:
        os.close(descriptor)


def rename(path: Path, target: Path) -> None:
    """Give a file or folder another name; a file may replace another one.

    On Windows this fails while another program, such as a virus scanner, has the file open: it is
    tried again for a while.
    """
    for pause in (*_PAUSES, None):
        try:
            return os.replace(path, target)
        except PermissionError as error:
            if pause is not None:
                time.sleep(pause)
            elif _PAUSES:
                reason = f"{error.strerror}; if a program has it open, close that program"
                raise PermissionError(error.errno, reason, os.fspath(target)) from None
            else:
                raise
    return None


def exchange(path: Path, other: Path) -> bool:
    """Exchange the names of two folders by one system call; False where there is none."""
    name = _EXCHANGES.get(sys.platform)
    function = None if name is None else getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        return False
    first, second = (ctypes.c_char_p(os.fsencode(one)) for one in (path, other))
    if function(_HERE, first, _HERE, second, ctypes.c_uint(_EXCHANGE)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), os.fspath(other))


def remove(path: Path) -> None:
    """Delete a file."""
    path.unlink()


def remove_folder(path: Path) -> None:
    """Delete an empty folder."""
    path.rmdir()


def remove_all(path: Path) -> None:
    """Delete a file, or a folder with all that is in it."""
    if path.is_dir() and not path.is_symlink():
        for one in path.iterdir():
            remove_all(one)
        remove_folder(path)
    else:
        remove(path)
