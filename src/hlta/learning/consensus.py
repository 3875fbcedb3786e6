"""Consensus, beyond the paper: the structure on which the structures of many samples agree.

One structure depends on chance: most words fit several topics, and a greedy search decides on the
evidence of a few documents. So a structure is learned from each of many samples, and these vote: the
more of them put two words in one topic, and the lower its level, the more alike the words are. Words
that occur beside the same words are alike, too, see `embedding`. Chance in single votes averages out.

Root topics come first, from all words at once: if small groups were joined until few are left, errors
would accumulate from step to step. Islands come next; each belongs to the root topic of most of its
words. The levels between join islands within each root topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from hlta.learning.embedding import MOST_AT_ONCE, leading, unit_rows
from hlta.learning.grouping import (
    average_linkage,
    centres,
    cut,
    cut_within,
    height_of,
    indicators,
    place_loners,
    renumber,
    ward,
)
from hlta.learning.seeds import NO_SEEDS, SEED_LEVEL, Seeds
from hlta.learning.votes import Vote, word_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats, Indices

_EMBEDDING_SHARE: Final = 0.25  # weight of the embedding in likeness; votes have the rest
_FIRM: Final = 0.4  # average likeness from which words share a root topic in any case
_ROOT_WEIGHT: Final = 0.15  # added to the likeness of words of one root topic, for islands
_ROOTS_PER_POWER_OF_TEN: Final = 4  # root topics per power of ten of the documents
_ROOT_SIZE: Final = 36  # average words per root topic, at least
_ISLAND_SIZE: Final = 3.0  # average words per island
_EVENNESS: Final = 0.65  # with 1, a root topic has as many groups at level 2 as these have islands
_MOST_ISLANDS: Final = 10.4  # average islands per group at level 2, at most
_NARROWING: Final = 3.5  # each higher level has about this many times fewer groups
_ROUNDS: Final = 100  # rounds of k-means, at most


def usual_roots(n_documents: int) -> int:
    """The usual number of root topics: with more documents, more of them can be distinguished."""
    return max(2, int(_ROOTS_PER_POWER_OF_TEN * np.log10(max(n_documents, 1))))


def find_partitions(
    votes: Sequence[Vote],
    *,
    n_top: int,
    n_roots: int | None = None,
    embedding: Floats | None = None,
    seeds: Seeds = NO_SEEDS,
) -> list[Indices]:
    """Partitions of the words, level by level, the finest first: each joins parts of the one before.

    There are about `n_roots` root topics, or `n_top` if that is fewer or `n_roots` is None, and beyond
    two at most one per `_ROOT_SIZE` words. If there are no more than `n_top` islands, these are the root
    topics. No part has a single word, unless that word is barred from all other parts.

    The words of a seed share one root topic, one island, which other words may join, and one part at
    level 2, which no other island joins. Those of a seed of seeds share one part one level above the
    highest of its seeds, which no other joins either. Words apart have different root topics, so there
    may be more of these.
    """
    rows = word_vectors(votes)
    n_words = rows.shape[0]
    if embedding is not None:
        both = np.sqrt(1.0 - _EMBEDDING_SHARE) * rows, np.sqrt(_EMBEDDING_SHARE) * embedding
        rows = sparse.hstack(both, format="csr")
    if _n_islands(n_words) <= n_top:
        islands = find_islands(rows, np.zeros(n_words, dtype=np.intp), seeds)[0]
        levels = range(SEED_LEVEL, seeds.height + 1)
        return _distinct(
            [islands, *(seeds.join(islands, k)[islands] for k in levels)], seeds.height
        )
    number = min(n_top, n_roots or n_top, max(2, n_words // _ROOT_SIZE))
    islands, roots = find_islands(rows, find_roots(rows, number, seeds), seeds)
    between = levels_between(rows, islands, roots, seeds)
    return _distinct([islands, *between, roots], seeds.height)


def _distinct(partitions: list[Indices], height: int) -> list[Indices]:
    """The partitions without those that join nothing, and without a single topic above just two.

    Below `height`, those that join nothing stay if a later one joins parts: topics of seeds keep their
    levels.
    """
    counts = [int(parts.max()) + 1 for parts in partitions]
    kept = [
        parts
        for k, parts in enumerate(partitions)
        if k == 0 or counts[k] < counts[k - 1] or (k < height and counts[-1] < counts[k])
    ]
    return kept[:-1] if [int(parts.max()) for parts in kept[-2:]] == [1, 0] else kept


# ---- root topics -----------------------------------------------------------------------------------


def find_roots(rows: sparse.csr_array, number: int, seeds: Seeds = NO_SEEDS) -> Indices:
    """The root topic of each word, about `number` of them, by spectral clustering.

    Words that are very much alike are assigned together, as are those of a seed; other words that seeds
    name are assigned alone. K-means starts from the groups that Ward's method finds, among every k-th
    unit if there are more than `MOST_AT_ONCE`.
    """
    n = rows.shape[0]
    units = cut(average_linkage(rows), 1.0 - _FIRM) if n <= MOST_AT_ONCE else np.arange(n)
    units[seeds.named] = len(units) + np.arange(len(seeds.named))
    units = renumber(units)
    units = seeds.join(units, seeds.height)[units]
    places = unit_rows(indicators(units).T @ _positions(rows, number))
    weighted = places * np.bincount(units)[:, None]
    first = np.arange(0, len(places), -(-len(places) // MOST_AT_ONCE))
    linked = ward(sparse.csr_array(places[first]))
    root = cut(linked, height_of([linked], number))
    middle = unit_rows(indicators(root).T @ weighted[first])
    for _ in range(_ROUNDS):
        before, closeness = root, places @ middle.T
        root = closeness.argmax(axis=1)
        if np.array_equal(root, before):
            break
        middle = unit_rows(indicators(root).T @ weighted)
    barred = seeds.apart_pairs
    root = renumber(_keep_apart(root, closeness, units[barred]))
    return place_loners(root[units], rows, barred, seeds.named)


def _positions(rows: sparse.csr_array, number: int) -> Floats:
    """The spectral embedding of the words in `number` dimensions, float64 (words, number)."""
    to_all = np.asarray(rows @ rows.sum(axis=0))  # the likeness of a word to itself is 1
    scale = 1.0 / np.sqrt(np.maximum(to_all, 1.0))
    scaled = aslinearoperator(rows.multiply(scale[:, None]).tocsr())
    return unit_rows(leading(scaled @ scaled.T, min(number, len(scale))))


def _keep_apart(root: Indices, closeness: Floats, apart: Indices) -> Indices:
    """The root topics after barred units moved to the closest one without an opponent, or a new one."""
    root, placed = root.copy(), dict[int, int]()
    for unit in np.unique(apart).tolist():
        others = apart[(apart == unit).any(axis=1)].ravel().tolist()
        taken = {placed[other] for other in others if other in placed}
        choices = np.argsort(-closeness[unit], kind="stable").tolist()
        new = len(choices) + len(placed)
        placed[unit] = next((k for k in choices if k not in taken), new)
    root[list(placed)] = list(placed.values())
    return root


# ---- islands ---------------------------------------------------------------------------------------


def find_islands(
    rows: sparse.csr_array, roots: Indices, seeds: Seeds = NO_SEEDS
) -> tuple[Indices, Indices]:
    """The island of each word, by Ward's method, and the root topic of most words of the island.

    Words of the same root topic count as more alike, so that few words leave theirs; words that seeds
    name never do. Words with equal vectors share an island. With more than `MOST_AT_ONCE` words,
    islands are found within each root topic.
    """
    near = sparse.hstack([rows, indicators(roots, np.sqrt(_ROOT_WEIGHT))], format="csr")
    seeded = seeds.join(np.arange(len(roots)), SEED_LEVEL)
    near = centres(near, seeded)[seeded]
    barred = seeds.foreign_pairs(roots)
    blocks = [np.arange(len(roots))]
    if len(roots) > MOST_AT_ONCE:
        homes = (np.flatnonzero(roots == root) for root in range(int(roots.max()) + 1))
        parts = ((own, -(-len(own) // MOST_AT_ONCE)) for own in homes)
        blocks = [own[k::count] for own, count in parts for k in range(count)]
    linked = [ward(near[own], _within(barred, own)) for own in blocks]
    islands = cut_within(blocks, linked, max(height_of(linked, _n_islands(len(roots))), 0.0))
    islands = seeds.join(islands, SEED_LEVEL)[islands]
    islands = place_loners(islands, near, barred, seeds.named)
    count = (indicators(islands).T @ indicators(roots)).toarray()
    count[islands[seeds.named], roots[seeds.named]] += len(roots)
    return islands, renumber(count.argmax(axis=1))[islands]


def _within(pairs: Indices, own: Indices) -> Indices:
    """The pairs whose members are both in `own`, which is sorted, by their positions there."""
    return np.searchsorted(own, pairs[np.isin(pairs, own).all(axis=1)])


def _n_islands(n_words: int) -> int:
    return max(1, round(n_words / _ISLAND_SIZE))


# ---- the levels between ----------------------------------------------------------------------------


def levels_between(
    rows: sparse.csr_array, islands: Indices, roots: Indices, seeds: Seeds = NO_SEEDS
) -> list[Indices]:
    """The levels from 2 up to below the root topics: islands joined by Ward's method within each root.

    At each level, all root topics are cut at the same height. An island counts once, whatever its
    number of words.
    """
    units = seeds.join(islands, seeds.height)  # islands of a seed are one unit
    middle, home = centres(centres(rows, islands), units), np.empty(len(units), dtype=np.intp)
    home[islands] = roots
    home = home[np.unique(units, return_index=True)[1]]
    within = [np.flatnonzero(home == root) for root in range(int(roots.max()) + 1)]
    linked = [ward(middle[own]) for own in within]
    levels: list[Indices] = []
    widths = _widths(len(units), len(within))
    for level in range(SEED_LEVEL, SEED_LEVEL + max(len(widths), seeds.height - 1)):
        height = height_of(linked, widths[min(level - SEED_LEVEL, len(widths) - 1)])
        groups = cut_within(within, linked, height)[units]
        held = seeds.find_held(islands, level)
        parts = np.where(held, len(units) + seeds.join(islands, level), groups)
        levels.append(renumber(parts)[islands])
    return levels


def _widths(n_units: int, n_roots: int) -> list[int]:
    """The number of groups of each level between, from level 2 up: a geometric sequence."""
    even = _EVENNESS * float(np.sqrt(n_units * n_roots))
    lowest = max(1, round(max(even, n_units / _MOST_ISLANDS)))
    steps = max(1, round(float(np.log(lowest / n_roots) / np.log(_NARROWING))))
    return [round(lowest * (n_roots / lowest) ** (k / steps)) for k in range(steps)]
