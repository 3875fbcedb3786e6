"""Free moves, beyond the paper: variables move to the parent with which they share most information.

Islands are built greedily, so variables that came late had little choice. After EM, the posteriors
of the latent variables show where each variable belongs. One round of moves, from the words
upwards, is kept if BIC improves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.learning.em import batch_em
from hlta.learning.paper.soft_assignments import SoftAssignments, latents_by_level, words_of
from hlta.learning.paper.spanning_tree import orient, spanning_tree
from hlta.learning.reassignment import EDGE, reassign_by_mi
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats, Indices, Ints32
    from hlta.documents.matrix import Documents

EM_STEPS: Final = 3  # steps of EM before the moves, and after them


def refine_structure(tree: LatentTree, documents: Documents) -> LatentTree:
    """The tree after EM, or with variables moved and EM again if that has the better BIC."""
    fitted, bic = _fitted(tree, documents)
    levels = latents_by_level(fitted, documents)
    moved = move_variables(fitted, words_of(documents), levels)
    if moved is None:
        return fitted
    rival, other = _fitted(moved, documents)
    return rival if other > bic else fitted


def _fitted(tree: LatentTree, documents: Documents) -> tuple[LatentTree, float]:
    """The tree after EM, and its BIC before the last M-step."""
    result = batch_em(tree, documents, steps=EM_STEPS)
    fit = result.log_likelihoods[-1] * len(documents)
    return result.tree, fit - tree.n_parameters / 2.0 * float(np.log(len(documents)))


def move_variables(
    tree: LatentTree, words: SoftAssignments, latents: Sequence[SoftAssignments]
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
        reassigned = reassign_by_mi(lower, upper, current, tree.probability[nodes])
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
    stay = np.sort(np.concatenate(left))
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[stay] = np.arange(len(stay))
    return LatentTree(tree.words, number[parent[stay]], tree.level[stay], probability[stay])


def _link(top: Indices, soft: SoftAssignments, parent: Ints32, probability: Floats) -> None:
    """Link the top-level latents by the maximum spanning tree of |correlation|, in place."""
    count = soft.n_documents
    dense = np.zeros((count, len(top)))
    dense[np.repeat(np.arange(count), np.diff(soft.indptr)), soft.indices] = soft.values
    both = dense.T @ dense / count
    alone = np.clip(dense.mean(axis=0), EDGE, 1.0 - EDGE)
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
            probability[top[v]] = np.clip(pair[::-1], EDGE, 1.0 - EDGE)
