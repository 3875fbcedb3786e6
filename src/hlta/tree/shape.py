"""`TreeShape`: the nodes of a latent tree and how they hang together, without parameters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hlta.errors import TreeError
from hlta.tree.validation import (
    as_numbers,
    breadth_first,
    check_levels,
    check_names,
    check_parents,
    check_regular,
    check_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False, init=False)
class TreeShape:
    """The nodes of a latent tree, checked; see `LatentTree`, which adds the parameters.

    Attributes
    ----------
    words, latent_names : tuple of str
        Names of the nodes.
    parent, level : int32 (n_nodes,)
        The parent of each node, -1 for the root; the level of each node. Both are read-only.
    allow_irregular : bool
        Whether latent variables may have fewer than three neighbours.
    """

    words: tuple[str, ...]
    parent: NDArray[np.int32]
    level: NDArray[np.int32]
    latent_names: tuple[str, ...]
    allow_irregular: bool
    _order: NDArray[np.int32] = field(init=False, repr=False)  # latents, breadth-first

    def __init__(
        self,
        words: Sequence[str],
        parent: ArrayLike,
        level: ArrayLike,
        latent_names: Sequence[str] = (),
        *,
        allow_irregular: bool = False,
    ) -> None:
        words = tuple(words)
        check_words(words)
        parent = as_numbers(parent, "parent")
        check_parents(parent, words)
        level = as_numbers(level, "level")
        if len(level) != len(parent):
            raise TreeError(
                f"level has {len(level)} entries, parent has {len(parent)}; give one per node"
            )
        latent_names = tuple(latent_names) or _default_names(level[len(words) :])
        check_names(latent_names, words, len(parent) - len(words))
        name_of = (*words, *latent_names).__getitem__
        order = breadth_first(parent, len(words), name_of)
        check_levels(level, parent, len(words), name_of)
        if not allow_irregular:
            check_regular(parent, len(words), name_of)
        self._set(words=words, parent=parent, level=level, latent_names=latent_names)
        self._set(allow_irregular=allow_irregular, _order=order)

    def _set(self, **attributes: object) -> None:
        """Set attributes while the tree is made; arrays are read-only from then on."""
        for name, value in attributes.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    @property
    def n_words(self) -> int:
        """Number of words, the observed variables."""
        return len(self.words)

    @property
    def n_latents(self) -> int:
        """Number of latent variables."""
        return len(self.latent_names)

    @property
    def n_nodes(self) -> int:
        """Number of words and latent variables."""
        return len(self.parent)

    @property
    def root(self) -> int:
        """The node without a parent."""
        return int(self._order[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all nodes: the words, then the latent variables."""
        return self.words + self.latent_names

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """The nodes of each level, ascending: `levels[0]` are the words, `levels[-1]` the top."""
        return tuple(np.flatnonzero(self.level == k) for k in range(int(self.level.max()) + 1))

    @cached_property
    def children(self) -> tuple[NDArray[np.intp], ...]:
        """The children of each node, ascending; words have none."""
        order = np.argsort(self.parent, kind="stable")
        bounds = np.searchsorted(self.parent[order], np.arange(self.n_nodes + 1))
        return tuple(order[a:b] for a, b in pairwise(bounds))


def _default_names(level: NDArray[np.int32]) -> tuple[str, ...]:
    counts: Counter[int] = Counter()
    names = []
    for k in level.tolist():
        counts[k] += 1
        names.append(f"Z{k}-{counts[k]}")
    return tuple(names)
