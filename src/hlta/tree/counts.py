"""Passes for log-likelihoods and for expected counts, the E-step (Section 6.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels import propagation, wordless
from hlta._support.passes import Collecting, run_pass
from hlta.documents.matrix import as_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._kernels.propagation import Memory
    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference

GRAIN: Final = 32_768
"""Presences per shard: enough to outweigh handing the shard to a thread."""
_GRAIN_PER_LATENT: Final = 12  # presences: enough to outweigh clearing and merging its sums


def log_likelihood(
    inference: Inference, documents: Any, *, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Log P(d) of each document."""
    checked = as_documents(documents, inference.n_words)

    def score(shard: tuple[int, int]) -> NDArray[np.float64]:
        begin, end = shard
        out = np.empty(end - begin)
        tables, memory = inference.tables, inference.memory()
        propagation.score_documents(checked.rows, begin, end, tables, memory, out)
        return out

    scores = np.concatenate(run_pass(Collecting(score), checked.shards(GRAIN), n_jobs))
    scores += inference.log_likelihood
    return scores


@dataclass(frozen=True, eq=False)
class Counts:
    """Expected sufficient statistics of a pass over documents.

    Attributes
    ----------
    table : float64 (n_nodes, 2, 2)
        The expected number of documents with parent = j and node = k. The root has no parent: its
        row repeats the counts of its two states.
    log_likelihood : float
        The sum of log P(d).
    n_documents : int
        How many documents were visited.
    """

    table: NDArray[np.float64]
    log_likelihood: float
    n_documents: int


def e_step(
    inference: Inference,
    documents: Documents,
    *,
    n_jobs: int | None = None,
    workspace: Workspace | None = None,
) -> Counts:
    """The E-step: the expected counts of all documents."""
    work = _ActiveCounts(inference, documents, workspace or Workspace())
    grain = max(GRAIN, _GRAIN_PER_LATENT * inference.n_latents)
    sums = run_pass(work, documents.shards(grain), n_jobs)
    counts = _whole_counts(inference, documents, sums)
    work.workspace.give_back(sums=sums)
    return counts


class Sums(NamedTuple):
    """The active counts of a shard: of active latent variables and present words."""

    latent: NDArray[np.float64]  # (n_latents, 4) by number: see `hlta._kernels.wordless`
    word: NDArray[np.float64]  # (n_words,): expected documents with word and parent in state 1
    log_likelihood: float  # the sum of log P(d) - log P(wordless document)


class Workspace:
    """Working memory for passes over documents with trees of one shape, used again and again.

    Without it every shard would ask the system for fresh pages, for which two threads wait longer
    than one.
    """

    def __init__(self) -> None:
        self._memory: list[Memory] = []
        self._sums: list[Sums] = []

    def memory(self, inference: Inference) -> Memory:
        """Take working memory for one thread; `give_back` it at rest."""
        try:
            return self._memory.pop()
        except IndexError:
            return inference.memory()

    def sums(self, inference: Inference) -> Sums:
        """Take sums that are zero."""
        try:
            sums = self._sums.pop()
        except IndexError:
            return Sums(np.zeros((inference.n_latents, 4)), np.zeros(inference.n_words), 0.0)
        sums.latent.fill(0.0)
        sums.word.fill(0.0)
        return sums._replace(log_likelihood=0.0)

    def give_back(self, *, memory: Memory | None = None, sums: Sums | None = None) -> None:
        """Return what was taken, for reuse."""
        if memory is not None:
            self._memory.append(memory)
        if sums is not None:
            self._sums.append(sums)


class _ActiveCounts:
    """The pass of the E-step."""

    def __init__(self, inference: Inference, documents: Documents, workspace: Workspace) -> None:
        self._inference, self._documents, self.workspace = inference, documents, workspace

    def zeros(self) -> Sums:
        return self.workspace.sums(self._inference)

    def accumulate(self, shard: tuple[int, int]) -> Sums:
        sums, memory = self.zeros(), self.workspace.memory(self._inference)
        log_likelihood = propagation.accumulate_counts(
            self._documents.rows, *shard, self._inference.tables, memory, sums.latent, sums.word
        )
        self.workspace.give_back(memory=memory)
        return sums._replace(log_likelihood=log_likelihood)

    def merge(self, total: Sums, part: Sums) -> Sums:
        total.latent.__iadd__(part.latent)
        total.word.__iadd__(part.word)
        self.workspace.give_back(sums=part)
        return total._replace(log_likelihood=total.log_likelihood + part.log_likelihood)


def _whole_counts(inference: Inference, documents: Documents, sums: Sums) -> Counts:
    """Add to the active counts what follows by rule, from the root downwards."""
    shape = inference.numbering
    n, m = inference.n_words, inference.n_latents
    latent, total = np.empty((m, 2, 2)), np.empty((m, 2))
    wordless.distribute_totals(
        shape.parent, inference.conditional, sums.latent, float(len(documents)), latent, total
    )
    table = np.empty((n + m, 2, 2))
    table[shape.nodes] = latent
    table[:n, 1, 1] = sums.word
    table[:n, 0, 1] = np.maximum(documents.document_frequency - sums.word, 0.0)
    table[:n, :, 0] = np.maximum(total[shape.word_parent] - table[:n, :, 1], 0.0)
    log_likelihood = sums.log_likelihood + len(documents) * inference.log_likelihood
    return Counts(table, log_likelihood, len(documents))
