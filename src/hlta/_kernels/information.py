"""Mutual information of two events, in nats."""

from __future__ import annotations

import numpy as np

from hlta._kernels.compiling import helper


@helper
def relative_term(p: float, q: float) -> float:
    """P log(p / q); 0 for what never happens."""
    return p * np.log(p / q) if p > 0.0 else 0.0


@helper
def mutual_information(both: float, p: float, q: float) -> float:
    """The information that two events share, of probabilities p, q and jointly `both`."""
    on = relative_term(both, p * q) + relative_term(1.0 - p - q + both, (1.0 - p) * (1.0 - q))
    return on + (relative_term(p - both, p * (1.0 - q)) + relative_term(q - both, q * (1.0 - p)))
