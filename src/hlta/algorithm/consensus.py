"""Consensus, beyond the paper: the structure on which the structures of many samples agree.

One structure hangs on chance: most words have more than one home, and a greedy search picks one by
differences that a few documents make. So a structure is learned from each of many samples, and these
vote: the more of them put two words together, and the closer, the more the words belong together.
What is chance in each of them cancels out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage

from hlta._support.arrays import ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree

_ISLAND_SHARE: Final = 0.5  # of the similarity of two words: that they share an island
_ISLAND_SIZE: Final = 3.0  # words per island, on the average
_GROUPS: Final = 0.5  # at level 2, per island, before those of a single island join others
_NARROWING: Final = 3.5  # each level above has about this many times fewer groups
_STEADY: Final = 0.3  # so much of a group must come back in the votes for it to stand alone
_ROWS: Final = 256  # of similarities at a time


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


def agreed_partitions(votes: Sequence[Vote], *, n_top: int) -> list[NDArray[np.intp]]:
    """Partitions of the words, level by level, the finest first: each joins parts of the one before.

    Islands come from Ward's method, which makes them compact and about equally large; what is above
    them from average linkage, which leaves a theme whole, be it large or small. No island has a single
    word, and no part at level 2 a single island, where there are others to join. Further up, a part
    that joins nothing stays alone only if it comes back in the votes: otherwise it is no theme, but
    what linkage left over.
    """
    islands = _islands(votes)
    partitions = [islands]
    if islands.max() < n_top:
        return partitions
    similarity = _similarity(votes, islands)
    size = np.ones(len(similarity))
    groups = _average_linkage(similarity, max(1, round(_GROUPS * len(size))))
    groups = _with_company(groups, similarity)
    partitions.append(groups[islands])
    for width in _widths(int(groups.max()) + 1, n_top):
        if width > groups.max():
            continue  # the level below has no more groups than this one should
        size, similarity = _merged(groups, size, similarity)
        groups = _themes(similarity, width, _steady(partitions[-1], votes))
        partitions.append(groups[partitions[-1]])
    return partitions


def stability(tree: LatentTree, votes: Sequence[Vote]) -> NDArray[np.float64]:
    """How much of each topic comes back in the votes: from 0 to 1, float64 (n_latents,).

    The words of a topic are compared with those of the topic most like it in a vote: of the words
    that are in either, so many are in both (the Jaccard index). This is averaged over the votes.
    """
    return _coming_back(_words_below(tree), votes)


def _coming_back(own: sparse.csr_array, votes: Sequence[Vote]) -> NDArray[np.float64]:
    """How much of each set of words, a row each, comes back in the votes, see `stability`."""
    size = own.sum(axis=1)
    total = np.zeros(own.shape[0])
    for vote in votes:
        others = sparse.hstack([_indicators(topics) for topics in vote.topics], format="csr")
        both = (own @ others).tocsr()
        either = (
            np.repeat(size, np.diff(both.indptr)) + others.sum(axis=0)[both.indices] - both.data
        )
        both.data /= either
        total += both.max(axis=1).toarray().ravel()
    return total / len(votes)


def _words_below(tree: LatentTree) -> sparse.csr_array:
    """Latent variables by words: 1 for those below each, as far as levels descend."""
    rows, columns = [], []
    above, word = tree.parent[: tree.n_words], np.arange(tree.n_words)
    while len(above):
        rows.append(above - tree.n_words)
        columns.append(word)
        further = tree.parent[above]
        climbs = (further >= 0) & (tree.level[further] > tree.level[above])
        above, word = further[climbs], word[climbs]
    where = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_array((np.ones(len(where[0])), where), shape=(tree.n_latents, tree.n_words))


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


def _islands(votes: Sequence[Vote]) -> NDArray[np.intp]:
    """Ward's method on the words, whose similarities are those of vectors, one column per topic."""
    vectors = _vectors(votes)
    n = vectors.shape[0]
    if n < 2 * _ISLAND_SIZE:
        return np.zeros(n, dtype=np.intp)
    columns = vectors.T.tocsr()
    distance = np.empty(n * (n - 1) // 2)
    place = 0
    for begin, end in ranges(n, _ROWS):
        apart = 1.0 - (vectors[begin:end] @ columns).toarray()
        for i in range(begin, end):
            row = apart[i - begin, i + 1 :]
            distance[place : place + len(row)] = row
            place += len(row)
    np.sqrt(np.maximum(distance, 0.0, out=distance), out=distance)
    parts = cut_tree(linkage(distance, "ward"), n_clusters=round(n / _ISLAND_SIZE)).ravel()
    return _with_company(parts, (vectors @ columns[:, np.flatnonzero(_alone(parts))]).toarray().T)


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


def _with_company(parts: NDArray[np.intp], similarity: NDArray[np.float64]) -> NDArray[np.intp]:
    """Members that are alone join the part that they are most similar to, see `_joined`."""
    return _joined(parts, _alone(parts), similarity)


def _joined(
    parts: NDArray[np.intp], leaving: NDArray[np.bool_], similarity: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Move the members that leave, each the only one of its part, to the parts most similar to them.

    `similarity` has a row per member, or per member that leaves; it is averaged over the members of
    a part. If all leave, they become one part.
    """
    if leaving.all():
        return np.zeros_like(parts)
    rows = similarity if len(similarity) < len(parts) else similarity[leaving]
    mean = np.asarray(rows @ _indicators(parts)) / np.bincount(parts)
    mean[:, parts[leaving]] = -1.0
    joined = parts.copy()
    joined[leaving] = mean.argmax(axis=1)
    return np.unique(joined, return_inverse=True)[1]


# ---- what is above them --------------------------------------------------------------------------


def _similarity(votes: Sequence[Vote], islands: NDArray[np.intp]) -> NDArray[np.float64]:
    """How often, on the average, a word of one island and one of another share a topic above."""
    count = int(islands.max()) + 1
    together = np.zeros((count, count))
    for vote in votes:
        upper = vote.topics[1:] or vote.topics
        for topics in upper:
            words = _indicators(islands).T @ _indicators(topics)
            together += (words @ words.T).toarray() / len(upper)
    size = np.bincount(islands)
    return np.asarray(together / np.outer(size, size) / len(votes))


def _steady(parts: NDArray[np.intp], votes: Sequence[Vote]) -> NDArray[np.bool_]:
    """Which parts of the words come back in the votes, so that they may stand alone."""
    return _coming_back(_indicators(parts).T.tocsr(), votes) >= _STEADY


def _themes(
    similarity: NDArray[np.float64], width: int, steady: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """About `width` groups by average linkage, none of them a single member that is not steady.

    Such members join other groups, so linkage is cut finer until enough groups are left without them.
    If there are never enough, the cut that leaves the most is taken.
    """
    most = len(similarity)
    cuts = _linked(similarity, range(width, most))
    wanted = min(width, round(most / _NARROWING))
    best, best_count = cuts[:, 0], -1
    for groups in cuts.T:
        count = int(groups.max()) + 1 - int((_alone(groups) & ~steady).sum())
        if count > best_count:
            best, best_count = groups, count
        if count >= wanted:
            break
    return _joined(best, _alone(best) & ~steady, similarity)


def _average_linkage(similarity: NDArray[np.float64], width: int) -> NDArray[np.intp]:
    return np.asarray(_linked(similarity, [width]).ravel())


def _linked(similarity: NDArray[np.float64], widths: Sequence[int]) -> NDArray[np.intp]:
    """The groups that average linkage gives for each number of them: members by numbers."""
    apart = np.maximum(1.0 - similarity[np.triu_indices(len(similarity), 1)], 0.0)
    groups: NDArray[np.intp] = cut_tree(linkage(apart, "average"), n_clusters=list(widths))
    return groups


def _merged(
    groups: NDArray[np.intp], size: NDArray[np.float64], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Islands per group, and the mean similarity of the islands of two groups."""
    table = _indicators(groups).toarray() * size[:, None]
    total = table.sum(axis=0)
    return total, table.T @ similarity @ table / np.outer(total, total)
