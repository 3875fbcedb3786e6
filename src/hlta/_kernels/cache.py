"""Compiled kernels are kept on disk, where this user or root can write and nobody else.

What is kept is a pickle, so whoever can write it can run code. Each file begins with a hash of
all that it was compiled from and of what follows: a stale or damaged file is not used, and is
written again. Numba's own cache notices neither damage nor a change of a function that is called.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_HERE: Final = Path(__file__).parent
_PYTHON: Final = str(sys.implementation.cache_tag)
_HASH: Final = 32  # bytes


class KernelCache:
    """The compiled code of one function, as Numba's dispatchers ask for it and hand it over."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._source = Path(function.__code__.co_filename)
        self._name = function.__qualname__.replace("<", "").replace(">", "")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The code for these types, or None."""
        from numba.core.compiler import CompileResult

        target.refresh()
        rebuild: Any = CompileResult._rebuild
        for folder in filter(_is_private, _folders()):
            file = folder / self._file(signature, target.codegen())
            with suppress(OSError):
                kept = file.read_bytes()
                if _is_private(file) and kept[:_HASH] == self._hash(kept[_HASH:]):
                    self._mark_as_current(file)
                    return rebuild(target, *pickle.loads(kept[_HASH:]))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the code for these types, if there is a place for it."""
        from numba.core import serialize

        dumps: Any = serialize.dumps
        content = dumps(compiled._reduce())
        with suppress(OSError):
            if folder := writable_folder():
                file = folder / self._file(signature, compiled.codegen)
                _write(file, self._hash(content) + content)
                return
        _warn_that_nothing_is_kept()

    def _mark_as_current(self, file: Path) -> None:
        """Make a file newer than a source that was written again without a change; see `is_kept`."""
        if file.stat().st_mtime < self._source.stat().st_mtime:
            with suppress(OSError):  # it is root's
                os.utime(file)

    def _file(self, signature: Any, codegen: Any) -> str:
        """The name of the file: of the function, and of what it is compiled for."""
        import numba

        config: Any = numba.config
        how = signature, codegen.magic_tuple(), config.BOUNDSCHECK, config.OPT
        key = sha256(repr(how).encode()).hexdigest()[:16]
        return f"{self._source.stem}.{self._name}.{_PYTHON}.{key}.nbc"

    def _hash(self, content: bytes) -> bytes:
        return sha256(_stamp(self._source.parent) + content).digest()


def writable_folder() -> Path | None:
    """The first of the folders that can be written to; folders are made if need be."""
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if _is_private(folder) and os.access(folder, os.W_OK):
            return folder
    return None


def is_kept(module: str) -> bool:
    """Whether there is code of a module that is not older, as far as can be seen without Numba."""
    pattern = f"{module}.*.{_PYTHON}.*.nbc"
    found = (file for folder in filter(_is_private, _folders()) for file in folder.glob(pattern))
    source = _HERE / f"{module}.py"
    return max((file.stat().st_mtime for file in found), default=0.0) >= source.stat().st_mtime


def _folders() -> list[Path]:
    """`NUMBA_CACHE_DIR`, or beside the modules and in the user's cache, whether they exist or not."""
    name = f"{_HERE.name}_{sha256(os.fsencode(_HERE)).hexdigest()[:16]}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(chosen, name)]
    own = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [_HERE / "__pycache__", *([Path(own, "hlta", name)] if os.path.isabs(own) else [])]


def _is_private(path: Path) -> bool:
    """Whether only this user and root can write to it; Windows keeps the user's folders so."""
    try:
        found = path.stat()
    except OSError:
        return False
    if sys.platform == "win32":
        return True
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & 0o022


@cache
def _stamp(room: Path) -> bytes:
    """A hash of all that code is compiled from: kernels and what they import, and the compiler."""
    import llvmlite
    import numba
    import numpy as np

    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    digest = sha256(repr(versions).encode())
    for file in sorted({*_HERE.glob("*.py"), *room.glob("*.py")}):
        digest.update(sha256(file.read_bytes()).digest())
    return digest.digest()


def _write(file: Path, content: bytes) -> None:
    """Put the content into a file, which appears when it is complete."""
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".nbc")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, file)
    finally:
        Path(temporary).unlink(missing_ok=True)


@cache
def _warn_that_nothing_is_kept() -> None:
    warnings.warn(
        "compiled code cannot be kept, so each run takes seconds longer; set NUMBA_CACHE_DIR to "
        "a folder that only you can write to",
        UserWarning,
        stacklevel=2,
    )
