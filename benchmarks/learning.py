"""Whole fits: quality on held-out documents, and time by stage.

    python -m benchmarks.learning [--rounds N] [--arxiv] [--recovery] [--seeds] [--compactness]

Without flags, it fits the prepared corpora with the paper's defaults and again with a single vote.
Since times depend on the machine, each fit runs in turn with one iteration of scikit-learn's LDA
with 100 topics over the same documents. The columns:

- held-out: log-likelihood per held-out document
- coherence: mean over the topics from level 2 upwards, M = 4; topics: how many topics have a score
- fit: seconds of the fastest fit; of LDA: median ratio of a fit to the iteration of LDA
- then the share of each stage in the fastest fit

Each flag prints another table instead: `--arxiv` fits 566,663 abstracts and watches the memory,
`--recovery` looks for planted trees, `--seeds` shows the spread over seeds, and `--compactness`
scores keywords by word vectors.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.metrics import adjusted_rand_score

from benchmarks import prepared
from benchmarks.prepared import ARXIV, DATA, MATRICES, Matrices
from hlta import HLTA, Corpus, LatentTree, Monitor
from hlta.evaluate import read_vectors, topic_coherence, topic_compactness
from tests.synthetic import planted

if TYPE_CHECKING:
    from scipy import sparse

BOUNDS = {
    "pairs": "increments of counts in the L1 cache, k log k from a table",
    "islands": "logarithms: EM on tables of 8 and 16 cells and on groups of documents, one thread",
    "bridges": "posteriors scattered by document, then increments in the L1 cache",
    "assignment": "one pass of exact inference over a flat model",
    "samples": "structures learned side by side, as above, and moves of variables to better parents",
    "consensus": "distances of all pairs of words, and linkage",
    "batch EM": "exact inference, 150 ns to 10 us per document: see benchmarks.inference",
    "stepwise EM": "exact inference, and the M-step, whose cost grows with the tree",
}
"""The stages of a fit, and what bounds the speed of each."""
PAPER: dict[str, Any] = {
    "em": "batch",
    "structure_sample": None,
    "refine": False,
    "samples": 1,
    "states": 2,
}
"""The paper's defaults: batch EM, structure from all documents by the paper's search, two states."""
SEEDED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nips-1k", PAPER),
    ("nips-1k", {**PAPER, "structure_sample": 1000}),
    ("nips-1k", {**PAPER, "em": "stepwise", "structure_sample": 1000, "batch_size": 200}),
    ("news-1k", {**PAPER, "structure_sample": 10_000}),
    ("news-1k", {**PAPER, "em": "stepwise", "structure_sample": 10_000}),
    ("news-1k", {"em": "batch", "refine": True, "samples": 1}),
)
"""Corpora and options whose spread over seeds `--seeds` shows."""
SEEDS = 5


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
        known = {stage: self.stages[stage] for stage in BOUNDS if stage in self.stages}
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
    """Fit the prepared corpora, with the paper's search and with a single vote."""
    print(f"The paper's defaults: the fastest of {rounds} fits, in turn with LDA")
    table(rounds, PAPER)
    print("\nThe same with a single vote")
    table(rounds, {**PAPER, "refine": True})
    print("\nWhat bounds the speed of each stage")
    for stage, bound in BOUNDS.items():
        print(f"  {stage:12} {bound}")


def table(rounds: int, options: dict[str, Any]) -> None:
    """Print quality and time for each prepared corpus."""
    print(f"{'corpus':9} {'held-out':>9} {'coherence':>9} {'topics':>6} {'fit':>7} {'of LDA':>6}")
    for name in MATRICES:
        data = prepared.read(name)
        corpus = Corpus(data.train, data.words)
        fit(corpus, **options)  # compiles the kernels and warms the memory
        fits, ratios = [], []
        for _ in range(rounds):
            fits.append(fit(corpus, **options))
            ratios.append(fits[-1].seconds / lda(data.train))
        best = min(fits, key=lambda done: done.seconds)
        found = quality(best.model, data)
        print(
            f"{name:9} {found.log_likelihood:9.2f} {found.coherence:9.2f} {found.topics:6d} "
            f"{best.seconds:6.2f}s {statistics.median(ratios):6.2f}   {best.shares}"
        )


def compactness() -> None:
    """Mean cosine of pairs of the first four keywords, by the Google News vectors."""
    print(
        "\nCompactness (M = 4), paper's search and single vote, and the share of words with vectors"
    )
    for name in MATRICES:
        data = prepared.read(name)
        corpus = Corpus(data.train, data.words)
        vectors = read_vectors(DATA / "googlenews-26k.bin.xz", data.words)
        shown = []
        for refine in (False, True):
            model = fit(corpus, **{**PAPER, "refine": refine}).model
            scores, covered = topic_compactness(model.topics_, vectors)
            shown.append(
                f"{np.nanmean(scores):.3f} ({np.isfinite(scores).sum()} topics, {covered:.0%})"
            )
        print(f"  {name} {', '.join(shown)}")


def seeds() -> None:
    """The spread of held-out log-likelihood over seeds."""
    print(f"\nHeld-out log-likelihood per document over {SEEDS} seeds:")
    print("mean, standard deviation [lowest, highest]")
    for name, options in SEEDED:
        data = prepared.read(name)
        corpus = Corpus(data.train, data.words)
        models = (fit(corpus, random_state=seed, **options).model for seed in range(SEEDS))
        scores = [model.score(data.test) for model in models]
        shown = ", ".join(f"{k}={v}" for k, v in options.items())
        print(
            f"  {name} {shown}: {np.mean(scores):.2f} {np.std(scores):.2f} "
            f"[{min(scores):.2f}, {max(scores):.2f}]"
        )


class Memory:
    """The peak of the memory in use while the block runs, in bytes."""

    def __enter__(self) -> Memory:
        self.peak = _resident()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.02):
            self.peak = max(self.peak, _resident())


def _resident() -> int:
    """Bytes of memory that the process has in use."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


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
        with Memory() as memory:
            done = fit(corpus, **options)
        found = quality(done.model, data)
        print(
            f"  {label}: {done.seconds:.1f} s, peak memory {memory.peak / 1e9:.2f} GB, "
            f"held-out {found.log_likelihood:.2f}, coherence {found.coherence:.2f} "
            f"({found.topics} topics), {done.model.tree_}\n"
            f"    {done.shares}"
        )


def with_turned_states(tree: LatentTree, seed: int) -> LatentTree:
    """Turn the distribution of half of the nodes around: words then avoid each other."""
    probability = tree.probability.copy()
    turned = np.random.default_rng(seed).random(tree.n_nodes) < 0.5
    probability[turned] = probability[turned, ::-1]
    return tree.with_probability(probability)


def recovery() -> None:
    """Learn from documents of planted trees, and compare what was found with those trees."""
    print("\nPlanted trees: 5,000 documents to learn from, 2,000 held out; means over five trees")
    print("gap: how far held-out log-likelihood stays behind the planted tree's,")
    print("with at most 3 and at most 20 top-level topics")
    for turned in (False, True):
        # Text has no words that avoid each other, but the algorithm should not mind.
        print("states of half of the nodes exchanged" if turned else "as in text")
        planted_trees(turned=turned)


def planted_trees(*, turned: bool) -> None:
    """Print a row for each size of the vocabulary."""
    heads = f"{'words':>5} {'islands':>8} {'pairs found':>11} {'of found right':>14} {'ARI':>5}"
    print(f"{heads} {'gap (3)':>10} {'gap (20)':>10}")
    for n in (60, 120, 250, 500, 1000):
        mean = Recovered(*np.mean([recovered(n, seed, turned) for seed in range(5)], axis=0))
        print(
            f"{n:5d} {mean.islands:8.0f} {mean.found:11.3f} {mean.right:14.3f} "
            f"{mean.rand_index:5.2f} {100 * mean.gap_3:9.2f}% {100 * mean.gap_20:9.2f}%"
        )


def recovered(n_words: int, seed: int, turned: bool) -> Recovered:
    """Learn from documents of one planted tree."""
    tree = planted(n_words, seed)
    if turned:
        tree = with_turned_states(tree, seed)
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
    for flag in ("arxiv", "recovery", "seeds", "compactness"):
        parser.add_argument(f"--{flag}", action="store_true")
    chosen = parser.parse_args()
    if chosen.recovery:
        recovery()
    if chosen.recovery and not (chosen.arxiv or chosen.seeds or chosen.compactness):
        return
    prepared.require()
    if not (chosen.arxiv or chosen.seeds or chosen.compactness):
        corpora(chosen.rounds)
    if chosen.seeds:
        seeds()
    if chosen.compactness:
        compactness()
    if chosen.arxiv:
        arxiv()


if __name__ == "__main__":
    main()
