"""Consensus, beyond the paper: the structure on which the structures of many samples agree.

One structure depends on chance: most words have more than one home, and a greedy search picks one by
differences that a few documents make. So a structure is learned from each of many samples, and these
vote: the more of them put two words together, and the closer, the more the words belong together.
What is chance in each of them cancels out. Where a person has seeds, these come before the votes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage

from hlta._kernels.sparse_products import SparseTable, add_product
from hlta._support.arrays import offsets, ranges, read_only
from hlta.algorithm.seeds import NO_SEEDS, SEED_LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.algorithm.seeds import Seeds
    from hlta.tree.latent_tree import LatentTree

_ISLAND_SHARE: Final = 0.5  # of the similarity of two words: that they share an island
_ISLAND_SIZE: Final = 3.0  # words per island, on the average
_GROUPS: Final = 0.5  # at level 2, per island, before those of a single island join others
_NARROWING: Final = 3.5  # each level above has about this many times fewer groups
_STEADY: Final = 0.3  # so much of a group must come back in the votes for it to stand alone
_ROWS: Final = 256  # of similarities at a time
_NEAREST: Final = 1e-9  # the squared distance of words that need not stay together, at least
_BARRED: Final = 1e12  # the distance of members that must not meet
_TOO_FAR: Final = 1e4  # that of groups with such members is above, that of any others is below
_NO_PAIRS: Final = np.empty((0, 2), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Vote:
    """The topic of every word at each level, according to one structure."""

    topics: tuple[NDArray[np.intp], ...]  # per level, from 1 up: (n_words,), numbered from 0

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
        """What sharing a topic counts at each level: half of all that for an island."""
        above = len(self.topics) - 1
        return [_ISLAND_SHARE, *[(1.0 - _ISLAND_SHARE) / above] * above] if above else [1.0]


def agreed_partitions(
    votes: Sequence[Vote], *, n_top: int, seeds: Seeds = NO_SEEDS
) -> list[NDArray[np.intp]]:
    """Partitions of the words, level by level, the finest first: each joins parts of the one before.

    Islands come from Ward's method, which makes them compact and about equally large; what is above
    them from average linkage, which leaves a theme whole, be it large or small. No island has a single
    word, and no part at level 2 a single island, where there are others to join. Further up, a part
    that joins nothing stays alone only if it comes back in the votes: otherwise it is no theme, but
    what linkage left over.

    The words of a seed make up islands, to which others may come, and these one part at level 2, to
    which nothing comes. Parts that seeds bar from each other are never joined, so there may be more
    than `n_top`.
    """
    islands = _islands(votes, seeds)
    partitions = [islands]
    if islands.max() >= n_top:
        similarity, size = _similarity(votes, islands), np.ones(int(islands.max()) + 1)
        parts, size, similarity = _seeds_joined(islands, size, similarity, seeds, SEED_LEVEL)
        groups = _groups(similarity, seeds.seeded(parts), _between(parts, seeds.barred(SEED_LEVEL)))
        partitions.append(groups[parts])
        for width in _widths(int(groups.max()) + 1, n_top):
            if width > groups.max():
                continue  # the level below has no more groups than this one should
            size, similarity = _merged(groups, size, similarity)
            level = len(partitions) + 1
            parts, size, similarity = _seeds_joined(partitions[-1], size, similarity, seeds, level)
            barred = _between(parts, seeds.barred(level))
            groups = _themes(similarity, width, _steady(parts, votes), barred)
            partitions.append(groups[parts])
    for level in range(len(partitions) + 1, seeds.height + 1):
        partitions.append(seeds.joined(partitions[-1], level)[partitions[-1]])
    return _distinct(partitions, seeds.height)


def _distinct(partitions: list[NDArray[np.intp]], height: int) -> list[NDArray[np.intp]]:
    """The partitions without those that join nothing.

    Below `height` these stay, if others follow: topics of seeds keep their levels.
    """
    counts = [int(parts.max()) + 1 for parts in partitions]
    return [
        parts
        for k, parts in enumerate(partitions)
        if k == 0 or counts[k] < counts[k - 1] or (k < height and counts[-1] < counts[k])
    ]


def stability(tree: LatentTree, votes: Sequence[Vote]) -> NDArray[np.float64]:
    """How much of each topic comes back in the votes: from 0 to 1, float64 (n_latents,).

    The words of a topic are compared with those of the topic most like it in a vote: of the words
    that are in either, so many are in both (the Jaccard index). This is averaged over the votes.
    """
    return _coming_back(_words_below(tree), votes)


def word_stability(tree: LatentTree, votes: Sequence[Vote]) -> NDArray[np.float64]:
    """In which share of the votes each word is in the topic most like its own, (levels, n_words).

    A row per level of topics, from 1 up; NaN where a word has no topic of the level.
    """
    own, (latent, word) = _words_below(tree), _latents_above(tree)
    confirmed = np.zeros(len(word))
    for vote in votes:
        _, best, topics = _most_alike(own, vote)
        confirmed += (topics[:, word] == best[latent]).any(axis=0)
    shares = np.full((int(tree.level.max()), tree.n_words), np.nan)
    shares[tree.level[tree.n_words + latent] - 1, word] = confirmed / len(votes)
    return shares


def _coming_back(own: sparse.csr_array, votes: Sequence[Vote]) -> NDArray[np.float64]:
    """How much of each set of words, a row each, comes back in the votes, see `stability`."""
    total = np.zeros(own.shape[0])
    for vote in votes:
        total += _most_alike(own, vote)[0]
    return total / len(votes)


def _most_alike(
    own: sparse.csr_array, vote: Vote
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.intp]]:
    """The topic of a vote most like each set of words, a row each: the Jaccard index and its number.

    Then the numbers of the topics of each word, (levels, n_words): all levels are numbered through.
    """
    counts = [int(topics.max()) + 1 for topics in vote.topics]
    numbers = np.stack(vote.topics) + offsets(counts)[:-1, None]
    others = sparse.hstack([_indicators(topics) for topics in vote.topics], format="csr")
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
    """Latent variables by words: 1 for those below each, as far as levels descend."""
    where = _latents_above(tree)
    return sparse.csr_array((np.ones(len(where[0])), where), shape=(tree.n_latents, tree.n_words))


def _latents_above(tree: LatentTree) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of a latent variable, counted from 0, and a word below it, as far as levels descend."""
    rows, columns = [], []
    above, word = tree.parent[: tree.n_words], np.arange(tree.n_words)
    while len(above):
        rows.append(above - tree.n_words)
        columns.append(word)
        further = tree.parent[above]
        climbs = (further >= 0) & (tree.level[further] > tree.level[above])
        above, word = further[climbs], word[climbs]
    return np.concatenate(rows), np.concatenate(columns)


def _indicators(parts: NDArray[np.intp], weight: float = 1.0) -> sparse.csr_array:
    """Members by parts, `weight` where a member is in a part."""
    return sparse.csr_array((np.full(len(parts), weight), (np.arange(len(parts)), parts)))


def _widths(n_groups: int, n_top: int) -> list[int]:
    """How many groups each level above level 2 has: the same times fewer from level to level."""
    if n_groups <= n_top:
        return []
    steps = max(1, round(float(np.log(n_groups / n_top) / np.log(_NARROWING))))
    narrowing = (n_groups / n_top) ** (1.0 / steps)
    return [round(n_groups / narrowing**step) for step in range(1, steps + 1)]


# ---- islands -------------------------------------------------------------------------------------


def _islands(votes: Sequence[Vote], seeds: Seeds) -> NDArray[np.intp]:
    """Ward's method on the words, whose similarities are those of vectors, one column per topic.

    The words of a seed come first: they make up islands among themselves, to which others may come.
    """
    vectors = _vectors(votes)
    if not len(seeds):
        return _compact(vectors)
    cores = np.arange(vectors.shape[0])
    for words in seeds.innermost:
        cores[words] = words[_compact(vectors[words])]
    middle = _indicators(np.unique(cores, return_inverse=True)[1])
    vectors = ((middle / middle.sum(axis=0)) @ (middle.T @ vectors)).tocsr()
    barred = seeds.barred(1)
    islands = _compact(vectors, cores, barred)
    bound = np.union1d(barred, np.flatnonzero(np.bincount(cores)[cores] > 1))
    return _with_company_taken(islands, vectors, bound)


def _with_company_taken(
    islands: NDArray[np.intp], vectors: sparse.csr_array, bound: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Words that are barred from all islands take the word most similar to them from one of these.

    It is none of those that are bound by seeds, and its island keeps two words at least. If there is
    no such word, they stay alone.
    """
    islands = islands.copy()
    free = np.ones(len(islands), dtype=bool)
    free[bound] = False
    for word in np.flatnonzero(_alone(islands)):
        candidates = np.flatnonzero(free & (np.bincount(islands)[islands] > 2))
        if len(candidates):
            similarity = (vectors[candidates] @ vectors[[word]].T).toarray().ravel()
            islands[candidates[similarity.argmax()]] = islands[word]
    return islands


def _compact(
    vectors: sparse.csr_array,
    cores: NDArray[np.intp] | None = None,
    barred: NDArray[np.intp] = _NO_PAIRS,
) -> NDArray[np.intp]:
    """Islands of the words with these vectors, which are of length 1 or less.

    Words with the same number in `cores` stay together; they have the same vector.
    """
    n = vectors.shape[0]
    if n < 2 * _ISLAND_SIZE and not len(barred):
        return np.zeros(n, dtype=np.intp)
    squares = vectors.multiply(vectors).sum(axis=1) if cores is not None else np.ones(n)
    distance = np.empty(n * (n - 1) // 2)
    place = 0
    rows, columns = _table(vectors), _table(vectors.T.tocsr())
    for begin, end in ranges(n, _ROWS):
        product = np.zeros((end - begin, n))
        add_product(rows, columns, begin, end, product)
        for i in range(begin, end):
            row = (squares[i] + squares[i + 1 :]) / 2.0 - product[i - begin, i + 1 :]
            if cores is not None:
                row = np.where(cores[i + 1 :] == cores[i], 0.0, np.maximum(row, _NEAREST))
            distance[place : place + len(row)] = row
            place += len(row)
    np.sqrt(np.maximum(distance, 0.0, out=distance), out=distance)
    width = min(max(1, round(n / _ISLAND_SIZE)), n if cores is None else len(np.unique(cores)))
    distance[_places(barred, n)] = _BARRED
    parts = _cut(linkage(distance, "ward"), [width]).ravel()
    return _with_company(parts, vectors, barred)


def _with_company(
    islands: NDArray[np.intp], vectors: sparse.csr_array, barred: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Words that are alone join the island that they are most similar to, see `_joined`."""
    alone = _alone(islands)
    similarity = _product(vectors[alone], vectors)
    return _joined(islands, alone, similarity, barred)


def _product(rows: sparse.csr_array, others: sparse.csr_array) -> NDArray[np.float64]:
    """The products of rows with all others, which are seldom 0."""
    product = np.zeros((rows.shape[0], others.shape[0]))
    add_product(_table(rows), _table(others.T.tocsr()), 0, len(product), product)
    return product


def _table(matrix: sparse.csr_array) -> SparseTable:
    start, column = matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32)
    return SparseTable(read_only(start), read_only(column), read_only(matrix.data))


def _vectors(votes: Sequence[Vote]) -> sparse.csr_array:
    """Vectors of length 1, one per word, whose products are how often and how closely words meet."""
    blocks = [
        _indicators(topics, np.sqrt(share / len(votes)))
        for vote in votes
        for topics, share in zip(vote.topics, vote.shares, strict=True)
    ]
    return sparse.hstack(blocks, format="csr")


def _alone(parts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which members are their part's only one."""
    alone: NDArray[np.bool_] = (np.bincount(parts) == 1)[parts]
    return alone


def _joined(
    parts: NDArray[np.intp],
    leaving: NDArray[np.bool_],
    similarity: NDArray[np.float64],
    barred: NDArray[np.intp] = _NO_PAIRS,
) -> NDArray[np.intp]:
    """Move the members that leave, each the only one of its part, to the parts most similar to them.

    `similarity` has a row per member, or per member that leaves; it is averaged over the members of
    a part. If all leave, they become one part. A member that is barred from all parts stays alone.
    """
    if leaving.all():
        return parts if len(barred) else np.zeros_like(parts)
    rows = similarity if len(similarity) < len(parts) else similarity[leaving]
    mean = np.asarray(rows @ _indicators(parts)) / np.bincount(parts)
    mean[:, parts[leaving]] = -1.0
    opponents = defaultdict(list)
    for one, other in barred.tolist():
        opponents[one].append(other)
        opponents[other].append(one)
    joined = parts.copy()
    for row, member in zip(mean, np.flatnonzero(leaving).tolist(), strict=True):
        row[joined[opponents[member]]] = -1.0
        if row.max() >= 0.0:
            joined[member] = row.argmax()
    return np.unique(joined, return_inverse=True)[1]


# ---- seeds ---------------------------------------------------------------------------------------


def _seeds_joined(
    parts: NDArray[np.intp],
    size: NDArray[np.float64],
    similarity: NDArray[np.float64],
    seeds: Seeds,
    level: int,
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Parts of the words, with those joined that a seed wants together at this level."""
    joined = seeds.joined(parts, level)
    if joined.max() + 1 < len(joined):
        size, similarity = _merged(joined, size, similarity)
    return joined[parts], size, similarity


def _between(parts: NDArray[np.intp], barred: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pairs of words as pairs of their parts, each once, the smaller number first."""
    count = int(parts.max()) + 1
    low, high = np.sort(parts[barred], axis=1).T
    return np.column_stack(np.divmod(np.unique(low * count + high), count))


def _places(pairs: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Where pairs, the smaller number first, are among the distances of n members."""
    i, j = pairs[:, 0], pairs[:, 1]
    return n * i - i * (i + 1) // 2 + j - i - 1


def _cut(linked: NDArray[np.float64], widths: Sequence[int]) -> NDArray[np.intp]:
    """Groups for each number of them that bars no pair, or for the smallest such number."""
    fewest = 1 + int((linked[:, 2] > _TOO_FAR).sum())
    groups: NDArray[np.intp] = cut_tree(
        linked, n_clusters=[width for width in widths if width >= fewest] or [fewest]
    )
    return groups


# ---- what is above them --------------------------------------------------------------------------


def _similarity(votes: Sequence[Vote], islands: NDArray[np.intp]) -> NDArray[np.float64]:
    """How often, on the average, a word of one island and one of another share a topic above."""
    upper = [vote.topics[1:] or vote.topics for vote in votes]
    every = lcm(*map(len, upper))  # so that sums are whole numbers, and ties are ties
    words = [[_indicators(islands).T @ _indicators(topics) for topics in one] for one in upper]
    weighted = [[topic * (every // len(one)) for topic in one] for one in words]
    rows, others = (sparse.hstack([*chain(*each)], format="csr") for each in (weighted, words))
    size = np.bincount(islands)
    return _product(rows, others) / np.outer(size, size) / (every * len(votes))


def _groups(
    similarity: NDArray[np.float64], seeded: NDArray[np.bool_], barred: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Groups at level 2: half as many as there are islands, and those of seeds each by itself."""
    groups, others = np.arange(len(seeded)), np.flatnonzero(~seeded)
    if len(others) > 1:
        place = np.full(len(seeded), -1)
        place[others] = np.arange(len(others))
        barred = place[barred[~seeded[barred].any(axis=1)]]
        similarity = similarity[np.ix_(others, others)]
        linked = _linked(similarity, [max(1, round(_GROUPS * len(others)))], barred).ravel()
        linked = _joined(linked, _alone(linked), similarity, barred)
        groups[others] = len(groups) + linked
    return np.unique(groups, return_inverse=True)[1]


def _steady(parts: NDArray[np.intp], votes: Sequence[Vote]) -> NDArray[np.bool_]:
    """Which parts of the words come back in the votes, so that they may stand alone."""
    return _coming_back(_indicators(parts).T.tocsr(), votes) >= _STEADY


def _themes(
    similarity: NDArray[np.float64],
    width: int,
    steady: NDArray[np.bool_],
    barred: NDArray[np.intp] = _NO_PAIRS,
) -> NDArray[np.intp]:
    """About `width` groups by average linkage, none of them a single member that is not steady.

    Such members join other groups, so linkage is cut finer until enough groups are left without them.
    If there are never enough, the cut that leaves the most is taken.
    """
    most = len(similarity)
    if width >= most:
        return np.arange(most)
    cuts = _linked(similarity, range(width, most), barred)
    wanted = min(width, round(most / _NARROWING))
    best, best_count = cuts[:, 0], -1
    for groups in cuts.T:
        count = int(groups.max()) + 1 - int((_alone(groups) & ~steady).sum())
        if count > best_count:
            best, best_count = groups, count
        if count >= wanted:
            break
    return _joined(best, _alone(best) & ~steady, similarity, barred)


def _linked(
    similarity: NDArray[np.float64], widths: Sequence[int], barred: NDArray[np.intp] = _NO_PAIRS
) -> NDArray[np.intp]:
    """The groups that average linkage gives for each number of them: members by numbers."""
    n = len(similarity)
    if n == 1:
        return np.zeros((1, 1), dtype=np.intp)
    apart = np.maximum(1.0 - similarity[np.triu_indices(n, 1)], 0.0)
    apart[_places(barred, n)] = _BARRED
    return _cut(linkage(apart, "average"), widths)


def _merged(
    groups: NDArray[np.intp], size: NDArray[np.float64], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Islands per group, and the mean similarity of the islands of two groups."""
    table = _indicators(groups).toarray() * size[:, None]
    total = table.sum(axis=0)
    return total, table.T @ similarity @ table / np.outer(total, total)
