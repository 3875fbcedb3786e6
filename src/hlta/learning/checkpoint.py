"""What a computation keeps, so that it can resume after it was stopped.

All that a fit computes follows from the documents, the options and the seed. So finished steps are
kept by name: a resumed fit takes the same steps in the same order, but reads those that were kept
instead of computing them. The result is the same, bit for bit.
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
        """Keep a value, as `checkpoint_folder.pack` takes it, in place of the last one of that name."""

    def step(self, name: str, compute: Callable[[], Value], fits: Callable[[Any], bool]) -> Value:
        """The kept value, refused unless it `fits`; without one, that of `compute`, which is kept."""
        value: Value | None = self.get(name)
        if value is None:
            value = compute()
            self.keep(name, value)
        elif not fits(value):
            raise damage(name)
        return value


def damage(name: str) -> FormatError:
    """The error for a kept value of that name that is not valid."""
    return FormatError(f"{name!r} in the checkpoint is damaged; delete it to begin anew")


def is_tree_of(words: Sequence[str], value: Any) -> bool:
    """Whether a value is a tree with these words."""
    return isinstance(value, LatentTree) and value.words == tuple(words)


def are_floats(shape: tuple[int, ...], value: Any) -> bool:
    """Whether a value is a float64 array of that shape without infinities; NaN means unknown."""
    is_array = isinstance(value, np.ndarray) and value.dtype == np.float64
    return is_array and value.shape == shape and not np.isinf(value).any()


NOTHING_KEPT: Final = Checkpoint()
