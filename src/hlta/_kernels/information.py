"""Mutual information of two events, in nats."""

from __future__ import annotations

import numpy as np

from hlta._kernels.compiling import helper


@helper
def relative_term(p: float, q: float) -> float:
    """The term p log(p / q) of a relative entropy; 0 if p is 0."""
    return p * np.log(p / q) if p > 0.0 else 0.0


@helper
def mutual_information(both: float, p: float, q: float) -> float:
    """MI of two events with probabilities p and q that occur together with probability `both`."""
    on = relative_term(both, p * q) + relative_term(1.0 - p - q + both, (1.0 - p) * (1.0 - q))
    return on + (relative_term(p - both, p * (1.0 - q)) + relative_term(q - both, q * (1.0 - p)))
