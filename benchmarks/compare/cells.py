"""One cell of the experiment: a method on a corpus with a seed, and the file that keeps it.

A method learns in one process and is measured in another one, so a new measure does not require
learning again: see `one_cell`. Whatever goes wrong, be it an exception, a lack of memory or the
time limit, is recorded in the cell, and the experiment goes on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.compare.corpora import DEMO, PREPARED
from benchmarks.compare.machine import machine
from benchmarks.compare.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence

MEASURES = 3  # raised when other things are measured: what was learned is then measured again
_OF_LEARNING = ("seconds", "cpu_seconds", "peak_memory")
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
    edition
        The edition of the method, see `Method`.
    measures
        The value of `MEASURES` when the figures were measured.
    machine
        The machine that the method ran on, with versions.
    """

    corpus: str
    method: str
    seed: int
    status: str = "ok"
    reason: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    edition: int = 0
    measures: int = 0
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
        return self.folder / f"{self._name}.json"

    @property
    def learned(self) -> Path:
        """What was learned, pickled: only open it if you trust the folder."""
        return self.folder / f"{self._name}.learned"

    @property
    def _name(self) -> str:
        corpus = self.corpus
        if corpus not in (*PREPARED, DEMO):
            path = Path(corpus)
            known = path.stat()  # a file that has changed gets another cell
            mark = f"{path.resolve()} {known.st_size} {known.st_mtime_ns}"
            corpus = f"{path.name}-{zlib.crc32(mark.encode()):08x}"
        return f"{corpus}{'-quick' if self.quick else ''}.{self.method}.{self.seed}"

    def read(self) -> Cell | None:
        """The cell, if there is one that can be used."""
        return _read(self.file)

    def write(self, cell: Cell) -> None:
        """Keep a cell."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(asdict(cell), indent=1), encoding="utf-8")
        os.replace(part, self.file)


def run(place: Place, *, limit: float, vectors: Path | None = None) -> Outcome:
    """Return the cell; compute it if it is not there or if something has changed.

    Parameters
    ----------
    limit
        Seconds that learning may take.
    vectors
        A file of word vectors, for compactness.
    """
    cell = place.read()
    if cell is not None and _is_current(cell, limit, vectors):
        return Outcome(cell, kept=True)
    place.folder.mkdir(parents=True, exist_ok=True)
    if cell is None or "seconds" not in cell.figures or not place.learned.exists():
        cell = _learned(place, limit)
        place.write(cell)
    if "seconds" in cell.figures:
        cell = _measured(cell, place, vectors)
        place.write(cell)
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
    if cell.status == "ok" and cell.measures == MEASURES:
        wanted = None if vectors is None else vectors.name
        # With vectors, a cell that was measured without them, or with others, is not current.
        return not cell.figures.get("topics") or wanted in (None, cell.figures.get("vectors"))
    if cell.status == "timeout":
        return limit <= float(cell.figures.get("limit", 0.0))
    return cell.status == "not run"


def _read(file: Path) -> Cell | None:
    """The cell in a file, if it is readable and of the current edition of its method."""
    try:
        cell = Cell(**json.loads(file.read_text(encoding="utf-8")))
        whole = cell.status != "ok" or float(cell.figures["seconds"]) >= 0.0
        return cell if whole and cell.edition == METHODS[cell.method].edition else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _learned(place: Place, limit: float) -> Cell:
    """A new cell: the method learns in a process of its own."""
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
    """The cell with new figures, measured in a process of its own."""
    cell.status, cell.reason = "ok", ""
    cell.figures = {name: cell.figures[name] for name in _OF_LEARNING if name in cell.figures}
    _ask(cell, "measure", place, None, () if vectors is None else (str(vectors.resolve()),))
    cell.measures = MEASURES
    return cell


def _ask(
    cell: Cell, what: str, place: Place, limit: float | None, more: Sequence[str] = ()
) -> None:
    """Add the figures that another process finds, or the reason why it found none."""
    command = [sys.executable, "-m", "benchmarks.compare.one_cell", what]
    command += [place.corpus, place.method, str(place.seed), str(place.learned.resolve())]
    command += ["quick" if place.quick else "whole", *more]
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
        cell.reason = told[:_LONGEST_REASON] + killed
    elif "not run" in answer:
        cell.status, cell.reason = "not run", answer["not run"]
    else:
        cell.figures |= answer
