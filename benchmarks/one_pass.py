"""One pass over documents. Of the benchmarks, only this module knows how the kernel is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hlta._kernels import propagation
from hlta.tree.counts import Sums, Workspace, count
from hlta.tree.inference import absent_messages

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta.documents.matrix import Documents
    from hlta.tree.counts import Counts
    from hlta.tree.inference import AbsentMessages, Memory
    from hlta.tree.latent_tree import LatentTree

Kernel: TypeAlias = "Callable[..., float]"
OURS: Kernel = propagation.accumulate_counts


@dataclass(eq=False)
class KernelPass:
    """A kernel, the range of documents that it passes over, and the memory that it works in.

    Attributes
    ----------
    sums
        What all runs have added up so far.
    runs
        How often the kernel has run.
    """

    kernel: Kernel
    absent: AbsentMessages
    documents: Documents
    begin: int
    end: int
    memory: Memory
    sums: Sums
    runs: int = 0

    def __call__(self) -> float:
        """Run the kernel once, and return the log-likelihood of the active part of the tree."""
        self.runs += 1
        return self.kernel(
            self.documents.indptr,
            self.documents.indices,
            self.begin,
            self.end,
            self.absent.tables,
            self.memory,
            self.sums.latent,
            self.sums.word,
        )

    @property
    def active_per_document(self) -> float:
        """How many latent variables the kernel visits in a document, on average."""
        visits = self.sums.latent[:, propagation.VISITS].sum()
        return float(visits) / self.runs / (self.end - self.begin)


def kernel_pass(
    tree: LatentTree,
    documents: Documents,
    *,
    kernel: Kernel = OURS,
    rows: range | None = None,
) -> KernelPass:
    """Prepare a pass of `kernel` over the documents in `rows`; by default over all of them."""
    absent = absent_messages(tree)
    rows = range(len(documents)) if rows is None else rows
    memory, sums = absent.memory(), Sums.zeros(absent)
    return KernelPass(kernel, absent, documents, rows.start, rows.stop, memory, sums)


def e_step(tree: LatentTree, documents: Documents) -> Callable[[int], Counts]:
    """Return the E-step as a function of the number of threads.

    As within EM, the working memory is used again from call to call, which
    `LatentTree.expected_counts` cannot do.
    """
    absent, workspace = absent_messages(tree), Workspace()
    return lambda n_jobs: count(absent, documents, n_jobs=n_jobs, workspace=workspace)
