"""The paper's experiments, side by side with other methods.

    python -m benchmarks [CORPUS ...] [--quick] [--methods METHOD ...]

These are the paper's Tables 6 to 9: held-out log-likelihood, time, coherence and compactness, over
several splits. Every method on every split runs in a process of its own, and its result is kept in a
folder and not computed again. Other methods take part if they are installed: `pip install "hlta[bench]"`.
docs/development/comparison.md explains the tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.cells import Outcome, is_installed, outcomes
from benchmarks.compare.corpora import DEMO, PREPARED, vectors, why_not
from benchmarks.compare.methods import METHODS
from benchmarks.compare.one_cell import Cell, compute
from benchmarks.compare.tables import Results, markdown


def main() -> None:
    """Compute what is missing, and print all tables."""
    chosen = _arguments()
    words = chosen.vectors or vectors()
    results: Results = {}
    for corpus in chosen.corpora:
        for method in chosen.methods:
            if not is_installed(package := METHODS[method].package):
                results[corpus, method] = [Outcome(None, f"pip install {package}")]
                continue
            cells = [
                Cell(corpus, method, seed, words, "quick" if chosen.quick else "whole")
                for seed in range(1 if chosen.quick else chosen.runs)
            ]
            results[corpus, method] = outcomes(cells, compute, chosen.folder, chosen.limit)
    print(markdown(results, chosen.corpora, quick=chosen.quick))
    if chosen.picture is not None:
        from benchmarks.compare.pictures import picture

        picture(results, chosen.corpora, chosen.picture, quick=chosen.quick)


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
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
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
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="quality against time")
    chosen = parser.parse_args()
    chosen.corpora = [
        name if name in (*PREPARED, DEMO) else str(Path(name).resolve()) for name in chosen.corpora
    ]
    for corpus in chosen.corpora:
        if reason := why_not(corpus):
            parser.error(reason)
    if chosen.runs < 1:
        parser.error(f"--runs {chosen.runs}: use 1 or more")
    if chosen.vectors is not None:
        if not chosen.vectors.is_file():
            parser.error(f"--vectors {chosen.vectors}: there is no such file")
        chosen.vectors = str(chosen.vectors.resolve())
    return chosen


if __name__ == "__main__":
    main()
