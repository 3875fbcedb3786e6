"""One cell of the experiment, a method on a corpus with a seed, in a process of its own.

Its figures are kept as a file and not computed again. What goes wrong there, an exception, a lack of
memory, the end of the time, is the cell's own business: it says so, and the experiment goes on.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.compare.completion import complete, of_mixture, of_tree
from benchmarks.compare.corpora import split, vectors, with_counts
from benchmarks.compare.counts import has_counts
from benchmarks.compare.methods import HLTA_TOPICS, METHODS

_QUICK_TOPICS = 60
_REASON = 300  # characters


@dataclass
class Cell:
    """Figures, or why there are none."""

    corpus: str
    method: str
    seed: int
    status: str = "ok"  # or timeout, failed, missing, not run
    reason: str = ""
    figures: dict[str, Any] = field(default_factory=dict)


def run(
    corpus: str, method: str, seed: int, *, limit: float, folder: Path, quick: bool, kept: bool
) -> tuple[Cell | None, bool]:
    """The cell, and whether it was there already; None if nothing is to be run and it was not."""
    name = f"{corpus}{'-quick' if quick else ''}.{method}.{seed}.json"
    file = folder / name
    if file.exists():
        old = Cell(**json.loads(file.read_text(encoding="utf-8")))
        if kept:
            return old, True
        again = old.status == "timeout" and limit > old.figures.get("limit", 0.0)
        if not again and old.status not in ("missing", "failed"):
            return old, True
    if kept:
        return None, True
    cell = _computed(corpus, method, seed, limit, quick)
    folder.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(asdict(cell), indent=1), encoding="utf-8")
    os.replace(part, file)
    return cell, False


def _computed(corpus: str, method: str, seed: int, limit: float, quick: bool) -> Cell:
    cell = Cell(corpus, method, seed)
    package = METHODS[method].package
    if package is not None:
        try:
            version(package)
        except PackageNotFoundError:
            cell.status, cell.reason = (
                "missing",
                f"{package} is not installed: pip install {package}",
            )
            return cell
    command = [sys.executable, "-m", "benchmarks.compare.cells", corpus, method, str(seed)]
    if quick:
        command.append("quick")
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, check=False, cwd=_ROOT
        )
    except subprocess.TimeoutExpired:
        cell.status, cell.reason = "timeout", f"no result after {limit:,.0f} s"
        cell.figures["limit"] = limit
        return cell
    line = done.stdout.strip().rpartition("\n")[2]
    try:
        answer = json.loads(line)
    except json.JSONDecodeError:
        answer = None
    if done.returncode or not isinstance(answer, dict):
        cell.status = "failed"
        told = done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        killed = " (killed, perhaps for want of memory)" if done.returncode == -9 else ""
        cell.reason = told[:_REASON] + killed
    elif "not run" in answer:
        cell.status, cell.reason = "not run", answer["not run"]
    else:
        cell.figures = answer
    return cell


_ROOT = Path(__file__).parents[2]


def figures(corpus: str, method: str, seed: int, *, quick: bool) -> dict[str, Any]:
    """Learn, and measure what was learned."""
    from hlta.evaluate.coherence import topic_coherence, topic_npmi
    from hlta.evaluate.distinctness import topic_diversity

    data = split(corpus, seed, quick=quick)
    if data.train.shape[0] < METHODS[method].least:
        least = METHODS[method].least
        return {"not run": f"as in the paper: for {least:,} documents or more"}
    learn = data
    if METHODS[method].bow:
        if not has_counts(corpus):
            return {"not run": "the files of this corpus are binary, there are no counts"}
        learn = with_counts(corpus, seed, quick=quick)
    _warm(method)
    wanted = _QUICK_TOPICS if quick else HLTA_TOPICS[corpus]
    began, cpu = time.perf_counter(), _cpu()
    learned = METHODS[method].run(learn, wanted, seed)
    found: dict[str, Any] = {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": _cpu() - cpu,
        "peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "topics": len(learned.topics),
        "per_level": {
            str(level): sum(topic.level == level for topic in learned.topics)
            for level in sorted({topic.level for topic in learned.topics})  # type: ignore[type-var]
        },
        "first": [topic.words[:5] for topic in learned.topics[:5]],
    }
    if learned.tree is not None:
        scores = learned.tree.log_likelihood(data.test)
        found["log_likelihood"] = float(scores.mean())
        predict = of_tree(learned.tree)
    else:
        assert learned.mixture is not None
        predict = of_mixture(learned.mixture)
    done = complete(data.test, predict)
    found |= {"completion": done.word, "tokens": done.document}
    coherence = topic_coherence(learned.topics, data.train, data.words)
    found["coherence"] = float(np.nanmean(coherence))
    found["coherence_topics"] = int(np.isfinite(coherence).sum())
    found["best_coherence"] = _best(coherence)
    # NPMI of as many words as the paper's M: some topics have no more.
    found["npmi"] = float(np.nanmean(topic_npmi(learned.topics, data.train, data.words, n_words=4)))
    found["diversity"] = topic_diversity(learned.topics, n_words=4)
    path = vectors()
    if path is not None:
        from hlta.evaluate.compactness import read_vectors, topic_compactness

        known = read_vectors(path, data.words)
        close = topic_compactness(learned.topics, known)
        found["compactness"] = float(np.nanmean(close.scores))
        found["covered"] = close.covered
    return found


def _best(coherence: np.ndarray) -> dict[str, float]:
    """The mean of the best so many, for comparing methods at an equal number of topics."""
    known = np.sort(coherence[np.isfinite(coherence)])[::-1]
    return {str(n): float(known[:n].mean()) for n in (50, 100, 200, 400) if n <= len(known)}


def _warm(method: str) -> None:
    """Compile what is compiled once and for all machines' lifetime."""
    if method.startswith("hlta"):
        from hlta import HLTA, Corpus

        rng = np.random.default_rng(0)
        small = Corpus((rng.random((300, 12)) < 0.3).astype(int), [f"w{k}" for k in range(12)])
        HLTA(em="batch").fit(small)
        HLTA(em="stepwise", batch_size=50, em_updates=3).fit(small)


def _cpu() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def main() -> None:
    corpus, method, seed, *quick = sys.argv[1:]
    sys.stdout.write(json.dumps(figures(corpus, method, int(seed), quick=bool(quick))) + "\n")


if __name__ == "__main__":
    main()
