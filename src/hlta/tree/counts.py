"""Passes that add up: log-likelihoods and expected counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels import propagation as passes
from hlta._kernels import wordless as messages
from hlta._support.threads import map_in_order
from hlta.documents.matrix import Documents, as_documents
from hlta.tree.inference import AbsentMessages, absent_messages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.inference import Memory
    from hlta.tree.latent_tree import LatentTree

GRAIN: Final = 32_768
"""Presences a shard: enough work to outweigh handing it to a thread."""
_GRAIN_A_LATENT = 12  # and to outweigh clearing and merging its sums


def log_likelihood(
    tree: LatentTree, documents: Any, *, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Log P(d) of each document."""
    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    out = np.empty(len(checked))

    def score(shard: tuple[int, int]) -> None:
        passes.score_documents(
            checked.indptr, checked.indices, *shard, absent.tables, absent.memory(), out
        )

    map_in_order(score, checked.shards(GRAIN), n_jobs)
    out += absent.log_likelihood
    return out


@dataclass(frozen=True, eq=False)
class Counts:
    """Expected sufficient statistics of a pass over documents.

    table           float64 (n_nodes, 2, 2): the expected number of documents with parent = j and
                    node = k. The root has no parent: its row repeats the counts of its two states.
    log_likelihood  the sum of log P(d)
    n_documents     how many documents were seen
    """

    table: NDArray[np.float64]
    log_likelihood: float
    n_documents: int


class Sums(NamedTuple):
    """What a shard adds up: only where words are present."""

    latent: NDArray[np.float64]
    word: NDArray[np.float64]
    log_likelihood: float

    @classmethod
    def zeros(cls, absent: AbsentMessages) -> Sums:
        return cls(np.zeros((len(absent.rows), 4)), np.zeros(len(absent.word_rows)), 0.0)

    def cleared(self) -> Sums:
        self.latent.fill(0.0)
        self.word.fill(0.0)
        return self._replace(log_likelihood=0.0)

    def merge(self, other: Sums) -> Sums:
        self.latent.__iadd__(other.latent)
        self.word.__iadd__(other.word)
        return self._replace(log_likelihood=self.log_likelihood + other.log_likelihood)


class Workspace:
    """Working memory for passes over documents with trees of one shape, used again and again.

    Without it every shard would ask the system for fresh pages and give them back, which costs two
    threads more than it costs one.
    """

    def __init__(self) -> None:
        self._memory: list[Memory] = []
        self._sums: list[Sums] = []

    def memory(self, absent: AbsentMessages) -> Memory:
        """Take the memory of a thread; `give_back` it at rest."""
        try:
            return self._memory.pop()
        except IndexError:
            return absent.memory()

    def sums(self, absent: AbsentMessages) -> Sums:
        """Take sums that are zero."""
        try:
            return self._sums.pop().cleared()
        except IndexError:
            return Sums.zeros(absent)

    def give_back(self, *, memory: Memory | None = None, sums: Sums | None = None) -> None:
        """Return what was taken, for the next one."""
        if memory is not None:
            self._memory.append(memory)
        if sums is not None:
            self._sums.append(sums)


def _finalize(absent: AbsentMessages, documents: Documents, sums: Sums) -> Counts:
    shape = absent.numbering
    n, m = absent.word_rows.shape[0], len(shape.parent)
    latent, total = np.empty((m, 2, 2)), np.empty((m, 2))
    messages.distribute_totals(
        shape.parent, absent.conditional, sums.latent, float(len(documents)), latent, total
    )
    table = np.empty((n + m, 2, 2))
    table[shape.nodes] = latent
    table[:n, 1, 1] = sums.word
    table[:n, 0, 1] = np.maximum(documents.document_frequency - sums.word, 0.0)
    table[:n, :, 0] = np.maximum(total[shape.word_parent] - table[:n, :, 1], 0.0)
    log_likelihood = sums.log_likelihood + len(documents) * absent.log_likelihood
    return Counts(table, log_likelihood, len(documents))


def count(
    absent: AbsentMessages,
    documents: Documents,
    *,
    n_jobs: int | None = None,
    workspace: Workspace | None = None,
) -> Counts:
    """The E-step: zeros, accumulate each shard, merge in the order of the shards."""
    space = workspace or Workspace()

    def accumulate(shard: tuple[int, int]) -> Sums:
        sums, memory = space.sums(absent), space.memory(absent)
        total = passes.accumulate_counts(
            documents.indptr,
            documents.indices,
            *shard,
            absent.tables,
            memory,
            sums.latent,
            sums.word,
        )
        space.give_back(memory=memory)
        return sums._replace(log_likelihood=total)

    shards = documents.shards(max(GRAIN, _GRAIN_A_LATENT * len(absent.rows)))
    sums = space.sums(absent)
    for part in map_in_order(accumulate, shards, n_jobs):
        sums = sums.merge(part)
        space.give_back(sums=part)
    counts = _finalize(absent, documents, sums)
    space.give_back(sums=sums)
    return counts


def expected_counts(tree: LatentTree, documents: Any, *, n_jobs: int | None = None) -> Counts:
    """The expected counts of all documents under the parameters of `tree`."""
    return count(absent_messages(tree), as_documents(documents, tree.n_words), n_jobs=n_jobs)
