"""Where something is to be written: what is refused before any work, and who may write there."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta._support.writing import system
from hlta._support.writing.drafts import clear, is_disposable, is_half_placed, lock_of, naming
from hlta._support.writing.locking import locked
from hlta.errors import FormatError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

_PAUSES: Final = (0.0, 0.01, 0.1, 1.0, 0.0)  # seconds, for a live run that is about to finish


def real(path: str | PathLike[str]) -> Path:
    """A path without links, so that a link stays, and what it leads to is replaced."""
    return Path(os.path.realpath(path))


def beside_links(path: str | PathLike[str]) -> Path:
    """A path in a folder without links; its name may be one."""
    given = Path(path)
    return real(given.parent) / given.name


def check_file(path: str | PathLike[str]) -> Path:
    """The real path of a file to write; what is there and no file, such as a device, is refused."""
    given, target = Path(path), real(path)  # nothing real is behind /dev/stdout
    if given.exists() and not given.is_file():
        kind = "a folder" if given.is_dir() else "a device or a pipe, which cannot be replaced"
        raise OptionError(f"{os.fspath(path)!r} is {kind}; choose the name of a file")
    return target


def check_folder(path: str | PathLike[str], *, overwrite: bool) -> Path:
    """The real path of a folder to write; an existing one is refused unless it may be replaced.

    It may be with `overwrite`, and if it is empty or `hlta` wrote all that is in it: any other may
    hold somebody's files.
    """
    target, name = real(path), os.fspath(path)
    if not os.path.lexists(target):
        return target
    if not overwrite:
        raise OptionError(
            f"{name!r} exists; choose another folder, or overwrite it (--overwrite; in Python, "
            "overwrite=True)"
        )
    if not target.is_dir():
        raise OptionError(
            f"{name!r} is not overwritten, because it is not a folder; choose another"
        )
    if _is_mounted(target):
        raise OptionError(
            f"{name!r} is a mount point, which cannot be replaced; choose a folder in it"
        )
    others = sorted(one.name for one in target.iterdir() if not is_disposable(one))
    if others:
        raise OptionError(
            f"{name!r} is not overwritten, because it holds files other than hlta's, such as "
            f"{others[0]!r}; choose another folder"
        )
    return target


@contextmanager
def claimed(path: str | PathLike[str]) -> Iterator[bool]:
    """Let no other run work on a file or folder meanwhile, and clear what killed ones left.

    A link in the place of a file is not followed. Yields whether a killed run had replaced some of
    several files, and the rest was replaced now.
    """
    target = beside_links(path)
    refusal = f"another run is writing {os.fspath(path)!r}; wait until it ends, or use another name"
    with ExitStack() as held:
        with naming(target):
            held.enter_context(locked(lock_of(target), refusal))
        yield clear(target)


def check_unclaimed(path: str | PathLike[str]) -> None:
    """Refuse a file or folder on which another run works."""
    target = real(path)
    if lock_of(target).exists():
        with claimed(target):
            pass


@contextmanager
def parents_of(path: str | PathLike[str]) -> Iterator[None]:
    """Make the folders above a path; if the block fails, those that are empty go again."""
    target = real(path)
    missing = [one for one in target.parents if not one.exists()]
    made = list[Path]()
    try:
        with naming(target):
            for folder in reversed(missing):
                with suppress(FileExistsError):  # another run has just made it
                    system.make_folder(folder)
                    made.append(folder)
                system.sync_folder(folder.parent)
        yield
    except BaseException:
        with suppress(OSError):
            for folder in reversed(made):
                system.remove_folder(folder)
        raise


@contextmanager
def reading_together(path: str | PathLike[str]) -> Iterator[None]:
    """Read a file first and then others, which `replacing_together` replaces; a mixture is refused.

    The file is the last one that is moved to its place. So if it is new from the beginning, the
    others were new before; and if one of the others was new, it is new in the end.
    """
    _check_complete(path)
    before = os.stat(path)
    yield
    _check_complete(path)
    after = os.stat(path)
    if (before.st_ino, before.st_mtime_ns) != (after.st_ino, after.st_mtime_ns):
        raise FormatError(
            f"{os.fspath(path)!r} was replaced while it was being read; read it again"
        )


def _check_complete(path: str | PathLike[str]) -> None:
    """Refuse a file of several of which some are replaced and some are not; a live run may finish."""
    for pause in _PAUSES:
        if not any(map(is_half_placed, {real(path), beside_links(path)})):
            return
        time.sleep(pause)
    raise FormatError(
        f"{os.fspath(path)!r} is only half replaced, because the run that wrote it was killed; repeat "
        "that command with --overwrite"
    )


def _is_mounted(path: Path) -> bool:
    """Whether another file system begins at a folder, or a part of this one is bound to it."""
    if os.path.ismount(path):
        return True
    try:
        lines = Path("/proc/self/mountinfo").read_bytes().splitlines()
    except OSError:
        return False
    escaped = os.fsencode(path).replace(b"\\", rb"\134")
    for character in b" \t\n":
        escaped = escaped.replace(bytes([character]), rb"\%03o" % character)
    return any(line.split(b" ")[4] == escaped for line in lines)
