"""Documents that fit a model badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta.drift.significance import discoveries

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Misfit:
    """A document that fits the model badly.

    Attributes
    ----------
    row : int
        Its number among the new documents, from 0.
    evidence : float
        By how many nats independent words explain it better than the model does, if words that few
        documents speak for say less.
    """

    row: int
    evidence: float


def misfits(evidence: NDArray[np.float64], most: float, rate: float) -> list[Misfit]:
    """The documents that fit badly, the worst first, from the evidence against each.

    With evidence of x against a document, exp(-x) is a p-value. No corpus comes from a tree, so the
    evidence is reduced by `most`, the most that there was among the earlier documents.
    """
    found = discoveries(np.exp(-np.maximum(evidence - most, 0.0)), rate).tolist()
    return [Misfit(row, float(evidence[row])) for row in found]
