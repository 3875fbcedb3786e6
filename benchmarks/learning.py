"""Whole fits with the paper's defaults: quality on held-out documents, and time by stage.

    python -m benchmarks.learning [--rounds N] [--arxiv] [--recovery]

Without flags, it fits the prepared corpora. Since times depend on the machine, fits alternate with one
iteration of scikit-learn's LDA with 100 topics over the same documents. The columns:

- held-out: log-likelihood per held-out document
- coherence: mean over the topics from level 2 upwards, M = 4; topics: how many topics have a score
- fit: seconds of the fastest fit; of LDA: median ratio of a fit to the iteration of LDA
- then the share of each stage in the fastest fit

Each flag prints another table instead: `--arxiv` fits 566,663 abstracts and watches the memory, and
`--recovery` looks for planted trees. `benchmarks.ablation` has the fits with the default parameters.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.metrics import adjusted_rand_score

from benchmarks import prepared
from benchmarks.prepared import ARXIV, MATRICES, Matrices
from benchmarks.timing import PeakMemory
from hlta import HLTA, Corpus, Monitor
from hlta.evaluate import topic_coherence
from tests.synthetic import planted

if TYPE_CHECKING:
    from scipy import sparse

STAGES = (
    "pairs",
    "islands",
    "bridges",
    "assignment",
    "samples",
    "consensus",
    "batch EM",
    "stepwise EM",
    "titles",
)
PAPER: dict[str, Any] = {
    "em": "batch",
    "structure_sample": None,
    "refine": False,
    "samples": 1,
    "states": 2,
}
"""The paper's defaults: batch EM, structure from all documents by the paper's search, two states."""


class Stages(Monitor):
    """A monitor that adds up the seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._open: list[tuple[str, float]] = []

    def begin(self, name: str, total: int | None) -> None:  # noqa: ARG002
        self._open.append((name, time.perf_counter()))

    def end(self, *, completed: bool) -> None:  # noqa: ARG002
        name, began = self._open.pop()
        self.seconds[name] += time.perf_counter() - began


class Fit(NamedTuple):
    """A fitted model, the seconds that it took, and those of each stage."""

    model: HLTA
    seconds: float
    stages: dict[str, float]

    @property
    def shares(self) -> str:
        """The share of each stage, and of everything else, in the time of the fit."""
        known = {stage: self.stages[stage] for stage in STAGES if stage in self.stages}
        known["else"] = self.seconds - sum(known.values())
        return ", ".join(f"{stage} {100 * s / self.seconds:.0f}%" for stage, s in known.items())


class Quality(NamedTuple):
    """Held-out log-likelihood per document, mean coherence, and the number of topics scored."""

    log_likelihood: float
    coherence: float
    topics: int


class Recovered(NamedTuple):
    """How close the model of a planted tree's documents comes to that tree.

    Attributes
    ----------
    islands
        Latent variables at level 1 of the planted tree.
    found, right
        Share of the planted pairs of siblings that were found, and of the found ones that are
        right.
    rand_index
        Adjusted Rand index of the two partitions of the words into islands.
    gap_3, gap_20
        How far held-out log-likelihood stays behind that of the planted tree, as a share of it,
        with at most 3 and at most 20 top-level topics.
    """

    islands: float
    found: float
    right: float
    rand_index: float
    gap_3: float
    gap_20: float


def fit(corpus: Corpus, **options: Any) -> Fit:
    """Fit a model and take the times."""
    stages = Stages()
    start = time.perf_counter()
    model = HLTA(progress=stages, **options).fit(corpus)
    return Fit(model, time.perf_counter() - start, dict(stages.seconds))


def lda(documents: sparse.csr_array) -> float:
    """Seconds of one iteration of LDA with 100 topics on all processors."""
    model = LatentDirichletAllocation(100, max_iter=1, n_jobs=-1, random_state=0)
    start = time.perf_counter()
    model.fit(documents)
    return time.perf_counter() - start


def quality(model: HLTA, data: Matrices) -> Quality:
    """Score the held-out documents and the topics from level 2 upwards (M = 4)."""
    coherence = topic_coherence(model.topics_, data.train, data.words)
    scored = int(np.isfinite(coherence).sum())
    return Quality(model.score(data.test), float(np.nanmean(coherence)), scored)


def corpora(rounds: int) -> None:
    """Fit the prepared corpora, and print quality and time for each."""
    print(f"The fastest of {rounds} fits, in turn with LDA")
    print(f"{'corpus':9} {'held-out':>9} {'coherence':>9} {'topics':>6} {'fit':>7} {'of LDA':>6}")
    for name in MATRICES:
        data = prepared.read(name)
        corpus = Corpus(data.train, data.words)
        fit(corpus, **PAPER)  # compiles the kernels and warms the memory
        fits, ratios = [], []
        for _ in range(rounds):
            fits.append(fit(corpus, **PAPER))
            ratios.append(fits[-1].seconds / lda(data.train))
        best = min(fits, key=lambda done: done.seconds)
        found = quality(best.model, data)
        print(
            f"{name:9} {found.log_likelihood:9.2f} {found.coherence:9.2f} {found.topics:6d} "
            f"{best.seconds:6.2f}s {statistics.median(ratios):6.2f}   {best.shares}"
        )


def arxiv() -> None:
    """Fit all arXiv abstracts in three ways, and watch the memory."""
    data = prepared.read(ARXIV)
    n_documents, n_words = data.train.shape
    print(f"\narXiv: {n_documents:,} documents, {data.train.nnz:,} presences, {n_words:,} words")
    corpus = Corpus(data.train, data.words)
    fit(Corpus(data.train[:2000], data.words), em_updates=2)
    for label, options in (
        ("structure from a sample, 100 stepwise updates", {"em": "stepwise", "refine": False}),
        ("the same, a single vote", {"em": "stepwise", "refine": True, "samples": 1}),
        ("structure from all documents, 50 batch passes", PAPER),
    ):
        with PeakMemory("VmRSS") as memory:
            done = fit(corpus, **options)
        found = quality(done.model, data)
        print(
            f"  {label}: {done.seconds:.1f} s, peak memory {memory.peak * 1024 / 1e9:.2f} GB, "
            f"held-out {found.log_likelihood:.2f}, coherence {found.coherence:.2f} "
            f"({found.topics} topics), {done.model.tree_}\n"
            f"    {done.shares}"
        )


def recovery() -> None:
    """Learn from documents of planted trees, and compare what was found with those trees."""
    print("\nPlanted trees: 5,000 documents to learn from, 2,000 held out; means over five trees")
    print("gap: how far held-out log-likelihood stays behind the planted tree's,")
    print("with at most 3 and at most 20 top-level topics")
    heads = f"{'words':>5} {'islands':>8} {'pairs found':>11} {'of found right':>14} {'ARI':>5}"
    print(f"{heads} {'gap (3)':>10} {'gap (20)':>10}")
    for n in (60, 120, 250, 500, 1000):
        mean = Recovered(*np.mean([recovered(n, seed) for seed in range(5)], axis=0))
        print(
            f"{n:5d} {mean.islands:8.0f} {mean.found:11.3f} {mean.right:14.3f} "
            f"{mean.rand_index:5.2f} {100 * mean.gap_3:9.2f}% {100 * mean.gap_20:9.2f}%"
        )


def recovered(n_words: int, seed: int) -> Recovered:
    """Learn from documents of one planted tree."""
    tree = planted(n_words, seed)
    train, test = tree.sample(5000, seed=seed), tree.sample(2000, seed=seed + 100)
    corpus = Corpus(train, tree.words)
    model = HLTA(**PAPER, max_top_topics=3).fit(corpus)
    above, found = tree.parent[:n_words], model.tree_.parent[:n_words]
    same, together = (parent[:, None] == parent for parent in (above, found))
    np.fill_diagonal(same, False)
    np.fill_diagonal(together, False)
    truth = float(tree.log_likelihood(test).mean())
    return Recovered(
        len(np.unique(above)),
        together[same].mean(),
        same[together].mean(),
        adjusted_rand_score(above, found),
        (truth - model.score(test)) / -truth,
        (truth - HLTA(**PAPER).fit(corpus).score(test)) / -truth,
    )


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="fits per corpus (default: 5)")
    for flag in ("arxiv", "recovery"):
        parser.add_argument(f"--{flag}", action="store_true")
    chosen = parser.parse_args()
    if chosen.recovery:
        recovery()
    if chosen.arxiv or not chosen.recovery:
        prepared.require()
    if chosen.arxiv:
        arxiv()
    elif not chosen.recovery:
        corpora(chosen.rounds)


if __name__ == "__main__":
    main()
