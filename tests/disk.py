"""A disk that fails: the functions of `os` that change something on it, of which one goes wrong."""

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import pytest

from hlta._support import writing

NEED_ROOM: Final = ("open", "mkdir", "fsync")
OTHERS: Final = ("chmod", "replace", "unlink", "rmdir")


class Killed(BaseException):
    """The process has ended: nothing that it does from now on has an effect."""


class Disk:
    """Counts what is done, and lets the operation of a number fail, see the classes below."""

    def __init__(self, number: int = 0) -> None:
        self.number, self.done = number, list[str]()
        self.files: list[tuple[int, str]] = []  # a descriptor of each new file, and its name

    @property
    def struck(self) -> bool:
        return 0 < self.number <= len(self.done)

    def act(self, name: str, perform: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        self.done.append(name)
        if 0 < self.number <= len(self.done):
            self.fail(name, perform, *arguments)
        return perform(*arguments, **named)

    def fail(self, name: str, perform: Callable[..., Any], *arguments: Any) -> None:
        """What happens at the operation of the number and at all after it."""

    def end(self) -> None:
        """What happens when the process has ended."""


class FullDisk(Disk):
    """From some moment on there is no room: what needs it fails, deleting and renaming do not."""

    def fail(self, name: str, perform: Callable[..., Any], *arguments: Any) -> None:
        if name == "write":
            perform(arguments[0][: len(arguments[0]) // 2])
        if name in (*NEED_ROOM, "create", "write"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class BrokenDisk(Disk):
    """One operation fails."""

    def fail(self, *_: Any) -> None:
        if len(self.done) == self.number:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


class Kill(Disk):
    """The process is killed: a write was half done, and nothing after it is done."""

    def fail(self, name: str, perform: Callable[..., Any], *arguments: Any) -> None:
        if name == "write" and len(self.done) == self.number:
            perform(arguments[0][: len(arguments[0]) // 2])
        raise Killed


class PowerCut(Kill):
    """As `Kill`, and of files that were not synced nothing is left."""

    def end(self) -> None:
        for descriptor, _ in self.files:
            os.ftruncate(descriptor, 0)


class _File(io.FileIO):
    """A file whose writes are counted."""

    def __init__(self, path: Path, disk: Disk) -> None:
        super().__init__(path, "w+")
        self._disk = disk

    def write(self, data: Any) -> int:
        return int(self._disk.act("write", super().write, bytes(data)))


def files_in(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def draft_of(target: Path) -> Path:
    """Where what is to replace a target is written."""
    with writing.drafting(target) as draft:
        return draft


@contextmanager
def using(disk: Disk) -> Iterator[Disk]:
    """Let all that the package writes go to a disk."""
    fsync = os.fsync

    def create(path: Path, _: str) -> BinaryIO:
        def opened() -> BinaryIO:
            raw = _File(path, disk)
            disk.files.append((os.dup(raw.fileno()), os.fspath(path)))
            return io.BufferedRandom(raw)

        file: BinaryIO = disk.act("create", opened)
        return file

    def sync(descriptor: int) -> None:
        disk.act("fsync", fsync, descriptor)
        for one in list(disk.files):
            if os.path.samestat(os.fstat(one[0]), os.fstat(descriptor)):
                os.close(one[0])
                disk.files.remove(one)

    def counted(name: str, perform: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **named: disk.act(name, perform, *arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        for name in (*NEED_ROOM, *OTHERS):
            patch.setattr(os, name, counted(name, getattr(os, name)))
        patch.setattr(os, "fsync", sync)
        patch.setattr(writing, "_exchange", counted("exchange", writing._exchange))
        patch.setattr(writing, "open", create, raising=False)
        try:
            yield disk
        finally:
            if disk.struck:
                disk.end()
            for descriptor, _ in disk.files:
                os.close(descriptor)
