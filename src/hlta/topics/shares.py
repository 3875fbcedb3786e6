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

    The chunks depend on the tree alone, so the sums have the same bits for any number of threads.
    """
    if not divisions:
        return []
    sums = [np.zeros((len(division.names), len(nodes))) for division in divisions]
    for first, chunk in documents.chunks(AT_ONCE // tree.n_latents):
        posteriors = tree.posteriors(chunk, n_jobs=n_jobs).dense()[:, nodes - tree.n_words]
        for k, division in enumerate(divisions):
            part = division.number[first : first + len(chunk)]
            known = np.flatnonzero(part >= 0)
            entries = (np.ones(len(known)), (part[known], known))
            sums[k] += csr_array(entries, shape=(len(division.names), len(chunk))) @ posteriors
    return [
        total / np.maximum(division.counts, 1)[:, None]
        for total, division in zip(sums, divisions, strict=True)
    ]
