"""The paper's experiments, side by side with other methods.

    python -m benchmarks [CORPUS ...] [--quick] [--methods METHOD ...]

These are the paper's Tables 6 to 9: held-out log-likelihood, time, coherence and compactness, over
several splits. Every method on every split is a cell: it runs in a process of its own, and its
result is kept in a folder and not computed again. Other methods take part if they are installed:
`pip install "hlta[bench]"`. docs/development/comparison.md explains the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.compare.cells import Place, kept, run
from benchmarks.compare.corpora import DEMO, PREPARED, vectors, why_not
from benchmarks.compare.methods import METHODS
from benchmarks.compare.pictures import picture
from benchmarks.compare.tables import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    """Compute the cells that are missing, write all tables, and print those that were asked for."""
    chosen = _arguments()
    places = [
        Place(chosen.folder, corpus, method, seed, chosen.quick)
        for corpus in chosen.corpora
        for method in chosen.methods
        for seed in range(1 if chosen.quick else chosen.runs)
    ]
    if not chosen.kept:
        _run(places, chosen.limit, chosen.vectors or vectors())
    _write(chosen.folder, quick=chosen.quick)
    cells = [cell for place in places if (cell := place.read()) is not None]
    print(markdown(cells, chosen.corpora, quick=chosen.quick))


def _arguments() -> argparse.Namespace:
    """Read the command line and check it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        default=[DEMO],
        help=f"{', '.join(PREPARED)}; {DEMO} (the default), which comes with hlta; "
        "or a file or folder that `hlta fit` reads",
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        metavar="METHOD",
        default=list(METHODS),
        help=f"{', '.join(METHODS)} (default: all of them)",
    )
    parser.add_argument(
        "--runs", type=int, default=3, help="splits per corpus, each with its seed (default: 3)"
    )
    parser.add_argument(
        "--limit", type=float, default=3600.0, help="seconds that a cell may take (default: 3600)"
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("comparison"), help="for results (default: comparison)"
    )
    parser.add_argument("--quick", action="store_true", help="400 documents, one run, 60 topics")
    parser.add_argument("--vectors", type=Path, help="word vectors, for compactness")
    parser.add_argument(
        "--kept", action="store_true", help="show the cells that are there, compute nothing"
    )
    chosen = parser.parse_args()
    chosen.corpora = [
        name if name in (*PREPARED, DEMO) else str(Path(name).resolve()) for name in chosen.corpora
    ]
    if unknown := set(chosen.methods) - set(METHODS):
        parser.error(f"unknown methods: {', '.join(sorted(unknown))}; use {', '.join(METHODS)}")
    for corpus in chosen.corpora:
        if reason := why_not(corpus):
            parser.error(reason)
    if chosen.runs < 1:
        parser.error(f"--runs {chosen.runs}: use 1 or more")
    if not chosen.limit > 0:
        parser.error(f"--limit {chosen.limit}: use more than 0 seconds")
    if chosen.vectors is not None and not chosen.vectors.is_file():
        parser.error(f"--vectors {chosen.vectors}: there is no such file")
    return chosen


def _run(places: Sequence[Place], limit: float, vectors: Path | None) -> None:
    """Compute cells, and report each on the standard error stream."""
    hopeless: set[tuple[str, str]] = set()  # corpora and methods for which other seeds won't help
    for place in places:
        pair = (place.corpus, place.method)
        if pair in hopeless:
            continue
        cell, kept = run(place, limit=limit, vectors=vectors)
        reason = cell.reason or f"{cell.figures['seconds']:.1f} s"
        note = " (kept)" if kept else ""
        print(f"{' '.join(pair)} {place.seed}: {cell.status}, {reason}{note}", file=sys.stderr)
        if cell.status in ("timeout", "missing", "not run"):
            hopeless.add(pair)


def _write(folder: Path, *, quick: bool) -> None:
    """Write tables, JSON and a picture of all cells in the folder."""
    cells = kept(folder, quick=quick)
    corpora = list(dict.fromkeys(cell.corpus for cell in cells))
    if not cells:
        sys.exit(f"there are no cells in {folder}; run without --kept")
    kind = "-quick" if quick else ""
    (folder / f"tables{kind}.md").write_text(
        markdown(cells, corpora, quick=quick), encoding="utf-8"
    )
    summary = json.dumps([asdict(cell) for cell in cells], indent=1)
    (folder / f"results{kind}.json").write_text(summary, encoding="utf-8")
    try:
        picture(cells, corpora, folder / f"quality{kind}.svg", quick=quick)
    except ImportError:
        print("no picture: pip install matplotlib", file=sys.stderr)


if __name__ == "__main__":
    main()
