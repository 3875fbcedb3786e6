"""Cut a tree at a level."""

from __future__ import annotations

import numpy as np

from hlta._support.checks import check_whole
from hlta.tree.latent_tree import LatentTree


def truncated(tree: LatentTree, level: int) -> LatentTree:
    """The tree up to a level, whose uppermost latent variables are independent of each other.

    They are linked in a row, as a tree needs, by probabilities that are equal in both states of the
    parent. All other parameters and all names are those of the whole tree. The tree may be
    irregular: a latent variable may have fewer than three neighbours.
    """
    check_whole("level", level, least=1, most=int(tree.level.max()))
    nodes = np.flatnonzero(tree.level <= level)
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[nodes] = np.arange(len(nodes))
    parent, probability = number[tree.parent[nodes]], tree.probability[nodes].copy()
    loose = (tree.level[nodes] == level) | (parent < 0)
    loose = np.flatnonzero(loose)[::-1]  # latent variables first, words last
    uppermost = loose[nodes[loose] >= tree.n_words]
    parent[uppermost] = np.concatenate(([-1], uppermost[:-1]))
    parent[loose[len(uppermost) :]] = uppermost[0]
    probability[loose] = tree.marginals[nodes[loose], None]
    return LatentTree(
        words=tree.words,
        parent=parent,
        level=tree.level[nodes],
        probability=probability,
        latent_names=tuple(tree.names[v] for v in nodes[tree.n_words :].tolist()),
        allow_irregular=True,
    )
