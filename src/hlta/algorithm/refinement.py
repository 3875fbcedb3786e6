"""Refinement, beyond the paper: variables move to the parent with which they have the most MI.

Islands are built greedily, so variables that came late had little choice. After EM, the posteriors
of the latent variables show where each variable belongs. First, variables choose by MI under these
posteriors; that settles at once, because a posterior is dominated by the latent variable's own
children. So next, parents are compared under cavity posteriors. Last, the levels above level 1 are
learned again from the level-1 states under the whole model. EM follows each step, and the step is
kept if BIC improves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.algorithm.checkpoint import NOTHING_KEPT
from hlta.algorithm.em import batch_em
from hlta.algorithm.reassignment import reassign_by_cavity_mi, reassign_by_mi
from hlta.algorithm.soft_assignments import latents_by_level, words_of
from hlta.algorithm.spanning_tree import orient, spanning_tree
from hlta.tree.truncation import restricted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hlta.algorithm.checkpoint import Checkpoint
    from hlta.algorithm.reassignment import Reassigned
    from hlta.algorithm.soft_assignments import SoftAssignments
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.tree.latent_tree import LatentTree

    Reassign = Callable[
        [SoftAssignments, SoftAssignments, NDArray[np.int64], NDArray[np.float64]], Reassigned
    ]

EM_STEPS: Final = 3  # after each round of moves
_EDGE: Final = 1e-6  # probabilities stay within [_EDGE, 1 - _EDGE]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The steps of refinement."""

    by_mi: int  # rounds of moves by MI, at most
    by_cavity_mi: int  # rounds of moves by cavity MI, at most
    relearn: bool  # whether to relearn the upper levels and repeat both kinds of moves


WHOLE: Final = Plan(by_mi=1, by_cavity_mi=2, relearn=True)
"""For a structure learned from all documents, or most of them."""
SAMPLED: Final = Plan(by_mi=2, by_cavity_mi=0, relearn=False)
"""For a structure learned from a small sample: more documents show where its rare words belong."""

VOTING: Final = Plan(by_mi=1, by_cavity_mi=0, relearn=False)
"""For one of many structures that vote: what a single search misses, others find."""


def refine_structure(
    tree: LatentTree,
    documents: Documents,
    *,
    plan: Plan = WHOLE,
    relearn: Callable[[LatentTree], LatentTree] | None = None,
    checkpoint: Checkpoint = NOTHING_KEPT,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> LatentTree:
    """Move variables to better parents, and learn the upper levels again, while BIC improves.

    `relearn` returns a tree with other levels above level 1; plans without that step do without it.
    """
    search = _Search(documents, plan, n_jobs)
    with monitor.stage("refinement", 2):
        best = _Fitted(*checkpoint.step("refined", lambda: search.climb(search.fitted(tree))))
        monitor.advance()
        if plan.relearn and relearn is not None and len(best.tree.levels) > 2:
            rival = checkpoint.step(
                "relearned", lambda: search.climb(search.fitted(relearn(best.tree)))
            )
            best = max(best, _Fitted(*rival), key=lambda fitted: fitted.bic)
        monitor.advance()
    return best.tree


class _Fitted(NamedTuple):
    """A tree after EM, and its BIC before the last M-step."""

    tree: LatentTree
    bic: float


class _Search:
    """Hill climbing on BIC: rounds of moves, each followed by EM."""

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
        """Moves by MI, then by cavity MI: many at once while BIC improves, then one per parent."""
        for _ in range(self._plan.by_mi):
            rival = self._moved(best, partial(reassign_by_mi, n_jobs=self._n_jobs))
            if rival is None or rival.bic <= best.bic:
                break
            best = rival
        many = True
        for _ in range(self._plan.by_cavity_mi):
            rival = self._moved(
                best, partial(reassign_by_cavity_mi, many=many, n_jobs=self._n_jobs)
            )
            if rival is not None and rival.bic > best.bic:
                best = rival
            elif rival is not None and many:
                many = False
            else:
                break
        return best

    def _moved(self, best: _Fitted, reassign: Reassign) -> _Fitted | None:
        levels = latents_by_level(best.tree, self._documents, n_jobs=self._n_jobs)
        moved = move(best.tree, self._words, levels, reassign)
        return None if moved is None else self.fitted(moved)


def move(
    tree: LatentTree,
    words: SoftAssignments,
    latents: Sequence[SoftAssignments],
    reassign: Reassign,
) -> LatentTree | None:
    """One round of moves, from the words upwards; None if nothing moves."""
    if tree.n_latents == 1:
        return None
    lower = words
    nodes = np.arange(tree.n_words)  # of the current level, those still in the tree
    parent, probability = tree.parent.copy(), tree.probability.copy()
    left, states = [nodes], [lower]
    changed = False
    for above, upper in zip(tree.levels[1:], latents, strict=True):
        current = np.searchsorted(above, tree.parent[nodes])
        reassigned = reassign(lower, upper, current, tree.probability[nodes])
        changed |= bool((reassigned.parent != current).any())
        parent[nodes] = above[reassigned.parent]
        probability[nodes] = reassigned.probability
        kept = np.flatnonzero(reassigned.alive)
        nodes, lower = above[kept], upper if len(kept) == len(above) else upper.columns(kept)
        left.append(nodes)
        states.append(lower)
    if not changed:
        return None
    # A top-level latent variable above just two others adds nothing: link the two instead.
    if len(left[-1]) == 1 and len(left[-2]) == 2 and len(left) > 2:
        left.pop(), states.pop()
    _link(left[-1], states[-1], parent, probability)
    return restricted(tree, np.sort(np.concatenate(left)), parent, probability)


def _link(
    top: NDArray[np.intp],
    soft: SoftAssignments,
    parent: NDArray[np.int32],
    probability: NDArray[np.float64],
) -> None:
    """Link the top-level latents by the maximum spanning tree of |correlation|, in place."""
    count = soft.n_documents
    dense = np.zeros((count, len(top)))
    dense[np.repeat(np.arange(count), np.diff(soft.indptr)), soft.indices] = soft.values
    both = dense.T @ dense / count
    alone = np.clip(dense.mean(axis=0), _EDGE, 1.0 - _EDGE)
    correlation = np.abs(both - np.outer(alone, alone))
    spread = np.sqrt(alone * (1.0 - alone))
    correlation /= np.outer(spread, spread)
    edges = spanning_tree(correlation.astype(np.float32).__getitem__, len(top))
    for v, u in enumerate(orient(edges[:, ::-1]).tolist()):
        if u < 0:
            parent[top[v]] = -1
            probability[top[v]] = alone[v]
        else:
            parent[top[v]] = top[u]
            pair = (both[v, u] / alone[u], (alone[v] - both[v, u]) / (1.0 - alone[u]))
            probability[top[v]] = np.clip(pair[::-1], _EDGE, 1.0 - _EDGE)
