"""What each part of refinement gives: `python -m benchmarks.ablation [--seeds 3] [CORPUS ...]`.

The benchmark's corpora: learned from four fifths of the training documents and scored on the last
fifth, for several such splits; the test documents are for reporting alone. Texts, and arXiv whole:
structure from samples of 10,000 documents, a split and a sample a seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.learning import SHARED, read
from hlta import TopicTree, read_corpus
from hlta.algorithm.em import SHRINKAGE, batch_em
from hlta.algorithm.flat_model import learn_structure
from hlta.algorithm.hlta import learn_parameters, sample_documents
from hlta.algorithm.refinement import SAMPLED, WHOLE, Plan, refine_structure
from hlta.documents.matrix import Documents, as_documents
from hlta.evaluate.coherence import topic_coherence
from hlta.monitor import Monitor
from hlta.options import AUTO_PRESENCES, EMOptions, StructureOptions
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta.tree.latent_tree import LatentTree

OPTIONS = StructureOptions(structure_sample=None)
MATRICES = ("nips-1k", "nips-5k", "news-1k", "news-5k")
SAMPLED_CORPORA = ("ai-abstracts", "arxiv-50k", "arxiv-10k")


class Variant(NamedTuple):
    """A way to refine. `share`: how many times the sample's documents it sees; None for all."""

    label: str
    plan: Plan | None
    shrinkage: float = SHRINKAGE
    share: int | None = None


UNREFINED = Variant("words shrink to their frequency at large", None)
FROM_ALL = (
    Variant("the paper's, maximum likelihood but for 0.1 documents", None, 0.0),
    UNREFINED,
    Variant("free moves", Plan(free=3, fair=0, renew=False)),
    Variant("fair moves", Plan(free=0, fair=4, renew=False)),
    Variant("free, then fair moves", Plan(free=1, fair=2, renew=False)),
    Variant("upper levels anew, no moves", Plan(free=0, fair=0, renew=True)),
    Variant("upper levels anew, free moves", Plan(free=2, fair=0, renew=True)),
    Variant("all of it (the default)", WHOLE),
    Variant("all of it, no shrinkage", WHOLE, 0.0),
    Variant("all of it, more rounds", Plan(free=2, fair=4, renew=True)),
)
FROM_SAMPLE = (
    UNREFINED,
    Variant("free moves, the sample", SAMPLED, share=1),
    Variant("free moves, twice the sample", SAMPLED, share=2),
    Variant("free moves, all documents", SAMPLED),
    Variant("free, then fair moves, twice the sample", Plan(free=1, fair=2, renew=False), share=2),
    Variant("all of it, the sample", WHOLE, share=1),
    Variant("all of it, all documents", WHOLE),
)


class Row(NamedTuple):
    held_out: float
    coherence: float
    topics: int
    seconds: float


class Results:
    """Rows of every variant, and how they compare with the first of them."""

    def __init__(self, name: str, variants: Sequence[Variant]) -> None:
        self._name = name
        self._rows: dict[str, list[Row]] = {v.label: [] for v in variants}

    def add(
        self,
        variant: Variant,
        tree: LatentTree,
        learned: Documents,
        held: Documents,
        seconds: float,
    ) -> None:
        found = topic_coherence(TopicTree.from_tree(tree), learned, tree.words)
        score = float(tree.log_likelihood(held).mean())
        scored = int(np.isfinite(found).sum())
        self._rows[variant.label].append(Row(score, float(np.nanmean(found)), scored, seconds))

    def show(self) -> None:
        first = np.array(next(iter(self._rows.values())))
        print(f"\n{self._name}, {len(first)} seeds: means (standard deviations)")
        for label, rows in self._rows.items():
            values = np.array(rows)
            mean, spread = values.mean(axis=0), values.std(axis=0)
            gain = values[:, 0] - first[:, 0]
            print(
                f"  {label:52} {mean[0]:9.2f} ({gain.mean():+6.2f} ± {gain.std():.2f})  "
                f"{mean[1]:6.2f} ({spread[1]:.2f})  {mean[2]:4.0f} topics  "
                f"{mean[3]:5.2f} s, {np.median(values[:, 3] / first[:, 3]):.1f} times",
                flush=True,
            )


def parts(documents: Documents, seed: int, held: int) -> tuple[Documents, Documents]:
    order = np.random.default_rng(99 + seed).permutation(len(documents))
    return documents.take(np.sort(order[held:])), documents.take(np.sort(order[:held]))


def from_all(name: str, seeds: Iterable[int]) -> None:
    data = read(name)
    documents = as_documents(data.train)
    results = Results(name, FROM_ALL)
    for seed in seeds:
        learned, held = parts(documents, seed, len(documents) // 5)
        start = time.perf_counter()
        built = learn_structure(learned, data.words, OPTIONS, monitor=Monitor())
        building = time.perf_counter() - start
        for variant in FROM_ALL:
            start = time.perf_counter()
            tree = built
            if variant.plan is not None:
                tree = refine_structure(
                    tree, learned, OPTIONS, plan=variant.plan, monitor=Monitor()
                )
            tree = order_states(batch_em(tree, learned, shrinkage=variant.shrinkage).tree)
            results.add(variant, tree, learned, held, building + time.perf_counter() - start)
    results.show()


def from_sample(name: str, seeds: Iterable[int]) -> None:
    """As `HLTA` learns by default, but for what refinement does."""
    documents, words = whole(name)
    small = len(documents.indices) <= AUTO_PRESENCES
    variants = [v for v in FROM_SAMPLE if small or v.share is not None or v.plan is None]
    results = Results(name, variants)
    options = StructureOptions()
    size = options.structure_sample
    assert size is not None
    for seed in seeds:
        learned, held = parts(documents, seed, min(len(documents) // 10, 20_000))
        for_sample, for_em = np.random.SeedSequence(seed).spawn(2)
        start = time.perf_counter()
        sample = sample_documents(learned, size, for_sample)
        built = learn_structure(sample, words, options, monitor=Monitor())
        building = time.perf_counter() - start
        for variant in variants:
            start = time.perf_counter()
            tree = built
            if variant.plan is not None:
                share = None if variant.share is None else variant.share * size
                seen = sample_documents(learned, share, for_sample)
                tree = refine_structure(tree, seen, options, plan=variant.plan, monitor=Monitor())
            em = "batch" if small else "stepwise"
            done = learn_parameters(tree, learned, em, EMOptions(), for_em, None, Monitor())
            seconds = building + time.perf_counter() - start
            results.add(variant, order_states(done.tree), learned, held, seconds)
    results.show()


def whole(name: str) -> tuple[Documents, Sequence[str]]:
    if name == "arxiv-10k":
        data = read(name)
        return as_documents(data.train), data.words
    file = next(SHARED.glob(f"{name}.*"))
    corpus = read_corpus(file, ngrams=2)
    return corpus.documents, corpus.words


def main() -> None:
    known = (*MATRICES, *SAMPLED_CORPORA)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=f"of {', '.join(known)}")
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    unknown = set(chosen.corpora) - set(known)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if not SHARED.exists():
        sys.exit(f"the benchmark corpora are not at {SHARED}")
    for name in chosen.corpora or known:
        (from_all if name in MATRICES else from_sample)(name, range(chosen.seeds))


if __name__ == "__main__":
    main()
