"""The share of the documents of each period, or of each group, that are on each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.topics.divisions import Division
    from hlta.tree.latent_tree import LatentTree

AT_ONCE: Final = 1 << 24  # posteriors in memory at a time


def shares(
    tree: LatentTree,
    nodes: NDArray[np.intp],
    documents: Documents,
    divisions: Sequence[Division],
    *,
    n_jobs: int | None = None,
) -> list[NDArray[np.float64]]:
    """The mean of P(latent | document) over the documents of each part: parts by nodes, exactly.

    A pass over the documents: zeros, accumulate a chunk, merge in order. The chunks depend on the
    tree alone, so the sums have the same bits for any number of threads.
    """
    if not divisions:
        return []
    sums = [np.zeros((len(division.names), len(nodes))) for division in divisions]
    for first, chunk in documents.chunks(AT_ONCE // tree.n_latents):
        posteriors = tree.posteriors(chunk, n_jobs=n_jobs).dense()[:, nodes - tree.n_words]
        for k, division in enumerate(divisions):
            sums[k] += _sums(division, first, posteriors)
    return [
        total / np.maximum(division.counts, 1)[:, None]
        for division, total in zip(divisions, sums, strict=True)
    ]


def _sums(division: Division, first: int, posteriors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums over the parts of a division, of consecutive documents from `first` on."""
    part = division.number[first : first + len(posteriors)]
    known = np.flatnonzero(part >= 0)
    entries = (np.ones(len(known)), (part[known], known))
    parts = csr_array(entries, shape=(len(division.names), len(posteriors)))
    sums: NDArray[np.float64] = parts @ posteriors
    return sums
