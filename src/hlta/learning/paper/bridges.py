"""BridgeIslands (Section 5.2.3 of the paper): islands joined into one flat model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.special import expit, logit

from hlta._kernels.bridge_em import fit_bridges
from hlta._kernels.postings import Rows
from hlta._kernels.soft_information import (
    SoftPosteriors,
    SoftStatistics,
    fill_soft_information,
    fill_soft_row,
)
from hlta._support.arrays import ranges, read_only
from hlta._support.threads import map_in_order
from hlta.learning.paper.mutual_information import BLOCK, DENSE_LIMIT, Pairs, postings_of
from hlta.learning.paper.spanning_tree import orient, spanning_tree
from hlta.tree.marginals import mutual_information

if TYPE_CHECKING:
    from hlta._kernels.soft_information import IslandTables
    from hlta._support.arrays import Floats, Floats32, Ints
    from hlta.monitor import Monitor

_ISLANDS_PER_TASK: Final = 64  # islands that a thread takes at a time


@dataclass(frozen=True, eq=False)
class FlatModel:
    """A latent tree in which every latent variable has observed children (Section 5.1)."""

    latent_of: Ints  # (n,): the latent variable above each variable
    probability: Floats  # (n, 2): P(variable = 1 | its latent variable)
    parent: Ints  # (m,): the latent variable above each of them, -1 for the root
    link: Floats  # (m, 2): P(latent = 1 | its parent); the root's P(root = 1) twice

    @property
    def n_latents(self) -> int:
        """Number of latent variables."""
        return len(self.parent)


def bridge_islands(
    pairs: Pairs, islands: IslandTables, *, dense_limit: int = DENSE_LIMIT, monitor: Monitor
) -> FlatModel:
    """Link islands by the maximum spanning tree of the MI between their latent variables."""
    m = len(islands.prior)
    with monitor.stage("bridges", m):
        posteriors = infer_posteriors(pairs, islands)
        edges = _span(posteriors, dense_limit, monitor)
        parent = orient(edges)
        link = np.repeat(islands.prior[:, None], 2, axis=1)
        chosen = _representatives(islands)

        def fit(task: tuple[int, int]) -> None:
            seen = np.zeros(pairs.n_documents, dtype=np.uint8)
            fit_bridges(islands, pairs.tables.postings, parent, chosen, *task, seen, link)

        map_in_order(fit, ranges(m, _ISLANDS_PER_TASK))
    order = np.argsort(islands.members)
    latent_of = np.repeat(np.arange(m), np.diff(islands.start))[order]
    return FlatModel(latent_of, islands.probability[order], parent, link)


def infer_posteriors(pairs: Pairs, islands: IslandTables) -> SoftPosteriors:
    """P(Y = 1 | d) of every island, from its own members alone: P(Y | m, d) of Section 5.2.3."""
    m = len(islands.prior)
    island = np.repeat(np.arange(m), np.diff(islands.start))
    absent = np.log1p(-islands.probability)
    odds = np.log(islands.probability) - absent
    rest = logit(islands.prior) + np.add.reduceat(absent[:, 1] - absent[:, 0], islands.start[:-1])
    base = expit(rest)
    factors = sparse.csr_array(
        (odds[:, 1] - odds[:, 0], (islands.members, island)), shape=(pairs.n_variables, m)
    )
    every, words = pairs.tables.rows
    present = sparse.csr_array(
        (np.ones(len(words)), words, every), shape=(pairs.n_documents, pairs.n_variables)
    )
    found = (present @ factors).tocsr()
    found.sort_indices()
    here = found.indices
    values = (expit(found.data + rest[here]) - base[here]).astype(np.float32)
    total = pairs.n_documents * base + np.bincount(here, values, m)
    rows = Rows(read_only(found.indptr.astype(np.int64)), read_only(here.astype(np.uint32)))
    return SoftPosteriors(
        rows,
        read_only(values),
        postings_of(rows, m),
        SoftStatistics(read_only(base), read_only(total), pairs.tables.statistics.include_negative),
    )


def _span(posteriors: SoftPosteriors, dense_limit: int, monitor: Monitor) -> Ints:
    """The spanning tree's edges, from a matrix of all pairs or, for many islands, row by row."""
    m = len(posteriors.statistics.base)
    if m > dense_limit:
        row, shared = np.empty(m, dtype=np.float32), np.zeros(m)

        def count_row(island: int) -> Floats32:
            fill_soft_row(posteriors, island, shared, row)
            monitor.advance()
            return row

        return spanning_tree(count_row, m)
    matrix = np.empty((m, m), dtype=np.float32)

    def fill(task: tuple[int, int]) -> None:
        fill_soft_information(posteriors, *task, np.zeros(m), matrix)
        monitor.advance(task[1] - task[0])

    map_in_order(fill, ranges(m, BLOCK))
    return spanning_tree(matrix.__getitem__, m)


def _representatives(islands: IslandTables) -> Ints:
    """Per island, the positions of the two members with the highest MI with its latent variable."""
    island = np.repeat(np.arange(len(islands.prior)), np.diff(islands.start))
    prior = np.column_stack((1.0 - islands.prior, islands.prior))
    information = mutual_information(islands.probability, prior[island])
    order = np.lexsort((-information, island))
    first = islands.start[:-1]
    return np.stack((order[first], order[first + 1]), axis=1)
