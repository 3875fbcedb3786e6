"""Learning, measured: `python -m benchmarks.learning [--arxiv] [--recovery] [--seeds] [--compactness]`.

Quality on held-out documents and the time of whole fits, stage by stage. For a fair machine the
time of a fit stands beside something that runs in turn with it: one iteration of scikit-learn's
LDA with 100 topics over the same documents.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.metrics import adjusted_rand_score

from hlta import HLTA, Corpus, LatentTree, Monitor
from hlta._support.threads import resolve_jobs
from hlta.documents.matrix import as_documents
from hlta.evaluate import read_vectors, topic_coherence, topic_compactness
from tests.synthetic import planted

SHARED = Path(__file__).parents[2] / "shared" / "data"
STAGES = ("pairs", "islands", "bridges", "assignment", "refinement", "batch EM", "stepwise EM")
BOUND = {
    "pairs": "increments of counts in L1, k log k from a table",
    "islands": "logarithms of 8- and 16-cell EM and of groups of documents, one thread",
    "bridges": "posteriors scattered by document, then increments in L1",
    "assignment": "one pass of exact inference over a flat model",
    "refinement": "posteriors met by document, and a few steps of EM",
    "batch EM": "exact inference, 150 ns to 10 us a document: see benchmarks.inference",
    "stepwise EM": "exact inference and the M-step, which costs what the tree does",
}
PAPER: dict[str, Any] = {"em": "batch", "structure_sample": None, "refine": False}
"""The paper's defaults: batch EM, structure from all documents, as it was built."""


class Stages(Monitor):
    """Adds up what each stage took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._open: list[tuple[str, float]] = []

    def begin(self, name: str, total: int | None) -> None:  # noqa: ARG002
        self._open.append((name, time.perf_counter()))

    def end(self, *, completed: bool) -> None:  # noqa: ARG002
        name, began = self._open.pop()
        self.seconds[name] += time.perf_counter() - began


class Data(NamedTuple):
    train: sparse.csr_array
    test: sparse.csr_array
    words: list[str]


class Fit(NamedTuple):
    model: HLTA
    seconds: float
    stages: dict[str, float]


def read(name: str) -> Data:
    folder = SHARED / name
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split()
    if name == "arxiv-10k":
        every = sparse.csr_array(sparse.load_npz(folder / "docs.npz"))
        order = np.random.default_rng(0).permutation(every.shape[0])
        held = 20_000
        return Data(every[np.sort(order[held:])], every[np.sort(order[:held])], words)
    train, test = (
        sparse.csr_array(sparse.load_npz(folder / f"{k}.npz")) for k in ("train", "test")
    )
    return Data(train, test, words)


def fit(corpus: Corpus, **options: Any) -> Fit:
    stages = Stages()
    start = time.perf_counter()
    model = HLTA(progress=stages, **options).fit(corpus)
    return Fit(model, time.perf_counter() - start, dict(stages.seconds))


def lda(documents: sparse.csr_array) -> float:
    model = LatentDirichletAllocation(100, max_iter=1, n_jobs=resolve_jobs(None), random_state=0)
    start = time.perf_counter()
    model.fit(documents)
    return time.perf_counter() - start


def shares(done: Fit) -> str:
    known = {stage: done.stages[stage] for stage in STAGES if stage in done.stages}
    known["else"] = done.seconds - sum(known.values())
    return ", ".join(f"{stage} {100 * s / done.seconds:.0f}%" for stage, s in known.items())


def quality(model: HLTA, data: Data) -> tuple[float, float, int]:
    """Held-out log-likelihood a document, mean coherence (M = 4, levels from 2), topics scored."""
    found = topic_coherence(model.topics_, data.train, data.words)
    return model.score(data.test), float(np.nanmean(found)), int(np.isfinite(found).sum())


def corpora(rounds: int) -> None:
    print("The paper's defaults; best of", rounds, "fits, in turn with LDA")
    table(rounds, PAPER)
    print("\nRefined")
    table(rounds, {**PAPER, "refine": True})
    print("\nWhat bounds each stage")
    for stage, bound in BOUND.items():
        print(f"  {stage:12} {bound}")


def table(rounds: int, options: dict[str, Any]) -> None:
    print(f"{'corpus':9} {'held-out':>9} {'coherence':>9} {'topics':>6} {'fit':>7} {'of LDA':>6}")
    for name in ("nips-1k", "nips-5k", "news-1k", "news-5k"):
        data = read(name)
        corpus = Corpus(data.train, data.words)
        fit(corpus, **options)  # kernels are compiled, pages are warm
        fits, ratios = [], []
        for _ in range(rounds):
            fits.append(fit(corpus, **options))
            ratios.append(fits[-1].seconds / lda(data.train))
        best = min(fits, key=lambda done: done.seconds)
        score, coherence, topics = quality(best.model, data)
        print(
            f"{name:9} {score:9.2f} {coherence:9.2f} {topics:6d} {best.seconds:6.2f}s "
            f"{statistics.median(ratios):6.2f}   {shares(best)}"
        )


def compactness() -> None:
    """With the Google News vectors: mean cosine of pairs of the first four keywords."""
    print("\nCompactness (M = 4), unrefined and refined, and the share of words with vectors")
    for name in ("nips-1k", "nips-5k", "news-1k", "news-5k"):
        data = read(name)
        corpus = Corpus(data.train, data.words)
        vectors = read_vectors(SHARED / "googlenews-26k.bin.xz", data.words)
        shown = []
        for refine in (False, True):
            model = fit(corpus, **{**PAPER, "refine": refine}).model
            scores, covered = topic_compactness(model.topics_, vectors)
            shown.append(
                f"{np.nanmean(scores):.3f} ({np.isfinite(scores).sum()} topics, {covered:.0%})"
            )
        print(f"  {name} {', '.join(shown)}")


def seeds() -> None:
    print("\nHeld-out log-likelihood over 5 seeds: mean, standard deviation, extremes")
    for name, options in (
        ("nips-1k", PAPER),
        ("nips-1k", {**PAPER, "structure_sample": 1000}),
        ("nips-1k", {**PAPER, "em": "stepwise", "structure_sample": 1000, "batch_size": 200}),
        ("news-1k", {**PAPER, "structure_sample": 10_000}),
        ("news-1k", {**PAPER, "em": "stepwise", "structure_sample": 10_000}),
        ("news-1k", {"em": "batch", "refine": True}),
    ):
        data = read(name)
        corpus = Corpus(data.train, data.words)
        scores = [
            fit(corpus, random_state=seed, **options).model.score(data.test) for seed in range(5)
        ]
        shown = ", ".join(f"{k}={v}" for k, v in options.items())
        print(
            f"  {name} {shown}: {np.mean(scores):.2f} {np.std(scores):.2f} "
            f"[{min(scores):.2f}, {max(scores):.2f}]"
        )


class Memory:
    """The most memory in use while it watches, without what was there before."""

    def __enter__(self) -> Memory:
        self._before = self.peak = _resident()
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
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def arxiv() -> None:
    data = read("arxiv-10k")
    print(f"\narXiv: {data.train.shape[0]:,} documents, {data.train.nnz:,} presences, 10,000 words")
    corpus = Corpus(as_documents(data.train), data.words)
    fit(Corpus(data.train[:2000], data.words), em_updates=2)
    for label, options in (
        ("structure from 10,000, 100 stepwise updates", {"em": "stepwise", "refine": False}),
        ("the same, refined", {"em": "stepwise", "refine": True}),
        ("structure from all, 50 batch passes", PAPER),
    ):
        with Memory() as memory:
            done = fit(corpus, **options)
        score, coherence, topics = quality(done.model, data)
        print(
            f"  {label}: {done.seconds:.1f} s, {memory.peak / 1e9:.2f} GB in use at most, "
            f"held-out {score:.2f}, coherence {coherence:.2f} ({topics}), {done.model.tree_}\n"
            f"    {shares(done)}"
        )


def with_turned_words(tree: LatentTree, seed: int) -> LatentTree:
    probability = tree.probability.copy()
    turned = np.random.default_rng(seed).random(tree.n_nodes) < 0.5
    probability[turned] = probability[turned, ::-1]
    return tree.with_probability(probability)


def recovery() -> None:
    print("\nPlanted trees: 5,000 documents to learn from, 2,000 held out; five trees a size")
    print(
        "gap: how far held-out log-likelihood is from the true model's, with 3 and with 20 on top"
    )
    for turned in (False, True):
        print("states of half of the nodes exchanged" if turned else "as text has it")
        planted_trees(turned=turned)


def planted_trees(*, turned: bool) -> None:
    heads = f"{'words':>5} {'islands':>8} {'pairs found':>11} {'of found right':>14} {'ARI':>5}"
    print(f"{heads} {'gap (3)':>10} {'gap (20)':>10}")
    for n in (60, 120, 250, 500, 1000):
        rows = []
        for seed in range(5):
            tree = planted(n, seed)
            if turned:
                # Words that avoid each other: no text, but what the algorithm is as good for.
                tree = with_turned_words(tree, seed)
            train, test = tree.sample(5000, seed=seed), tree.sample(2000, seed=seed + 100)
            corpus = Corpus(train, tree.words)
            model = HLTA(**PAPER, max_top_topics=3).fit(corpus)
            above, found = tree.parent[:n], model.tree_.parent[:n]
            same, together = (p[:, None] == p for p in (above, found))
            np.fill_diagonal(same, False)
            np.fill_diagonal(together, False)
            truth = tree.log_likelihood(test).mean()
            rows.append(
                (
                    len(np.unique(above)),
                    together[same].mean(),
                    same[together].mean(),
                    adjusted_rand_score(above, found),
                    (truth - model.score(test)) / -truth,
                    (truth - HLTA(**PAPER).fit(corpus).score(test)) / -truth,
                )
            )
        mean = np.mean(rows, axis=0)
        print(
            f"{n:5d} {mean[0]:8.0f} {mean[1]:11.3f} {mean[2]:14.3f} {mean[3]:5.2f} "
            f"{100 * mean[4]:9.2f}% {100 * mean[5]:9.2f}%"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    for flag in ("arxiv", "recovery", "seeds", "compactness"):
        parser.add_argument(f"--{flag}", action="store_true")
    chosen = parser.parse_args()
    if chosen.recovery:
        recovery()
    if not SHARED.exists():
        sys.exit(f"the benchmark corpora are not at {SHARED}")
    if not (chosen.arxiv or chosen.recovery or chosen.seeds or chosen.compactness):
        corpora(chosen.rounds)
    if chosen.seeds:
        seeds()
    if chosen.compactness:
        compactness()
    if chosen.arxiv:
        arxiv()


if __name__ == "__main__":
    main()
