"""Seeds: which words a person wants together, and which apart, at each level of a tree.

Partitions of the words become the levels of a tree, see `consensus`. The words of a seed share an
island, and so a topic at level 2, the lowest that is shown by default. Those of a seed of seeds share a
topic one level above the highest of its seeds. At that level, the topic of a seed has no words of seeds
outside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hlta._support.arrays import Bools, Indices

SEED_LEVEL: Final = 2
"""The words of a seed are together from this level upwards."""


class Wishes(NamedTuple):
    """Which words a person wants together or apart, by name.

    together  sets of words; any two are disjoint, or the first contains the second
    apart     sets of words; no topic may have two words of a set
    """

    together: tuple[Collection[str], ...] = ()
    apart: tuple[Collection[str], ...] = ()


@dataclass(frozen=True, eq=False)
class Seeds:
    """`Wishes` with the numbers of the words instead of their names."""

    together: tuple[frozenset[int], ...] = ()
    apart: tuple[frozenset[int], ...] = ()

    @classmethod
    def of(cls, wishes: Wishes, words: Sequence[str]) -> Seeds:
        """The wishes for a model of these words."""
        number = {word: k for k, word in enumerate(words)}
        return cls(*(tuple(frozenset(number[w] for w in one) for one in sets) for sets in wishes))

    @cached_property
    def _heights(self) -> list[int]:
        """The level from which upwards each of the sets is together."""
        heights: list[int] = []  # of the sets from k + 1 on; those within a set come after it
        for k in reversed(range(len(self.together))):
            later = zip(self.together[k + 1 :], heights, strict=True)
            within = [height for words, height in later if words <= self.together[k]]
            heights.insert(0, max(within, default=SEED_LEVEL - 1) + 1)
        return heights

    @property
    def height(self) -> int:
        """The level from which upwards all sets are together."""
        return max(self._heights, default=0)

    @cached_property
    def named(self) -> Indices:
        """All words of the sets, together or apart."""
        sets = self.together + self.apart
        return np.array(sorted(frozenset[int]().union(*sets)), dtype=np.intp)

    def join(self, parts: Indices, level: int) -> Indices:
        """The new number of each part after the parts of each set that is together at this level join."""
        number = np.arange(parts.max() + 1)
        for words, height in zip(self.together, self._heights, strict=True):
            if height <= level:
                own = number[parts[list(words)]]
                number[np.isin(number, own)] = own.min()
        return np.unique(number, return_inverse=True)[1]

    def find_held(self, parts: Indices, level: int) -> Bools:
        """Which parts join no others at this level: those of sets that become whole here or above."""
        pairs = zip(self.together, self._heights, strict=True)
        words = frozenset[int]().union(*(words for words, height in pairs if height >= level))
        return np.isin(np.arange(parts.max() + 1), parts[sorted(words)])

    @property
    def apart_pairs(self) -> Indices:
        """Pairs of words that no topic may hold both of, int (pairs, 2)."""
        pairs = [pair for words in self.apart for pair in combinations(sorted(words), 2)]
        return np.array(pairs, dtype=np.intp).reshape(-1, 2)

    def foreign_pairs(self, roots: Indices) -> Indices:
        """Pairs of named words that no island may hold both of, int (pairs, 2).

        They have different root topics, are in different sets that contain no others, or will share a
        topic with words that must be apart once all sets are together.
        """
        home = np.full(len(roots), -1)
        for k, (words, height) in enumerate(zip(self.together, self._heights, strict=True)):
            if height == SEED_LEVEL:
                home[list(words)] = k
        named, set_of, root_of = self.named, home[self.named], roots[self.named]
        differ = root_of[:, None] != root_of
        differ |= (set_of[:, None] != set_of) & (set_of[:, None] >= 0) & (set_of >= 0)
        whole = self.join(np.arange(len(roots)), self.height)  # a set's words will be together
        low, high = np.sort(whole[self.apart_pairs], axis=1).T
        one, other = (
            pick(whole[named][:, None], whole[named]) for pick in (np.minimum, np.maximum)
        )
        differ |= np.isin(one * len(roots) + other, low * len(roots) + high)
        return named[np.argwhere(np.triu(differ))]


NO_SEEDS: Final = Seeds()
NO_WISHES: Final = Wishes()
