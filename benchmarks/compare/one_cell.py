"""The program of a cell's process, which `cells` starts: it learns, and measures the result.

    python -m benchmarks.compare.one_cell CORPUS METHOD SEED quick|whole [VECTORS]

The last line of the output is a JSON object of figures, or {"not run": reason}. Parts of hlta are
imported late, so that they do not add to the memory of other methods.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.compare.completion import complete
from benchmarks.compare.corpora import split
from benchmarks.compare.methods import HLTA_TOPICS, METHODS
from benchmarks.compare.predictors import Independent, Mixture, Tree
from benchmarks.compare.trees import hlta_once
from benchmarks.timing import cpu_seconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.compare.corpora import Split
    from benchmarks.compare.learned import Learned
    from benchmarks.compare.predictors import Predictor

_QUICK_TOPICS = 60
_LEAST_WORDS = 2  # of a document, for half of them to be given
_M = 4  # words of a topic that are scored, as in the paper
_MOST_COHERENT = (50, 100, 200, 400)


def compute(
    corpus: str, method: str, seed: int, vectors: Path | None, *, quick: bool
) -> dict[str, Any]:
    """Learn, and score what was learned on the held-out documents, and its topics."""
    entry = METHODS[method]
    data = split(corpus, seed, quick=quick)
    if data.train.shape[0] < entry.least:
        return {"not run": f"as in the paper, only for {entry.least:,} documents or more"}
    if not data.test.nnz:
        return {"not run": "too few documents: none can be held out"}
    _warm(method)
    topics = 0
    if entry.asked:
        topics = _QUICK_TOPICS if quick else _topics_to_ask_for(corpus)
    began, cpu = time.perf_counter(), cpu_seconds()
    learned = entry.run(data, topics, seed)
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
    return figures | (_of_topics(learned, data, vectors) if learned.topics else {})


def _of_topics(learned: Learned, data: Split, vectors: Path | None) -> dict[str, Any]:
    """Scores of the topics that have enough words; every score is of the same topics."""
    from hlta.errors import FormatError
    from hlta.evaluate import (
        read_vectors,
        topic_coherence,
        topic_compactness,
        topic_diversity,
        topic_npmi,
    )

    topics = [topic for topic in learned.topics if len(topic.words) >= _M]
    levels = [topic.level for topic in learned.topics if topic.level is not None]
    coherence = topic_coherence(topics, data.train, data.words, n_words=_M)
    npmi = topic_npmi(topics, data.train, data.words, n_words=_M)
    scored = np.isfinite(coherence)
    if not scored.any():
        return {"topics": len(learned.topics), "dead": learned.dead, "scored": 0}
    figures: dict[str, Any] = {
        "topics": len(learned.topics),
        "dead": learned.dead,
        "scored": int(scored.sum()),
        "per_level": {str(level): levels.count(level) for level in sorted(set(levels))},
        "first": [topic.words[:5] for topic in topics[:5]],
        "coherence": float(np.mean(coherence[scored])),
        "best_coherence": _best(coherence[scored]),
        "npmi": float(np.mean(npmi[scored])),
        "diversity": topic_diversity(topics, n_words=_M),
    }
    if vectors is not None:
        figures["vectors"] = vectors.name
        try:
            close = topic_compactness(topics, read_vectors(vectors, data.words), n_words=_M)
        except FormatError as error:
            figures["no_compactness"] = str(error)
        else:
            if np.isfinite(close.scores).any():
                figures["compactness"] = float(np.nanmean(close.scores))
            figures["covered"] = close.covered
    return figures


def _topics_to_ask_for(corpus: str) -> int:
    """About as many topics as HLTA finds."""
    if corpus in HLTA_TOPICS:
        return HLTA_TOPICS[corpus]
    # This runs in a process of its own, or the peak memory of this one would include it.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_found_by_hlta, corpus).result()


def _found_by_hlta(corpus: str) -> int:
    return len(hlta_once(split(corpus, 0), 0, 0).topics)


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


def main() -> None:
    """Print the figures of a cell."""
    corpus, method, seed, size, *vectors = sys.argv[1:]
    path = Path(vectors[0]) if vectors else None
    figures = compute(corpus, method, int(seed), path, quick=size == "quick")
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
