"""Exact inference: the pass over documents behind EM, scoring and sampling.

    python -m benchmarks.inference [--quick]

Each table is about ratios of two things that run in turn, since absolute times depend on the
machine and are printed for orientation only. us/doc is microseconds per document; "median" is the
median ratio over the rounds, "best" the ratio of the shortest runs.

- One pass, one thread: the Numba kernel against a C++ twin of the same loop, for 2, 4 and 8 states
  per latent variable. A ratio of 1 means that Numba loses nothing; below 1 the kernel is faster.
- Two threads against one: how many times faster two threads are. "Bare" is the kernel alone on two
  threads, which is what the machine can give.
- Cost against the size of the vocabulary: only active latent variables should cost time.
- Sampling: documents per second.
"""

from __future__ import annotations

import argparse
import ctypes
import platform
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from benchmarks.prepared import BASELINE, DATA
from benchmarks.synthetic import hierarchy, with_states
from benchmarks.timing import in_turn
from hlta import LatentTree
from hlta._kernels import propagation
from hlta.documents.given_matrices import as_documents
from hlta.tree.counts import Sums, e_step
from tests.jobs import on_jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta._kernels.propagation import Memory
    from hlta.documents.matrix import Documents
    from hlta.tree.counts import Counts
    from hlta.tree.inference import Inference

Kernel: TypeAlias = "Callable[..., float]"
OURS: Kernel = propagation.accumulate_counts
FLAGS = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
AUTHORS_MODELS = (("news-1k", "stepnb.bif"), ("nips-1k", "batch.bif"))
DOCUMENTS_PER_VOCABULARY = 5000
STATES = (2, 4, 8)


class Case(NamedTuple):
    """A tree, and documents to pass over."""

    name: str
    tree: LatentTree
    documents: Documents


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
    memory, sums = inference.memory(), Sums.zeros(inference)
    return KernelPass(kernel, inference, documents, rows.start, rows.stop, memory, sums)


def repeated_e_step(tree: LatentTree, documents: Documents) -> Callable[[int], Counts]:
    """Return the E-step as a function of the number of threads."""
    inference = tree.inference()
    return lambda n_jobs: on_jobs(n_jobs, e_step, inference, documents)


def compiled_twin(folder: str) -> Kernel:
    """Compile the C++ twin; it takes the kernel's arguments, tuples of arrays included."""
    library = Path(folder) / "twin.so"
    source = Path(__file__).with_name("twin.cpp")
    subprocess.run(["g++", *FLAGS, "-o", str(library), str(source)], check=True)
    function = ctypes.CDLL(str(library)).accumulate_counts
    function.restype = ctypes.c_double

    def as_c(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return ctypes.c_void_p(value.ctypes.data)
        if isinstance(value, tuple):  # stands for its length, the number of states
            return ctypes.c_int64(len(value))
        return ctypes.c_bool(value) if isinstance(value, bool) else ctypes.c_int64(value)

    def call(*arguments: Any) -> float:
        flat = [
            part for each in arguments for part in (each if isinstance(each, tuple) else [each])
        ]
        return float(function(*map(as_c, flat)))

    return call


def against_twin(cases: list[Case], rounds: int) -> None:
    """One thread: the kernel against the C++ twin, which must give the same counts."""
    print("\n## One pass, one thread: Numba against a C++ twin (g++ -O3 -march=native)\n")
    if shutil.which("g++") is None:
        print("Skipped: g++ is not installed.")
        return
    print("| tree | states | words per document | active latent variables per document ", end="")
    print("| hlta, us/doc | C++, us/doc | hlta / C++, median | best |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        twin = compiled_twin(folder)
        for name, tree, documents in cases:
            states = tree.parameters.most_states
            ours = kernel_pass(tree, documents)
            theirs = kernel_pass(tree, documents, kernel=twin)
            np.testing.assert_allclose(ours(), theirs(), rtol=1e-12)
            t = in_turn(ours, theirs, rounds)
            np.testing.assert_allclose(ours.sums.latent, theirs.sums.latent, rtol=1e-9)
            np.testing.assert_allclose(ours.sums.word[:, 1:], theirs.sums.word[:, 1:], rtol=1e-9)
            n = len(documents)
            print(
                f"| {name} | {states} | {documents.indptr[-1] / n:.0f} | {ours.active_per_document:.0f} "
                f"| {t.first / n * 1e6:.2f} | {t.second / n * 1e6:.2f} "
                f"| **{t.ratio:.2f}** | {t.best:.2f} |"
            )


def halves(tree: LatentTree, documents: Documents) -> tuple[Callable[[], None], Callable[[], None]]:
    """The kernel alone on each half of the documents: one after the other, and on two bare threads.

    The gain of the second is what the machine can give; a library can only lose some of it.
    """
    middle = len(documents) // 2
    lower = kernel_pass(tree, documents, rows=range(middle))
    upper = kernel_pass(tree, documents, rows=range(middle, len(documents)))

    def in_order() -> None:
        lower(), upper()

    def at_once() -> None:
        other = threading.Thread(target=upper)
        other.start()
        lower()
        other.join()

    return in_order, at_once


def against_one_thread(cases: list[Case], rounds: int) -> None:
    """Two threads against one."""
    print("\n## Two threads against one\n")
    print("'Bare' is the kernel alone with half of the documents per thread: what the machine")
    print("can give.\n")
    print("| tree | documents | one, ms | two, ms | one / two, median | best ", end="")
    print("| bare, median | bare, best |")
    print("|---|---|---|---|---|---|---|---|")
    for name, tree, documents in cases:
        step = repeated_e_step(tree, documents)
        t = in_turn(partial(step, 1), partial(step, 2), rounds)
        bare = in_turn(*halves(tree, documents), rounds)
        print(
            f"| {name} | {len(documents):,} | {t.first * 1e3:.1f} | {t.second * 1e3:.1f} "
            f"| **{t.ratio:.2f}** | {t.best:.2f} | {bare.ratio:.2f} | {bare.best:.2f} |"
        )


def over_vocabularies(rounds: int, largest: int) -> None:
    """What a larger vocabulary costs if documents do not grow."""
    print("\n## Cost against the size of the vocabulary, 60 words per document, one thread\n")
    print("| words | latent variables | active per document | us/doc ", end="")
    print("| time, to 1,000 words | ns per node visited |")
    print("|---|---|---|---|---|---|")
    n = DOCUMENTS_PER_VOCABULARY
    base: Callable[[], float] | None = None
    for n_words in (1000, 3000, 10_000, 30_000, 100_000):
        if n_words > largest:
            break
        tree = hierarchy(n_words, 60)
        documents = as_documents(tree.sample(n, seed=0))
        run = kernel_pass(tree, documents)
        base = base or run
        t = in_turn(run, base, rounds)
        visited = n * run.active_per_document + len(documents.indices)
        print(
            f"| {n_words:,} | {tree.n_latents:,} | {run.active_per_document:.0f} "
            f"| {t.first / n * 1e6:.2f} | {t.ratio:.2f} | {t.first / visited * 1e9:.1f} |"
        )


def sampling() -> None:
    """How fast documents are drawn."""
    print("\n## Sampling, all threads\n")
    n = 200_000
    for n_words, length in ((1000, 30), (10_000, 157)):
        tree = hierarchy(n_words, length)
        tree.sample(10, seed=0)
        start = time.perf_counter()
        tree.sample(n, seed=0)
        rate = n / (time.perf_counter() - start)
        print(f"- {n_words:,} words, {length} per document: {rate:,.0f} documents per second")


def all_cases(quick: bool) -> list[Case]:
    """Two synthetic trees, and the authors' models with their corpora if they are there."""
    scale = 5 if quick else 1
    small, large = hierarchy(1000, 30), hierarchy(10_000, 157)
    cases = [
        Case("1,000 words", small, as_documents(small.sample(100_000 // scale, seed=0))),
        Case("10,000 words", large, as_documents(large.sample(50_000 // scale, seed=0))),
    ]
    for corpus, model in AUTHORS_MODELS:
        folder, path = DATA / corpus, BASELINE / corpus / model
        if folder.is_dir() and path.is_file():
            words = (folder / "vocab.txt").read_text(encoding="utf-8").split()
            tree = LatentTree.from_bif(path).with_words(words)
            documents = as_documents(sparse.load_npz(folder / "train.npz"))
            cases.append(Case(f"{corpus}, the authors' model", tree, documents))
    return cases


def of_all_states(cases: list[Case]) -> list[Case]:
    """Each case, and its tree with more states and random parameters, for the same documents."""
    return [
        Case(name, with_states(tree, states), documents)
        for name, tree, documents in cases
        for states in STATES
    ]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small samples, few rounds")
    quick = parser.parse_args().quick
    rounds = 5 if quick else 15
    print("# Inference\n")
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    cases = all_cases(quick)
    against_twin(of_all_states(cases), rounds)
    against_one_thread(cases, rounds)
    over_vocabularies(rounds, 10_000 if quick else 100_000)
    sampling()


if __name__ == "__main__":
    main()
