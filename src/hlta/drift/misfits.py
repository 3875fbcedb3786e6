"""Documents that fit a model badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta.drift.significance import discoveries
from hlta.tree.independence import evidence_against

if TYPE_CHECKING:
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True)
class Misfit:
    """A document that fits the model badly.

    Attributes
    ----------
    row : int
        Its number among the new documents, from 0.
    evidence : float
        By how many nats independent words explain it better than the model does.
    """

    row: int
    evidence: float


def misfits(
    tree: LatentTree,
    documents: Documents,
    usual: float,
    rate: float,
    *,
    n_jobs: int | None = None,
) -> list[Misfit]:
    """The documents that fit badly, the worst first.

    With evidence of x against a document, exp(-x) is a p-value. No corpus comes from a tree, so that
    as much evidence is taken off as is `usual` among the documents before.
    """
    evidence = evidence_against(tree, documents, n_jobs=n_jobs)
    found = discoveries(np.exp(-np.maximum(evidence - usual, 0.0)), rate).tolist()
    return [Misfit(row, float(evidence[row])) for row in found]
