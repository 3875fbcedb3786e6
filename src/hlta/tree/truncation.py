"""Parts of a tree as trees of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from numpy.typing import NDArray


def restricted(
    tree: LatentTree,
    nodes: NDArray[np.intp],
    parent: NDArray[np.integer],
    probability: NDArray[np.float64],
    *,
    allow_irregular: bool = False,
) -> LatentTree:
    """The tree of some nodes, ascending; `parent` and `probability` are given for all nodes of `tree`."""
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[nodes] = np.arange(len(nodes))
    return LatentTree(
        words=tree.words,
        parent=number[parent[nodes]],
        level=tree.level[nodes],
        probability=probability[nodes],
        allow_irregular=allow_irregular,
    )


def truncated(tree: LatentTree, level: int) -> LatentTree:
    """The tree up to a level, whose uppermost latent variables are independent of each other.

    They are linked in a row, by probabilities that are the same in both states of the parent.
    Words that hang from higher levels are independent, too.
    """
    nodes = np.flatnonzero(tree.level <= level)
    parent, probability = tree.parent.copy(), tree.probability.copy()
    higher = (tree.parent < 0) | (tree.level[tree.parent] > level)
    loose = nodes[higher[nodes] | (tree.level[nodes] == level)]
    probability[loose] = tree.marginals[loose, None]
    latents = loose[loose >= tree.n_words]
    parent[latents] = np.concatenate(([-1], latents[:-1]))
    parent[loose[loose < tree.n_words]] = latents[0]
    return restricted(tree, nodes, parent, probability, allow_irregular=True)
