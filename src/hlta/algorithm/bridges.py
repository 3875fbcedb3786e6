"""Bridges: islands joined into one flat model (BridgeIslands, Section 5.2.3 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import xlogy

from hlta._kernels import soft_information as kernels
from hlta._support.threads import map_in_order
from hlta.algorithm.mutual_information import DENSE_LIMIT, list_postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.algorithm.islands import Islands
    from hlta.algorithm.mutual_information import Pairs
    from hlta.monitor import Monitor

_BLOCK = 16
_ISLANDS_A_TASK = 64


@dataclass(frozen=True, eq=False)
class FlatModel:
    """A latent tree in which every latent variable has variables of its own.

    latent_of    int64 (n,): the latent variable above each variable
    probability  float64 (n, 2): P(variable = 1 | its latent)
    parent       int64 (m,): the latent above each latent, -1 for the root
    link         float64 (m, 2): P(latent = 1 | its parent); the root's P(root = 1) twice
    """

    latent_of: NDArray[np.int64]
    probability: NDArray[np.float64]
    parent: NDArray[np.int64]
    link: NDArray[np.float64]

    @property
    def n_latents(self) -> int:
        return len(self.parent)


class _Posteriors(NamedTuple):
    """P(Y = 1 | d) of every island by itself, see `kernels.bridges`."""

    rows: tuple[NDArray[np.int64], NDArray[np.uint32]]
    values: NDArray[np.float32]
    postings: tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]
    sums: tuple[NDArray[np.float64], NDArray[np.float64], bool]


def bridge_islands(
    pairs: Pairs,
    islands: Islands,
    *,
    n_jobs: int | None = None,
    dense_limit: int = DENSE_LIMIT,
    monitor: Monitor,
) -> FlatModel:
    """Link islands by the spanning tree in which neighbours tell most about each other."""
    m = len(islands)
    with monitor.stage("bridges", m):
        posteriors = _infer(pairs, islands, n_jobs)
        tree = _span(posteriors, n_jobs, dense_limit, monitor)
        parent = orient(tree)
        link = np.repeat(islands.prior[:, None], 2, axis=1)
        chosen = _representatives(islands)

        def fit(task: tuple[int, int]) -> None:
            seen = np.zeros(pairs.n_documents, dtype=np.uint8)
            kernels.fit_bridges(_arrays(islands), pairs.postings, parent, chosen, *task, seen, link)

        map_in_order(fit, _tasks(m, _ISLANDS_A_TASK), n_jobs)
    probability = np.empty_like(islands.probability)
    probability[islands.members] = islands.probability
    return FlatModel(islands.island_of, probability, parent, link)


def orient(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Parents in a tree given by its edges (m - 1, 2), rooted at its centre.

    Any root gives the same model; from the centre, paths are short.
    """
    m = len(edges) + 1
    both = np.concatenate((edges, edges[:, ::-1]))
    both = both[np.argsort(both[:, 0], kind="stable")]
    bounds = np.searchsorted(both[:, 0], np.arange(m + 1))

    def walk(root: int) -> tuple[list[int], NDArray[np.int64]]:
        order, parent = [root], np.full(m, -1)
        for v in order:
            for u in both[bounds[v] : bounds[v + 1], 1].tolist():
                if u != parent[v]:
                    parent[u] = v
                    order.append(u)
        return order, parent

    # The last of a breadth-first walk is an end of a longest path; the centre is its middle.
    end = walk(0)[0][-1]
    order, parent = walk(end)
    path = [order[-1]]
    while path[-1] != end:
        path.append(int(parent[path[-1]]))
    return walk(path[len(path) // 2])[1]


def _arrays(islands: Islands) -> tuple[NDArray[np.generic], ...]:
    return islands.start, islands.members, islands.probability, islands.prior


def _tasks(count: int, size: int) -> list[tuple[int, int]]:
    return [(begin, min(begin + size, count)) for begin in range(0, count, size)]


def _infer(pairs: Pairs, islands: Islands, n_jobs: int | None) -> _Posteriors:
    m = len(islands)
    frequency = pairs.known[1][islands.members]
    most = np.concatenate(([0], np.cumsum(frequency)))[islands.start]
    entries = np.zeros(m, dtype=np.int64)
    base, total = np.empty(m), np.empty(m)

    def infer(task: tuple[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        begin, end = task
        logit = np.full(pairs.n_documents, np.inf)
        touched = np.empty(pairs.n_documents, dtype=np.uint32)
        where = np.empty(int(most[end] - most[begin]), dtype=np.uint32)
        values = np.empty(len(where), dtype=np.float32)
        filled = kernels.infer_islands(
            _arrays(islands),
            pairs.postings,
            begin,
            end,
            logit,
            touched,
            entries,
            where,
            values,
            base,
            total,
        )
        return where[:filled].copy(), values[:filled].copy()

    found = map_in_order(infer, _tasks(m, _ISLANDS_A_TASK), n_jobs)
    where, values = (np.concatenate(part) for part in zip(*found, strict=True))
    start = np.concatenate(([0], np.cumsum(entries)))
    # By document, and then by island once more: so that documents ascend in the end.
    in_document = np.bincount(where, minlength=pairs.n_documents)
    indptr, indices, place = list_postings(start, where, in_document)
    values = values[start[indices] + place]
    postings = list_postings(indptr, indices, entries)
    return _Posteriors((indptr, indices), values, postings, (base, total, pairs.known[2]))


def _span(
    posteriors: _Posteriors, n_jobs: int | None, dense_limit: int, monitor: Monitor
) -> NDArray[np.int64]:
    """The edges of the maximum spanning tree, by Prim's algorithm: it asks for each row once."""
    m = len(posteriors.sums[0])
    dense = m <= dense_limit
    matrix = np.empty((m if dense else 0, m), dtype=np.float32)

    def fill(task: tuple[int, int]) -> None:
        kernels.fill_soft_information(
            posteriors.rows,
            posteriors.values,
            posteriors.postings,
            posteriors.sums,
            *task,
            np.zeros(m),
            matrix,
        )
        monitor.advance(task[1] - task[0])

    if dense:
        map_in_order(fill, _tasks(m, _BLOCK), n_jobs)
    inside = np.zeros(m, dtype=np.uint8)
    reach = np.full(m, -1.0, dtype=np.float32)
    link = np.zeros(m, dtype=np.int64)
    row, shared = np.empty(m, dtype=np.float32), np.zeros(m)
    edges = []
    newest = 0
    for _ in range(m - 1):
        inside[newest] = 1
        if dense:
            row = matrix[newest]
        else:
            kernels.fill_soft_row(
                posteriors.rows,
                posteriors.values,
                posteriors.postings,
                posteriors.sums,
                newest,
                shared,
                row,
            )
            monitor.advance()
        newest = kernels.reach_further(row, newest, inside, reach, link)
        edges.append((newest, int(link[newest])))
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _representatives(islands: Islands) -> NDArray[np.int64]:
    """Of each island, the places of the two members that tell most about its latent variable."""
    island = np.repeat(np.arange(len(islands)), np.diff(islands.start))
    on = islands.prior[island]
    p, prior = islands.probability, np.stack((1.0 - on, on), axis=1)
    mean = (p * prior).sum(axis=1)
    entropy = -(xlogy(mean, mean) + xlogy(1.0 - mean, 1.0 - mean))
    given = -((xlogy(p, p) + xlogy(1.0 - p, 1.0 - p)) * prior).sum(axis=1)
    order = np.lexsort((given - entropy, island))
    first = islands.start[:-1]
    return np.stack((order[first], order[first + 1]), axis=1)
