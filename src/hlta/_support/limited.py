"""Programs in Python that may take only so much memory; run as a program, this module runs them."""

from __future__ import annotations

import runpy
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST: Final = 300.0  # seconds for an answer


def start(program: Path, package: str, *arguments: str, memory: int) -> Any:
    """Start a program, which may take so many bytes and has pipes; None if it lacks its package.

    Its first argument is the folder that the package is in: it imports nothing from other places, such
    as the current folder, but the standard library.
    """
    from importlib.util import find_spec
    from pathlib import Path
    from subprocess import DEVNULL, PIPE, Popen

    found = find_spec(package)
    if found is None or found.origin is None:
        return None
    folder = str(Path(found.origin).parents[1])
    command = [sys.executable, "-I", __file__, str(memory), str(program), folder, *arguments]
    return Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)


def answer(process: Any, asked: bytes = b"") -> tuple[bytes, bytes] | None:
    """The next message of a program, of which something is asked before: a letter and bytes.

    None if it crashed, or is ended because it takes minutes. OSError if it cannot be asked.
    """
    from threading import Timer

    timer = Timer(_LONGEST, process.kill)
    timer.start()
    try:
        if asked:
            process.stdin.write(asked)
            process.stdin.flush()
        head = process.stdout.read(9)
        length = int.from_bytes(head[1:], "little")
        data = process.stdout.read(length)
    finally:
        timer.cancel()
    return (head[:1], data) if head and len(data) == length else None


def limit_memory(most: int) -> None:
    """End rather than take more than a number of bytes of addresses, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    limit = most if allowed == resource.RLIM_INFINITY else min(allowed, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, allowed))


def end_with_parent() -> None:
    """End, whatever runs meanwhile, when the program that has the other end of standard input ends.

    It may be killed, and so cannot end its children itself.
    """
    import os
    import select
    from threading import Thread

    if not hasattr(select, "poll"):  # on Windows
        return
    polling = select.poll()
    polling.register(sys.stdin.fileno(), 0)  # for nothing but its end

    def watch() -> None:
        polling.poll()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    end_with_parent()
    limit_memory(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")
