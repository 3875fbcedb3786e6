"""Parts of a tree as separate trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._support.checks import check_whole
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY, Parameters, bounded_rows

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Indices, Ints32


def keep_words(
    tree: LatentTree,
    nodes: Indices,
    parent: Ints32,
    parameters: Parameters | Floats,
    *,
    latent_names: tuple[str, ...] = (),
    allow_irregular: bool = False,
) -> LatentTree:
    """The tree of `nodes`, ascending, with all words; `parent`, `parameters` are of all nodes."""
    number = np.full(tree.n_nodes + 1, -1)  # the last entry stands for no parent
    number[nodes] = np.arange(len(nodes))
    if isinstance(parameters, Parameters):
        latents = nodes[tree.n_words :] - tree.n_words
        states, word, latent, background = parameters
        kept: Parameters | Floats = Parameters(
            states[latents], word, latent[latents], background[latents]
        )
    else:
        kept = parameters[nodes]
    return LatentTree(
        words=tree.words,
        parent=number[parent[nodes]],
        level=tree.level[nodes],
        probability=kept,
        latent_names=latent_names,
        allow_irregular=allow_irregular,
    )


def truncate(tree: LatentTree, level: int) -> LatentTree:
    """The tree up to a level, whose uppermost latent variables are independent of each other.

    To make a tree, they are linked in a chain, with the same probabilities in all states of the
    parent; words whose parent was above the level hang below its root in the same way. All other
    parameters and all names are those of the whole tree. The tree may be irregular: a latent
    variable may have fewer than three neighbours.
    """
    check_whole("level", level, least=1, most=int(tree.level.max()))
    nodes = np.flatnonzero(tree.level <= level)
    parent = tree.parent.copy()
    word, latent = tree.parameters.word.copy(), tree.parameters.latent.copy()
    cut = (parent < 0) | (tree.level[parent] > level) | (tree.level == level)
    loose = nodes[cut[nodes]]
    uppermost = loose[loose >= tree.n_words][::-1]
    # The chain descends, as one below the level may have hung from above it.
    uppermost = uppermost[np.argsort(-tree.level[uppermost], kind="stable")]
    parent[uppermost] = np.concatenate(([-1], uppermost[:-1]))
    loose_words, top = loose[loose < tree.n_words], uppermost - tree.n_words
    parent[loose_words] = uppermost[0]
    above = np.concatenate((top[:1], top[:-1]))  # the root's own states stand for its parent's
    has_state = tree.parameters.has_state
    # Sums of products can round to just outside the bounds of parameters.
    of_states = bounded_rows(tree.state_marginals[top], has_state[top])
    of_words = np.clip(tree.marginals[loose_words], MIN_PROBABILITY, MAX_PROBABILITY)
    latent[top] = np.where(has_state[above][:, :, None], of_states[:, None], 0.0)
    word[loose_words] = np.where(has_state[top[0]], of_words[:, None], 0.0)
    latent[top[0]] = of_states[0]
    names = tuple(tree.names[v] for v in nodes[tree.n_words :].tolist())
    parameters = tree.parameters._replace(word=word, latent=latent)
    return keep_words(tree, nodes, parent, parameters, latent_names=names, allow_irregular=True)
