"""Memory as the documents grow, and passes on a cluster against threads.

    python -m benchmarks.scale [--millions 1 2 4 8] [--cluster]

A model is learned from 50,000 abstracts of arXiv papers, with 10,000 words, and documents are drawn
from it, about 50 words each, into a corpus on disk. Each stage then runs in a process of its own,
whose peak of anonymous memory is printed: the files that it maps are the system's page cache. With
`--cluster` it prints instead the time of batch EM on 10,000 abstracts: of two workers of one thread
each over that of two threads, taken in turn, and whether the parameters have the same bits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks import prepared
from benchmarks.prepared import DATA
from benchmarks.timing import in_turn, run_process
from hlta import HLTA, Corpus, LatentTree, batch_em, read_corpus
from hlta.cli.results import csv_memberships
from hlta.documents.writer import DocumentsWriter
from hlta.explorer.page import explorer_page

if TYPE_CHECKING:
    from collections.abc import Callable

ABSTRACTS: Final = DATA / "arxiv-50k.tsv.xz"
MILLION: Final = 1_000_000
PORTION: Final = 250_000  # documents drawn at a time
STEPS: Final = 3


def draw(tree: LatentTree, count: int, folder: Path) -> None:
    """Write a corpus of documents drawn from a tree."""
    writer = DocumentsWriter(tree.n_words)
    for begin in range(0, count, PORTION):
        drawn = tree.sample(min(PORTION, count - begin), seed=begin)
        writer.append(Corpus(drawn, tree.words).documents)
    Corpus(writer.read(), tree.words).save(folder)


def assigned(model: HLTA, corpus: Corpus) -> None:
    """Make the table of all topics of all documents."""
    for _ in csv_memberships(model, corpus):
        pass


def page(model: HLTA, corpus: Corpus) -> None:
    """Write the page."""
    explorer_page(model.tree_, model.topics_, corpus, title="scale", most_documents=None)


STAGES: Final[dict[str, Callable[[HLTA, Corpus], object]]] = {
    "loading": lambda *_: None,
    "fit, stepwise EM": lambda _, corpus: HLTA(samples=1).fit(corpus),
    "batch EM": lambda model, corpus: batch_em(model.tree_, corpus.documents, steps=STEPS),
    "assignment": assigned,
    "page": page,
}


def watched(stage: str, model: Path, corpus: Path) -> None:
    """Run a stage; print the peak of anonymous memory in MB, and the seconds."""
    peak = [0]

    def watch() -> None:
        while True:
            status = Path("/proc/self/status").read_text()
            peak[0] = max(peak[0], int(status.split("RssAnon:")[1].split()[0]) // 1024)
            time.sleep(0.02)

    Thread(target=watch, daemon=True).start()
    began = time.perf_counter()
    STAGES[stage](HLTA.load(model), Corpus.load(corpus))
    print(peak[0], round(time.perf_counter() - began))


def memory(millions: list[int]) -> None:
    """Print the table of peaks."""
    with tempfile.TemporaryDirectory() as folder:
        model, corpus = Path(folder, "model.hlta"), Path(folder, "corpus")
        texts = read_corpus(ABSTRACTS, n_words=10_000, min_df=5, snippet=0)
        HLTA(samples=1).fit(texts).save(model)
        tree = HLTA.load(model).tree_
        print("| documents | stage | peak memory | seconds |\n|---|---|---|---|")
        for count in millions:
            draw(tree, count * MILLION, corpus / str(count))
            for stage in STAGES:
                command = ["-m", "benchmarks.scale", "--stage", stage, str(model)]
                _, answer = run_process([sys.executable, *command, str(corpus / str(count))])
                peak, seconds = answer.split()
                print(f"| {count} million | {stage} | {int(peak):,} MB | {seconds} |", flush=True)


def cluster() -> None:
    """Print what a cluster on this machine costs."""
    from distributed import Client, LocalCluster

    from hlta.cluster import passes_on

    with tempfile.TemporaryDirectory() as folder:
        texts = read_corpus(ABSTRACTS, n_words=5_000, snippet=0)
        texts.take(np.arange(0, len(texts), 5)).save(Path(folder, "corpus"))
        documents = Corpus.load(Path(folder, "corpus")).documents
        tree = HLTA(samples=1, em_steps=1).fit(documents).tree_
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers,
            Client(workers, set_as_default=False) as client,
        ):

            def on_threads() -> LatentTree:
                return batch_em(tree, documents, steps=50, n_jobs=2).tree

            def on_workers() -> LatentTree:
                with passes_on(client):
                    return batch_em(tree, documents, steps=50).tree

            same = np.array_equal(on_threads().probability, on_workers().probability)
            timing = in_turn(on_workers, on_threads, rounds=5)
    print(
        f"{len(documents):,} abstracts, 50 steps of batch EM: two threads {timing.second:.2f} s, two "
        f"workers {timing.first:.2f} s, {timing.ratio:.2f} times as long; "
        f"{'the same bits' if same else 'OTHER BITS'}"
    )


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 2, 4], help="documents")
    parser.add_argument("--cluster", action="store_true", help="two workers against two threads")
    parser.add_argument("--stage", nargs=3, metavar=("STAGE", "MODEL", "CORPUS"), help="for itself")
    arguments = parser.parse_args()
    if arguments.stage:
        stage, model, corpus = arguments.stage
        watched(stage, Path(model), Path(corpus))
        return
    prepared.require()
    if arguments.cluster:
        cluster()
    else:
        memory(arguments.millions)


if __name__ == "__main__":
    main()
