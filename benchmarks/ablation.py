"""What each part of refinement contributes.

    python -m benchmarks.ablation [--seeds 3] [CORPUS ...]

The prepared NIPS and newsgroup corpora are learned from four fifths of their training documents and
scored on the last fifth, for several such splits; their test documents are kept for final reports.
For the AI abstracts and the arXiv corpora, structure comes from samples of 10,000 documents, with a
split and a sample per seed.

A row is a variant, with means over the seeds (standard deviations in brackets): held-out
log-likelihood per document with its gain over the first row, coherence, topics scored, and the
seconds of the whole fit with their median ratio to the first row's.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks import prepared
from benchmarks.prepared import ARXIV, DATA, MATRICES
from hlta import TopicTree, batch_em, read_corpus
from hlta.algorithm.association import includes_negative
from hlta.algorithm.em import SHRINKAGE
from hlta.algorithm.hierarchy import build_hierarchy, relearn_upper_levels
from hlta.algorithm.hlta import run_em
from hlta.algorithm.refinement import SAMPLED, WHOLE, Plan, refine_structure
from hlta.documents.matrix import Documents, as_documents
from hlta.documents.sampling import drawn, fingerprints
from hlta.evaluate import topic_coherence
from hlta.monitor import Monitor
from hlta.options import AUTO_PRESENCES, EMOptions, StructureOptions
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta import LatentTree

TEXTS = ("ai-abstracts", "arxiv-50k")
SAMPLED_CORPORA = (*TEXTS, ARXIV)
SAMPLE = 10_000
MOST_HELD_OUT = 20_000
SPLIT_SEED = 99  # plus the seed of the run


class Variant(NamedTuple):
    """A way to refine.

    Attributes
    ----------
    plan
        What refinement does; None for no refinement.
    shrinkage
        The argument of `batch_em`.
    samples
        Refinement sees this many times as many documents as the sample has; None for all.
    """

    label: str
    plan: Plan | None
    shrinkage: float = SHRINKAGE
    samples: int | None = None


_FREE_THEN_CAVITY = Plan(by_mi=1, by_cavity_mi=2, relearn=False)
UNREFINED = Variant("the paper's structure, with shrinkage", None)
FROM_ALL = (
    Variant("the paper's structure, no shrinkage", None, 0.0),
    UNREFINED,
    Variant("free moves", Plan(by_mi=3, by_cavity_mi=0, relearn=False)),
    Variant("cavity moves", Plan(by_mi=0, by_cavity_mi=4, relearn=False)),
    Variant("free moves, then cavity moves", _FREE_THEN_CAVITY),
    Variant("upper levels learned again, no moves", Plan(by_mi=0, by_cavity_mi=0, relearn=True)),
    Variant("upper levels learned again, free moves", Plan(by_mi=2, by_cavity_mi=0, relearn=True)),
    Variant("everything (the default)", WHOLE),
    Variant("everything, no shrinkage", WHOLE, 0.0),
    Variant("everything, twice the rounds", Plan(by_mi=2, by_cavity_mi=4, relearn=True)),
)
FROM_SAMPLE = (
    UNREFINED,
    Variant("free moves, the sample", SAMPLED, samples=1),
    Variant("free moves, twice the sample", SAMPLED, samples=2),
    Variant("free moves, all documents", SAMPLED),
    Variant("free moves, then cavity moves, twice the sample", _FREE_THEN_CAVITY, samples=2),
    Variant("everything, the sample", WHOLE, samples=1),
    Variant("everything, all documents", WHOLE),
)


class Row(NamedTuple):
    """What one variant reaches with one seed."""

    held_out: float
    coherence: float
    topics: int
    seconds: float


class Results:
    """The rows of every variant, and how they compare with those of the first one."""

    def __init__(self, name: str, variants: Sequence[Variant]) -> None:
        self._name = name
        self._rows: dict[str, list[Row]] = {v.label: [] for v in variants}

    def add(
        self,
        variant: Variant,
        tree: LatentTree,
        learned: Documents,
        held_out: Documents,
        seconds: float,
    ) -> None:
        """Score a tree on the documents that it was learned from and on the held-out ones."""
        coherence = topic_coherence(TopicTree.from_tree(tree), learned, tree.words)
        score = float(tree.log_likelihood(held_out).mean())
        scored = int(np.isfinite(coherence).sum())
        self._rows[variant.label].append(Row(score, float(np.nanmean(coherence)), scored, seconds))

    def show(self) -> None:
        """Print a line per variant."""
        first = _columns(next(iter(self._rows.values())))
        n_seeds = len(first.seconds)
        print(f"\n{self._name}, {n_seeds} seeds: means (standard deviations)")
        for label, rows in self._rows.items():
            found = _columns(rows)
            gain = found.held_out - first.held_out
            print(
                f"  {label:52} "
                f"{found.held_out.mean():9.2f} ({gain.mean():+6.2f} ± {gain.std():.2f})  "
                f"{found.coherence.mean():6.2f} ({found.coherence.std():.2f})  "
                f"{found.topics.mean():4.0f} topics  {found.seconds.mean():5.2f} s, "
                f"{np.median(found.seconds / first.seconds):.1f} times",
                flush=True,
            )


class _Columns(NamedTuple):
    """The figures of several rows, as arrays."""

    held_out: NDArray[np.float64]
    coherence: NDArray[np.float64]
    topics: NDArray[np.float64]
    seconds: NDArray[np.float64]


def _columns(rows: Sequence[Row]) -> _Columns:
    return _Columns(*np.array(rows).T)


def split(documents: Documents, seed: int, held_out: int) -> tuple[Documents, Documents]:
    """Draw documents to hold out; the others, which are learned from, come first."""
    order = np.random.default_rng(SPLIT_SEED + seed).permutation(len(documents))
    rest, drawn = np.sort(order[held_out:]), np.sort(order[:held_out])
    return documents.take(rest), documents.take(drawn)


def from_all(name: str, seeds: Iterable[int]) -> None:
    """Structure from all documents, then batch EM."""
    data = prepared.read(name)
    documents = as_documents(data.train)
    options = StructureOptions(structure_sample=None)
    results = Results(name, FROM_ALL)
    for seed in seeds:
        learned, held_out = split(documents, seed, len(documents) // 5)
        start = time.perf_counter()
        built = unrefined(learned, data.words, options)
        building = time.perf_counter() - start
        for variant in FROM_ALL:
            start = time.perf_counter()
            tree = refined(built, learned, options, variant.plan)
            tree = order_states(batch_em(tree, learned, shrinkage=variant.shrinkage).tree)
            results.add(variant, tree, learned, held_out, building + time.perf_counter() - start)
    results.show()


def from_sample(name: str, seeds: Iterable[int]) -> None:
    """Learn as `HLTA(samples=1, states=2)` does, but with other ways to refine."""
    documents, words = all_documents(name)
    small = len(documents.indices) <= AUTO_PRESENCES
    variants = [v for v in FROM_SAMPLE if small or v.samples is not None or v.plan is None]
    results = Results(name, variants)
    options = StructureOptions(structure_sample=SAMPLE)
    em = "batch" if small else "stepwise"
    for seed in seeds:
        learned, held_out = split(documents, seed, min(len(documents) // 10, MOST_HELD_OUT))
        for_sample, for_em = np.random.SeedSequence(seed).spawn(2)
        start = time.perf_counter()
        marks = fingerprints(learned, words)
        sample = learned.take(drawn(marks, SAMPLE, for_sample))
        built = unrefined(sample, words, options)
        building = time.perf_counter() - start
        for variant in variants:
            start = time.perf_counter()
            size = len(learned) if variant.samples is None else variant.samples * SAMPLE
            seen = learned.take(drawn(marks, size, for_sample))
            tree = refined(built, seen, options, variant.plan)
            done = run_em(tree, learned, em, EMOptions(), for_em, None, Monitor())
            seconds = building + time.perf_counter() - start
            results.add(variant, order_states(done.tree), learned, held_out, seconds)
    results.show()


def unrefined(documents: Documents, words: Sequence[str], options: StructureOptions) -> LatentTree:
    """The paper's structure."""
    negative = includes_negative(documents, options, Monitor())
    return build_hierarchy(documents, words, options, negative, monitor=Monitor())


def refined(
    tree: LatentTree, documents: Documents, options: StructureOptions, plan: Plan | None
) -> LatentTree:
    """Refine by a plan, if there is one."""
    if plan is None:
        return tree
    relearn = partial(relearn_upper_levels, documents=documents, options=options)
    return refine_structure(tree, documents, plan=plan, relearn=relearn, monitor=Monitor())


def all_documents(name: str) -> tuple[Documents, Sequence[str]]:
    """All documents of a corpus that is sampled from, and its words."""
    if name in TEXTS:
        corpus = read_corpus(next(DATA.glob(f"{name}.*")), ngrams=2)
        return corpus.documents, corpus.words
    data = prepared.read(name)
    return as_documents(data.train), data.words


def main() -> None:
    """Print a table per corpus."""
    known = (*MATRICES, *SAMPLED_CORPORA)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "corpora", nargs="*", metavar="CORPUS", help=f"{', '.join(known)} (default: all of them)"
    )
    parser.add_argument("--seeds", type=int, default=3, help="seeds per corpus (default: 3)")
    chosen = parser.parse_args()
    if unknown := set(chosen.corpora) - set(known):
        parser.error(f"unknown corpora: {', '.join(sorted(unknown))}; use {', '.join(known)}")
    prepared.require()
    for name in chosen.corpora or known:
        (from_all if name in MATRICES else from_sample)(name, range(chosen.seeds))


if __name__ == "__main__":
    main()
