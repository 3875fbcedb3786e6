"""What a cluster costs on one machine: two workers against two threads.

    python -m benchmarks.cluster [--rounds 5]

50,000 abstracts are read on two workers of one thread each and on two threads, in turn, from a table
that is not compressed. Then batch EM runs likewise, with the documents of arXiv (10,000 words) and with
10,000 abstracts (5,000 words). The output is the ratio of their times, that of the CPU time of all
processes, and whether corpora and parameters have the same bits.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from benchmarks import prepared
from benchmarks.prepared import ABSTRACTS, ARXIV
from benchmarks.timing import in_turn
from hlta import HLTA, Corpus, LatentTree, batch_em, read_corpus
from hlta.cluster import passes_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta import Documents

Result = TypeVar("Result")


def abstracts() -> Corpus:
    """10,000 abstracts."""
    texts = read_corpus(ABSTRACTS, n_words=5_000, keep_texts=False)
    return texts.take(np.arange(0, len(texts), 5))


def arxiv() -> Corpus:
    """All documents of arXiv but those held out."""
    matrices = prepared.read(ARXIV)
    return Corpus(matrices.train, matrices.words)


def stored(corpus: Corpus, folder: Path) -> Documents:
    """The documents in files, where workers can read them."""
    corpus.save(folder)
    return Corpus.load(folder).documents


def learning(documents: Documents, client: Any, steps: int, rounds: int) -> str:
    """Batch EM on the workers of a client and on two threads."""
    tree = HLTA(samples=1, em="batch", em_steps=1, refine=False).fit(documents).tree_
    what = f"{len(documents):,} documents, {steps} steps of batch EM"

    def learn() -> LatentTree:
        return batch_em(tree, documents, steps=steps, n_jobs=2).tree

    def same(a: LatentTree, b: LatentTree) -> bool:
        return a == b

    return compare(what, learn, same, client, rounds)


def reading(table: Path, client: Any, rounds: int) -> str:
    """Reading a table on the workers of a client and on two threads."""

    def read() -> Corpus:
        return read_corpus(table, n_jobs=2)

    def same(a: Corpus, b: Corpus) -> bool:
        alike = (a.words, list(a.texts or ())) == (b.words, list(b.texts or ()))
        return alike and np.array_equal(a.documents.indices, b.documents.indices)

    what = f"reading a table of {table.stat().st_size / 1e6:.0f} MB"
    return compare(what, read, same, client, rounds)


def compare(
    what: str,
    work: Callable[[], Result],
    alike: Callable[[Result, Result], bool],
    client: Any,
    rounds: int,
) -> str:
    """Do some work on the workers of a client and on two threads."""
    spent = {"workers": 0.0, "threads": 0.0}

    def seconds() -> float:
        return float(time.process_time() + sum(client.run(time.process_time).values()))

    def on_threads() -> Result:
        began = seconds()
        result = work()
        spent["threads"] += seconds() - began
        return result

    def on_workers() -> Result:
        began = seconds()
        with passes_on(client):
            result = work()
        spent["workers"] += seconds() - began
        return result

    same = alike(on_threads(), on_workers())
    spent.update(workers=0.0, threads=0.0)  # the first runs are left out, as workers start up
    timing = in_turn(on_workers, on_threads, rounds=rounds)
    return (
        f"{what}: two threads {timing.second:.2f} s, "
        f"two workers {timing.first:.2f} s, {timing.ratio:.2f} times as long (shortest runs "
        f"{timing.best:.2f}), {spent['workers'] / spent['threads']:.2f} times the CPU time; "
        f"{'the same bits' if same else 'OTHER BITS'}"
    )


def main() -> None:
    """Print all comparisons."""
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    prepared.require()
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers,
        Client(workers, set_as_default=False) as client,
    ):
        table = Path(folder, "abstracts.tsv")
        with lzma.open(ABSTRACTS) as packed, table.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
        print(reading(table, client, rounds), flush=True)
        for name, corpus, steps in (("abstracts", abstracts(), 50), ("arxiv", arxiv(), 5)):
            print(learning(stored(corpus, Path(folder, name)), client, steps, rounds), flush=True)


if __name__ == "__main__":
    main()
