"""Runs targets in processes that may die, and counts what became of the inputs."""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Final, NamedTuple

from tests.fuzz.targets import MODULES
from tests.fuzz.worker import KINDS, keep, progress_in

ROOT: Final = Path(__file__).parents[2]
FOUND: Final = ("crashes", "hangs", *KINDS[2:])
"""The kinds of findings."""
_MEMORY: Final = Path("/dev/shm")  # a folder in memory, where there is one
_HUNG: Final = 1  # what a process returns that ends itself because an input takes too long


class Job(NamedTuple):
    """Inputs of a target, by their numbers."""

    name: str
    begin: int
    end: int


class Runner:
    """Uses inputs in processes of its own, several at a time.

    counts  by target, how many inputs there were of each kind
    """

    def __init__(
        self,
        findings: Path,
        *,
        seed: int = 0,
        limit: float = 20.0,
        modules: Iterable[str] = MODULES,
    ) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self._findings = findings
        self._arguments = [str(findings), str(seed), str(limit), *modules]
        self._lock = Lock()

    def run(
        self, jobs: Iterable[Job], processes: int = 1, stop: Callable[[], bool] = lambda: False
    ) -> None:
        """Do all jobs, unless told to stop before the next."""
        waiting: SimpleQueue[Job] = SimpleQueue()
        for job in jobs:
            waiting.put(job)
        with ThreadPoolExecutor(processes) as pool:
            for done in [pool.submit(self._work, waiting, stop) for _ in range(processes)]:
                done.result()

    def _work(self, waiting: SimpleQueue[Job], stop: Callable[[], bool]) -> None:
        place = _MEMORY if _MEMORY.is_dir() else None
        with tempfile.TemporaryDirectory(prefix="hlta-fuzz-", dir=place) as name:
            folder = Path(name)
            progress = progress_in(folder, "w+")
            rest: Job | None = None
            while rest or not (stop() or waiting.empty()):
                with self._process(folder) as process:
                    rest = self._until_it_dies(process, progress, folder, rest, waiting, stop)

    def _until_it_dies(
        self,
        process: Any,
        progress: Any,
        folder: Path,
        job: Job | None,
        waiting: SimpleQueue[Job],
        stop: Callable[[], bool],
    ) -> Job | None:
        """Give a process jobs; what is left of the one at which it died, if it did."""
        while job := job or _next(waiting, stop):
            progress[:] = [job.begin - 1, *(0 for _ in KINDS)]
            answer = self._ask(process, job)
            self._count(job.name, dict(zip(KINDS, progress[1:].tolist(), strict=True)))
            if not answer:
                return self._died(process, job, int(progress[0]), folder)
            job = None
        return None

    def _ask(self, process: Any, job: Job) -> str:
        """What a process answers to a job; nothing if it died."""
        try:
            process.stdin.write(f"{job.name} {job.begin} {job.end}\n")
            process.stdin.flush()
        except OSError:
            return ""
        answer: str = process.stdout.readline()
        return answer

    def _died(self, process: Any, job: Job, number: int, folder: Path) -> Job | None:
        """Keep the input at which a process died; the inputs that are left."""
        code = process.wait()
        shown = "".join((folder / name).read_text() for name in ("errors", "fault", "stack"))
        if number < job.begin:
            raise RuntimeError(f"the process for {job.name} did not begin: {shown}")
        kind = "hangs" if code == _HUNG else "crashes"
        self._count(job.name, {kind: 1})
        label = f"{job.name}-{number}-{kind}"
        keep(self._findings / label, f"ended with {code}\n{shown}", folder / job.name)
        return job._replace(begin=number + 1) if number + 1 < job.end else None

    def _count(self, name: str, kinds: dict[str, int]) -> None:
        with self._lock:
            self.counts.setdefault(name, Counter()).update(kinds)

    @contextmanager
    def _process(self, folder: Path) -> Iterator[Any]:
        with (
            (folder / "errors").open("w") as errors,
            subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.worker", str(folder), *self._arguments],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as process,
        ):
            try:
                yield process
            finally:
                process.kill()


def _next(waiting: SimpleQueue[Job], stop: Callable[[], bool]) -> Job | None:
    """The next job, if there is one to be done."""
    with suppress(Empty):
        return None if stop() else waiting.get_nowait()
    return None


def jobs(counts: dict[str, int], at_once: int) -> list[Job]:
    """Some inputs of each target in turn, until there are so many of each."""
    most = max(counts.values(), default=0)
    rounds = max(1, -(-most // at_once))
    return [
        Job(name, begin, end)
        for turn in range(rounds)
        for name, count in counts.items()
        if (begin := count * turn // rounds) < (end := count * (turn + 1) // rounds)
    ]


def table(counts: dict[str, Counter[str]]) -> str:
    """How many inputs there were by target, and what became of them, in Markdown."""
    columns = ("inputs", *KINDS[:2], *FOUND)
    lines = ["| target | " + " | ".join(columns) + " |", "|---" * (1 + len(columns)) + "|"]
    total: Counter[str] = Counter()
    for name in sorted(counts):
        total.update(counts[name])
        lines.append(_line(name, counts[name], columns))
    return "\n".join([*lines, _line("all", total, columns)])


def _line(name: str, counts: Counter[str], columns: Iterable[str]) -> str:
    values = {"inputs": counts.total(), **counts}
    return f"| {name} | " + " | ".join(f"{values.get(c, 0):,}" for c in columns) + " |"
