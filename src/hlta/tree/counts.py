"""Passes for log-likelihoods and for expected counts, the E-step (Section 6.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels import propagation
from hlta._support.arrays import aligned_zeros
from hlta._support.passes import Collecting, run_pass
from hlta.documents.given_matrices import as_documents

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference

GRAIN: Final = 32_768
"""Presences and documents per shard, together: enough to outweigh handing the shard to a thread."""
_GRAIN_PER_LATENT: Final = 12  # likewise per latent variable, to outweigh merging its sums


def log_likelihood(inference: Inference, documents: Any) -> Floats:
    """Log P(d) of each document."""
    checked = as_documents(documents, inference.n_words)
    work = Collecting(partial(_scores, inference))
    scores = np.concatenate(run_pass(work, checked.shards(GRAIN)))
    scores += inference.log_likelihood
    return scores


def _scores(inference: Inference, shard: Documents) -> Floats:
    """Log P(d) - log P(wordless document) of each document."""
    out, memory = np.empty(len(shard)), inference.memory()
    propagation.score_documents(shard.rows, 0, len(shard), inference.tables, memory, out)
    return out


@dataclass(frozen=True, eq=False)
class Counts:
    """Expected sufficient statistics of a pass over documents; K is the largest number of states.

    Attributes
    ----------
    word : float64 (n_words, K, 2)
        The expected number of documents with parent = j that lack the word, and that contain it.
    latent : float64 (n_latents, K, K)
        The expected number of documents with parent = j and latent variable = k, as [v, j, k]. The
        root has no parent: each of its rows holds the counts of its states.
    log_likelihood : float
        The sum of log P(d).
    n_documents : int
        How many documents were visited.
    """

    word: Floats
    latent: Floats
    log_likelihood: float
    n_documents: int


def e_step(inference: Inference, documents: Documents) -> Counts:
    """The E-step: the expected counts of all documents."""
    grain = max(GRAIN, _GRAIN_PER_LATENT * inference.n_latents)
    sums = run_pass(_ActiveCounts(inference), documents.shards(grain))
    return _whole_counts(inference, documents, sums)


class Sums(NamedTuple):
    """The active counts of a shard: see `hlta._kernels.propagation.accumulate_counts`."""

    latent: Floats  # (n_latents, K, K) by number
    word: Floats  # (n_words, K)
    log_likelihood: float  # the sum of log P(d) - log P(wordless document)

    @classmethod
    def zeros(cls, inference: Inference) -> Sums:
        """The sums of no documents."""
        latent, word = inference.conditional.shape, inference.tables.factor.shape
        return cls(aligned_zeros(latent), aligned_zeros(word), 0.0)


class _ActiveCounts:
    """The pass of the E-step."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def zeros(self) -> Sums:
        return Sums.zeros(self._inference)

    def accumulate(self, shard: Documents) -> Sums:
        sums, memory = self.zeros(), self._inference.memory()
        tables = self._inference.tables
        log_likelihood = propagation.accumulate_counts(
            shard.rows, 0, len(shard), tables, memory, sums.latent, sums.word
        )
        return sums._replace(log_likelihood=log_likelihood)

    def merge(self, total: Sums, part: Sums) -> Sums:
        total.latent.__iadd__(part.latent)
        total.word.__iadd__(part.word)
        return total._replace(log_likelihood=total.log_likelihood + part.log_likelihood)


def _whole_counts(inference: Inference, documents: Documents, sums: Sums) -> Counts:
    """Add the documents in which latent variables are inactive to the active counts, from the root down.

    Sums come from `cumsum`, which adds one by one, so that their bits do not depend on the padding.
    """
    numbering, states = inference.numbering, inference.shape.states
    has_state = np.arange(inference.most_states) < states[:-1, None]
    active = sums.latent * inference.tables.rows[:, inference.most_states :]
    latent, total = np.zeros_like(active), np.zeros(has_state.shape)  # both by number
    for layer in numbering.layers():
        if layer.start == 0:
            total[0] = np.where(has_state[0], np.maximum(sums.latent[0, 0], 0.0), 0.0)
            latent[0] = total[0]
            continue
        above = numbering.parent[layer]
        exists = has_state[above][:, :, None] & has_state[layer][:, None, :]
        visited = np.where(exists, active[layer], 0.0)  # documents in which it is active
        idle = np.maximum(total[above] - visited.cumsum(axis=2)[:, :, -1], 0.0)
        unvisited = idle[:, :, None] * inference.conditional[layer]
        latent[layer] = visited + np.where(exists, unvisited, 0.0)
        total[layer] = latent[layer].cumsum(axis=1)[:, -1]
    absent = np.maximum(total[numbering.word_parent] - sums.word, 0.0)
    word = np.stack((absent, sums.word), axis=2)
    log_likelihood = sums.log_likelihood + len(documents) * inference.log_likelihood
    return Counts(word, latent[numbering.number], log_likelihood, len(documents))
