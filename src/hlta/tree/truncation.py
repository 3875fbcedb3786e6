"""Parts of a tree as trees of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._support.checks import check_whole
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from numpy.typing import NDArray


def restricted(
    tree: LatentTree,
    nodes: NDArray[np.intp],
    parent: NDArray[np.int32],
    probability: NDArray[np.float64],
    *,
    latent_names: tuple[str, ...] = (),
    allow_irregular: bool = False,
) -> LatentTree:
    """The tree of `nodes`, ascending; `parent` and `probability` are those of all nodes."""
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[nodes] = np.arange(len(nodes))
    return LatentTree(
        words=tree.words,
        parent=number[parent[nodes]],
        level=tree.level[nodes],
        probability=probability[nodes],
        latent_names=latent_names,
        allow_irregular=allow_irregular,
    )


def truncated(tree: LatentTree, level: int) -> LatentTree:
    """The tree up to a level, whose uppermost latent variables are independent of each other.

    To make a tree, they are linked in a chain, with the same probability in both states of the
    parent; words whose parent was above the level hang below its root in the same way. All other
    parameters and all names are those of the whole tree. The tree may be irregular: a latent
    variable may have fewer than three neighbours.
    """
    check_whole("level", level, least=1, most=int(tree.level.max()))
    nodes = np.flatnonzero(tree.level <= level)
    parent, probability = tree.parent.copy(), tree.probability.copy()
    cut = (parent < 0) | (tree.level[parent] > level) | (tree.level == level)
    loose = nodes[cut[nodes]]
    uppermost = loose[loose >= tree.n_words][::-1]
    parent[uppermost] = np.concatenate(([-1], uppermost[:-1]))
    parent[loose[loose < tree.n_words]] = uppermost[0]
    probability[loose] = tree.marginals[loose, None]
    names = tuple(tree.names[v] for v in nodes[tree.n_words :].tolist())
    return restricted(tree, nodes, parent, probability, latent_names=names, allow_irregular=True)
