"""Draw documents in time proportional to the words that they turn out to contain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel_on_demand


class DrawTables(NamedTuple):
    """A tree of m latent variables, in the form that `draw_documents` takes."""

    n_words: int  # children below this number are words
    bounds: t.Ints  # (m + 1,): latent variable v has children[bounds[v]:bounds[v + 1]]
    children: t.Ints  # words first; latent variable u is n_words + u
    hazard: t.RealTable  # (children, K): cumulated over a parent's children, for each of its states
    occupied: t.RealCube  # (m, K, K): P(v>=k | parent=j, v occupied), as [v, j, k]
    root: float  # P(root occupied)


@kernel_on_demand
def next_occupied(hazard: t.RealTable, state: int, start: int, stop: int, reached: float) -> int:
    """The first child at or after `start` whose cumulated hazard exceeds `reached`, or `stop`."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if hazard[middle, state] > reached:
            high = middle
        else:
            low = middle + 1
    return low


@kernel_on_demand
def draw_documents(
    rng: np.random.Generator,
    begin: int,
    end: int,
    tables: DrawTables,
    entries: t.OutInts,
    words: t.OutIds,
) -> tuple[int, int]:
    """Draw documents `begin` to `end` from the root downwards, visiting occupied subtrees only.

    A subtree is occupied if it contains a present word. Given their parent's state, children are
    occupied independently of each other. Their hazards -log P(not occupied | parent) are cumulated;
    the next occupied child is where the cumulated hazard has grown by an exponential variate. For the
    first child of an occupied node, the variate is truncated at the total hazard.

    entries  int64 (end - begin,) out: the number of words of each document
    words    uint32 (at least n_words,) out: the words, document after document
    Returns the first document that was not drawn for lack of room, or `end`, and the number of
    words.
    """
    n_words, bounds, children = tables.n_words, tables.bounds, tables.children
    hazard, occupied = tables.hazard, tables.occupied
    last = occupied.shape[2] - 1
    filled = 0
    stack = np.empty(occupied.shape[0], dtype=np.int64)
    states = np.empty(occupied.shape[0], dtype=np.int64)
    for d in range(begin, end):
        if words.size - filled < n_words:
            return d, filled
        origin = filled
        height = 0
        if rng.random() < tables.root:
            stack[0] = 0
            states[0] = 0
            height = 1
        while height > 0:
            height -= 1
            v = stack[height]
            above, chance, state = states[height], rng.random(), 0
            while state < last and chance < occupied[v, above, state + 1]:
                state += 1
            start, stop = bounds[v], bounds[v + 1]
            # -log(1 - u * (1 - exp(-total))): an exponential variate truncated at the total.
            total = hazard[stop - 1, state]
            reached = min(-np.log1p(rng.random() * np.expm1(-total)), total)
            at = min(next_occupied(hazard, state, start, stop, reached), stop - 1)
            while at < stop:
                child = children[at]
                if child < n_words:
                    words[filled] = child
                    filled += 1
                else:
                    stack[height] = child - n_words
                    states[height] = state
                    height += 1
                reached = hazard[at, state] + rng.standard_exponential()
                at = next_occupied(hazard, state, at + 1, stop, reached)
        entries[d - begin] = filled - origin
    return end, filled
