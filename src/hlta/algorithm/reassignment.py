"""Which parent each variable of a level should have, by mutual information under the posteriors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels import parent_search as moves
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hlta.algorithm.soft_assignments import Soft

GAIN: Final = 1.01
"""How much better a new parent must be, when variables choose freely."""
FAIR_GAIN: Final = 1.5
"""How much better, when what variable and parent told each other is taken back."""
_STAY: Final = 4
"""Parents with fewer children lose none in fair moves: they would not be known by the rest."""
_EDGE: Final = 1e-6
_TASKS: Final = 16


@dataclass(frozen=True, eq=False)
class Placed:
    """New parents of one level's variables.

    parent       int64 (variables,): number of the parent among the level above
    probability  float64 (variables, 2): P(variable = 1 | parent)
    alive        uint8 (parents,): which of the level above still have children
    """

    parent: NDArray[np.int64]
    probability: NDArray[np.float64]
    alive: NDArray[np.uint8]


def place_freely(
    lower: Soft,
    upper: Soft,
    current: NDArray[np.int64],
    probability: NDArray[np.float64],
    *,
    n_jobs: int | None = None,
) -> Placed:
    """Everybody goes where it shares most; parents are given up until each has two children or none."""
    documents = len(lower.indptr) - 1
    above = (upper.indptr, upper.indices), upper.values, upper.sums
    below = lower.by_variable
    alive = np.ones(upper.n_variables, dtype=np.uint8)
    parent, probability = current.copy(), probability.copy()
    waiting = np.arange(len(current))
    while len(waiting):
        best = np.empty(len(waiting), dtype=np.int64)
        found = np.empty((len(waiting), 4))
        now = parent[waiting]

        def find(task: tuple[int, int], waiting=waiting, now=now, best=best, found=found) -> None:  # type: ignore[no-untyped-def]
            together = np.zeros(upper.n_variables)
            moves.find_parents(below, above, waiting, now, alive, *task, together, best, found)

        _in_tasks(find, len(waiting), n_jobs)
        homeless = alive[now] == 0
        fallback = int(np.bincount(parent, minlength=len(alive))[alive == 1].argmax())
        best = np.where(best < 0, np.where(homeless, np.flatnonzero(alive)[fallback], now), best)
        goes = (best != now) & (homeless | (found[:, 0] > GAIN * found[:, 1]))
        who, to = waiting[goes], best[goes]
        parent[who] = to
        probability[who] = _given(found[goes, 2], found[goes, 3], above[2][to] / documents)
        children = np.bincount(parent, minlength=len(alive))
        few = (children < 2) & (alive == 1)
        if few.sum() == alive.sum():
            few[children.argmax()] = False  # somebody has to stay
        if not few.any():
            break
        alive[few] = 0
        waiting = np.flatnonzero(few[parent])
    return Placed(parent, probability, alive)


def place_fairly(
    lower: Soft,
    upper: Soft,
    current: NDArray[np.int64],
    probability: NDArray[np.float64],
    *,
    many: bool,
    n_jobs: int | None = None,
) -> Placed:
    """Variables leave parents that know them only because they are their children.

    Those that gain most go first; a parent loses one at most, unless `many`, and receives none then.
    """
    documents = len(lower.indptr) - 1
    sums = upper.sums
    above = (upper.indptr, upper.indices), upper.values, sums
    below, holders = lower.by_variable, upper.by_variable
    children = np.bincount(current, minlength=upper.n_variables)
    chosen = np.flatnonzero(children[current] >= _STAY)
    best = np.empty(len(chosen), dtype=np.int64)
    found = np.empty((len(chosen), 4))

    def compare(task: tuple[int, int]) -> None:
        memory = (np.zeros(upper.n_variables), np.zeros(documents), np.zeros(documents))
        moves.compare_parents(
            below, above, holders, probability, chosen, current[chosen], *task, memory, best, found
        )

    _in_tasks(compare, len(chosen), n_jobs)
    goes = np.flatnonzero((best >= 0) & (found[:, 0] > FAIR_GAIN * found[:, 1]))
    gain = found[goes, 0] - found[goes, 1]
    parent, probability = current.copy(), probability.copy()
    lost = np.zeros(upper.n_variables, dtype=bool)
    for k in goes[np.lexsort((chosen[goes], -gain))].tolist():
        v, to = chosen[k], best[k]
        home = current[v]
        if children[home] < _STAY or (not many and (lost[home] or lost[to])):
            continue
        lost[home] = True
        children[home] -= 1
        children[to] += 1
        parent[v] = to
        probability[v] = _given(found[k, 2], found[k, 3], sums[to] / documents)
    return Placed(parent, probability, np.ones(upper.n_variables, dtype=np.uint8))


def _given(
    both: NDArray[np.float64], p: NDArray[np.float64], of_parent: NDArray[np.float64]
) -> NDArray[np.float64]:
    """P(variable = 1 | parent) for both states of the parent."""
    on = np.clip(of_parent, _EDGE, 1.0 - _EDGE)
    columns = ((p - both) / (1.0 - on), both / on)
    return np.clip(np.stack(columns, axis=-1), _EDGE, 1.0 - _EDGE)


def _in_tasks(do: Callable[[tuple[int, int]], None], count: int, n_jobs: int | None) -> None:
    size = max(1, -(-count // _TASKS))
    map_in_order(do, [(a, min(a + size, count)) for a in range(0, count, size)], n_jobs)
