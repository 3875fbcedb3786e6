"""Files and folders that appear under their names only once they are complete.

A target is first written as a draft, in a hidden folder beside it. When all of it is on the disk, it is
renamed. The hidden folder holds a lock, which the system releases however a process ends: so one process
at a time writes a target, and the next one clears what a killed one left. Readers neither lock nor change
anything.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import stat
import sys
import time
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final
from zlib import crc32

from hlta._support.formats import is_ours, may_be_moved
from hlta.errors import FormatError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HIDDEN: Final = re.compile(r"\..+\.hlta-draft", re.DOTALL)
_LOCK_FLAGS: Final = (
    os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # errors without a file's name


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; on an error `path` stays as it was."""
    target = check_file(path)
    in_draft = is_hidden(target)  # then it is moved to its place together with that draft
    with nullcontext(target.parent) if in_draft else replacing_together(target) as folder:
        try:
            with open(folder / target.name, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.filename is None and error.errno in _FULL:
                error.filename = os.fspath(folder / target.name)
            raise


def write_text(path: str | PathLike[str] | None, text: str, errors: str = "strict") -> str:
    """Write a text to a file, in UTF-8, if one is given; and return the text."""
    if path is not None:
        with replacing(path) as file:
            file.write(text.encode("utf-8", errors))
    return text


@contextmanager
def replacing_together(path: str | PathLike[str], *, overwrite: bool = True) -> Iterator[Path]:
    """A folder for the file `path` and others, which replace the files of these names, all or none.

    They are moved to their places one after the other, `path` last. If a run is killed meanwhile, the
    next one that writes `path` moves the rest, and until then `reading_together` refuses them. Without
    `overwrite`, existing files are not replaced, but refused. If the name of a file is a link, the link
    is replaced, and not what it leads to.
    """
    target = beside_links(path)
    with drafting(target) as draft:
        new = draft / "new"
        new.mkdir()
        yield new
        files = list(new.iterdir())
        for place in (target.with_name(file.name) for file in files):
            check_file(place)
            if os.path.lexists(place) and not overwrite:
                raise OptionError(f"{str(place)!r} exists now; choose another name")
        if len(files) > 1:
            _sync(new)
            new = _rename(new, draft / "moving")
            _sync(draft)
        _move(new, target)


@contextmanager
def replacing_folder(path: str | PathLike[str], *, overwrite: bool) -> Iterator[Path]:
    """Make a folder that replaces `path` once it is complete; on an error `path` stays as it was.

    An existing folder is replaced only with `overwrite`, and only if `check_folder` allows it both
    before the block and after it.
    """
    if is_hidden(real(path)):  # in a draft, which replaces its target as a whole
        Path(path).mkdir(exist_ok=True)
        yield Path(path)
        return
    target = check_folder(path, overwrite=overwrite)
    with parents_of(target), drafting(target) as draft:
        new = draft / "new"
        new.mkdir()
        yield new
        check_folder(path, overwrite=overwrite)
        _keep_mode(new, target)
        _sync(new)
        if not _exchange(new, target):
            if target.exists():
                _rename(target, draft / "old")
            _rename(new, target)
        _sync(target.parent)


@contextmanager
def drafting(target: Path) -> Iterator[Path]:
    """A hidden folder for the draft of a target, refused if another run writes it; deleted in the end."""
    draft = _draft_of(target)
    refusal = f"another run is writing {str(target)!r}; wait until it ends, or use another name"
    unclear = f"{refusal}; remove {str(draft)!r} if there is no such run"
    there = os.path.lexists(draft)
    try:
        with suppress(FileExistsError):
            draft.mkdir(0o700)
        if not _is_own_folder(draft):
            raise OptionError(unclear)
        with os.fdopen(os.open(draft / "lock", _LOCK_FLAGS, 0o600), "wb") as file:
            try:
                _lock(file.fileno())
            except (BlockingIOError, PermissionError):
                raise OptionError(refusal) from None
            except OSError:  # this file system has no locks
                if there:
                    raise OptionError(unclear) from None
            if os.fstat(file.fileno()).st_nlink == 0:  # the run that had the lock just deleted it
                raise OptionError(refusal)
            try:
                _settle(draft, target)
                yield draft
            finally:
                _settle(draft, target)
                if sys.platform == "win32":  # where no open file can be deleted
                    file.close()
                with suppress(OSError):
                    (draft / "lock").unlink()
    except OSError as error:
        if not _HIDDEN.search(str(error.filename)):
            raise
        reason = f"cannot be written: {error.strerror}"
        raise OSError(error.errno, reason, os.fspath(target)) from None
    finally:
        with suppress(OSError):
            draft.rmdir()


def place(file: Path, target: Path) -> None:
    """Move a complete file to `target`; it gets the permissions of a file that it replaces."""
    _keep_mode(file, target)
    _rename(file, target)
    _sync(target.parent)


@contextmanager
def parents_of(target: Path) -> Iterator[None]:
    """Make the missing folders above a path; if the block fails, remove those that are empty again."""
    missing = [one for one in target.parents if not one.exists()]
    try:
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
        yield
    except BaseException:
        with suppress(OSError):
            for folder in missing:
                folder.rmdir()
        raise


@contextmanager
def reading_together(path: str | PathLike[str]) -> Iterator[None]:
    """Let the block read a file first, and then others that `replacing_together` replaces with it.

    A mixture of old and new files is refused. Since the file at `path` is moved to its place last, there
    is one only if it changes during the block, or if a run has not yet moved it.
    """
    before, half = os.stat(path), is_half_moved(real(path))
    if not half:
        yield
        after = os.stat(path)
        same = (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
        half = not same or is_half_moved(real(path))
    if half:
        raise FormatError(
            f"{os.fspath(path)!r} is only half replaced: another run is writing it, or was killed; "
            "read it again, or repeat that command with --overwrite"
        )


def is_half_moved(target: Path) -> bool:
    """Whether a run, now running or killed, has not yet moved all of several files to their places."""
    moving = _draft_of(target) / "moving"
    with suppress(FileNotFoundError):  # the run has just finished
        return _is_own_folder(moving) and may_be_moved(list(moving.iterdir()), target)
    return False


def real(path: str | PathLike[str]) -> Path:
    """A path with all links resolved: replacing it replaces what a link leads to, not the link."""
    return Path(os.path.realpath(path))


def beside_links(path: str | PathLike[str]) -> Path:
    """A path with the links in its folder resolved; its name itself may be a link."""
    return real(Path(path).parent) / Path(path).name


def is_hidden(path: Path) -> bool:
    """Whether a path is the hidden folder of a draft, or in one."""
    return any(_HIDDEN.fullmatch(part) for part in path.parts)


def check_file(path: str | PathLike[str]) -> Path:
    """The real path of a file to write; a folder, a device or a pipe in its place is refused."""
    given = Path(path)  # the real path of /dev/stdout may not exist
    if given.exists() and not given.is_file():
        kind = "a folder" if given.is_dir() else "a device or a pipe, which cannot be replaced"
        raise OptionError(f"{os.fspath(path)!r} is {kind}; choose the name of a file")
    return real(path)


def check_folder(path: str | PathLike[str], *, overwrite: bool) -> Path:
    """The real path of a folder to write; an existing one is refused unless it may be replaced.

    It may be replaced with `overwrite`, if `hlta` wrote all that is in it, if anything, and it is no
    mount point. Any other folder may hold somebody's files.
    """
    target, name = real(path), repr(os.fspath(path))
    if not os.path.lexists(target):
        return target
    if not overwrite:
        raise OptionError(
            f"{name} exists; choose another folder, or overwrite it (--overwrite; in Python, "
            "overwrite=True)"
        )
    if not target.is_dir():
        raise OptionError(f"{name} is not overwritten, because it is not a folder; choose another")
    if os.path.ismount(target):
        raise OptionError(
            f"{name} is a mount point, which cannot be replaced; choose a folder in it"
        )
    for one in sorted(target.iterdir()):
        if not is_ours(one) and not _HIDDEN.fullmatch(one.name):
            raise OptionError(
                f"{name} is not overwritten, because it holds files other than hlta's, such as "
                f"{one.name!r}; choose another folder"
            )
    return target


def check_unlocked(path: str | PathLike[str]) -> None:
    """Refuse a file or folder that another run is writing."""
    if _draft_of(real(path)).exists():
        with drafting(real(path)):
            pass


def _draft_of(target: Path) -> Path:
    name, number = target.name[:40], crc32(os.fsencode(target.name))  # the name may be too long
    return target.with_name(f".{name}.{number:08x}.hlta-draft")


def _settle(draft: Path, target: Path) -> None:
    """Finish or undo the moves that a draft has begun, and delete all of it but its lock, if possible."""
    with suppress(OSError):
        if is_half_moved(target):
            _move(draft / "moving", target)
        if _is_own_folder(draft / "old") and not os.path.lexists(target):
            _rename(draft / "old", target)
        for one in draft.iterdir():
            if _is_own_folder(one):
                shutil.rmtree(one)
            elif one.name != "lock":
                one.unlink()


def _move(folder: Path, target: Path) -> None:
    """Move the files of a folder to their places beside the target; the target itself comes last."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name == target.name):
        place(file, target.with_name(file.name))


def _is_own_folder(path: Path) -> bool:
    """Whether this is a folder of this user, and no link to one."""
    with suppress(OSError):
        about = path.lstat()
        user = os.geteuid() if hasattr(os, "geteuid") else about.st_uid
        return stat.S_ISDIR(about.st_mode) and about.st_uid == user
    return False


def _keep_mode(new: Path, target: Path) -> None:
    if target.exists():
        new.chmod(target.stat().st_mode & 0o777)


def _rename(path: Path, target: Path) -> Path:
    for pause in (0.01, 0.1, 1.0) if sys.platform == "win32" else ():  # a virus scanner may open it
        with suppress(PermissionError):
            return path.replace(target)
        time.sleep(pause)
    return path.replace(target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders by one system call; False if there is none, or it fails."""
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    call = None if name is None else getattr(ctypes.CDLL(None), name, None)
    return call is not None and call(0, os.fsencode(one), 0, os.fsencode(other), 2) == 0


def _sync(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can be asked to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
