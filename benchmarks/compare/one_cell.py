"""One cell of the comparison: a method learns from a part of a corpus, and is measured.

This runs in a process of its own (`benchmarks.cells`). Parts of hlta are imported late, so that they do
not add to the memory of other methods.
"""

from __future__ import annotations

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.compare.corpora import split
from benchmarks.compare.methods import HLTA_TOPICS, METHODS
from benchmarks.compare.predictors import Independent, Mixture, Tree, complete
from benchmarks.timing import cpu_seconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.compare.corpora import Split
    from benchmarks.compare.methods import Learned
    from benchmarks.compare.predictors import Predictor

_QUICK_TOPICS = 60
_LEAST_WORDS = 2  # of a document, for half of them to be given
_M = 4  # words of a topic that are scored, as in the paper
_MOST_COHERENT = (50, 100, 200, 400)


class Cell(NamedTuple):
    """A method on a corpus with a seed, perhaps with a file of word vectors for compactness."""

    corpus: str
    method: str
    seed: int
    vectors: str | None
    size: str  # "whole" or "quick"


def compute(cell: Cell) -> dict[str, Any]:
    """Learn, and score what was learned on the held-out documents, and its topics."""
    method, quick = METHODS[cell.method], cell.size == "quick"
    data = split(cell.corpus, cell.seed, quick=quick)
    if data.train.shape[0] < method.least:
        raise ValueError(f"as in the paper, only for {method.least:,} documents or more")
    if not data.test.nnz:
        raise ValueError("too few documents: none can be held out")
    _warm(cell.method)
    topics = 0
    if method.asked:
        topics = _QUICK_TOPICS if quick else _topics_to_ask_for(cell.corpus)
    began, cpu = time.perf_counter(), cpu_seconds()
    learned = method.run(data, topics, cell.seed)
    figures = {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": cpu_seconds() - cpu,
        "peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    if isinstance(learned.predict, (Tree, Independent)):
        figures["log_likelihood"] = learned.predict.log_likelihood(data.test)
    # A mixture gets the better of two ways to infer the proportions of a document.
    ways: list[Predictor] = [learned.predict]
    if isinstance(learned.predict, Mixture):
        ways.append(replace(learned.predict, collapsed=True))
    if (np.diff(data.test.indptr) >= _LEAST_WORDS).any():
        figures["completion"] = max(complete(data.test, predict) for predict in ways)
    return figures | (_of_topics(learned, data, cell.vectors) if learned.topics else {})


def _of_topics(learned: Learned, data: Split, vectors: str | None) -> dict[str, Any]:
    """Scores of the topics that have enough words; every score is of the same topics."""
    from hlta.evaluate import (
        read_vectors,
        topic_coherence,
        topic_compactness,
        topic_diversity,
        topic_npmi,
    )

    topics = [topic for topic in learned.topics if len(topic.words) >= _M]
    coherence = topic_coherence(topics, data.train, data.words, n_words=_M)
    npmi = topic_npmi(topics, data.train, data.words, n_words=_M)
    scored = np.isfinite(coherence)
    figures: dict[str, Any] = {
        "topics": len(learned.topics),
        "dead": learned.dead,
        "scored": int(scored.sum()),
    }
    if not scored.any():
        return figures
    figures |= {
        "coherence": float(np.mean(coherence[scored])),
        "best_coherence": _best(coherence[scored]),
        "npmi": float(np.mean(npmi[scored])),
        "diversity": topic_diversity(topics, n_words=_M),
    }
    if vectors is not None:
        close = topic_compactness(topics, read_vectors(Path(vectors), data.words), n_words=_M)
        if np.isfinite(close.scores).any():
            figures["compactness"] = float(np.nanmean(close.scores))
    return figures


def _topics_to_ask_for(corpus: str) -> int:
    """About as many topics as HLTA finds."""
    if corpus in HLTA_TOPICS:
        return HLTA_TOPICS[corpus]
    # This runs in a process of its own, or the peak memory of this one would include it.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_found_by_hlta, corpus).result()


def _found_by_hlta(corpus: str) -> int:
    return len(METHODS["hlta"].run(split(corpus, 0), 0, 0).topics)


def _best(coherence: NDArray[np.float64]) -> dict[str, float]:
    """The mean of the most coherent topics, to compare methods at an equal number of topics."""
    known = np.sort(coherence)[::-1]
    return {str(n): float(known[:n].mean()) for n in _MOST_COHERENT if n <= len(known)}


def _warm(method: str) -> None:
    """Compile the method's kernels before the clock starts."""
    if method.startswith("hlta"):
        from hlta import HLTA, Corpus

        rng = np.random.default_rng(0)
        small = Corpus((rng.random((300, 12)) < 0.3).astype(int), [f"w{k}" for k in range(12)])
        HLTA(em="batch").fit(small)
        HLTA(em="stepwise", batch_size=50, em_updates=3).fit(small)
