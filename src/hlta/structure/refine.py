"""Refinement, beyond the paper: variables move to the parent they share most information with.

Islands are built greedily: what came late had no choice. After EM the posteriors of the latent
variables say where each word, and each latent variable, belongs. Those that left a parent childless
take it with them; EM again; as long as BIC gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.kernels import moves
from hlta.model.learning import batch_em
from hlta.model.posteriors import likely_posteriors
from hlta.model.tree import LatentTree
from hlta.parallel.threads import map_in_order
from hlta.structure.bridges import orient
from hlta.structure.pairwise import list_postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.corpus.documents import Documents
    from hlta.monitor import Monitor

ROUNDS: Final = 5
EM_STEPS: Final = 5
_LEAST = 0.05  # posteriors below this are taken for 0
_GAIN = 1.01  # how much better a new parent must be
_EDGE = 1e-6
_VARIABLES_A_TASK = 256


class _Soft(NamedTuple):
    """Variables that are on in documents to a degree, by document."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    values: NDArray[np.float32]
    n_variables: int

    def sums(self) -> NDArray[np.float64]:
        weights = self.values.astype(np.float64)
        total = np.bincount(self.indices, weights=weights, minlength=self.n_variables)
        return total.astype(np.float64)

    def by_variable(self) -> tuple[tuple[NDArray[np.generic], ...], NDArray[np.float32]]:
        count = np.bincount(self.indices, minlength=self.n_variables)
        postings = list_postings(self.indptr, self.indices, count)
        _, where, place = postings
        return postings, self.values[self.indptr[where] + place]

    def columns(self, chosen: NDArray[np.intp]) -> _Soft:
        number = np.full(self.n_variables, -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        to = number[self.indices]
        kept = to >= 0
        indptr = np.concatenate(([0], np.cumsum(kept)))[self.indptr]
        return _Soft(indptr, to[kept].astype(np.uint32), self.values[kept], len(chosen))


@dataclass(frozen=True, eq=False)
class _Placed:
    """New parents of one level's variables.

    parent       int64 (variables,): number of the parent among the level above
    probability  float64 (variables, 2): P(variable = 1 | parent)
    alive        uint8 (parents,): which of the level above still have children
    """

    parent: NDArray[np.int64]
    probability: NDArray[np.float64]
    alive: NDArray[np.uint8]


def refine_structure(
    tree: LatentTree, documents: Documents, *, n_jobs: int | None = None, monitor: Monitor
) -> LatentTree:
    """Move variables to better parents and re-estimate, while BIC gains."""
    with monitor.stage("refinement", ROUNDS):
        tree, score = _fitted(tree, documents, n_jobs)
        for _ in range(ROUNDS):
            moved = move_variables(tree, documents, n_jobs=n_jobs)
            if moved is None:
                break
            moved, gained = _fitted(moved, documents, n_jobs)
            if gained <= score:
                break
            tree, score = moved, gained
            monitor.advance()
    return tree


def _fitted(tree: LatentTree, documents: Documents, n_jobs: int | None) -> tuple[LatentTree, float]:
    result = batch_em(tree, documents, steps=EM_STEPS, n_jobs=n_jobs)
    fit = result.log_likelihoods[-1] * len(documents)
    return result.tree, fit - tree.n_parameters / 2.0 * np.log(len(documents))


def move_variables(
    tree: LatentTree, documents: Documents, *, n_jobs: int | None = None
) -> LatentTree | None:
    """One round of moves, from the words upwards; None if nothing wants to move."""
    if tree.n_latents == 1:
        return None
    indptr, latents, values = likely_posteriors(tree, documents, _LEAST, n_jobs=n_jobs)
    soft = _Soft(indptr, latents, values.astype(np.float32), tree.n_latents)
    words = np.ones(len(documents.indices), dtype=np.float32)
    lower = _Soft(documents.indptr, documents.indices, words, tree.n_words)
    nodes = np.arange(tree.n_words)  # of the level looked at, those that are left
    parent, probability = tree.parent.copy(), tree.probability.copy()
    left, states = [nodes], [lower]
    changed = False
    for above in tree.levels[1:]:
        upper = soft.columns(above - tree.n_words)
        current = np.searchsorted(above, tree.parent[nodes])
        placed = _place(lower, upper, current, tree.probability[nodes], n_jobs)
        changed |= bool((placed.parent != current).any())
        parent[nodes] = above[placed.parent]
        probability[nodes] = placed.probability
        kept = np.flatnonzero(placed.alive)
        nodes, lower = above[kept], upper.columns(kept)
        left.append(nodes)
        states.append(lower)
    if not changed:
        return None
    # One latent variable above two others adds nothing: without it they are linked.
    if len(left[-1]) == 1 and len(left[-2]) == 2 and len(left) > 2:
        left.pop(), states.pop()
    _link(left[-1], states[-1], parent, probability)
    return _renumbered(tree, left, parent, probability)


def _place(
    lower: _Soft,
    upper: _Soft,
    current: NDArray[np.int64],
    probability: NDArray[np.float64],
    n_jobs: int | None,
) -> _Placed:
    """Choose parents until each has two children or none."""
    count = len(lower.indptr) - 1
    above = (upper.indptr, upper.indices), upper.values, upper.sums()
    below = lower.by_variable()
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

        size = _VARIABLES_A_TASK
        tasks = [(a, min(a + size, len(waiting))) for a in range(0, len(waiting), size)]
        map_in_order(find, tasks, n_jobs)
        homeless = alive[now] == 0
        fallback = int(np.bincount(parent, minlength=len(alive))[alive == 1].argmax())
        best = np.where(best < 0, np.where(homeless, np.flatnonzero(alive)[fallback], now), best)
        goes = (best != now) & (homeless | (found[:, 0] > _GAIN * found[:, 1]))
        who, to = waiting[goes], best[goes]
        parent[who] = to
        both, p = found[goes, 2], found[goes, 3]
        p_to = np.clip(above[2][to] / count, _EDGE, 1.0 - _EDGE)
        probability[who, 1] = np.clip(both / p_to, _EDGE, 1.0 - _EDGE)
        probability[who, 0] = np.clip((p - both) / (1.0 - p_to), _EDGE, 1.0 - _EDGE)
        children = np.bincount(parent, minlength=len(alive))
        few = (children < 2) & (alive == 1)
        if few.sum() == alive.sum():
            few[children.argmax()] = False  # somebody has to stay
        if not few.any():
            break
        alive[few] = 0
        waiting = np.flatnonzero(few[parent])
    return _Placed(parent, probability, alive)


def _link(
    top: NDArray[np.intp],
    soft: _Soft,
    parent: NDArray[np.int32],
    probability: NDArray[np.float64],
) -> None:
    """Join the top-level latent variables to a tree anew, as bridges do."""
    count = len(soft.indptr) - 1
    dense = np.zeros((count, len(top)))
    dense[np.repeat(np.arange(count), np.diff(soft.indptr)), soft.indices] = soft.values
    both = dense.T @ dense / count
    alone = np.clip(dense.mean(axis=0), _EDGE, 1.0 - _EDGE)
    correlation = np.abs(both - np.outer(alone, alone))
    spread = np.sqrt(alone * (1.0 - alone))
    correlation /= np.outer(spread, spread)
    inside, edges = [0], []
    while len(inside) < len(top):
        outside = np.setdiff1d(np.arange(len(top)), inside)
        weight = correlation[inside][:, outside]
        a, b = np.unravel_index(weight.argmax(), weight.shape)
        edges.append((inside[a], int(outside[b])))
        inside.append(int(outside[b]))
    up = orient(np.array(edges, dtype=np.int64).reshape(-1, 2))
    for v, u in enumerate(up.tolist()):
        if u < 0:
            parent[top[v]] = -1
            probability[top[v]] = alone[v]
        else:
            parent[top[v]] = top[u]
            pair = (both[v, u] / alone[u], (alone[v] - both[v, u]) / (1.0 - alone[u]))
            probability[top[v]] = np.clip(pair[::-1], _EDGE, 1.0 - _EDGE)


def _renumbered(
    tree: LatentTree,
    left: list[NDArray[np.intp]],
    parent: NDArray[np.int32],
    probability: NDArray[np.float64],
) -> LatentTree:
    nodes = np.sort(np.concatenate(left))
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[nodes] = np.arange(len(nodes))
    return LatentTree(
        words=tree.words,
        parent=number[parent[nodes]],
        level=tree.level[nodes],
        probability=probability[nodes],
    )
