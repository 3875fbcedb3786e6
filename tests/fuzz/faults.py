"""Targets that fail in each way, with which the fuzzer itself is tested."""

import os
from pathlib import Path
from random import Random

from hlta import OptionError
from tests.fuzz.targets import expect, target


@target()
def well(rng: Random, folder: Path) -> None:
    """Nothing is wrong."""


@target()
def refused(rng: Random, folder: Path) -> None:  # noqa: ARG001
    """An input is refused."""
    raise OptionError("no")


@target()
def traceback(rng: Random, folder: Path) -> None:
    """An input raises another error."""
    (folder / "input").write_text(str(rng.random()))
    raise BaseException("panic")


@target()
def nonsense(rng: Random, folder: Path) -> None:  # noqa: ARG001
    """An input is accepted, wrongly."""
    expect(rng.random() > 1, "it is wrong")


@target()
def memory(rng: Random, folder: Path) -> None:  # noqa: ARG001
    """An input takes more memory than there may be."""
    bytearray(3 << 30)


@target()
def crash(rng: Random, folder: Path) -> None:
    """Every other input ends the process."""
    (folder / "input").write_text("crashing")
    if rng.random() < 0.5:
        os.abort()


@target()
def hang(rng: Random, folder: Path) -> None:  # noqa: ARG001
    """An input never ends."""
    while True:
        pass
