"""The same distribution as another tree: words in another order, another root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._support.checks import check_whole
from hlta.errors import OptionError, TreeError
from hlta.tree.parameters import reverse_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats
    from hlta.tree.validation import TreeFields


def reorder_words(tree: TreeFields, words: Sequence[str]) -> TreeFields:
    """The tree with its words in this order."""
    wanted = tuple(words)
    number = {word: node for node, word in enumerate(tree.words)}
    unknown = next((word for word in wanted if word not in number), None)
    if unknown is not None:
        raise TreeError(f"words: {unknown!r} is not a word of this tree")
    n_words = len(tree.words)
    if len(wanted) != n_words or len(set(wanted)) != n_words:
        raise TreeError(
            f"words: {len(set(wanted)):,} distinct words given, but the tree has {n_words:,}; "
            "give each of them once"
        )
    latents = np.arange(n_words, len(tree.parent))
    order = np.concatenate(([number[word] for word in wanted], latents)).astype(np.int32)
    return tree._replace(
        words=wanted,
        parent=tree.parent[order],
        level=tree.level[order],
        probability=tree.probability._replace(word=tree.probability.word[order[:n_words]]),
    )


def reroot(tree: TreeFields, marginals: Floats, latent: int) -> TreeFields:
    """The tree with another root; `marginals` are those of the states of latent variables."""
    n_words, n_nodes = len(tree.words), len(tree.parent)
    latent = check_whole("latent", latent, least=n_words, most=n_nodes - 1)
    if tree.level[latent] != tree.level.max():
        name = tree.latent_names[latent - n_words]
        raise OptionError(
            f"latent={latent}: {name!r} is at level {tree.level[latent]}; "
            f"the root must be at the top, level {tree.level.max()}"
        )
    path = [latent]
    while tree.parent[path[-1]] >= 0:
        path.append(int(tree.parent[path[-1]]))
    parent = tree.parent.copy()
    parent[path[1:]] = path[:-1]
    parent[latent] = -1
    latents = [node - n_words for node in path]
    return tree._replace(
        parent=parent, probability=reverse_path(tree.probability, marginals, latents)
    )
