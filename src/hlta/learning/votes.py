"""Votes of samples on the structure: which words share topics, and how stable topics are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import sparse

from hlta._support.arrays import offsets
from hlta.learning.grouping import indicators
from hlta.tree.reshaping import above_and_below

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hlta._support.arrays import Floats, Indices
    from hlta.tree.latent_tree import LatentTree

_ISLAND_SHARE: Final = 0.5  # weight of a shared island; higher levels have the rest


@dataclass(frozen=True, eq=False)
class Vote:
    """The topic of every word at each level, according to one structure."""

    topics: tuple[Indices, ...]  # per level, from 1 up: (n_words,), numbered from 0

    @classmethod
    def of(cls, tree: LatentTree) -> Vote:
        """The vote of a tree in which every word has an ancestor at every level."""
        above, topics = tree.parent[: tree.n_words], []
        for _ in tree.levels[1:]:
            topics.append(np.unique(above, return_inverse=True)[1])
            above = tree.parent[above]
        return cls(tuple(topics))

    @property
    def shares(self) -> list[float]:
        """The weights of a shared topic at each level: a half for islands, the rest in equal parts."""
        above = len(self.topics) - 1
        return [_ISLAND_SHARE, *[(1.0 - _ISLAND_SHARE) / above] * above] if above else [1.0]


def are_topics(n_words: int, value: Any) -> bool:
    """Whether a value is valid as the `Vote.topics` of so many words."""
    levels = value if isinstance(value, tuple) else ()
    return bool(levels) and all(_are_numbers(numbers, n_words) for numbers in levels)


def _are_numbers(topics: Any, n_words: int) -> bool:
    """Whether these are the numbers of topics, one for each word."""
    are_whole = isinstance(topics, np.ndarray) and topics.dtype == np.intp
    return are_whole and topics.shape == (n_words,) and topics.min() >= 0 and topics.max() < n_words


def word_vectors(votes: Sequence[Vote]) -> sparse.csr_array:
    """A vector of length 1 per word; a dot product is the mean, over votes, of shared topics' weights."""
    blocks = [
        indicators(topics, np.sqrt(share / len(votes)))
        for vote in votes
        for topics, share in zip(vote.topics, vote.shares, strict=True)
    ]
    return sparse.hstack(blocks, format="csr")


def togetherness(votes: Sequence[Vote], sets: Sequence[Collection[int]]) -> tuple[float, ...]:
    """How often, and how closely, votes put the words of each set together, from 0 to 1.

    It is the mean dot product of the `word_vectors` over the pairs of its words.
    """
    vectors, found = word_vectors(votes), []
    for words in sets:
        own = vectors[sorted(words)]
        count, whole = len(words), own.sum(axis=0)
        found.append(max(0.0, float(whole @ whole - count) / (count * (count - 1))))
    return tuple(found)


def stability(tree: LatentTree, votes: Sequence[Vote]) -> Floats:
    """The stability of each topic in the votes, from 0 to 1, float64 (n_latents,).

    It is the mean, over the votes, of the largest Jaccard index of the words of the topic and those of
    a topic of the vote.
    """
    own, total = _words_below(tree), np.zeros(tree.n_latents)
    for vote in votes:
        total += _most_alike(own, vote)[0]
    return total / len(votes)


def word_stability(tree: LatentTree, votes: Sequence[Vote]) -> Floats:
    """The share of the votes in which each word is in the topic most like its own, (levels, n_words).

    A row per level of topics, from 1 up; NaN where a word has no topic of the level.
    """
    own = _words_below(tree)
    latent, word = above_and_below(tree, np.arange(tree.n_words))
    confirmed = np.zeros(len(word))
    for vote in votes:
        _, best, topics = _most_alike(own, vote)
        confirmed += (topics[:, word] == best[latent]).any(axis=0)
    shares = np.full((int(tree.level.max()), tree.n_words), np.nan)
    shares[tree.level[tree.n_words + latent] - 1, word] = confirmed / len(votes)
    return shares


def _most_alike(own: sparse.csr_array, vote: Vote) -> tuple[Floats, Indices, Indices]:
    """The topic of a vote most like the set of words in each row of `own`: its Jaccard index and number.

    Third come the numbers of the topics of each word, (levels, n_words), counted on across levels.
    """
    counts = [int(topics.max()) + 1 for topics in vote.topics]
    numbers = np.stack(vote.topics) + offsets(counts)[:-1, None]
    others = sparse.hstack([indicators(topics) for topics in vote.topics], format="csr")
    both = (own @ others).tocsr()
    both.sort_indices()
    row = np.repeat(np.arange(len(both.indptr) - 1), np.diff(both.indptr))
    either = own.sum(axis=1)[row] + others.sum(axis=0)[both.indices] - both.data
    likeness = both.data / either
    most = np.maximum.reduceat(likeness, both.indptr[:-1])
    first = np.flatnonzero(likeness == most[row])[::-1]
    best = np.empty(len(most), dtype=np.intp)
    best[row[first]] = both.indices[first]
    return most, best, numbers


def _words_below(tree: LatentTree) -> sparse.csr_array:
    """The matrix of latent variables by words: 1 for the words in the topic of each."""
    where = above_and_below(tree, np.arange(tree.n_words))
    return sparse.csr_array((np.ones(len(where[0])), where), shape=(tree.n_latents, tree.n_words))
