"""Drafts: hidden folders beside a target, in which it is written before it takes its place.

A draft is locked while it is in use. One without a lock is of a process that was killed; before a
target is written again, such drafts are cleared. Reading never clears one, and anybody can forge one
in a folder that others get: so only what this user's `hlta` may have written itself is moved.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from hlta._support.formats import is_half_moved, is_ours, is_written_with
from hlta._support.writing import system
from hlta._support.writing.locking import Lock, acquire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NEW: Final = "new"
"""What is being written: a file, or a folder."""
READY: Final = "ready"
"""A folder of files that are complete, and on their way to their places."""
SWAP: Final = "swap"
"""A folder that is complete and about to replace another one, or the one that it has replaced."""
OLD: Final = "old"
"""The folder that is being replaced, where no system call exchanges two."""
_LOCK: Final = "lock"
_TRIES: Final = 100
_LONGEST: Final = 200  # bytes of a name; the longest that file systems take is 255
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # they come without a name
_HIDDEN: Final = re.compile(r"\..+\.(hlta-lock|[0-9a-f]{8}\.hlta-draft)", re.DOTALL)


@contextmanager
def drafting(target: Path) -> Iterator[Path]:
    """A draft of a target: an empty folder on the same disk, which is gone in the end."""
    with naming(target):
        clear(target)
        draft, lock = _make(target)
        try:
            yield draft
        finally:
            try:
                with suppress(OSError):
                    _settle(draft, target)
            finally:
                _release(draft, lock)


def clear(target: Path) -> bool:
    """Clear the drafts of a target that killed processes left, as far as that can be done.

    Returns whether files that one had begun to move were all moved.
    """
    moved = False
    for draft in drafts_of(target):
        with suppress(OSError):
            lock = acquire(draft / _LOCK)
            if lock is None:
                continue
            try:
                if lock.sure:
                    moved |= _settle(draft, target)
            finally:
                _release(draft, lock)
    return moved


def drafts_of(target: Path) -> list[Path]:
    """All drafts of a target, in use or not, but for those of other users."""
    name = re.compile(re.escape(_prefix(target)) + r"[0-9a-f]{8}\.hlta-draft")
    try:
        found = [one for one in target.parent.iterdir() if name.fullmatch(one.name)]
    except OSError:  # a folder may be readable to nobody, and yet be written to
        return []
    return [one for one in found if _is_own(one)]


def lock_of(target: Path) -> Path:
    """The file whose lock a run holds while it works on a target."""
    return target.with_name(f"{_prefix(target)}hlta-lock")


def is_disposable(path: Path) -> bool:
    """Whether something in a folder is of `hlta`: a result, a part of a corpus, a draft or a lock."""
    return is_ours(path) or _HIDDEN.fullmatch(path.name) is not None


def is_in_draft(path: Path) -> bool:
    """Whether a file belongs to a folder that is a draft itself."""
    return any(_HIDDEN.fullmatch(part) for part in path.parts)


@contextmanager
def naming(target: Path) -> Iterator[None]:
    """Let errors of the system name the target instead of a draft, or nothing."""
    try:
        yield
    except OSError as error:
        name = error.filename
        if error.errno not in _FULL if name is None else not _HIDDEN.search(os.fsdecode(name)):
            raise
        reason = f"cannot be written: {error.strerror or error}"
        raise OSError(error.errno, reason, os.fspath(target)) from None


def place(draft: Path, target: Path) -> None:
    """Move the files that are ready to their places beside the target, and last to its own."""
    for file in sorted((draft / READY).iterdir(), key=lambda file: file.name == target.name):
        system.rename(file, target.with_name(file.name))
    system.sync_folder(target.parent)


def is_half_placed(target: Path) -> bool:
    """Whether a run was killed, or is just now, between the first and the last file of several."""
    return any(_is_on_its_way(draft, target) for draft in drafts_of(target))


def _is_on_its_way(draft: Path, target: Path) -> bool:
    """Whether a draft holds files that this user's `hlta` has begun to move, and no others."""
    files = _files_of(draft, target) or []
    return len(files) > 0 and is_half_moved(files, target)


def _files_of(draft: Path, target: Path) -> list[Path] | None:
    """The files that are ready, if there may be any and all of them are of this user's `hlta`."""
    if not _is_own(draft / READY):
        return None
    files = list((draft / READY).iterdir())
    known = all(_is_own(file, stat.S_ISREG) and is_written_with(file, target) for file in files)
    return files if known else None


def _is_own(path: Path, is_kind: Callable[[int], bool] = stat.S_ISDIR) -> bool:
    """Whether this is a folder, or of another kind, that belongs to this user, and no link to one."""
    with suppress(FileNotFoundError):
        about = path.lstat()
        own = not hasattr(os, "geteuid") or about.st_uid == os.geteuid()
        return own and is_kind(about.st_mode)
    return False


def _make(target: Path) -> tuple[Path, Lock]:
    """A new draft, and its lock."""
    for _ in range(_TRIES):
        draft = target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}.hlta-draft")
        system.make_folder(draft, 0o700)
        try:
            lock = acquire(draft / _LOCK)
        except FileNotFoundError:
            lock = None
        except BaseException:
            with suppress(OSError):
                system.remove_folder(draft)
            raise
        if lock is not None:
            return draft, lock
        with suppress(OSError):  # another process took it for one that was left behind
            system.remove_all(draft)
    raise OSError(errno.EAGAIN, "no file can be locked there", os.fspath(draft))


def _settle(draft: Path, target: Path) -> bool:
    """Bring what is in a draft to an end: what was on its way goes to its place, the rest goes.

    What hlta did not write was put into a folder while that was replaced, and is kept. Returns
    whether files were moved to their places.
    """
    moved = _is_on_its_way(draft, target)
    if moved:
        place(draft, target)
    if _files_of(draft, target) is not None:
        system.remove_all(draft / READY)
    if _is_own(draft / OLD) and not os.path.lexists(target):
        system.rename(draft / OLD, target)
    if os.path.lexists(draft / NEW):
        system.remove_all(draft / NEW)
    for replaced in (draft / SWAP, draft / OLD):
        if _is_own(replaced):
            _discard_folder(replaced, target)
    return moved


def _discard_folder(folder: Path, target: Path) -> None:
    """Delete a folder; what in it is not of hlta moves to the target."""
    for path in folder.iterdir():
        if is_disposable(path):
            system.remove_all(path)
        else:
            system.rename(path, _free(target / path.name))
    system.remove_folder(folder)


def _free(path: Path) -> Path:
    """The path itself if there is nothing, or else one with a number."""
    number = 0
    free = path
    while os.path.lexists(free):
        number += 1
        free = path.with_name(f"{path.name}.{number}")
    return free


def _release(draft: Path, lock: Lock) -> None:
    lock.release()
    with suppress(OSError):
        system.remove_folder(draft)


def _prefix(target: Path) -> str:
    """How the names of drafts and locks of a target begin."""
    name = os.fsencode(target.name)
    long = len(name) > _LONGEST
    return f".{blake2b(name, digest_size=16).hexdigest() if long else target.name}."
