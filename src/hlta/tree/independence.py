"""Documents in which words hang together less than a tree says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree


def evidence_against(tree: LatentTree, documents: Documents) -> Floats:
    """By how many nats independent words explain each document better than the tree does.

    Of documents from the tree, a share of at most exp(-x) has evidence of x against it, by Markov's
    inequality, however the words hang together.
    """
    share = np.clip(tree.marginals[: tree.n_words], MIN_PROBABILITY, MAX_PROBABILITY)
    log_odds = np.log(share) - np.log1p(-share)
    evidence = np.log1p(-share).sum() - tree.log_likelihood(documents)
    for first, part in documents.parts():
        indptr, indices = part.presences()
        total = np.concatenate(([0.0], np.cumsum(log_odds[indices])))
        evidence[first : first + len(part)] += total[indptr[1:]] - total[indptr[:-1]]
    return np.asarray(evidence)
