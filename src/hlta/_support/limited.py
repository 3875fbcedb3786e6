"""Python programs with a memory limit; run as a program, this module sets the limit and runs one."""

from __future__ import annotations

import runpy
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST: Final = 300.0  # seconds for an answer


def start(program: Path, package: str, *arguments: str, memory: int) -> Any:
    """Start a program with pipes and at most `memory` bytes; None if `package` is not installed.

    Python isolates it (option -I): it imports nothing from the current folder or PYTHONPATH. So its
    first argument is the folder that holds the package.
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
    """The next message of a program, to which `asked` is written before: a letter and bytes.

    None if the program crashed, or was killed because it took minutes. Raises OSError if `asked` cannot
    be written.
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
    """Limit the address space of this process to `most` bytes, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    limit = most if allowed == resource.RLIM_INFINITY else min(allowed, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, allowed))


def end_with_parent() -> None:
    """End this process at any time when the process at the other end of its standard input ends.

    That process may be killed, and then cannot end its children itself.
    """
    import os
    import select
    from threading import Thread

    if not hasattr(select, "poll"):  # on Windows
        return
    polling = select.poll()
    polling.register(sys.stdin.fileno(), 0)  # for nothing but a closed pipe

    def watch() -> None:
        polling.poll()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    end_with_parent()
    limit_memory(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")
