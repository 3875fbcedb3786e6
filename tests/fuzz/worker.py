"""The process in which targets run, and may crash, hang or run out of memory.

It reads jobs from standard input, `name begin end` in a line, and answers each with a line. How far it
is stands in an array on disk, `Progress`, which tells the number of the input at which it died.
"""

import faulthandler
import re
import resource
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hlta import ClippedProbabilityWarning, HltaError
from tests.fuzz.targets import NonsenseError, targets_in

KINDS: Final = ("results", "refused", "tracebacks", "memory", "nonsense")
MEMORY: Final = 2 << 30  # bytes that it may take
_KEPT: Final = 3  # findings of a kind and place that are kept by one process
_KINDS: Final[dict[type[BaseException], str]] = {MemoryError: "memory", NonsenseError: "nonsense"}
_NUMBERS: Final = re.compile(r"\d+")


def progress_in(folder: Path, mode: str = "r+") -> NDArray[np.int64]:
    """The number of the input that is used, and how many there were of each kind, on disk."""
    shape = (1 + len(KINDS),)
    return np.memmap(folder / "progress", dtype=np.int64, mode=mode, shape=shape)  # type: ignore[call-overload, no-any-return]


def random_of(seed: int, name: str, number: int) -> Random:
    """The random numbers that make an input."""
    return Random(f"{seed} {name} {number}")


class Worker:
    """Uses inputs one by one, and keeps what is found.

    folder    for its own files, among them what was written for the last input
    findings  the folder for findings
    seed      of the random numbers that make the inputs
    limit     seconds that an input may take
    modules   where the targets are
    """

    def __init__(
        self, folder: Path, findings: Path, seed: int, limit: float, modules: list[str]
    ) -> None:
        self._folder, self._findings, self._seed, self._limit = folder, findings, seed, limit
        self._targets = targets_in(modules)
        self._progress = progress_in(folder)
        self._seen: dict[str, int] = {}

    def run(self, name: str, begin: int, end: int) -> None:
        """Use the inputs of a target with these numbers."""
        scratch = self._folder / name
        scratch.mkdir(exist_ok=True)
        use = self._targets[name].use
        with (self._folder / "stack").open("w") as stack:
            for number in range(begin, end):
                self._progress[0] = number
                faulthandler.dump_traceback_later(self._limit, exit=True, file=stack)
                kind, shown = _outcome(use, random_of(self._seed, name, number), scratch)
                self._progress[1 + KINDS.index(kind)] += 1
                if shown:
                    self._keep(f"{name}-{number}-{kind}", shown, scratch)
            faulthandler.cancel_dump_traceback_later()

    def _keep(self, label: str, shown: str, scratch: Path) -> None:
        """Keep a finding, unless there are some of the same place already."""
        place = _NUMBERS.sub("", "".join(shown.splitlines(keepends=True)[-4:-1]))
        self._seen[place] = self._seen.get(place, 0) + 1
        if self._seen[place] <= _KEPT:
            keep(self._findings / label, shown, scratch)


def keep(folder: Path, shown: str, scratch: Path) -> None:
    """Write a finding: its report, and the files that were written for the input."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.txt").write_text(shown, errors="backslashreplace")
    if scratch.exists():
        shutil.copytree(scratch, folder / "input", dirs_exist_ok=True, symlinks=True)


def _outcome(use: Callable[[Random, Path], None], rng: Random, scratch: Path) -> tuple[str, str]:
    """What became of an input, of `KINDS`, and what there is to tell of it."""
    try:
        use(rng, scratch)
    except HltaError:
        return "refused", ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return _KINDS.get(type(error), "tracebacks"), traceback.format_exc()
    return "results", ""


def main(folder: str, findings: str, seed: str, limit: str, *modules: str) -> None:
    """Do jobs until there are no more."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", ClippedProbabilityWarning)
    with (Path(folder) / "fault").open("w") as fault:
        faulthandler.enable(fault)
        worker = Worker(Path(folder), Path(findings), int(seed), float(limit), [*modules])
        for line in sys.stdin:
            name, begin, end = line.split()
            worker.run(name, int(begin), int(end))
            sys.stdout.write("done\n")
            sys.stdout.flush()
        faulthandler.disable()


if __name__ == "__main__":
    main(*sys.argv[1:])
