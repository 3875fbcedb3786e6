"""`scripts/fuzz`: uses damaged and hostile input for hours, and prints what became of it.

    scripts/fuzz [--inputs 100000] [--minutes M] [--seed 0] [--findings FOLDER] [TARGET ...]

Each target gets so many inputs; slow ones get fewer. What is found, such as a crash, is kept in a
folder per input, with what is told of it and the files. `--again NUMBER` uses one input of a target
in this process, as a debugger would like it.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from tests.fuzz.runner import FOUND, Runner, jobs, table
from tests.fuzz.targets import targets_in
from tests.fuzz.worker import random_of

_AT_ONCE = 4000  # inputs of a job


def main() -> int:
    """Run as the arguments say; 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all unless given")
    parser.add_argument("--inputs", type=int, default=100_000, help="for each quick target")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--again", type=int, metavar="NUMBER", help="use this input of the target")
    given = parser.parse_args()
    known = targets_in()
    if odd := set(given.targets) - set(known):
        parser.error(f"no targets: {', '.join(odd)}; there are {', '.join(known)}")
    names = given.targets or list(known)
    if given.again is not None:
        scratch = given.findings / f"{names[0]}-{given.again}"
        scratch.mkdir(parents=True, exist_ok=True)
        known[names[0]].use(random_of(given.seed, names[0], given.again), scratch)
        return 0
    began = time.monotonic()
    runner = Runner(given.findings.resolve(), seed=given.seed)
    runner.run(
        jobs({name: known[name].count(given.inputs) for name in names}, _AT_ONCE),
        given.processes,
        stop=lambda: time.monotonic() - began > 60 * given.minutes,
    )
    sys.stdout.write(f"{table(runner.counts)}\n{time.monotonic() - began:,.0f} seconds\n")
    return int(any(count[kind] for count in runner.counts.values() for kind in FOUND))


if __name__ == "__main__":
    sys.exit(main())
