"""The files that are given by one path, by several, by patterns, or as a folder."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from hlta._support.formats import KEPT_FOR_SERVING, MODEL
from hlta.errors import DocumentsError

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
"""A path, or several; any may be a pattern, such as "*.csv"."""


class File(NamedTuple):
    """A file among others.

    path   where it is
    shown  its path from the folder, or as it was given; the id of its document
    group  the first folder below the given one; of several paths, the given folder; "" if there is none
    """

    path: str
    shown: str
    group: str


def expand_paths(given: Paths) -> list[str]:
    """The paths that are given, each once; patterns that the shell did not expand are expanded."""
    several = not isinstance(given, (str, os.PathLike)) and isinstance(given, Iterable)
    names = [os.fspath(path) for path in given] if several else [os.fspath(given)]  # type: ignore
    if not names:
        raise DocumentsError("there is no path; give a file or a folder")
    if "-" in names and len(names) > 1:
        raise DocumentsError("-, standard input, must be the only path; leave out the others")
    return list(dict.fromkeys(path for name in names for path in _matches(name)))


def _matches(name: str) -> list[str]:
    if name == "-" or os.path.lexists(name):
        return [name]
    if _ADDRESS.match(name):
        raise DocumentsError(f"{name!r} is an address, and only files are read; download it first")
    if not glob.has_magic(name):
        raise DocumentsError(f"{name!r} does not exist; give a file or a folder")
    found = sorted(glob.glob(name, recursive=True))
    if not found:
        raise DocumentsError(f"{name!r} matches no file; check the pattern and the folder")
    return found


def is_alone(names: Sequence[str]) -> bool:
    """Whether these paths are a single file."""
    return len(names) == 1 and not os.path.isdir(names[0])


def files_among(names: Sequence[str], leave: Callable[[str, str], None]) -> Iterator[File]:
    """The files of a folder, or of several paths."""
    return files_in(names[0], leave) if len(names) == 1 else files_of(names, leave)


def files_of(names: Iterable[str], leave: Callable[[str, str], None]) -> Iterator[File]:
    """The files of several paths, folders among them, in order."""
    for name in names:
        if not os.path.isdir(name):
            yield File(name, name, "")
            continue
        group = os.path.basename(os.path.abspath(name))
        for file in files_in(name, leave):
            shown = os.path.join(name, file.shown)
            yield File(file.path, shown, group)


def files_in(folder: str, leave: Callable[[str, str], None]) -> Iterator[File]:
    """The files of a folder and of all folders below, in order; the first folder below is the group."""

    def leave_folder(error: OSError) -> None:
        leave(os.path.relpath(error.filename, folder), error.strerror or str(error))

    for root, folders, names in os.walk(folder, onerror=leave_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        within = os.path.relpath(root, folder) if root != folder else ""
        if MODEL in names:
            leave(within or ".", "it holds results of hlta")
            folders.clear()
            continue
        for name in folders:
            if os.path.islink(os.path.join(root, name)):
                reason = "it is a link to a folder; name that folder itself"
                leave(os.path.join(within, name), reason)
        for name in sorted(names):
            shown = os.path.join(within, name)
            if name.startswith((".", "~$")):  # "~$": beside a document that is open in Word
                leave(shown, "hidden files are not read")
            elif name.endswith(KEPT_FOR_SERVING):
                leave(shown, "hlta serve keeps it beside a model")
            else:
                yield File(os.path.join(root, name), shown, within.split(os.sep, 1)[0])
