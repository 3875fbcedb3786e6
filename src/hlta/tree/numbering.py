"""The order in which kernels visit latent variables: breadth-first from the root."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hlta._support.arrays import Ints32


@dataclass(frozen=True, eq=False)
class Numbering:
    """The breadth-first numbers of latent variables; all trees of the same shape share them.

    nodes        int32 (m,): the node with each number; number 0 is the root
    number       uint32 (m,): the number of each latent variable, at index node - n_words
    parent       uint32 (m,): the number of the parent; for the root m, an unused slot
    depth        uint32 (m,): edges up to the root
    first        uint32 (depths + 1,): the first number of each depth
    start        uint32 (depths + 1,): where the kernels' list of active latent variables of each
                 depth begins; a list has one slot more than its depth has numbers
    word_parent  uint32 (n,): the number of each word's parent
    """

    nodes: Ints32
    number: NDArray[np.uint32]
    parent: NDArray[np.uint32]
    depth: NDArray[np.uint32]
    first: NDArray[np.uint32]
    start: NDArray[np.uint32]
    word_parent: NDArray[np.uint32]

    @classmethod
    def of(cls, parents: Ints32, nodes: Ints32) -> Numbering:
        """Number the latent variables, from the parents of all nodes and breadth-first `nodes`."""
        m = len(nodes)
        n = len(parents) - m
        number = np.empty(m, dtype=np.uint32)
        number[nodes - n] = np.arange(m, dtype=np.uint32)
        parent = np.empty(m, dtype=np.uint32)
        parent[0] = m
        parent[1:] = number[parents[nodes[1:]] - n]
        first = [0, 1]
        # In breadth-first order parents ascend, so the children of one depth form the next.
        while first[-1] < m:
            first.append(int(np.searchsorted(parent[1:], first[-1])) + 1)
        depth = np.repeat(np.arange(len(first) - 1, dtype=np.uint32), np.diff(first))
        return cls(
            nodes=nodes,
            number=number,
            parent=parent,
            depth=depth,
            first=np.array(first, dtype=np.uint32),
            start=(np.array(first) + np.arange(len(first))).astype(np.uint32),
            word_parent=number[parents[:n] - n],
        )

    def layers(self) -> Iterator[slice]:
        """The numbers of each depth, as slices, from the root downwards."""
        for start, stop in pairwise(self.first):
            yield slice(int(start), int(stop))
