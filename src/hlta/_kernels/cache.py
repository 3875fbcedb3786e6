"""The cache of compiled kernels on disk, in folders that only this user and root can write to.

Cached code is a pickle, so whoever can write the file can run code. Each file begins with a hash of
its content and of all that it was compiled from: a stale or damaged file is ignored and replaced.
Numba's own cache notices neither damage nor a change of a called function.
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
    """The cached code of one function, with the methods that Numba's dispatchers call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._source = Path(function.__code__.co_filename)
        self._name = function.__qualname__.replace("<", "").replace(">", "")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The cached code for these types, or None if there is no valid file."""
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
        """Write the code for these types to the cache, or warn that it cannot be written."""
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
        """Touch a valid file that is older than its source, which `is_kept` would count as stale."""
        if file.stat().st_mtime < self._source.stat().st_mtime:
            with suppress(OSError):  # the file is root's
                os.utime(file)

    def _file(self, signature: Any, codegen: Any) -> str:
        """The file's name: the function, the Python version, and a hash of types, CPU and options."""
        import numba

        config: Any = numba.config
        how = signature, codegen.magic_tuple(), config.BOUNDSCHECK, config.OPT
        key = sha256(repr(how).encode()).hexdigest()[:16]
        return f"{self._source.stem}.{self._name}.{_PYTHON}.{key}.nbc"

    def _hash(self, content: bytes) -> bytes:
        return sha256(_stamp(self._source.parent) + content).digest()


def writable_folder() -> Path | None:
    """The first cache folder that is private and writable, or None; missing folders are created."""
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if _is_private(folder) and os.access(folder, os.W_OK):
            return folder
    return None


def is_kept(module: str) -> bool:
    """Whether any cached code of a module is at least as new as its source; this needs no Numba."""
    pattern = f"{module}.*.{_PYTHON}.*.nbc"
    found = (file for folder in filter(_is_private, _folders()) for file in folder.glob(pattern))
    source = _HERE / f"{module}.py"
    return max((file.stat().st_mtime for file in found), default=0.0) >= source.stat().st_mtime


def _folders() -> list[Path]:
    """Folders, existing or not: in `NUMBA_CACHE_DIR`, else beside the modules and in the user's cache."""
    name = f"{_HERE.name}_{sha256(os.fsencode(_HERE)).hexdigest()[:16]}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(chosen, name)]
    own = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [_HERE / "__pycache__", *([Path(own, "hlta", name)] if os.path.isabs(own) else [])]


def _is_private(path: Path) -> bool:
    """Whether only this user and root can write to a path; on Windows, assumed of any that exists."""
    try:
        found = path.stat()
    except OSError:
        return False
    if sys.platform == "win32":
        return True
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & 0o022


@cache
def _stamp(room: Path) -> bytes:
    """A hash of the sources here and in `room`, and of the versions of Python, NumPy and the compiler."""
    import llvmlite
    import numba
    import numpy as np

    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    digest = sha256(repr(versions).encode())
    for file in sorted({*_HERE.glob("*.py"), *room.glob("*.py")}):
        digest.update(sha256(file.read_bytes()).digest())
    return digest.digest()


def _write(file: Path, content: bytes) -> None:
    """Write a file so that it appears only when it is complete."""
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
