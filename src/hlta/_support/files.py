"""Files and folders that appear only once they are complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta.errors import FormatError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO

MODEL: Final = "model.hlta"
DOCUMENTS: Final = "documents.csv"
PAGE: Final = "index.html"
RUN: Final = "run.json"
CORPUS: Final = "corpus.json"
RESULTS: Final = frozenset({MODEL, "topics.json", "topics.csv", DOCUMENTS, PAGE, RUN})
"""What `hlta fit` writes into a folder."""


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; on an error `path` stays as it was."""
    target = Path(os.path.realpath(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target, 0o666))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def replacing_folder(path: str | PathLike[str], *, overwrite: bool) -> Iterator[Path]:
    """Make a folder that replaces `path` once it is complete; on an error `path` stays as it was.

    An existing folder is replaced only with `overwrite`, and only if it is empty or `hlta` wrote it:
    any other may hold somebody's files.
    """
    check_replaceable(path, overwrite=overwrite)
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", dir=target.parent))
    except OSError as error:
        raise OptionError(f"{str(target)!r} cannot be written: {error.strerror}") from None
    old = made.with_name(made.name + ".old")
    try:
        yield made
        made.chmod(_mode(target, 0o777))
        if target.exists():
            os.replace(target, old)
        os.replace(made, target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        if old.exists() and not target.exists():
            os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def check_replaceable(path: str | PathLike[str], *, overwrite: bool) -> None:
    """Refuse a folder that `replacing_folder` would not make or replace."""
    target = Path(path)
    if target.exists() and not overwrite:
        raise OptionError(f"{str(target)!r} exists; choose another folder, or overwrite it")
    if target.exists() and not _replaceable(target):
        raise OptionError(
            f"{str(target)!r} is not overwritten, because it holds other files than hlta's; choose "
            "another folder"
        )


def check_version(name: str, version: object, known: int) -> None:
    """Refuse a format version that this hlta does not read: it reads 1 to `known`."""
    if version not in range(1, known + 1):
        reads = "version 1" if known == 1 else f"versions 1 to {known}"
        raise FormatError(
            f"{name} has format version {version!r}, this hlta reads {reads}; "
            "use the hlta that wrote it, or a newer one"
        )


def _replaceable(target: Path) -> bool:
    """Whether a folder is empty, or holds only the files of a fit or of a corpus."""
    if not target.is_dir():
        return False
    names = {path.name for path in target.iterdir()}
    arrays = all(name.endswith(".npy") for name in names - {CORPUS})
    return names <= RESULTS or (CORPUS in names and arrays)


def _mode(target: Path, usual: int) -> int:
    """The permissions of what will be replaced, or those that a new file or folder gets."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return usual & ~mask
