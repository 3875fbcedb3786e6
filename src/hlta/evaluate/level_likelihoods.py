"""What each level of a tree contributes to the likelihood of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta.documents.matrix import as_documents
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from numpy.typing import NDArray


def level_likelihoods(
    tree: LatentTree, documents: Any, *, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Mean log P(d) of the tree cut above each level, from independent words up to the whole tree.

    Entry 0 takes the words for independent; entry k has the levels up to k, whose uppermost latent
    variables are independent; the last but one has all levels, and the last the links among the
    latent variables of the top level, too. Parameters stay what they are in the whole tree.
    """
    checked = as_documents(documents, tree.n_words)
    p = tree.marginals[: tree.n_words]
    count = np.bincount(checked.indices, minlength=tree.n_words)
    absent = len(checked) - count
    alone = float((xlogy(count, p) + xlog1py(absent, -p)).sum()) / max(1, len(checked))
    found = [alone]
    for level in range(1, len(tree.levels)):
        cut = _cut(tree, level)
        found.append(float(cut.log_likelihood(checked, n_jobs=n_jobs).mean()))
    found.append(float(tree.log_likelihood(checked, n_jobs=n_jobs).mean()))
    return np.array(found)


def _cut(tree: LatentTree, highest: int) -> LatentTree:
    """The tree up to a level, whose uppermost latent variables tell nothing about each other."""
    nodes = np.flatnonzero(tree.level <= highest)
    number = np.full(tree.n_nodes + 1, -1)
    number[nodes] = np.arange(len(nodes))
    parent, probability = number[tree.parent[nodes]], tree.probability[nodes].copy()
    loose = (tree.level[nodes] == highest) | (parent < 0)
    loose = np.flatnonzero(loose)[::-1]  # latent variables first, words last
    first = loose[nodes[loose] >= tree.n_words]
    # Linked in a row, by probabilities that are the same in both states.
    parent[first] = np.concatenate(([-1], first[:-1]))
    parent[loose[len(first) :]] = first[0]
    probability[loose] = tree.marginals[nodes[loose], None]
    return LatentTree(
        words=tree.words,
        parent=parent,
        level=tree.level[nodes],
        probability=probability,
        allow_irregular=True,
    )
