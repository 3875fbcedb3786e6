"""Topics of hlta and other methods: agreement with classes and tags, stability, and time.

    python -m benchmarks.peers [CORPUS ...] [--numbers 10 30 100] [--methods METHOD ...]
    python -m benchmarks.peers PATH --classes COLUMN [--embeddings FILE.npy]

A corpus is one of `benchmarks.corpora`, or documents of your own that `hlta fit` reads, with a column of
classes. Every method learns twice, without classes, each time from nine tenths of the documents, in a
process of its own; the results are kept in a folder, and not computed again. Figures are means of the
two:

AMI, NMI, F1   the topic of each document against classes: adjusted and normalised mutual information, and
               the mean over classes of the best topic's F1. Documents on no topic are one more topic.
depth          where classes have two levels: how far two documents share their classes, against how far
               they share their topics, as the correlation over all pairs of documents. For a method
               without a hierarchy, the topics for the first of the numbers are the upper level.
none           the share of documents on no topic.
AP             the mean over tags, which overlap, of the best topic's average precision by weights.
NPMI           of the first ten words of topics, in the documents.
stability      the adjusted Rand index of the topics of the documents that are in both samples.
PCC PCD SD PnCD  TraCo's measures of a hierarchy (see docs/reference/evaluation.md).
seconds, GB    CPU time to learn and to find the topics of the documents, and the peak memory until then;
               hlta learns once for all numbers.
MB             the size of the package and its dependencies, as installed.

For a method whose package is missing, the output says what to install. Methods that need vectors of the
documents take part if these are given: `--embeddings FILE.npy`, with a row per document in the order of
reading.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import warnings
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    average_precision_score,
    normalized_mutual_info_score,
)
from sklearn.metrics.cluster import contingency_matrix

from benchmarks.cells import is_installed, outcomes
from benchmarks.corpora import CORPORA, SHORT, Labelled, can_read
from benchmarks.rivals import RIVALS, WORDS, Task, Topics
from benchmarks.timing import cpu_seconds
from hlta import Corpus, read_corpus
from hlta._support.messages import plural
from hlta.errors import HltaError
from hlta.evaluate import hierarchy_measures, topic_npmi

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

KNOWN = {**CORPORA, **SHORT}
_SAMPLES = 2
_PART = 0.9  # of the documents, in each sample
_FEWEST = 50  # documents with a tag


class Cell(NamedTuple):
    """One method on one sample of a corpus."""

    corpus: str
    method: str
    sample: int
    classes: str | None  # the column of classes, of documents of your own
    documents: int  # at most
    numbers: tuple[int, ...]
    embeddings: str | None


def documents_of(cell: Cell) -> tuple[Labelled, NDArray[Any] | None]:
    """The documents of a corpus, at most `Cell.documents`, and their vectors."""
    found = KNOWN[cell.corpus]() if cell.corpus in KNOWN else _own(cell.corpus, cell.classes)
    vectors = None if cell.embeddings is None else _vectors(cell.embeddings)
    if vectors is not None and vectors.shape[:1] != (len(found.texts),):
        raise SystemExit(
            f"--embeddings {cell.embeddings}: it has {len(vectors):,} rows for {len(found.texts):,} "
            f"documents of {cell.corpus}; give one per document, in the order of reading"
        )
    rows = found.rows(cell.documents)
    return found.take(rows), None if vectors is None else vectors[rows]


def _vectors(path: str) -> NDArray[Any]:
    """The array in a file of NumPy."""
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError) as error:
        raise SystemExit(
            f"--embeddings {path}: {error}; give an array that numpy.save wrote (.npy)"
        ) from None


def _own(path: str, column: str | None) -> Labelled:
    """Documents of one's own, perhaps with classes, "" for none."""
    corpus = read_corpus(path, group=column)
    assert corpus.texts is not None
    classes = list(corpus.groups or [])
    if several := sum("\n" in one for one in classes):  # a line each
        raise SystemExit(
            f"--classes {column}: {plural(several, 'document')} with several classes; give one each"
        )
    return Labelled(list(corpus.texts), {column: np.array(classes)} if column else {})


# ---- figures -------------------------------------------------------------------------------------


def agreement(main: NDArray[np.intp], classes: NDArray[Any]) -> tuple[float, float, float]:
    """NMI, AMI and the mean of the best F1 per class; documents on no topic are one more topic."""
    both = contingency_matrix(classes, main)
    f1 = 2.0 * both / (both.sum(axis=1, keepdims=True) + both.sum(axis=0))
    best = f1[:, np.unique(main) >= 0].max(axis=1, initial=0.0)
    scores = normalized_mutual_info_score, adjusted_mutual_info_score
    nmi, ami = (float(score(classes, main)) for score in scores)
    return nmi, ami, float(best.mean())


def agreement_in_depth(topics: Sequence[NDArray[Any]], classes: Sequence[NDArray[Any]]) -> float:
    """The correlation over pairs of documents of the numbers of levels at which both are in one group.

    It is 0 for groups drawn at random, and the cophenetic correlation where groups are nested.
    """

    def together(*groups: NDArray[Any]) -> float:  # the share of pairs, in one group of each
        codes = [np.unique(one, return_inverse=True)[1] for one in groups]
        sizes = np.unique(np.stack(codes), axis=1, return_counts=True)[1]
        n = len(codes[0])
        return float((sizes * (sizes - 1)).sum() / (n * (n - 1)))

    def covariance(some: Sequence[NDArray[Any]], others: Sequence[NDArray[Any]]) -> float:
        return sum(together(a, b) - together(a) * together(b) for a in some for b in others)

    spread = covariance(topics, topics) * covariance(classes, classes)
    return covariance(topics, classes) / spread**0.5 if spread > 0.0 else 0.0


def precision_of_tags(weights: NDArray[np.float64], tags: list[list[str]]) -> float | None:
    """The mean over frequent tags of the best topic's average precision; None if there are none."""
    counts: dict[str, list[int]] = {}
    for row, names in enumerate(tags):
        for name in names:
            counts.setdefault(name, []).append(row)
    best = []
    for rows in counts.values():
        if len(rows) >= _FEWEST:
            has = np.zeros(len(tags), dtype=bool)
            has[rows] = True
            best.append(max(average_precision_score(has, column) for column in weights.T))
    return float(np.mean(best)) if best else None


def figures(
    topics: Topics, upper: NDArray[np.intp], corpus: Corpus, documents: Labelled
) -> dict[str, Any]:
    """All figures of a method in some documents; `upper` are the upper topics of one without a tree."""
    found: dict[str, Any] = {"none": float((topics.main < 0).mean())}
    for kind, classes in documents.classes.items():
        known = classes != ""
        found[kind] = list(agreement(topics.main[known], classes[known]))
    if len(documents.classes) == 2:
        of_topic = [topics.main, upper if topics.upper is None else topics.upper]
        found["depth"] = agreement_in_depth(of_topic, list(documents.classes.values()))
    if documents.tags and topics.weights is not None:
        found["AP"] = precision_of_tags(topics.weights, documents.tags)
    if topics.words:
        npmi = topic_npmi(topics.words, corpus.documents, corpus.words, n_words=WORDS)
        found["NPMI"] = float(np.nanmean(npmi)) if np.isfinite(npmi).any() else None
    if topics.tree:
        of_tree = hierarchy_measures(topics.tree, corpus.documents, corpus.words, n_words=WORDS)
        found["hierarchy"] = [None if np.isnan(one) else float(one) for one in of_tree]
    return found


def learn(cell: Cell) -> list[dict[str, Any]]:
    """The figures of a method in a sample, for each number of topics, and the topic of each document."""
    warnings.simplefilter("ignore")
    whole, vectors = documents_of(cell)
    n = len(whole.texts)
    rng = np.random.default_rng(cell.sample)
    rows = np.sort(rng.choice(n, max(1, round(_PART * n)), replace=False))
    documents = whole.take(rows)
    corpus = Corpus.from_texts(documents.texts)
    task = Task(corpus, documents.texts, None if vectors is None else vectors[rows], cell.sample)
    found: list[dict[str, Any]] = []
    upper: NDArray[np.intp] | None = None  # the topics of the first list
    began = cpu_seconds()
    for number, topics in RIVALS[cell.method].find(task, cell.numbers):
        seconds = cpu_seconds() - began
        upper = topics.main if upper is None else upper
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        main = np.full(n, -2)
        main[rows] = topics.main
        entry = {"number": number, "seconds": seconds, "memory": memory, "main": main.tolist()}
        found.append(entry | figures(topics, upper, corpus, documents))
        began = cpu_seconds() - (seconds if cell.method.startswith("hlta") else 0.0)
    return found


# ---- the program ---------------------------------------------------------------------------------


def megabytes(package: str) -> float:
    """The size of a package and of all that it needs, as installed."""
    waiting, seen, size = [package], set(), 0
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        for file in found.files or []:
            path = Path(str(found.locate_file(file)))
            size += path.stat().st_size if path.is_file() and path.suffix != ".pyc" else 0
        needed = [one for one in found.requires or [] if "extra ==" not in one]
        waiting += [re.split(r"[^A-Za-z0-9._-]", one, maxsplit=1)[0] for one in needed]
    return size / 1e6


def stability(first: Sequence[int], second: Sequence[int]) -> float:
    """The adjusted Rand index of the topics of the documents in both samples; -2 marks all others."""
    a, b = np.array(first), np.array(second)
    both = (a > -2) & (b > -2)
    return float(adjusted_rand_score(a[both], b[both]))


def rows(method: str, results: Sequence[list[dict[str, Any]]]) -> Iterator[dict[str, str]]:
    """A row of the table per number of topics, from all samples of a method."""
    for entries in zip(*results, strict=False):  # numbers that both samples have

        def mean(name: str, form: str, at: int | None = None, entries: Any = entries) -> str:
            values = [entry.get(name) for entry in entries]
            some = [value if at is None or value is None else value[at] for value in values]
            return "" if any(value is None for value in some) else f"{np.mean(some):{form}}"

        row = {
            "topics": "/".join(dict.fromkeys(str(entry["number"]) for entry in entries)),
            "method": method,
        }
        lists = [name for name, value in entries[0].items() if isinstance(value, list)]
        for kind in lists:
            if kind not in ("main", "hierarchy"):
                row[f"{kind}: AMI / NMI / F1"] = " / ".join(mean(kind, ".3f", k) for k in (1, 0, 2))
        measures = [mean("hierarchy", ".2f", k) for k in range(4)]
        yield row | {
            "depth": mean("depth", ".3f"),
            "none": mean("none", ".0%"),
            "AP": mean("AP", ".3f"),
            "NPMI": mean("NPMI", ".3f"),
            "stability": f"{stability(*(entry['main'] for entry in entries)):.3f}",
            "PCC / PCD / SD / PnCD": " / ".join(measures) if any(measures) else "",
            "seconds": mean("seconds", ".1f"),
            "GB": f"{np.mean([entry['memory'] for entry in entries]) / 1e9:.1f}",
            "MB": f"{megabytes(RIVALS[method].package):,.0f}",
        }


def table(corpus: str, lines: Sequence[dict[str, str]]) -> str:
    """The rows of a corpus, by numbers of topics, as Markdown; columns without a figure are left out."""
    order = sorted(lines, key=lambda line: int(line["topics"].split("/")[0]))
    head = [name for name in order[0] if any(line[name] for line in order)] if order else []
    cells = [head, ["---"] * len(head), *([line[name] for name in head] for line in order)]
    body = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([f"## {Path(corpus).name}\n", *body]) + "\n"


def main() -> None:
    """Print a table per corpus, and which methods are left out."""
    chosen = _arguments()
    for corpus in chosen.corpora:
        lines: list[dict[str, str]] = []
        given = chosen.classes, chosen.documents, tuple(chosen.numbers)
        if corpus not in KNOWN or chosen.embeddings:
            _check(Cell(corpus, "", 0, *given, chosen.embeddings))
        for method in chosen.methods:
            rival = RIVALS[method]
            if not is_installed(rival.package):
                print(f"{method}: left out; pip install {rival.package}", file=sys.stderr)
                continue
            if rival.needs_vectors and chosen.embeddings is None:
                print(f"{method}: left out; give --embeddings", file=sys.stderr)
                continue
            vectors = chosen.embeddings if rival.needs_vectors else None
            cells = [Cell(corpus, method, k, *given, vectors) for k in range(_SAMPLES)]
            found = [one.found for one in outcomes(cells, learn, chosen.folder, chosen.limit)]
            if None not in found:
                lines += rows(method, found)
        print(table(corpus, lines), flush=True)


def _check(cell: Cell) -> None:
    """Read the documents before anything is learned, and report how many have no class."""
    for classes in documents_of(cell)[0].classes.values():
        if lacking := int((classes == "").sum()):
            message = "documents without a class are left out of AMI, NMI and F1"
            print(f"{cell.corpus}: {lacking:,} {message}", file=sys.stderr)


def _arguments() -> argparse.Namespace:
    """Read the command line and check it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "corpora", nargs="*", default=["demo"], metavar="CORPUS", help=", ".join(KNOWN)
    )
    parser.add_argument("--classes", metavar="COLUMN", help="of classes, for documents of your own")
    parser.add_argument("--embeddings", metavar="FILE.npy", help="vectors of one corpus")
    parser.add_argument(
        "--methods", nargs="+", choices=RIVALS, default=list(RIVALS), metavar="METHOD"
    )
    parser.add_argument("--numbers", nargs="+", type=int, default=[10, 30, 100], help="of topics")
    parser.add_argument("--documents", type=int, default=8000, help="drawn of larger corpora")
    parser.add_argument(
        "--limit", type=float, default=3600.0, help="seconds that a method may take"
    )
    parser.add_argument("--folder", type=Path, default=Path("peers"), help="for what was found")
    chosen = parser.parse_args()
    chosen.corpora = [
        name if name in KNOWN else str(Path(name).resolve()) for name in chosen.corpora
    ]
    for corpus in chosen.corpora:
        if corpus not in KNOWN and not Path(corpus).exists():
            parser.error(f"{corpus}: no such file or corpus; use {', '.join(KNOWN)}, or a path")
        if not can_read(corpus):
            parser.error(f"{corpus}: this is no Debian system with lists of packages; leave it out")
    if chosen.embeddings:
        if len(chosen.corpora) > 1:
            parser.error("--embeddings: these are of one corpus; name that one alone")
        chosen.embeddings = str(Path(chosen.embeddings).resolve())
    if min(chosen.numbers) < 2:
        parser.error(f"--numbers {min(chosen.numbers)}: use 2 or more topics")
    return chosen


if __name__ == "__main__":
    try:
        main()
    except HltaError as error:
        sys.exit(str(error))
