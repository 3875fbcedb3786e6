"""Models made up for tests and benchmarks, shaped like learned ones."""

import numpy as np

from hlta.learning.votes import Vote
from hlta.tree.latent_tree import LatentTree


def planted(n_words: int, seed: int = 0, *, width: int = 4) -> LatentTree:
    """A hierarchy as text has it: words and topics that are rare without their topic, common with it."""
    rng = np.random.default_rng(seed)
    parent, level = [-1] * n_words, [0] * n_words
    layer = list(range(n_words))
    while len(layer) > 2:
        groups: list[list[int]] = []
        while layer:
            size = int(rng.integers(3, 2 * width - 2))
            size = len(layer) if len(layer) - size < 3 else size
            groups.append(layer[:size])
            layer = layer[size:]
        for group in groups:
            for node in group:
                parent[node] = len(parent)
            layer.append(len(parent))
            parent.append(-1)
            level.append(level[group[0]] + 1)
    if len(layer) == 2:
        parent[layer[0]] = layer[1]  # linked
    low = rng.uniform(0.01, 0.08, len(parent))
    high = rng.uniform(0.4, 0.9, len(parent))
    values = np.stack((low, high), axis=1)
    values[-1] = 0.3
    words = tuple(f"w{i}" for i in range(n_words))
    return LatentTree(words, np.array(parent), np.array(level), values)


VOTED = np.arange(108) // 3, np.arange(108) // 6, np.arange(108) // 36
"""Islands, groups and root topics of 108 words that `cast_votes` are about."""


def in_root_topics(seed: int = 0) -> np.ndarray:
    """600 documents, each with words of one root topic of `VOTED`, of which any two seldom meet."""
    rng = np.random.default_rng(seed)
    of_document = rng.integers(0, 3, 600)
    likely = np.where(of_document[:, None] == VOTED[-1], 0.15, 0.01)
    return (rng.random(likely.shape) < likely).astype(np.int8)


def cast_votes(count: int, seed: int = 0, share: float = 0.2) -> list[Vote]:
    """Votes that move a share of the words to topics drawn at random, at each level."""
    rng = np.random.default_rng(seed)

    def noisy(parts: np.ndarray) -> np.ndarray:
        return np.where(rng.random(len(parts)) < share, rng.permutation(parts), parts)

    return [Vote(tuple(noisy(parts) for parts in VOTED)) for _ in range(count)]
