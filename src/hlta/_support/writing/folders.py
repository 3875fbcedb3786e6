"""Folders that replace others once they are complete."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hlta._support.writing import system
from hlta._support.writing.drafts import NEW, OLD, SWAP, drafting
from hlta._support.writing.targets import check_folder, parents_of, real

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


@contextmanager
def replacing_folder(path: str | PathLike[str], *, overwrite: bool) -> Iterator[Path]:
    """Make a folder that replaces `path` once it is complete; on an error `path` stays as it was.

    An existing folder is replaced only with `overwrite`, and only if it is empty or `hlta` wrote all
    that is in it, see `check_folder`. What others put into it meanwhile is kept.
    """
    target = check_folder(path, overwrite=overwrite)
    with parents_of(target), drafting(target) as draft:
        system.make_folder(draft / NEW)
        yield draft / NEW
        if not overwrite:  # it may be there by now
            check_folder(path, overwrite=False)
        _replace(draft, target)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone when the block ends."""
    with system.create_scratch_folder() as name:
        yield Path(name)


@contextmanager
def scratch_folder(beside: str | PathLike[str]) -> Iterator[Path]:
    """A folder beside a path, for what is needed for a while; it is gone in the end.

    If the process is killed, the next one that needs a folder beside the same path clears it.
    """
    target = real(beside)
    with parents_of(target), drafting(target) as draft:
        system.make_folder(draft / NEW)
        yield draft / NEW


def _replace(draft: Path, target: Path) -> None:
    """Put the new folder in the place of the target, which is never missing or half there."""
    swap = draft / SWAP
    system.sync_folder(draft / NEW)
    if target.exists():
        system.set_mode(draft / NEW, target.stat().st_mode & 0o777)
    system.rename(draft / NEW, swap)
    if not target.exists():
        system.rename(swap, target)
    elif not system.exchange(swap, target):
        system.rename(target, draft / OLD)
        system.rename(swap, target)
    for folder in (target.parent, draft):
        system.sync_folder(folder)
