"""Synthetic trees of any size, with frequencies of words as in text, to sample documents from.

`tests.synthetic` has smaller ones, whose structure can be found again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta import LatentTree
from hlta.tree.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_AT_THE_TOP = 20
_BISECTIONS = 40


class _Shape(NamedTuple):
    """The parent and the level of each node."""

    parent: NDArray[np.int32]
    level: NDArray[np.int32]


def hierarchy(n_words: int, words_per_document: float, seed: int = 0) -> LatentTree:
    """A tree with 2 to 5 children per latent variable, at most 20 of which are linked at the top.

    The frequencies of words follow a power law; documents have about `words_per_document` words.
    """
    rng = np.random.default_rng(seed)
    parent, level = _hierarchy_shape(n_words, rng)
    rank = rng.permutation(n_words) + 1.0
    frequency = rank**-0.7
    probability = np.empty((len(parent), 2))
    lift = rng.uniform(3.0, 15.0, n_words)
    latents = len(parent) - n_words
    probability[n_words:, 0] = rng.uniform(0.01, 0.06, latents)
    probability[n_words:, 1] = rng.uniform(0.3, 0.8, latents)
    root = int(np.flatnonzero(parent == -1)[0])
    probability[root] = 0.15

    def scaled(scale: float) -> LatentTree:
        low = np.clip(scale * frequency, 1e-5, 0.4)
        probability[:n_words, 0] = low
        probability[:n_words, 1] = np.clip(low * lift, 1e-4, 0.9)
        words = tuple(f"w{i}" for i in range(n_words))
        return LatentTree(words, parent, level, probability, allow_irregular=True)

    low, high = 1e-6, 10.0
    for _ in range(_BISECTIONS):  # bisection on the expected length of a document
        middle = float(np.sqrt(low * high))
        if scaled(middle).marginals[:n_words].sum() < words_per_document:
            low = middle
        else:
            high = middle
    return scaled(low)


def with_states(tree: LatentTree, states: int, seed: int = 0) -> LatentTree:
    """A tree of two states with `states` of them: the probability of state 1 is divided among the others.

    P(word | state) is drawn at random between those of states 0 and 1.
    """
    if states == 2:
        return tree
    rng = np.random.default_rng(seed)
    before, n_words, n_latents = tree.probability, tree.n_words, tree.n_latents
    mixture = rng.random((n_words, states))
    mixture[:, 0] = 0.0
    low, high = before[:n_words, :1], before[:n_words, 1:]
    word = low ** (1.0 - mixture) * high**mixture
    on = before[n_words:, [0] + [1] * (states - 1)]
    share = rng.dirichlet(np.ones(states - 1), size=(n_latents, states))
    latent = np.empty((n_latents, states, states))
    latent[:, :, 0] = 1.0 - on
    latent[:, :, 1:] = np.maximum(on[:, :, None] * share, 1e-6)
    latent /= latent.sum(axis=2, keepdims=True)
    latent[tree.root - n_words] = latent[tree.root - n_words, 0]
    counts = np.full(n_latents, states, dtype=np.int32)
    return tree.with_probability(Parameters(counts, word, latent))


def _hierarchy_shape(n_words: int, rng: np.random.Generator) -> _Shape:
    groups: list[NDArray[np.int64]] = []  # for each level, the group of each member
    width = n_words
    while not groups or width > _MOST_AT_THE_TOP:
        sizes = rng.choice([2, 3, 4, 5], p=[0.4, 0.3, 0.2, 0.1], size=width)
        group = np.repeat(np.arange(width), sizes)[:width]
        if width > 1 and (group == group[-1]).sum() == 1:
            group[-1] = group[-2]
        groups.append(group)
        width = int(group[-1]) + 1
    widths = [n_words, *(int(group[-1]) + 1 for group in groups)]
    offset = np.concatenate(([0], np.cumsum(widths)))
    parent = np.concatenate([*(group + offset[k + 1] for k, group in enumerate(groups)), [-1]])
    top = np.arange(1, widths[-1])
    links = np.array([rng.integers(0, v) for v in top], dtype=np.int64) + offset[-2]
    parent = np.concatenate((parent, links)).astype(np.int32)
    level = np.repeat(np.arange(len(widths), dtype=np.int32), widths)
    return _Shape(parent, level)
