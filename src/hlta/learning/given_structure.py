"""A latent tree over given groups of words, with parameters that EM can start from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from hlta._support.arrays import TINY
from hlta.learning.em import batch_em
from hlta.learning.paper.spanning_tree import correlated_edges, orient
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import bound_estimate
from hlta.tree.validation import FEWEST_NEIGHBOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats, Indices
    from hlta.documents.matrix import Documents

_USUAL_SHARE: Final = 0.1  # share of the documents that should be on a topic, at the start of EM
_MOST_MEMBERS: Final = 8  # members that a document may need, at most, to be on a topic then
_PRIOR: Final = 1.0  # documents that are added to each estimate
_STEPS: Final = 5  # first steps of EM


def fit_tree(
    partitions: Sequence[Indices], documents: Documents, words: Sequence[str]
) -> LatentTree:
    """The tree whose topics at each level are the parts of a partition of the words, after EM.

    Partitions come from the finest to the coarsest, and each joins parts of the one before. A part
    that stays the same from one level to the next is one topic, at the upper level; a part of a single
    word is no topic, and the coarsest partition must not have any. At the start of EM, a document is on
    a topic if it has at least m of its members; m, from 1 to 8, is chosen so that the share of such
    documents is nearest to a tenth.
    """
    build = _Building(documents)
    for level, parts in enumerate(partitions, start=1):
        build.add_level(parts, level)
    return batch_em(build.finish(words), documents, steps=_STEPS).tree


class _Building:
    """A tree that grows from the words upwards, and in which documents its uppermost nodes are on."""

    def __init__(self, documents: Documents) -> None:
        n = self._n_words = documents.n_words
        self._n_documents = len(documents)
        self._parent = np.full(n, -1)
        self._level = np.zeros(n, dtype=np.intp)
        self._probability = np.zeros((n, 2))
        self._on = sparse.csc_array(documents.to_csr(np.float64))
        self._top = np.arange(n)  # the uppermost nodes, a column of `_on` each
        self._above = np.arange(n)  # per word, the position of the node above it in `_top`

    def add_level(self, parts: Indices, level: int) -> None:
        """Add a node above the uppermost nodes in each part that has two or more of them."""
        part_of = np.zeros(len(self._top), dtype=np.intp)
        part_of[self._above] = parts
        members = np.bincount(part_of)
        joined = members[part_of] > 1
        new = np.flatnonzero(members > 1)
        number = np.full(len(members), -1)
        number[new] = len(self._parent) + np.arange(len(new))
        states = self._states(part_of)
        below, above = self._on[:, joined], states[:, part_of[joined]]
        self._parent[self._top[joined]] = number[part_of[joined]]
        self._probability[self._top[joined]] = self._conditional(below, above)
        number[part_of[~joined]] = self._top[~joined]
        self._parent = np.append(self._parent, np.full(len(new), -1))
        self._level = np.append(self._level, np.zeros(len(new), dtype=np.intp))
        self._probability = np.concatenate((self._probability, np.zeros((len(new), 2))))
        self._top, self._on, self._above = number, states, parts
        self._level[number[number >= self._n_words]] = level

    def finish(self, words: Sequence[str]) -> LatentTree:
        """Link the uppermost nodes by the spanning tree of their correlations."""
        on, top = self._on.toarray(), self._top
        share = bound_estimate(on.mean(axis=0))
        above = orient(correlated_edges(on, share))
        linked = above >= 0
        self._parent[top[linked]] = top[above[linked]]
        self._probability[top] = share[:, None]
        self._probability[top[linked]] = self._conditional(
            self._on[:, linked], self._on[:, above[linked]]
        )
        few = len(words) < FEWEST_NEIGHBOURS
        arrays = self._parent, self._level, self._probability
        return LatentTree(tuple(words), *arrays, allow_irregular=few)

    def _states(self, part_of: Indices) -> sparse.csc_array:
        """The matrix of documents by parts, 1 where enough members of the part are on, see `fit_tree`."""
        count = len(part_of)
        table = sparse.csr_array((np.ones(count), (np.arange(count), part_of)))
        members = sparse.csc_array(self._on @ table)
        part = np.repeat(np.arange(members.shape[1]), np.diff(members.indptr))
        single = np.bincount(part_of) == 1
        shares = np.stack(
            [
                np.bincount(part[members.data >= least], minlength=members.shape[1])
                for least in range(1, _MOST_MEMBERS + 1)
            ]
        ) / float(self._n_documents)
        distance = np.abs(np.log(np.maximum(shares, TINY) / _USUAL_SHARE))
        least = np.where(single, 1, distance.argmin(axis=0) + 1)
        members.data = (members.data >= least[part]).astype(np.float64)
        members.eliminate_zeros()
        return members

    def _conditional(self, below: sparse.csc_array, above: sparse.csc_array) -> Floats:
        """P(below = 1 | above), float64 (columns, 2)."""
        both = np.asarray(below.multiply(above).sum(axis=0)).ravel()
        low, high = (np.asarray(m.sum(axis=0)).ravel() for m in (below, above))
        share = low / self._n_documents
        off = (low - both + _PRIOR * share) / (self._n_documents - high + _PRIOR)
        on = (both + _PRIOR * share) / (high + _PRIOR)
        return bound_estimate(np.column_stack((off, on)))
