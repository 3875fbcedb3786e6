"""Compiled kernels are kept on disk, where this user or root can write and nobody else.

What is kept is a pickle, so whoever can write it can run code. Each file begins with a hash of
all that it was compiled from and of what follows: a stale or damaged file is not used, and is
written again.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from stat import S_IWGRP, S_IWOTH
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_HERE: Final = Path(__file__).parent
_HASH: Final = 32  # bytes
_LONGEST_WRITE: Final = 60.0  # seconds
_PYTHON: Final = str(sys.implementation.cache_tag)


class KernelCache:
    """The compiled code of one function, as Numba's dispatchers ask for it and hand it over."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._source = Path(function.__code__.co_filename)
        self._name = function.__qualname__.replace("<", "").replace(">", "")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The code for these types, or None."""
        from numba.core.compiler import CompileResult

        target.refresh()
        for folder in folders(self._source):
            kept = _read(folder / self._file(signature, target.codegen()), _stamp(self._source))
            if kept is not None:
                rebuild: Any = CompileResult._rebuild
                return rebuild(target, *pickle.loads(kept))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the code for these types, if there is a place for it."""
        from numba.core import serialize

        dumps: Any = serialize.dumps
        folder = writable_folder(self._source)
        file = self._file(signature, compiled.codegen)
        content = dumps(compiled._reduce())
        if folder is None or not _write(folder / file, _stamp(self._source), content):
            _warn_that_nothing_is_kept()

    def _file(self, signature: Any, codegen: Any) -> str:
        """The name of the file: of the function, and of what it is compiled for."""
        import numba

        config: Any = numba.config
        how = signature, codegen.magic_tuple(), config.BOUNDSCHECK, config.OPT
        key = sha256(repr(how).encode()).hexdigest()[:16]
        return f"{self._source.stem}.{self._name}.{_PYTHON}.{key}.nbc"


def folders(source: Path) -> list[Path]:
    """Where code of a module may be: `NUMBA_CACHE_DIR`, or beside the module and in the user's cache.

    Folders that others can write to are left out, and so are those that do not exist.
    """
    return [folder for folder in _candidates(source) if _is_private_folder(folder)]


def writable_folder(source: Path) -> Path | None:
    """The first of the folders that can be written to; folders are made if need be."""
    for folder in _candidates(source):
        with suppress(OSError):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if _is_private_folder(folder) and os.access(folder, os.W_OK):
            return folder
    return None


def is_kept(source: Path) -> bool:
    """Whether there is code of a module that is not older, as far as can be seen without Numba."""
    pattern = f"{source.stem}.*.{_PYTHON}.*.nbc"
    found = (file.stat().st_mtime for folder in folders(source) for file in folder.glob(pattern))
    return max(found, default=0.0) >= source.stat().st_mtime


def _candidates(source: Path) -> list[Path]:
    room = source.parent
    name = f"{room.name}_{sha256(os.fsencode(room.absolute())).hexdigest()[:16]}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(chosen, name)]
    own = _user_cache()
    return [room / "__pycache__", *([] if own is None else [own / "hlta" / name])]


def _user_cache() -> Path | None:
    """Where this user's programs keep what they can make again, if the user has a home."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        usual = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        usual = str(home / "Library" / "Caches")
    else:
        usual = os.environ.get("XDG_CACHE_HOME") or str(home / ".cache")
    return Path(usual) if os.path.isabs(usual) and home.is_dir() else None


def _is_private_folder(folder: Path) -> bool:
    try:
        return _is_private(folder.stat())
    except OSError:
        return False


def _is_private(found: os.stat_result) -> bool:
    """Whether nobody but this user and root can write it; Windows keeps the user's folders so."""
    if sys.platform == "win32":
        return True
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & (S_IWGRP | S_IWOTH)


@cache
def _stamp(source: Path) -> bytes:
    """A hash of all that code is compiled from: kernels and what they import, and the compiler."""
    import llvmlite
    import numba
    import numpy as np

    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    digest = sha256(repr(versions).encode())
    for file in sorted({*_HERE.glob("*.py"), *source.parent.glob("*.py")}):
        digest.update(sha256(file.read_bytes()).digest())
    return digest.digest()


def _read(file: Path, stamp: bytes) -> bytes | None:
    """What was kept in a file, unless it is missing, stale, damaged, or could be another user's."""
    try:
        with file.open("rb") as opened:
            if not _is_private(os.fstat(opened.fileno())):
                return None
            signed, content = opened.read(_HASH), opened.read()
    except OSError:
        return None
    return content if signed == _signature(stamp, content) else None


def _write(file: Path, stamp: bytes, content: bytes) -> bool:
    """Put the content into a file, which appears when it is complete; False if that fails."""
    temporary = None
    try:
        _clear(file.parent)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".nbc")
        with os.fdopen(handle, "wb") as opened:
            opened.write(_signature(stamp, content) + content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, file)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        return False
    return True


def _clear(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote; others take less than a minute."""
    for left in folder.glob(".*.nbc"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - _LONGEST_WRITE:
                left.unlink()


def _signature(stamp: bytes, content: bytes) -> bytes:
    return sha256(stamp + content).digest()


@cache
def _warn_that_nothing_is_kept() -> None:
    warnings.warn(
        "compiled code cannot be kept, so each run takes seconds longer; set NUMBA_CACHE_DIR to "
        "a folder that only you can write to",
        UserWarning,
        stacklevel=2,
    )
