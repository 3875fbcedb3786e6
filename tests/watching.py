"""A watch on what the interpreter does: connections, modules that pickles name, and writing."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

_CONNECTING: Final = frozenset({"socket.connect", "socket.sendto", "socket.getaddrinfo"})
_RUNNING: Final = frozenset({"os.system", "os.exec", "os.posix_spawn", "subprocess.Popen"})
_CHANGING: Final = {"os.rename": 2, "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1, "os.chmod": 1}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_COMPILERS: Final = (f"{os.sep}numba{os.sep}", os.path.join("_kernels", "cache.py"))
"""Parts of the names of modules that keep compiled code where nobody else can write."""

_watched: list["_Watch"] = []


class HarmError(BaseException):
    """Something was done that no file may bring about; nothing catches it on the way."""


class _Watch:
    """What may be written, and what was done that may not be."""

    def __init__(self, *places: Path) -> None:
        self._places = tuple(os.path.join(os.path.realpath(place), "") for place in places)
        self.harm: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CONNECTING or event in _RUNNING:
            self._note(f"{event} {arguments!r:.200}")
        elif event == "pickle.find_class" and not _is_compiling(sys._getframe(2)):
            self._note(f"a pickle names {arguments!r:.200}")
        elif event in _CHANGING:
            for path in arguments[: _CHANGING[event]]:
                self._check_place(path, event, arguments[-1])
        elif event == "open" and arguments[2] & _WRITING:
            self._check_place(arguments[0], event)

    def _check_place(self, path: Any, event: str, inside: int = -1) -> None:
        if isinstance(path, int) or os.fspath(path) == os.devnull:
            return
        if inside >= 0:  # a descriptor of the folder from which the path starts
            if sys.platform != "linux":
                return
            path = os.path.join(os.readlink(f"/proc/self/fd/{inside}"), os.fsdecode(path))
        folder, name = os.path.split(os.fsdecode(path))  # a link is replaced or deleted itself
        full = os.path.join(os.path.realpath(folder), name)
        if event == "open":
            full = os.path.realpath(full)
        compiled = "__pycache__" in Path(full).parts or _is_compiling(sys._getframe(3))
        if not full.startswith(self._places) and not compiled:
            self._note(f"{event} {full}")

    def _note(self, harm: str) -> None:
        self.harm.append(harm)
        raise HarmError(harm)


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _COMPILERS):
            return True
        frame = frame.f_back
    return False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    for watch in _watched:
        watch(event, arguments)


sys.addaudithook(_hook)  # there is no way to remove one


@contextmanager
def watching(*places: Path) -> Iterator[None]:
    """Fail at a connection, a process, a pickle that names something, or writing outside some places."""
    watch = _Watch(*places)
    _watched.append(watch)
    try:
        yield
    finally:
        _watched.remove(watch)
    if watch.harm:
        raise HarmError(watch.harm[0])
