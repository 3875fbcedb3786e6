"""Files that replace others once they are complete: one, or several together."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hlta._support.writing import system
from hlta._support.writing.drafts import NEW, READY, drafting, is_in_draft, place
from hlta._support.writing.targets import beside_links, check_file
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from pathlib import Path
    from typing import BinaryIO


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; on an error `path` stays as it was."""
    target = check_file(path)
    if is_in_draft(target):  # of a folder: the file takes its place with it
        with _created(target) as file:
            yield file
        return
    with drafting(target) as draft:
        new = draft / NEW
        with _created(new) as file:
            yield file
        _keep_mode(new, target)
        system.rename(new, target)
        system.sync_folder(target.parent)


def write_text(path: str | PathLike[str] | None, text: str, errors: str = "strict") -> str:
    """Write a text to a file, in UTF-8, if one is given; and return the text."""
    if path is not None:
        with replacing(path) as file:
            file.write(text.encode("utf-8", errors))
    return text


@contextmanager
def replacing_together(path: str | PathLike[str], *, overwrite: bool = True) -> Iterator[Path]:
    """A folder for the file `path` and others, which replace those beside it, all or none.

    The files are moved to their places one after the other; if that is cut short, the next run that
    writes the target does the rest, and `reading_together` refuses them until then. Without
    `overwrite`, files that exist are refused. A link in the place of a file is replaced, and not what
    it leads to.
    """
    target = beside_links(path)
    with drafting(target) as draft:
        new = draft / NEW
        system.make_folder(new)
        yield new
        for file in new.iterdir():
            beside = target.with_name(file.name)
            check_file(beside)
            if os.path.lexists(beside) and not overwrite:
                raise OptionError(f"{str(beside)!r} exists now; choose another name")
            _keep_mode(file, beside)
        system.sync_folder(new)
        system.rename(new, draft / READY)
        for folder in (draft, target.parent):
            system.sync_folder(folder)
        place(draft, target)


@contextmanager
def _created(path: Path) -> Iterator[BinaryIO]:
    """A new file, which is on the disk when the block ends."""
    with system.create(path) as file:
        yield file
        system.sync(file)


def _keep_mode(new: Path, target: Path) -> None:
    """Give a new file the permissions of the one that it replaces."""
    if target.exists():
        system.set_mode(new, target.stat().st_mode & 0o777)
