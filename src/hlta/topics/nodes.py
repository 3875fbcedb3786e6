"""The nodes of topics in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta._support.arrays import Indices
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree


def topic_nodes(tree: LatentTree, topics: Iterable[Topic]) -> Indices:
    """The node of each topic in the tree."""
    node = {name: number for number, name in enumerate(tree.latent_names, start=tree.n_words)}
    try:
        return np.array([node[topic.id] for topic in topics], dtype=np.intp)
    except (AttributeError, TypeError):
        raise OptionError(
            f"topics={topics!r:.60}: give topics, such as model.topics_.roots; model.topics_[id] is "
            "the one with that id"
        ) from None
    except KeyError as error:
        raise OptionError(
            f"topics: the tree has no latent variable {error}; give topics that were read from it"
        ) from None
