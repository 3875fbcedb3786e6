"""Themes, beyond the paper: what all words fall into, and what root topics come from.

If small groups were joined to larger ones until few are left, each step would carry the chance of those
before it, and the root topics, which a reader sees first, would have it all. So themes are found first,
from all words at once. Two things say which words belong together: votes, and the documents
themselves, in which words of a theme have the same company although they may never meet.
"""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.linalg import aslinearoperator, eigsh

from hlta._support.arrays import ranges
from hlta.algorithm.clustering import (
    BARRED,
    NEAREST,
    between,
    close_pairs,
    connected,
    cut,
    indicators,
    loners_completed,
    loners_joined,
    opponents,
    places,
    squared_distances,
)
from hlta.algorithm.mutual_information import measure_pairs
from hlta.algorithm.seeds import NO_SEEDS

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from hlta.algorithm.seeds import Seeds
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor

_PER_POWER_OF_TEN: Final = 4  # themes, for each power of ten of the documents
_COMPANY_WEIGHT: Final = 0.3  # of words that have the same company, where votes weigh 1
_COMPANY_DIMENSIONS: Final = 30
_FIRM: Final = 0.4  # words that are this similar, by the votes, get into the same theme
_FEW: Final = 0.2  # if a smaller share of all pairs of words have information, only these are kept
_ROWS: Final = 512  # of a table of all pairs, that are searched for these at a time
_SMALL: Final = 500  # words, of which all eigenvectors are quickly found
_ROUNDS: Final = 100  # of Lloyd's algorithm, at most
_TINY: Final = 1e-12


def usual_number(n_documents: int) -> int:
    """How many themes there are: more documents have more of them that hold still."""
    return max(2, int(_PER_POWER_OF_TEN * np.log10(max(n_documents, 1))))


def company(
    documents: Documents, *, n_jobs: int | None = None, monitor: Monitor
) -> NDArray[np.float64]:
    """Vectors of length 1, one per word, close to each other where words have the same company.

    They are eigenvectors of the square roots of the mutual information of all pairs of words, scaled so
    that frequent words do not drown the others.
    """
    pairs = measure_pairs(documents, matrix=True, n_jobs=n_jobs, monitor=monitor)
    information = pairs.tables.matrix
    n = len(information)
    lengths = np.sqrt(information.sum(axis=1))  # of the rows of square roots
    scale = 1.0 / np.sqrt(np.maximum(lengths, np.float32(_TINY)))

    def strength(begin: int, end: int) -> NDArray[np.float32]:
        scaled: NDArray[np.float32] = np.sqrt(information[begin:end])
        scaled *= scale
        scaled *= scale[begin:end, None]
        return scaled

    if np.count_nonzero(information) > _FEW * information.size:
        return _unit(_leading(strength(0, n), min(_COMPANY_DIMENSIONS, n)))
    rows = [sparse.csr_array(strength(begin, end)) for begin, end in ranges(n, _ROWS)]
    return _unit(_leading(sparse.vstack(rows), min(_COMPANY_DIMENSIONS, n)))


def find_themes(
    vectors: sparse.csr_array,
    number: int,
    company: NDArray[np.float64] | None = None,
    seeds: Seeds = NO_SEEDS,
) -> NDArray[np.intp]:
    """The theme of each word, about `number` of them, none with a single word.

    `vectors` are those of the votes. Words that these put together firmly stay together, and so do
    the words of a seed. Words that seeds keep apart may need further themes.
    """
    barred = seeds.barred(seeds.height + 1)  # where all seeds are whole: only words apart are left
    cores = _cores(vectors, seeds, barred)
    place, weight = _middle(_positions(vectors, number, company), cores)
    theme, closeness = _divided(place, weight, number)
    theme = _kept_apart(theme, closeness, between(cores, barred))
    themes = loners_joined(np.unique(theme[cores], return_inverse=True)[1], vectors, barred)
    seeded = np.flatnonzero(seeds.outermost(len(themes)) >= 0)
    return loners_completed(themes, vectors, np.union1d(barred, seeded))


def _cores(vectors: sparse.csr_array, seeds: Seeds, barred: NDArray[np.intp]) -> NDArray[np.intp]:
    """Words that stay together: those that votes put together firmly, and those of a seed.

    No core has words of two seeds, or words that must be apart.
    """
    n = vectors.shape[0]
    home = seeds.outermost(n)
    seeded = np.flatnonzero(home >= 0)
    pairs = seeded[np.argwhere(np.triu(np.ones((len(seeded), len(seeded))), 1))]
    same = home[pairs[:, 0]] == home[pairs[:, 1]]
    known = np.concatenate([pairs, barred])
    value = np.concatenate([np.where(same, 0.0, BARRED), np.full(len(barred), BARRED)])
    # Average linkage joins no words between which there is no way from one close pair to the next.
    sets = connected(chain(close_pairs(vectors, 1.0 - _FIRM), [pairs[same]]), n)
    number, place = np.full(n, -1), np.empty(n, dtype=np.intp)
    for k, own in enumerate(sets):
        number[own], place[own] = k, np.arange(len(own))
    ends = number[known]
    within = np.where(ends[:, 0] == ends[:, 1], ends[:, 0], -1)
    order = np.argsort(within, kind="stable")
    bounds = np.searchsorted(within[order], np.arange(len(sets) + 1))
    cores = np.arange(n)
    for k, own in enumerate(sets):
        mine = order[bounds[k] : bounds[k + 1]]
        distance = np.maximum(squared_distances(vectors[own]), NEAREST)
        distance[places(place[known[mine]], len(own))] = value[mine]
        cores[own] = own[fcluster(linkage(distance, "average"), 1.0 - _FIRM, "distance") - 1]
    return np.unique(cores, return_inverse=True)[1]


def _positions(
    vectors: sparse.csr_array, number: int, company: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """The words in as many dimensions as there shall be themes (spectral clustering).

    How similar words are, by the votes and, if known, by their company, is the product of their rows.
    """
    rows = vectors
    if company is not None:
        rows = sparse.hstack([vectors, np.sqrt(_COMPANY_WEIGHT) * company], format="csr")
    to_all = np.asarray(rows @ rows.sum(axis=0))  # at least 1 by the votes alone
    scale = 1.0 / np.sqrt(np.maximum(to_all, 1.0))
    scaled = aslinearoperator(rows.multiply(scale[:, None]).tocsr())
    return _unit(_leading(scaled @ scaled.T, min(number, len(scale))))


def _leading(
    matrix: NDArray[np.float32] | sparse.csr_array | LinearOperator, number: int
) -> NDArray[np.float64]:
    """Leading eigenvectors of a symmetric matrix, times the roots of their eigenvalues.

    They are columns, float64 (n, number).
    """
    n = matrix.shape[0]
    if n <= _SMALL:
        values, vectors = np.linalg.eigh(matrix @ np.eye(n))
        values, vectors = values[n - number :], vectors[:, n - number :]
    else:
        start = np.random.default_rng(0).standard_normal(n)
        values, vectors = eigsh(matrix, number, v0=np.asarray(start, matrix.dtype))
    lengths = np.sqrt(np.maximum(np.asarray(values, dtype=np.float64), 0.0))
    return np.asarray(vectors * lengths)


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = rows / np.maximum(
        np.linalg.norm(rows, axis=1, keepdims=True), _TINY
    )
    return unit


def _middle(
    positions: NDArray[np.float64], parts: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle of each part's members, of length 1, and how many they are."""
    return _unit(indicators(parts).T @ positions), np.bincount(parts).astype(np.float64)


def _divided(
    place: NDArray[np.float64], weight: NDArray[np.float64], number: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """At most `number` themes of cores, and how close each core is to each theme.

    Ward's method gives the themes that Lloyd's algorithm starts from.
    """
    theme = np.arange(len(place))
    if len(place) > number:
        theme = cut(linkage(place, "ward"), number)
    for _ in range(_ROUNDS):
        before = theme
        closeness = place @ _unit(indicators(theme).T @ (place * weight[:, None])).T
        theme = closeness.argmax(axis=1)
        if np.array_equal(theme, before):
            break
    return theme, closeness


def _kept_apart(
    theme: NDArray[np.intp], closeness: NDArray[np.float64], barred: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Each core in the closest theme without cores that it is barred from, or else in a new one."""
    against, placed = opponents(barred), dict[int, int]()
    for core in sorted(against):
        taken = {placed[other] for other in against[core] if other in placed}
        closest = np.argsort(-closeness[core], kind="stable").tolist()
        placed[core] = next(k for k in chain(closest, count(len(closest))) if k not in taken)
    theme = theme.copy()
    theme[list(placed)] = list(placed.values())
    return theme
