"""Which pairs of variables count as related: those that go together, or also those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.options import MUCH_AVOIDANCE

if TYPE_CHECKING:
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import StructureOptions


def includes_negative(documents: Documents, options: StructureOptions, monitor: Monitor) -> bool:
    """Whether pairs that avoid each other count; says so where "auto" finds other data than text."""
    if options.association != "auto":
        return options.association == "any"
    share = share_of_avoidance(documents)
    if share < MUCH_AVOIDANCE:
        return False
    monitor.note(
        f'association="auto": "any", because {share:.0%} of what columns tell about each other comes '
        "from pairs that avoid each other"
    )
    return True


def share_of_avoidance(documents: Documents, *, sample: int = 64) -> float:
    """The fraction of squared correlation that is negative.

    Of at most `sample` variables the most correlated partner counts, by its squared correlation,
    which is twice their mutual information where that is small.
    """
    n, total = documents.n_words, len(documents)
    chosen = np.unique(np.linspace(0, n - 1, min(n, sample)).astype(np.int64))
    present = documents.to_csr(np.float64)
    both = (present[:, chosen].T @ present).toarray()
    frequency = documents.document_frequency.astype(np.float64)
    spread = np.sqrt(np.maximum(frequency * (total - frequency), 1.0))
    correlation = both * total - frequency[chosen, None] * frequency
    correlation /= spread[chosen, None] * spread
    rows = np.arange(len(chosen))
    correlation[rows, chosen] = 0.0
    best = correlation[rows, np.abs(correlation).argmax(axis=1)]
    return float((best[best < 0.0] ** 2).sum() / max((best**2).sum(), 1e-300))
