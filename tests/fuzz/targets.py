"""What a target is, and all there are."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

MODULES: Final = ("documents", "tables", "matrices", "models")
"""The modules of this package that have targets."""


class NonsenseError(Exception):
    """An input was accepted, and what was made of it is wrong."""


class Target(NamedTuple):
    """A way into the package.

    use   makes an input with the random numbers, writes it to the folder and uses it; it returns, or
          raises an HltaError, and anything else is a finding
    cost  how many times as long as usual an input takes, so that there are so many times fewer
    """

    use: Callable[[Random, Path], None]
    cost: int

    def count(self, inputs: int) -> int:
        """How many inputs there are, where the quickest targets have so many."""
        return max(1, inputs // self.cost)


_found: Final = dict[str, Target]()


def target(*, cost: int = 1) -> Callable[[Callable[[Random, Path], None]], Target]:
    """Make a target of a function, whose name it takes."""

    def register(use: Callable[[Random, Path], None]) -> Target:
        made = _found[use.__name__] = Target(use, cost)
        return made

    return register


def targets_in(modules: Iterable[str] = MODULES) -> dict[str, Target]:
    """The targets of these modules by their names."""
    names = {import_module(f"tests.fuzz.{module}").__name__ for module in modules}
    return {name: found for name, found in _found.items() if found.use.__module__ in names}


def expect(right: object, problem: str) -> None:
    """Say that what was made of an input is wrong, unless it is right."""
    if not right:
        raise NonsenseError(problem)
