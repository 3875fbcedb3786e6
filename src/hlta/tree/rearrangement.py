"""The same distribution as another tree: words in another order, another root."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hlta.errors import OptionError, TreeError
from hlta.tree.parameters import reverse_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.tree.latent_tree import LatentTree


def reorder_words(tree: LatentTree, words: Sequence[str]) -> LatentTree:
    """See `LatentTree.with_words`."""
    wanted = tuple(words)
    number = {word: node for node, word in enumerate(tree.words)}
    unknown = next((word for word in wanted if word not in number), None)
    if unknown is not None:
        raise TreeError(f"words: {unknown!r} is not a word of this tree")
    if len(wanted) != tree.n_words or len(set(wanted)) != tree.n_words:
        raise TreeError(
            f"words: {len(set(wanted)):,} distinct words given, the tree has {tree.n_words:,}; "
            "give each of them once"
        )
    order = np.concatenate(
        ([number[word] for word in wanted], np.arange(tree.n_words, tree.n_nodes))
    ).astype(np.int32)
    return replace(
        tree,
        words=wanted,
        parent=tree.parent[order],
        level=tree.level[order],
        probability=tree.probability[order],
    )


def reroot(tree: LatentTree, latent: int) -> LatentTree:
    """See `LatentTree.reroot`."""
    if not tree.n_words <= latent < tree.n_nodes:
        raise OptionError(
            f"latent={latent}: the latent variables are nodes {tree.n_words} to {tree.n_nodes - 1}"
        )
    if tree.level[latent] != tree.level.max():
        raise OptionError(
            f"latent={latent}: {tree.names[latent]!r} is at level {tree.level[latent]}; "
            f"the root must be at the top, level {tree.level.max()}"
        )
    path = [latent]
    while path[-1] != tree.root:
        path.append(int(tree.parent[path[-1]]))
    parent = tree.parent.copy()
    parent[path[1:]] = path[:-1]
    parent[latent] = -1
    return replace(
        tree, parent=parent, probability=reverse_path(tree.probability, tree.marginals, path)
    )
