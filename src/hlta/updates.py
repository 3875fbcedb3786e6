"""Updates of a fitted model with new documents: incremental EM.

The expected counts of the earlier documents are recovered from the model. So the time of an update does
not grow with their number, and they need not be kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta.learning.em import Prior, maximise
from hlta.learning.statistics import OldCounts, Statistics, old_counts
from hlta.tree.counts import e_step
from hlta.tree.inference import Inference

if TYPE_CHECKING:
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.parameters import Parameters

MOST_STEPS: Final = 20
"""Passes over the new documents, at most."""
TOLERANCE: Final = 0.01
"""The passes end when one gains less than this, in nats per new document."""


class Updated(NamedTuple):
    """The result of an update."""

    tree: LatentTree
    statistics: Statistics


def update(tree: LatentTree, statistics: Statistics, documents: Documents) -> Updated:
    """Learn the parameters from the earlier documents and new ones.

    The expected counts of the earlier ones are recovered from the tree and stay fixed; those of the new
    ones are computed anew in each step, as in batch EM from the parameters of the tree (the incremental
    EM of Neal and Hinton). Without state shrinkage, each step increases the log-likelihood of the new
    documents plus `_expected_log_probability` of the earlier ones.
    """
    old = old_counts(tree, statistics)
    present = old.word[:, :, 1].sum(axis=1) + documents.document_frequency
    total = statistics.weight + len(documents)
    parameters = tree.parameters
    prior = statistics.prior(parameters.states, np.minimum(present / total, 1.0))
    reached, steps = -np.inf, 0
    while True:
        inference = Inference.under(tree.numbering, parameters)
        counted = e_step(inference, documents)
        value = counted.log_likelihood + _expected_log_probability(tree, parameters, old, prior)
        if steps == MOST_STEPS or value - reached < TOLERANCE * len(documents):
            break
        reached, steps = value, steps + 1
        word, latent = old.word + counted.word, old.latent + counted.latent
        parameters = maximise(word, latent, parameters, prior)
    tree = tree.with_probability(parameters)
    return Updated(tree, statistics.with_more(len(documents)))


def _expected_log_probability(
    tree: LatentTree, parameters: Parameters, old: OldCounts, prior: Prior
) -> float:
    """The log-probability of expected counts, and of the prior, under the parameters."""
    exists = parameters.word > 0.0
    absent, present = (old.word[:, :, k] + prior.word[:, k, None] * exists for k in (0, 1))
    words = xlog1py(absent, -parameters.word) + xlogy(present, parameters.word)
    whole = old.latent + prior.latent[:, None, None] * (parameters.latent > 0.0)
    latents = xlogy(whole, parameters.latent)
    latents[tree.root - tree.n_words, 1:] = 0.0  # the root has one row
    return float(words.sum() + latents.sum())
