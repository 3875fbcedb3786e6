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

from benchmarks.compare.cells import run
from benchmarks.compare.corpora import NAMES
from benchmarks.compare.methods import METHODS
from benchmarks.compare.tables import machine, markdown, picture
from benchmarks.learning import SHARED


def main() -> None:
    """Run the cells and write what they say."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--methods", nargs="*", metavar="METHOD", help=f"of {', '.join(METHODS)}")
    parser.add_argument("--runs", type=int, default=3, help="splits and seeds")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds a cell may take")
    parser.add_argument("--folder", type=Path, default=Path("comparison"), help="for the results")
    parser.add_argument("--quick", action="store_true", help="400 documents, one run, 60 topics")
    parser.add_argument("--kept", action="store_true", help="show what is there, run nothing")
    chosen = parser.parse_args()
    corpora, methods = chosen.corpora or list(NAMES[:4]), chosen.methods or list(METHODS)
    for given, known in ((corpora, NAMES), (methods, METHODS)):
        if unknown := set(given) - set(known):
            parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if chosen.runs < 1 or chosen.limit <= 0:
        parser.error("--runs and --limit must be more than 0")
    if not SHARED.exists():
        sys.exit(f"the benchmark corpora are not at {SHARED}")
    cells = []
    for corpus in corpora:
        for method in methods:
            for seed in range(1 if chosen.quick else chosen.runs):
                cell, kept = run(
                    corpus,
                    method,
                    seed,
                    limit=chosen.limit,
                    folder=chosen.folder,
                    quick=chosen.quick,
                    kept=chosen.kept,
                )
                if cell is None:
                    continue
                cells.append(cell)
                told = cell.reason or f"{cell.figures['seconds']:.1f} s"
                note = " (kept)" if kept else ""
                print(f"{corpus} {method} {seed}: {cell.status}, {told}{note}", file=sys.stderr)
                if cell.status in ("timeout", "missing", "not run"):
                    break  # another seed would not change that
    chosen.folder.mkdir(parents=True, exist_ok=True)
    text = markdown(cells, corpora, quick=chosen.quick)
    (chosen.folder / "tables.md").write_text(text, encoding="utf-8")
    summary = {"machine": machine().strip(), "cells": [asdict(cell) for cell in cells]}
    (chosen.folder / "results.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    try:
        picture(cells, corpora, chosen.folder / "quality.svg")
    except ImportError:
        print("no picture: pip install matplotlib", file=sys.stderr)
    print(text)


if __name__ == "__main__":
    main()
