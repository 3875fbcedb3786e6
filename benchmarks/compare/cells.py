"""One cell of the experiment: a method on a corpus with a seed, and the file that keeps it.

A method learns, and is measured, in a process of its own: see `one_cell`. Whatever goes wrong, be it
an exception, a lack of memory or the time limit, is recorded in the cell, and the experiment goes on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.compare.corpora import DEMO, PREPARED
from benchmarks.compare.machine import machine
from benchmarks.compare.methods import METHODS

_LONGEST_REASON = 300  # characters
_ROOT = Path(__file__).parents[2]


@dataclass
class Cell:
    """Figures, or the reason why there are none.

    Attributes
    ----------
    status
        "ok", "timeout", "failed", "missing" (the method is not installed) or "not run".
    reason
        Why the status is not "ok".
    machine
        The machine that the method ran on, with versions.
    """

    corpus: str
    method: str
    seed: int
    status: str = "ok"
    reason: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    machine: str = ""


class Outcome(NamedTuple):
    """A cell, and whether it had been computed before."""

    cell: Cell
    kept: bool


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
        """The cell's figures, in JSON."""
        corpus = self.corpus
        if corpus not in (*PREPARED, DEMO):
            path = Path(corpus)
            known = path.stat()  # a file that has changed gets another cell
            mark = f"{path.resolve()} {known.st_size} {known.st_mtime_ns}"
            corpus = f"{path.name}-{zlib.crc32(mark.encode()):08x}"
        size = "-quick" if self.quick else ""
        return self.folder / f"{corpus}{size}.{self.method}.{self.seed}.json"

    def read(self) -> Cell | None:
        """The cell, if its file exists and is readable."""
        return _read(self.file)


def run(place: Place, *, limit: float, vectors: Path | None = None) -> Outcome:
    """Return the cell; compute it if it is not there, or if more can be computed now.

    Parameters
    ----------
    limit
        Seconds that a cell may take.
    vectors
        A file of word vectors, for compactness.
    """
    cell = place.read()
    if cell is not None and _is_current(cell, limit, vectors):
        return Outcome(cell, kept=True)
    place.folder.mkdir(parents=True, exist_ok=True)
    cell = _computed(place, limit, vectors)
    place.file.write_text(json.dumps(asdict(cell), indent=1), encoding="utf-8")
    return Outcome(cell, kept=False)


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


def _is_current(cell: Cell, limit: float, vectors: Path | None) -> bool:
    """Whether computing the cell again would give nothing new."""
    if cell.status == "ok":
        wanted = None if vectors is None else vectors.name
        # With vectors, a cell that was measured without them, or with others, is not current.
        return not cell.figures.get("topics") or wanted in (None, cell.figures.get("vectors"))
    if cell.status == "timeout":
        return limit <= float(cell.figures.get("limit", 0.0))
    return cell.status == "not run"


def _read(file: Path) -> Cell | None:
    """The cell in a file, if it is readable."""
    try:
        cell = Cell(**json.loads(file.read_text(encoding="utf-8")))
        whole = cell.status != "ok" or float(cell.figures["seconds"]) >= 0.0
        return cell if whole else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _computed(place: Place, limit: float, vectors: Path | None) -> Cell:
    """A new cell, with the figures that another process finds, or the reason why there are none."""
    cell = Cell(place.corpus, place.method, place.seed, machine=machine())
    if (package := METHODS[place.method].package) is not None:
        try:
            version(package)
        except PackageNotFoundError:
            cell.status = "missing"
            cell.reason = f"{package} is not installed: pip install {package}"
            return cell
    command = [sys.executable, "-m", "benchmarks.compare.one_cell", place.corpus, place.method]
    command += [str(place.seed), "quick" if place.quick else "whole"]
    command += [] if vectors is None else [str(vectors.resolve())]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, check=False, cwd=_ROOT
        )
    except subprocess.TimeoutExpired:
        cell.status, cell.reason = "timeout", f"no result after {limit:,.0f} s"
        cell.figures["limit"] = limit
        return cell
    if done.returncode:
        cell.status = "failed"
        reason = done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        killed = " (killed, perhaps for want of memory)" if done.returncode == -9 else ""
        cell.reason = reason[:_LONGEST_REASON] + killed
        return cell
    answer = json.loads(done.stdout.strip().rpartition("\n")[2])
    if "not run" in answer:
        cell.status, cell.reason = "not run", answer["not run"]
    else:
        cell.figures = answer
    return cell
