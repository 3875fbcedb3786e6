"""Is anything lost when commands are killed at random moments?

    python -m benchmarks.kills [--kills 500] [--seed 0] [WAY ...]

Each way to write (those of `tests/test_writing.py`: save, fit, convert, edit, ...) runs as a process
of its own, again and again, over an old target, and gets SIGKILL: at any moment, or soon after it
began to write, or while it moves what is written to its place. Then the target must be as it was or
as it would have been, and after one run that ends nothing else may be left.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta.cli.first_run import compiled_modules
from tests.scanning import TEXTS
from tests.test_writing import TOGETHER, WAYS, content, debris, prepare, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.test_writing import Way

WRITING: Final = 0.1  # seconds that a command writes, at most, on a busy machine


class Run:
    """A way to write, in a process of its own."""

    def __init__(self, way: Way, folder: Path) -> None:
        self.code: int | None = None
        self._pid = os.fork()  # without the seconds of imports; nothing else runs in this process
        if self._pid == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                way(folder)
            except BaseException:
                os._exit(1)
            os._exit(0)

    def ended(self) -> bool:
        if self.code is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None

    def wait(self, until: Callable[[], bool] = lambda: False, longest: float = 60.0) -> int | None:
        """Wait until something has happened, or the process has ended, or it takes too long."""
        end = time.perf_counter() + longest
        while not self.ended() and not until() and time.perf_counter() < end:
            time.sleep(0.0005)
        return self.code

    def kill(self) -> int | None:
        if not self.ended():
            os.kill(self._pid, signal.SIGKILL)
        return self.wait()


def in_drafts(folder: Path) -> set[str]:
    """The names of all files and folders in drafts."""
    walk = os.walk(folder)
    return {one for place, *names in walk if "hlta-draft" in place for one in chain(*names)}


def killed(way: Way, folder: Path, longest: float, rng: random.Random) -> bool:
    """Kill a run at any moment, or once it writes, or once it moves; False if it ended before."""
    process = Run(way, folder)
    moment = rng.randrange(3 if way in TOGETHER else 2)
    if moment == 1:
        process.wait(lambda: not in_drafts(folder) <= {"lock", "new"})
        longest = WRITING
    if moment == 2:
        process.wait(lambda: "moving" in in_drafts(folder))
        longest = 0.001
    process.wait(longest=rng.uniform(0.0, longest))
    return process.kill() != 0


def try_way(way: Way, start: Path, folder: Path, kills: int, rng: random.Random) -> Counter[str]:
    """Kill runs of a way so often, and count what the targets were then."""
    old = content(start)
    shutil.copytree(start, folder)
    began = time.perf_counter()
    assert Run(way, folder).wait() == 0
    longest = time.perf_counter() - began
    new = content(folder)
    found = Counter[str]()
    while found["kills"] < kills:
        shutil.rmtree(folder)
        shutil.copytree(start, folder)
        if not killed(way, folder, longest, rng):
            found["ended before"] += 1
            continue
        found["kills"] += 1
        found["with a draft left"] += bool(debris(folder))
        settle(folder)
        now = content(folder)
        found["old" if now == old else "new" if now == new else "LOST"] += 1
        if now not in (old, new):
            print(f"{way.__name__}: neither old nor new; see {folder}", flush=True)
            raise SystemExit(1)
        if Run(way, folder).wait() != 0 or debris(folder):
            found["DEBRIS"] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("ways", nargs="*", metavar="WAY")
    chosen = parser.parse_args()
    ways = [way for way in WAYS if way.__name__ in chosen.ways or not chosen.ways]
    rng = random.Random(chosen.seed)
    total = Counter[str]()
    place = Path(tempfile.mkdtemp(prefix="kills-"))
    texts = place / "texts.csv"
    texts.write_text("text\n" + "\n".join(f'"{text}"' for text in TEXTS))
    fitted = place / "fitted"
    fit = ("fit", str(texts), "-o", str(fitted), "-q", "--samples", "1")
    subprocess.run([sys.executable, "-m", "hlta", *fit], check=True)
    for module in ("polars", "hlta.estimator", *compiled_modules()):
        import_module(module)
    for way in ways:
        start = place / f"{way.__name__} start"
        prepare(start, way, fitted, texts)
        found = try_way(way, start, place / way.__name__, -(-chosen.kills // len(ways)), rng)
        total += found
        print(f"{way.__name__}: {dict(found)}", flush=True)
    print(f"all: {dict(total)}")
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
