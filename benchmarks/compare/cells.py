"""One cell of the experiment: a method on a corpus with a seed.

What it learns is kept in a file, and measured in another process: a measure can change without
learning again. What goes wrong, an exception, a lack of memory, the end of the time, is the cell's
own business: it says so, and the experiment goes on.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import subprocess
import sys
import time
import zlib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from benchmarks.compare.completion import complete
from benchmarks.compare.corpora import DEMO, PREPARED, has_counts, split
from benchmarks.compare.machine import machine
from benchmarks.compare.methods import HLTA_TOPICS, METHODS
from benchmarks.compare.nhdp import NestedHDP, Settings
from benchmarks.compare.predictors import Independent, Tree
from benchmarks.compare.trees import hlta_default

if TYPE_CHECKING:
    from benchmarks.compare.corpora import Split
    from benchmarks.compare.learned import Learned

MEASURES = 3  # raised when other things are measured: what was learned is then measured anew
_OF_LEARNING = ("seconds", "cpu_seconds", "peak_memory")
_QUICK_TOPICS = 60
_LEAST = 2  # words of a document that can be given in part
_M = 4  # words of a topic that count, as in the paper
_REASON = 300  # characters
_ROOT = Path(__file__).parents[2]


@dataclass
class Cell:
    """Figures, or why there are none.

    edition   of the method
    measures  of what was measured
    machine   what it ran on, with versions
    """

    corpus: str
    method: str
    seed: int
    status: str = "ok"  # or timeout, failed, missing, not run
    reason: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    edition: int = 0
    measures: int = 0
    machine: str = ""


@dataclass(frozen=True)
class Place:
    """Where a cell is kept."""

    folder: Path
    corpus: str
    method: str
    seed: int
    quick: bool

    @property
    def file(self) -> Path:
        """Its figures."""
        return self.folder / f"{self._name}.json"

    @property
    def learned(self) -> Path:
        """What was learned; to be opened by nobody who does not trust the folder."""
        return self.folder / f"{self._name}.learned"

    @property
    def _name(self) -> str:
        corpus = self.corpus
        if corpus not in (*PREPARED, DEMO):
            path = Path(corpus)
            known = path.stat()  # another cell when the file has changed
            mark = f"{path.resolve()} {known.st_size} {known.st_mtime_ns}"
            corpus = f"{path.name}-{zlib.crc32(mark.encode()):08x}"
        return f"{corpus}{'-quick' if self.quick else ''}.{self.method}.{self.seed}"

    def read(self) -> Cell | None:
        """The cell, if it is there and can be used."""
        return _read(self.file)

    def write(self, cell: Cell) -> None:
        """Keep it."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(asdict(cell), indent=1), encoding="utf-8")
        os.replace(part, self.file)


def run(place: Place, *, limit: float, vectors: Path | None = None) -> tuple[Cell, bool]:
    """The cell, and whether it was there already."""
    old = place.read()
    if old is not None:
        # Other vectors than those, or none before, are another measure.
        same = None if vectors is None else vectors.name
        close = not old.figures.get("topics") or same in (None, old.figures.get("vectors"))
        if old.status == "ok" and old.measures == MEASURES and close:
            return old, True
        more_time = old.status == "timeout" and limit > old.figures.get("limit", 0.0)
        if old.status in ("timeout", "not run") and not more_time:
            return old, True
    place.folder.mkdir(parents=True, exist_ok=True)
    if old is None or "seconds" not in old.figures or not place.learned.exists():
        old = _learned(place, limit)
        place.write(old)
    if "seconds" in old.figures:
        old = _measured(old, place, vectors)
        place.write(old)
    return old, False


def kept(folder: Path, *, quick: bool) -> list[Cell]:
    """All cells of a folder, by corpus, method and seed."""
    found = []
    for file in folder.glob("*.*.*.json"):
        head, method, seed = file.stem.rsplit(".", 2)
        if method in METHODS and seed.isdigit() and head.endswith("-quick") == quick:
            cell = _read(file)
            if cell is not None:
                found.append(cell)
    corpora = [*PREPARED, DEMO, *sorted({cell.corpus for cell in found})]
    methods = list(METHODS)
    return sorted(
        found, key=lambda cell: (corpora.index(cell.corpus), methods.index(cell.method), cell.seed)
    )


def _read(file: Path) -> Cell | None:
    """What is there, if it can be read and the method is still run in this way."""
    try:
        cell = Cell(**json.loads(file.read_text(encoding="utf-8")))
        whole = cell.status != "ok" or float(cell.figures["seconds"]) >= 0.0
        return cell if whole and cell.edition == METHODS[cell.method].edition else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _learned(place: Place, limit: float) -> Cell:
    method = METHODS[place.method]
    cell = Cell(place.corpus, place.method, place.seed, edition=method.edition, machine=machine())
    if method.package is not None:
        try:
            version(method.package)
        except PackageNotFoundError:
            cell.status = "missing"
            cell.reason = f"{method.package} is not installed: pip install {method.package}"
            return cell
    try:
        _ask(cell, "learn", place, limit)
    except subprocess.TimeoutExpired:
        cell.status, cell.reason = "timeout", f"no result after {limit:,.0f} s"
        cell.figures["limit"] = limit
    return cell


def _measured(cell: Cell, place: Place, vectors: Path | None) -> Cell:
    cell.status, cell.reason = "ok", ""
    cell.figures = {name: cell.figures[name] for name in _OF_LEARNING if name in cell.figures}
    _ask(cell, "measure", place, None, *([] if vectors is None else [str(vectors.resolve())]))
    cell.measures = MEASURES
    return cell


def _ask(cell: Cell, what: str, place: Place, limit: float | None, *more: str) -> None:
    """A process of its own adds to the figures, or the cell says why it did not."""
    command = [sys.executable, "-m", "benchmarks.compare.cells", what, place.corpus, place.method]
    command += [str(place.seed), str(place.learned.resolve()), "quick" if place.quick else "whole"]
    command += more
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=limit, check=False, cwd=_ROOT
    )
    try:
        answer = json.loads(done.stdout.strip().rpartition("\n")[2])
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
        cell.figures |= answer


def learn(corpus: str, method: str, seed: int, file: Path, *, quick: bool) -> dict[str, Any]:
    """Learn, and keep it."""
    entry = METHODS[method]
    if entry.bow and not has_counts(corpus):
        return {"not run": "of this corpus it is not known how often words stand in a document"}
    data = split(corpus, seed, quick=quick, counts=entry.bow)
    if data.train.shape[0] < entry.least:
        return {"not run": f"as in the paper: for {entry.least:,} documents or more"}
    if not data.test.nnz:
        return {"not run": "too few documents, none can be held out"}
    _warm(method)
    wanted = 0
    if entry.asked:
        wanted = _QUICK_TOPICS if quick else _wanted(corpus)
    began, cpu = time.perf_counter(), _cpu()
    learned = entry.run(data, wanted, seed)
    figures = {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": _cpu() - cpu,
        "peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    part = file.with_name(file.name + ".part")
    part.write_bytes(pickle.dumps(learned, protocol=pickle.HIGHEST_PROTOCOL))
    os.replace(part, file)
    return figures


def measure(
    corpus: str, seed: int, file: Path, vectors: Path | None, *, quick: bool
) -> dict[str, Any]:
    """What was learned, measured."""
    data = split(corpus, seed, quick=quick)
    try:
        learned: Learned = pickle.loads(file.read_bytes())
    except Exception as error:  # damaged pickles raise anything
        file.unlink()
        sys.exit(f"what was learned could not be read and is gone; run again ({error!r:.100})")
    found: dict[str, Any] = {}
    if isinstance(learned.predict, (Tree, Independent)):
        found["log_likelihood"] = learned.predict.log_likelihood(data.test)
    # A mixture is given the better of two ways to infer what a document is about.
    ways = [learned.predict]
    if hasattr(learned.predict, "collapsed"):
        ways.append(replace(learned.predict, collapsed=True))  # type: ignore[type-var]
    if (np.diff(data.test.indptr) >= _LEAST).any():
        done = max(complete(data.test, predict) for predict in ways)
        found |= {"completion": done.word, "tokens": done.document}
    if learned.topics:
        found |= _of_topics(learned, data, vectors)
    return found


def _of_topics(learned: Learned, data: Split, vectors: Path | None) -> dict[str, Any]:
    """Scores of the topics with as many words as count; all of the same topics."""
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
    found: dict[str, Any] = {
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
        found["vectors"] = vectors.name
        try:
            close = topic_compactness(topics, read_vectors(vectors, data.words), n_words=_M)
        except FormatError as error:
            found["no_compactness"] = str(error)
        else:
            if np.isfinite(close.scores).any():
                found["compactness"] = float(np.nanmean(close.scores))
            found["covered"] = close.covered
    return found


def _wanted(corpus: str) -> int:
    """About as many topics as HLTA finds."""
    if corpus in HLTA_TOPICS:
        return HLTA_TOPICS[corpus]
    # In a process of its own, or it would count in the memory of what comes after.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_found_by_hlta, corpus).result()


def _found_by_hlta(corpus: str) -> int:
    return len(hlta_default(split(corpus, 0), 0, 0).topics)


def _best(coherence: np.ndarray) -> dict[str, float]:
    """The mean of the best so many, for comparing methods at an equal number of topics."""
    known = np.sort(coherence)[::-1]
    return {str(n): float(known[:n].mean()) for n in (50, 100, 200, 400) if n <= len(known)}


def _warm(method: str) -> None:
    """Compile what is compiled once and for all machines' lifetime."""
    if method.startswith("hlta"):
        from hlta import HLTA, Corpus

        rng = np.random.default_rng(0)
        small = Corpus((rng.random((300, 12)) < 0.3).astype(int), [f"w{k}" for k in range(12)])
        HLTA(em="batch").fit(small)
        HLTA(em="stepwise", batch_size=50, em_updates=3).fit(small)
    if method.startswith("nhdp"):
        few = csr_array((np.random.default_rng(0).random((20, 6)) < 0.5).astype(int))
        NestedHDP(Settings(branching=(2, 2), steps=1)).fit(few)


def _cpu() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def main() -> None:
    what, corpus, method, seed, file, size, *vectors = sys.argv[1:]
    quick = size == "quick"
    if what == "learn":
        answer = learn(corpus, method, int(seed), Path(file), quick=quick)
    else:
        path = Path(vectors[0]) if vectors else None
        answer = measure(corpus, int(seed), Path(file), path, quick=quick)
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
