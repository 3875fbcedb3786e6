"""One pass over documents. Of the benchmarks, only this module knows how the kernel is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hlta._kernels import propagation
from hlta.tree.counts import Workspace, e_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta._kernels.propagation import Memory
    from hlta.documents.matrix import Documents
    from hlta.tree.counts import Counts, Sums
    from hlta.tree.inference import Inference
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
    inference: Inference
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
            self.documents.rows,
            self.begin,
            self.end,
            self.inference.tables,
            self.memory,
            self.sums.latent,
            self.sums.word,
        )

    @property
    def active_per_document(self) -> float:
        """How many latent variables the kernel visits in a document, on average."""
        conditional = self.inference.tables.rows[1:, self.inference.most_states :]
        visits = float((self.sums.latent[1:] * conditional).sum())
        return visits / self.runs / (self.end - self.begin)


def kernel_pass(
    tree: LatentTree,
    documents: Documents,
    *,
    kernel: Kernel = OURS,
    rows: range | None = None,
) -> KernelPass:
    """Prepare a pass of `kernel` over the documents in `rows`; by default over all of them."""
    inference = tree.inference()
    rows = range(len(documents)) if rows is None else rows
    memory, sums = inference.memory(), Workspace().sums(inference)
    return KernelPass(kernel, inference, documents, rows.start, rows.stop, memory, sums)


def repeated_e_step(tree: LatentTree, documents: Documents) -> Callable[[int], Counts]:
    """Return the E-step as a function of the number of threads.

    As within EM, the working memory is used again from call to call, which
    `LatentTree.expected_counts` cannot do.
    """
    inference, workspace = tree.inference(), Workspace()
    return lambda n_jobs: e_step(inference, documents, n_jobs=n_jobs, workspace=workspace)
