"""Free moves, beyond the paper: variables move to the parent with the most mutual information.

Islands are built greedily, so variables that came late had little choice. After EM, the posteriors
of the latent variables show where each variable belongs. One round of moves, from the words
upwards, is kept if BIC improves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from hlta.learning.em import batch_em
from hlta.learning.paper.spanning_tree import correlated_edges, orient
from hlta.learning.reassignment import EDGE, reassign_by_mi
from hlta.tree.latent_tree import LatentTree
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats, Indices, Ints32
    from hlta.documents.matrix import Documents

EM_STEPS: Final = 3  # steps of EM before the moves, and after them
NEGLIGIBLE: Final = 0.15
"""Posteriors up to this are taken to be 0."""


def make_free_moves(tree: LatentTree, documents: Documents) -> LatentTree:
    """The tree after EM; or after moves and EM again, if that has the better BIC."""
    fitted, bic = _fit(tree, documents)
    levels = latents_by_level(fitted, documents)
    moved = move_variables(fitted, documents.to_csr(np.float32), levels)
    if moved is None:
        return fitted
    rival, other = _fit(moved, documents)
    return rival if other > bic else fitted


def _fit(tree: LatentTree, documents: Documents) -> tuple[LatentTree, float]:
    """The tree after EM, and its BIC before the last M-step."""
    result = batch_em(tree, documents, steps=EM_STEPS)
    fit = result.log_likelihoods[-1] * len(documents)
    return result.tree, fit - tree.n_parameters / 2.0 * float(np.log(len(documents)))


def latents_by_level(tree: LatentTree, documents: Documents) -> list[csr_array]:
    """P(variable = 1 | d) of the latent variables of each level, from level 1 up.

    They are float32 (documents, variables), with the variables in the order of `tree.levels`.
    """
    indptr, latents, values = likely_posteriors(tree.inference(), documents, NEGLIGIBLE)
    entries = values.astype(np.float32), latents, indptr
    every = csr_array(entries, shape=(len(documents), tree.n_latents))
    return [every[:, level - tree.n_words] for level in tree.levels[1:]]


def move_variables(
    tree: LatentTree, words: csr_array, latents: Sequence[csr_array]
) -> LatentTree | None:
    """One round of moves, from the words upwards; None if nothing moves."""
    if tree.n_latents == 1:
        return None
    lower = words
    nodes = np.arange(tree.n_words)  # the nodes of the current level that are still in the tree
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
        nodes, lower = above[kept], upper if len(kept) == len(above) else upper[:, kept]
        left.append(nodes)
        states.append(lower)
    if not changed:
        return None
    # A top-level latent variable above just two others adds nothing: link the two instead.
    if len(left[-1]) == 1 and len(left[-2]) == 2 and len(left) > 2:
        left.pop(), states.pop()
    _link(left[-1], states[-1], parent, probability)
    stay = np.sort(np.concatenate(left))
    number = np.full(tree.n_nodes + 1, -1)  # the last entry is what a parent of -1 maps to
    number[stay] = np.arange(len(stay))
    return LatentTree(tree.words, number[parent[stay]], tree.level[stay], probability[stay])


def _link(top: Indices, soft: csr_array, parent: Ints32, probability: Floats) -> None:
    """Link the top-level latents by the maximum spanning tree of |correlation|, in place."""
    dense = soft.toarray().astype(np.float64)
    both = dense.T @ dense / len(dense)
    alone = np.clip(dense.mean(axis=0), EDGE, 1.0 - EDGE)
    for v, u in enumerate(orient(correlated_edges(dense, alone)[:, ::-1]).tolist()):
        if u < 0:
            parent[top[v]] = -1
            probability[top[v]] = alone[v]
        else:
            parent[top[v]] = top[u]
            pair = (both[v, u] / alone[u], (alone[v] - both[v, u]) / (1.0 - alone[u]))
            probability[top[v]] = np.clip(pair[::-1], EDGE, 1.0 - EDGE)
