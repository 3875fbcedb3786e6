"""Whether pairs of variables that avoid each other count as related."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import TINY
from hlta.options import MUCH_AVOIDANCE, StructureOptions

if TYPE_CHECKING:
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor

_SAMPLE: Final = 64  # variables whose best partners are compared, at most


def includes_negative(documents: Documents, options: StructureOptions, monitor: Monitor) -> bool:
    """Whether pairs that avoid each other count; tells `monitor` if "auto" turns this on."""
    if options.association != "auto":
        return options.association == "any"
    share = share_of_avoidance(documents)
    if share < MUCH_AVOIDANCE:
        return False
    monitor.note(
        f'association="auto" chose "any": {share:.0%} of the association between columns is between '
        "those that avoid each other"
    )
    return True


def share_of_avoidance(documents: Documents) -> float:
    """The share of squared correlation that comes from pairs that avoid each other.

    Pairs avoid each other if they co-occur less often than by chance. Each of at most `_SAMPLE` evenly
    spaced variables contributes its partner of largest |correlation|. A squared correlation is about
    twice the mutual information if that is small.
    """
    n, total = documents.n_words, len(documents)
    chosen = np.unique(np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64))
    both = np.zeros((len(chosen), n))
    for _, part in documents.parts():
        present = part.to_csr(np.float64)
        both += (present[:, chosen].T @ present).toarray()
    frequency = documents.document_frequency.astype(np.float64)
    spread = np.sqrt(np.maximum(frequency * (total - frequency), 1.0))
    correlation = both * total - frequency[chosen, None] * frequency
    correlation /= spread[chosen, None] * spread
    rows = np.arange(len(chosen))
    correlation[rows, chosen] = 0.0
    best = correlation[rows, np.abs(correlation).argmax(axis=1)]
    return float((best[best < 0.0] ** 2).sum() / max((best**2).sum(), TINY))
