"""The paper's experiments, side by side with other methods: `python -m benchmarks [CORPUS ...]`.

Tables 6 to 9 of the paper: held-out log-likelihood, time, coherence and compactness, over several
splits. Each cell runs in a process of its own and is kept in a folder: what is there is not computed
again. Rivals are found if they are installed: `pip install 'hlta[bench]'`.
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
from benchmarks.compare.tables import markdown, picture

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    """Run the cells and write what they say."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help=f"{', '.join(PREPARED)}; {DEMO}, which comes with hlta; or what `hlta fit` takes",
    )
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help=f"of {', '.join(METHODS)}")
    parser.add_argument("--runs", type=int, default=3, help="splits and seeds")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds a cell may take")
    parser.add_argument("--folder", type=Path, default=Path("comparison"), help="for the results")
    parser.add_argument("--quick", action="store_true", help="400 documents, one run, 60 topics")
    parser.add_argument("--vectors", type=Path, help="word vectors, for compactness")
    parser.add_argument("--kept", action="store_true", help="show what is there, run nothing")
    chosen = parser.parse_args()
    corpora, methods = chosen.corpora or [DEMO], chosen.methods or list(METHODS)
    corpora = [name if name in (*PREPARED, DEMO) else str(Path(name).resolve()) for name in corpora]
    if unknown := set(methods) - set(METHODS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(METHODS)}")
    for corpus in corpora:
        if reason := why_not(corpus):
            parser.error(reason)
    if chosen.runs < 1 or chosen.limit <= 0:
        parser.error("--runs and --limit must be more than 0")
    if chosen.vectors is not None and not chosen.vectors.is_file():
        parser.error(f"there are no word vectors at {chosen.vectors}")
    places = [
        Place(chosen.folder, corpus, method, seed, chosen.quick)
        for corpus in corpora
        for method in methods
        for seed in range(1 if chosen.quick else chosen.runs)
    ]
    if not chosen.kept:
        _run(places, chosen.limit, chosen.vectors or vectors())
    _write(chosen.folder, quick=chosen.quick)
    cells = [cell for place in places if (cell := place.read()) is not None]
    print(markdown(cells, corpora, quick=chosen.quick))


def _run(places: Sequence[Place], limit: float, vectors: Path | None) -> None:
    hopeless: set[tuple[str, str]] = set()  # another seed would not change that
    for place in places:
        pair = (place.corpus, place.method)
        if pair in hopeless:
            continue
        cell, kept = run(place, limit=limit, vectors=vectors)
        told = cell.reason or f"{cell.figures['seconds']:.1f} s"
        note = " (kept)" if kept else ""
        print(f"{' '.join(pair)} {place.seed}: {cell.status}, {told}{note}", file=sys.stderr)
        if cell.status in ("timeout", "missing", "not run"):
            hopeless.add(pair)


def _write(folder: Path, *, quick: bool) -> None:
    """Tables, JSON and a picture of all that is in the folder."""
    cells = kept(folder, quick=quick)
    corpora = list(dict.fromkeys(cell.corpus for cell in cells))
    if not cells:
        sys.exit(f"there are no cells in {folder}")
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
