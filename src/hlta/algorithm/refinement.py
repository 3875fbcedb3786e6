"""Refinement, beyond the paper: variables move to the parent they share most information with.

Islands are built greedily: what came late had no choice. After EM the posteriors of the latent
variables say where each word, and each latent variable, belongs. First all choose freely, which
settles at once, as a latent variable knows best what made it. Then what variable and parent told each
other is taken back before they are compared. Last, the levels above the first are learned anew from
what the whole model says of it. Each step is followed by EM, and kept if BIC gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.algorithm.bridges import orient
from hlta.algorithm.em import batch_em
from hlta.algorithm.flat_model import renew_levels
from hlta.algorithm.reassignment import place_fairly, place_freely
from hlta.algorithm.soft_assignments import latents_by_level, words_of
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hlta.algorithm.reassignment import Placed
    from hlta.algorithm.soft_assignments import Soft
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import StructureOptions

    Place = Callable[[Soft, Soft, NDArray[np.int64], NDArray[np.float64]], Placed]

EM_STEPS: Final = 3
_EDGE = 1e-6


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What refinement does.

    free, fair  rounds of free and of fair moves, before and after the upper levels are learned anew
    renew       whether they are
    """

    free: int
    fair: int
    renew: bool


WHOLE: Final = Plan(free=1, fair=2, renew=True)
"""For a structure learned from all documents, or most of them."""
SAMPLED: Final = Plan(free=2, fair=0, renew=False)
"""For one learned from a small sample: words that are rare in it settle by what more documents say."""


def refine_structure(
    tree: LatentTree,
    documents: Documents,
    options: StructureOptions,
    *,
    plan: Plan = WHOLE,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> LatentTree:
    """Move variables to better parents, and build the upper levels anew, while BIC gains."""
    search = _Search(documents, plan, n_jobs)
    with monitor.stage("refinement", 2):
        best = search.climb(search.fitted(tree))
        monitor.advance()
        if plan.renew and len(best.tree.levels) > 2:
            anew = renew_levels(best.tree, documents, options, n_jobs=n_jobs)
            rival = search.climb(search.fitted(anew))
            best = max(best, rival, key=lambda fitted: fitted.score)
        monitor.advance()
    return best.tree


class _Fitted(NamedTuple):
    """A tree after some steps of EM, and its BIC."""

    tree: LatentTree
    score: float


class _Search:
    """Moves, each followed by EM and kept if BIC gains."""

    def __init__(self, documents: Documents, plan: Plan, n_jobs: int | None) -> None:
        self._documents = documents
        self._plan = plan
        self._n_jobs = n_jobs
        self._words = words_of(documents)

    def fitted(self, tree: LatentTree) -> _Fitted:
        result = batch_em(tree, self._documents, steps=EM_STEPS, n_jobs=self._n_jobs)
        fit = result.log_likelihoods[-1] * len(self._documents)
        return _Fitted(result.tree, fit - tree.n_parameters / 2.0 * np.log(len(self._documents)))

    def climb(self, best: _Fitted) -> _Fitted:
        """Rounds of free moves, then of fair ones: many at once while that gains, then one a parent."""
        for _ in range(self._plan.free):
            rival = self._moved(best, partial(place_freely, n_jobs=self._n_jobs))
            if rival is None or rival.score <= best.score:
                break
            best = rival
        many = True
        for _ in range(self._plan.fair):
            rival = self._moved(best, partial(place_fairly, many=many, n_jobs=self._n_jobs))
            if rival is not None and rival.score > best.score:
                best = rival
            elif rival is not None and many:
                many = False
            else:
                break
        return best

    def _moved(self, best: _Fitted, place: Place) -> _Fitted | None:
        levels = latents_by_level(best.tree, self._documents, n_jobs=self._n_jobs)
        moved = move(best.tree, self._words, levels, place)
        return None if moved is None else self.fitted(moved)


def move(tree: LatentTree, words: Soft, latents: Sequence[Soft], place: Place) -> LatentTree | None:
    """One round of moves, from the words upwards; None if nothing wants to move."""
    if tree.n_latents == 1:
        return None
    lower = words
    nodes = np.arange(tree.n_words)  # of the level looked at, those that are left
    parent, probability = tree.parent.copy(), tree.probability.copy()
    left, states = [nodes], [lower]
    changed = False
    for above, upper in zip(tree.levels[1:], latents, strict=True):
        current = np.searchsorted(above, tree.parent[nodes])
        placed = place(lower, upper, current, tree.probability[nodes])
        changed |= bool((placed.parent != current).any())
        parent[nodes] = above[placed.parent]
        probability[nodes] = placed.probability
        kept = np.flatnonzero(placed.alive)
        nodes, lower = above[kept], upper if len(kept) == len(above) else upper.columns(kept)
        left.append(nodes)
        states.append(lower)
    if not changed:
        return None
    # One latent variable above two others adds nothing: without it they are linked.
    if len(left[-1]) == 1 and len(left[-2]) == 2 and len(left) > 2:
        left.pop(), states.pop()
    _link(left[-1], states[-1], parent, probability)
    return _renumbered(tree, left, parent, probability)


def _link(
    top: NDArray[np.intp],
    soft: Soft,
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
