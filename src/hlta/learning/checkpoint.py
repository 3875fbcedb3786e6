"""What a computation keeps, so that it can go on after it was stopped.

All that a fit computes follows from the documents, the options and the seed. So finished steps are
kept by name: a fit that goes on takes the same steps in the same order, except that it does not
compute those that it finds. It ends with the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from hlta.errors import FormatError
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Value = TypeVar("Value")


class Checkpoint:
    """The checkpoint that keeps nothing, and the base class of others."""

    def get(self, name: str) -> Any:  # noqa: ARG002
        """The value of that name, its sequences as tuples; None if there is none."""
        return None

    def keep(self, name: str, value: Any) -> None:
        """Keep a value, as `packed` takes it, in place of the last one of that name."""

    def step(self, name: str, compute: Callable[[], Value], fits: Callable[[Any], bool]) -> Value:
        """The value that is kept, if it `fits`, or else what `compute` returns, which is kept then."""
        value: Value | None = self.get(name)
        if value is None:
            value = compute()
            self.keep(name, value)
        elif not fits(value):
            raise damage(name)
        return value


def damage(name: str) -> FormatError:
    """What is raised if a value that is kept is none of that name."""
    return FormatError(f"{name!r} in the checkpoint is damaged; delete it to begin anew")


def is_tree_of(words: Sequence[str], value: Any) -> bool:
    """Whether a value is a tree with these words."""
    return isinstance(value, LatentTree) and value.words == tuple(words)


def are_floats(shape: tuple[int, ...], value: Any) -> bool:
    """Whether a value is an array of that shape, of finite numbers, or NaN for what is unknown."""
    is_array = isinstance(value, np.ndarray) and value.dtype == np.float64
    return is_array and value.shape == shape and not np.isinf(value).any()


NOTHING_KEPT: Final = Checkpoint()
