"""The rules of learning that `benchmarks.ablation` switches off or changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from hlta.algorithm.clustering import cut, loners_joined, squared_distances
from scipy import sparse
from scipy.cluster.hierarchy import linkage

from hlta.algorithm import consensus, themes
from hlta.algorithm.seeds import NO_SEEDS
from hlta.algorithm.states import BINARY_SHRINKAGE
from hlta.algorithm.votes import word_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.algorithm.seeds import Seeds
    from hlta.algorithm.votes import Vote


@dataclass(frozen=True)
class Rule:
    """What takes the place of names while a model is learned, and options of the model."""

    changes: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    concerns_votes: bool = False


def _unmoved(parts: NDArray[np.intp], *_: object) -> NDArray[np.intp]:
    return parts


def _ward_groups(similarity: NDArray[np.float64], width: int, *_: object) -> NDArray[np.intp]:
    """Groups of islands by Ward's method within each root topic, cut at one height."""
    n = len(similarity)
    if width >= n:
        return np.arange(n)
    own = similarity.diagonal()
    distance = np.maximum(own[:, None] + own - 2.0 * similarity, 0.0)
    distance[similarity < 0.0] = 1e12
    linked = linkage(np.sqrt(distance[np.triu_indices(n, 1)]), "ward")
    return cut(linked, width)


def _islands_within_roots(
    votes: Sequence[Vote],
    *,
    n_top: int,
    n_roots: int | None = None,
    company: NDArray[np.float64] | None = None,
    seeds: Seeds = NO_SEEDS,  # noqa: ARG001
) -> list[NDArray[np.intp]]:
    """Root topics, and below each of them alone Ward's method on its words, cut at all widths."""
    vectors = word_vectors(votes)
    n_words = vectors.shape[0]
    roots = themes.find_themes(
        vectors, min(n_top, n_roots or n_top, max(2, n_words // 36)), company
    )
    within = [np.flatnonzero(roots == root) for root in range(int(roots.max()) + 1)]
    linked = [linkage(np.sqrt(squared_distances(vectors[own])), "ward") for own in within]
    heights = np.sort(np.concatenate([tree[:, 2] for tree in linked]))
    widths = [round(n_words / 3.0)]
    widths.append(consensus._lowest_width(widths[0], len(within)))
    while width := consensus._narrower(widths[-1], len(within)):
        widths.append(width)
    partitions = []
    for width in widths:
        parts, total = np.zeros(n_words, dtype=np.intp), 0
        for own, tree in zip(within, linked, strict=True):
            joins = int((tree[:, 2] <= heights[n_words - width - 1] + 1e-6).sum())
            parts[own] = total + cut(tree, len(own) - joins)
            total = int(parts[own].max()) + 1
        if not partitions:
            parts = loners_joined(parts, vectors)
        else:  # nested, also where a lonely word has joined others
            both = sparse.coo_array((np.ones(n_words), (partitions[-1], parts))).toarray()
            parts = np.unique(both.argmax(axis=1), return_inverse=True)[1][partitions[-1]]
        partitions.append(parts)
    return consensus._distinct([*partitions, roots], 0)


_C, _T, _G = "hlta.algorithm.consensus", "hlta.algorithm.themes", "hlta.algorithm.given_structure"
_NO_MOVES = {f"{_C}.settled": _unmoved}
_NO_CORES = {f"{_T}._FIRM": 2.0}
_NO_SPARE = {f"{_C}._SPARE": 1.0, f"{_C}._least_distinct_joined": _unmoved}
_WARD = {f"{_C}._groups": _ward_groups}

RULES: dict[str, Rule] = {
    "as they are": Rule(),
    "no single moves": Rule(_NO_MOVES),
    "no cores": Rule(_NO_CORES),
    "no spare groups, nothing least distinct": Rule(_NO_SPARE),
    "Ward above islands": Rule(_WARD),
    "Ward above islands, no single moves": Rule(_WARD | _NO_MOVES),
    "no theme vote": Rule({f"{_C}._THEME_WEIGHT": 1e-6}),
    "islands within root topics": Rule(
        {"hlta.algorithm.structure.agreed_partitions": _islands_within_roots} | _NO_CORES
    ),
    "no company": Rule({f"{_T}._COMPANY_WEIGHT": 1e-6}),
    "roots free in EM": Rule({f"{_G}._with_independent_roots": lambda tree: tree}),
    "two states": Rule(options={"states": 2}),
    "one prior": Rule({"hlta.algorithm.states._ISLAND_SHRINKAGE": BINARY_SHRINKAGE}),
}
