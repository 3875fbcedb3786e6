"""Consensus, beyond the paper: the structure on which the structures of many samples agree.

One structure depends on chance: most words have more than one home, and a greedy search picks one by
differences that a few documents make. So a structure is learned from each of many samples, and these
vote: the more of them put two words together, and the closer, the more the words belong together.
What is chance in each of them cancels out. Where a person has seeds, these come before the votes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import linkage

from hlta.algorithm.clustering import (
    BARRED,
    NEAREST,
    NO_PAIRS,
    TOO_FAR,
    alone,
    average_linkage,
    between,
    cut,
    indicators,
    joined,
    loners_completed,
    loners_joined,
    places,
    product,
    settled,
    squared_distances,
)
from hlta.algorithm.seeds import NO_SEEDS, SEED_LEVEL
from hlta.algorithm.themes import find_themes
from hlta.algorithm.votes import word_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.algorithm.seeds import Seeds
    from hlta.algorithm.votes import Vote

_ISLAND_SIZE: Final = 3.0  # words per island, on the average
_ROOT_SIZE: Final = 36  # words per root topic, at least, on the average
_TIE: Final = 1e-6  # distances that differ by less are the same
_THEME_WEIGHT: Final = 2.2  # of themes, where all votes together weigh the root of their number
_EVENNESS: Final = 0.65  # with 1, a root topic has as many groups at level 2 as these have islands
_MOST_ISLANDS: Final = 10.4  # per group at level 2, on the average
_SPARE: Final = 1.15  # times as many groups as wanted; the least distinct of them then join others
_NARROWING: Final = 3.5  # each level above has about this many times fewer groups


def agreed_partitions(
    votes: Sequence[Vote],
    *,
    n_top: int,
    n_roots: int | None = None,
    company: NDArray[np.float64] | None = None,
    seeds: Seeds = NO_SEEDS,
) -> list[NDArray[np.intp]]:
    """Partitions of the words, level by level, the finest first: each joins parts of the one before.

    Up to `n_top` islands are on top themselves. Otherwise there are `n_roots` root topics, or `n_top`
    if that is fewer or not given, found from the votes and the `company` that words have, see
    `themes`. Islands come from Ward's method, which makes them compact and about equally large,
    and each falls into one root topic; what is between from average linkage, which leaves a theme
    whole, be it large or small. No part has a single member of the level below, where there are others
    to join.

    The words of a seed have one root topic, make up islands, to which others may come, and these one
    part at level 2, to which nothing comes. Words that seeds bar from each other never meet, so there
    may be more root topics.
    """
    n_words = len(votes[0].topics[0])
    vectors, weight = word_vectors(votes), _THEME_WEIGHT / np.sqrt(len(votes))
    if _n_islands(n_words) <= n_top:
        partitions = [_islands(np.zeros(n_words, dtype=np.intp), vectors, weight, seeds)[0]]
        for level in range(SEED_LEVEL, seeds.height + 1):
            partitions.append(seeds.joined(partitions[-1], level)[partitions[-1]])
        return _distinct(partitions, seeds.height)
    number = min(n_top, n_roots or n_top, max(2, n_words // _ROOT_SIZE))
    themes = find_themes(vectors, number, company, seeds)
    islands, roots = _islands(themes, vectors, weight, seeds)
    partitions, size = [islands], np.ones(int(islands.max()) + 1)
    similarity = _similarity(islands, roots, vectors)
    n_roots = int(roots.max()) + 1
    level, width = SEED_LEVEL, _lowest_width(len(size), n_roots)
    while width or level <= seeds.height:
        parts, size, similarity = _seeds_joined(partitions[-1], size, similarity, seeds, level)
        groups = _groups(
            similarity,
            width or len(size),
            seeds.seeded(parts) & (level == SEED_LEVEL),
            between(parts, seeds.barred(level)),
        )
        partitions.append(groups[parts])
        joins = int(groups.max()) + 1 < len(groups)
        size, similarity = _merged(groups, size, similarity)
        level, width = level + 1, _narrower(len(size), n_roots) if joins else 0
    return _distinct([*partitions, roots], seeds.height)


def _distinct(partitions: list[NDArray[np.intp]], height: int) -> list[NDArray[np.intp]]:
    """The partitions without those that join nothing, and without a single topic above just two.

    Below `height` those that join nothing stay, if others follow: topics of seeds keep their levels.
    """
    counts = [int(parts.max()) + 1 for parts in partitions]
    if counts[-2:] == [2, 1]:
        partitions, counts = partitions[:-1], counts[:-1]
    return [
        parts
        for k, parts in enumerate(partitions)
        if k == 0 or counts[k] < counts[k - 1] or (k < height and counts[-1] < counts[k])
    ]


def _lowest_width(n_islands: int, n_roots: int) -> int:
    """How many groups level 2 has."""
    even = _EVENNESS * float(np.sqrt(n_islands * n_roots))
    return max(1, round(max(even, n_islands / _MOST_ISLANDS)))


def _narrower(n_groups: int, n_roots: int) -> int:
    """How many groups the level above has, or 0 if the root topics are above.

    From level to level they are the same times fewer.
    """
    steps = round(float(np.log(n_groups / n_roots) / np.log(_NARROWING)))
    return round(n_groups / (n_groups / n_roots) ** (1.0 / steps)) if steps > 1 else 0


def _seeds_joined(
    parts: NDArray[np.intp],
    size: NDArray[np.float64],
    similarity: NDArray[np.float64],
    seeds: Seeds,
    level: int,
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Parts of the words, with those joined that a seed wants together at this level."""
    together = seeds.joined(parts, level)
    if together.max() + 1 < len(together):
        size, similarity = _merged(together, size, similarity)
    return together[parts], size, similarity


# ---- islands -------------------------------------------------------------------------------------


class _Words(NamedTuple):
    """What islands are made of."""

    vectors: sparse.csr_array  # a row per word
    cores: NDArray[np.intp]  # words with the same number stay together, and have the same vector
    barred: NDArray[np.intp]  # pairs of words that must not meet

    @property
    def bound(self) -> NDArray[np.bool_]:
        """Which words stay where Ward's method has them: those that others depend on."""
        bound: NDArray[np.bool_] = np.bincount(self.cores)[self.cores] > 1
        bound[self.barred] = True
        return bound


def _islands(
    themes: NDArray[np.intp], vectors: sparse.csr_array, weight: float, seeds: Seeds
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The island of each word, and the root topic: the theme of most words of the island.

    The themes count as one more vote, of this weight, on how similar words are, so that few words
    leave theirs. Words that seeds name never do.
    """
    near = sparse.hstack([vectors, indicators(themes, np.sqrt(weight))], format="csr")
    words = _words(near, seeds, themes)
    islands = _cut_islands(words, _n_islands(len(themes)))
    count = (indicators(islands).T @ indicators(themes)).toarray()
    count[islands[seeds.named], themes[seeds.named]] += len(themes)
    roots = np.unique(count.argmax(axis=1), return_inverse=True)[1][islands]
    for root in range(int(roots.max()) + 1):
        own = np.flatnonzero(roots == root)
        number, parts = np.unique(islands[own], return_inverse=True)
        islands[own] = number[settled(parts, words.vectors[own], ~words.bound[own])]
    return islands, roots


def _n_islands(n_words: int) -> int:
    return max(1, round(n_words / _ISLAND_SIZE))


def _words(vectors: sparse.csr_array, seeds: Seeds, themes: NDArray[np.intp]) -> _Words:
    """Words with the vectors of votes; those of a seed make up islands among themselves first."""
    cores = np.arange(len(themes))
    if not len(seeds):
        return _Words(vectors, cores, NO_PAIRS)
    for own in seeds.innermost:
        alone_there = _Words(vectors[own], np.arange(len(own)), NO_PAIRS)
        cores[own] = own[_cut_islands(alone_there, _n_islands(len(own)))]
    middle = indicators(np.unique(cores, return_inverse=True)[1])
    vectors = ((middle / middle.sum(axis=0)) @ (middle.T @ vectors)).tocsr()
    named = seeds.named
    foreign = named[np.argwhere(np.triu(themes[named][:, None] != themes[named]))]
    return _Words(vectors, cores, np.concatenate([seeds.barred(1), foreign]))


def _ward(words: _Words) -> NDArray[np.float64]:
    """Ward's method on the words, as SciPy tells it: a row for each time that two groups join."""
    n = len(words.cores)
    if n < 2:
        return np.empty((0, 4))
    distance = squared_distances(words.vectors)
    shared = np.flatnonzero(np.bincount(words.cores) > 1)
    if len(shared):
        np.maximum(distance, NEAREST, out=distance)
    for core in shared:
        own = np.flatnonzero(words.cores == core)
        distance[places(own[np.column_stack(np.triu_indices(len(own), 1))], n)] = 0.0
    np.sqrt(distance, out=distance)
    distance[places(words.barred, n)] = BARRED
    linked: NDArray[np.float64] = linkage(distance, "ward")
    return linked


def _cut_islands(words: _Words, width: int) -> NDArray[np.intp]:
    """About so many islands, and one of few words; none of a single word, where there are others.

    Words that are as close as the last ones to join do so, too.
    """
    n = len(words.cores)
    if n < 2 * _ISLAND_SIZE and not len(words.barred):
        return np.zeros(n, dtype=np.intp)
    linked, least = _ward(words), n - min(width, len(np.unique(words.cores)))
    joins = int((linked[:, 2] <= linked[least - 1, 2] + _TIE).sum()) if least else 0
    islands = loners_joined(cut(linked, n - joins), words.vectors, words.barred)
    return loners_completed(islands, words.vectors, np.flatnonzero(words.bound))


# ---- what is above them --------------------------------------------------------------------------


def _similarity(
    islands: NDArray[np.intp], roots: NDArray[np.intp], vectors: sparse.csr_array
) -> NDArray[np.float64]:
    """How often and how closely the votes put the words of two islands together, on the average.

    Islands of different root topics are infinitely unlike each other.
    """
    size, root = np.bincount(islands), np.empty(int(islands.max()) + 1, dtype=np.intp)
    middle = ((indicators(islands) / size).T @ vectors).tocsr()
    root[islands] = roots
    return np.where(root[:, None] == root, product(middle, middle), -BARRED)


def _groups(
    similarity: NDArray[np.float64],
    width: int,
    whole: NDArray[np.bool_],
    barred: NDArray[np.intp] = NO_PAIRS,
) -> NDArray[np.intp]:
    """`width` groups by average linkage, or as many as there can be, besides members that are whole.

    A member that linkage leaves alone joins the others in the end, unless it is whole. So linkage
    stops while there are still enough groups of two or more members. That is some more than wanted:
    those that are hardly more similar within than to their nearest group then join it.
    """
    n = len(similarity)
    similarity = similarity.copy()
    similarity[whole] = similarity[:, whole] = -BARRED
    similarity[barred, barred[:, ::-1]] = -BARRED
    linked = average_linkage(similarity)
    heights = linked[linked[:, 2] < TOO_FAR, 2]
    if width >= n or not len(heights):
        return np.arange(n)
    count = np.cumsum((linked[: len(heights), :2] < n).sum(axis=1) - 1)
    cuts = np.flatnonzero(np.append(np.diff(heights) > _TIE, True))  # none between equal heights
    enough = cuts[count[cuts] >= min(_SPARE * width, count[cuts].max())]
    groups = cut(linked, n - 1 - int(enough[-1]))
    groups = joined(groups, alone(groups), similarity, barred)
    return _least_distinct_joined(groups, width, similarity, barred)


def _least_distinct_joined(
    groups: NDArray[np.intp],
    width: int,
    similarity: NDArray[np.float64],
    barred: NDArray[np.intp],
) -> NDArray[np.intp]:
    """`width` groups, or a few more, besides single members: others join those most similar to them.

    Those are the groups whose members are least similar to each other, in proportion to how similar
    they are to the nearest group. One stays where it could join none but others of them, or is as
    distinct as one that stays.
    """
    size, mean = _merged(groups, np.ones(len(groups)), similarity)
    pairs = size * (size - 1.0)
    shared = mean.diagonal() * size**2 - np.bincount(groups, similarity.diagonal())
    within = np.divide(shared, pairs, out=np.full(len(size), np.inf), where=pairs > 0.0)
    np.fill_diagonal(mean, -BARRED)
    distinct = within / np.maximum(mean.max(axis=1), _TIE)
    least = np.sort(distinct)[max(0, int((pairs > 0.0).sum()) - width)]
    leaving = distinct < least - _TIE
    return joined(np.arange(len(size)), leaving, mean, between(groups, barred))[groups]


def _merged(
    groups: NDArray[np.intp], size: NDArray[np.float64], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Islands per group, and the mean similarity of the islands of two groups."""
    table = indicators(groups).toarray() * size[:, None]
    total = table.sum(axis=0)
    return total, table.T @ similarity @ table / np.outer(total, total)
