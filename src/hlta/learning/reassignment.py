"""Which parent each variable of a level should have, by mutual information under the posteriors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.parent_search import Candidates, find_parents
from hlta._kernels.postings import Weights
from hlta._support.arrays import ranges, read_only
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csc_array, csr_array

    from hlta._support.arrays import Floats, Ints

MI_GAIN: Final = 1.01
"""A variable moves if its MI with the best parent exceeds that with its own by this factor."""
EDGE: Final = 1e-6  # probabilities stay within [EDGE, 1 - EDGE]
_TASKS: Final = 16  # tasks for the threads, at most


@dataclass(frozen=True, eq=False)
class Reassigned:
    """New parents of one level's variables."""

    parent: Ints  # (variables,): the parent's position in the level above
    probability: Floats  # (variables, 2): P(variable = 1 | parent)
    alive: NDArray[np.uint8]  # (parents,): 1 for those of the level above that still have children


def reassign_by_mi(
    lower: csr_array, upper: csr_array, current: Ints, probability: Floats
) -> Reassigned:
    """Move every variable to the parent with which it has the most mutual information, see `MI_GAIN`.

    `lower` and `upper` are P(variable = 1 | d) of both levels, float32 (documents, variables). Only
    parents that are on together with the variable more often than by chance count. Parents left with
    fewer than two children are dropped and their children choose again, until every remaining parent
    has at least two.
    """
    n_documents, n_parents = upper.shape
    tables = weights_of(lower.tocsc()), weights_of(upper)
    sums = np.bincount(upper.indices, upper.data, n_parents).astype(np.float64)
    alive = np.ones(n_parents, dtype=np.uint8)
    parent, probability = current.copy(), probability.copy()
    waiting = np.arange(len(current))
    while len(waiting):
        now = parent[waiting]
        found = best_parents(*tables, sums, waiting, now, alive)
        best = found.best
        homeless = alive[now] == 0
        fallback = int(np.bincount(parent, minlength=len(alive))[alive == 1].argmax())
        best = np.where(best < 0, np.where(homeless, np.flatnonzero(alive)[fallback], now), best)
        gains = found.best_information > MI_GAIN * found.current_information
        moves = (best != now) & (homeless | gains)
        variables, to = waiting[moves], best[moves]
        parent[variables] = to
        of_parent = sums[to] / n_documents
        probability[variables] = _conditional(found.joint[moves], found.marginal[moves], of_parent)
        children = np.bincount(parent, minlength=len(alive))
        few = (children < 2) & (alive == 1)
        if few.sum() == alive.sum():
            few[children.argmax()] = False  # one has to stay
        if not few.any():
            break
        alive[few] = 0
        waiting = np.flatnonzero(few[parent])
    return Reassigned(parent, probability, alive)


def weights_of(matrix: csr_array | csc_array) -> Weights:
    """The rows of a CSR matrix, or the columns of a CSC matrix, as kernels take them."""
    start, column = matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32)
    return Weights(read_only(start), read_only(column), read_only(matrix.data))


def best_parents(
    lower: Weights,
    upper: Weights,
    sums: Floats,
    chosen: Ints,
    current: Ints,
    alive: NDArray[np.uint8],
) -> Candidates:
    """The parent with which each chosen variable has the most MI, see `find_parents`."""
    count = len(chosen)
    found = Candidates(np.empty(count, dtype=np.int64), *(np.empty(count) for _ in range(4)))

    def find(task: tuple[int, int]) -> None:
        together = np.zeros(len(alive))
        find_parents(lower, upper, read_only(sums), chosen, current, alive, *task, together, found)

    map_in_order(find, ranges(count, max(1, -(-count // _TASKS))))
    return found


def _conditional(joint: Floats, marginal: Floats, of_parent: Floats) -> Floats:
    """P(variable = 1 | parent), float64 (k, 2), from P(both = 1) and the two marginals."""
    on = np.clip(of_parent, EDGE, 1.0 - EDGE)
    columns = ((marginal - joint) / (1.0 - on), joint / on)
    return np.clip(np.stack(columns, axis=-1), EDGE, 1.0 - EDGE)
