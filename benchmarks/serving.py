"""`hlta serve` over many documents: how long it takes to start, to show the page, and to answer.

    python -m benchmarks.serving MODEL [--documents 1000000] [--folder FOLDER] [--rounds 5]

The documents are sampled from a model, such as the one that `hlta demo` writes; each one's text has
its words, and others between them. Questions are asked anew each time, so that none is remembered.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
from scipy.sparse import csr_array, vstack

from benchmarks.page import EMPTY, opened
from hlta import HLTA, Corpus, LatentTree

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_ONCE: Final = 20_000  # documents
FILLERS: Final = 4000  # other words
MOST_SECONDS: Final = 3600


def sampled(tree: LatentTree, documents: int) -> csr_array:
    """Documents drawn from a model."""
    parts = [
        csr_array(tree.sample(min(AT_ONCE, documents - begin), seed=begin))
        for begin in range(0, documents, AT_ONCE)
    ]
    return csr_array(vstack(parts, format="csr"))


def texts_of(X: csr_array, words: tuple[str, ...]) -> Iterator[str]:
    """The words of each document, each with another one behind it."""
    rng = np.random.default_rng(0)
    fillers = ["".join(rng.choice(list("etaoinsrhl"), 6)) for _ in range(FILLERS)]
    plain = [word.replace("-", " ") for word in words]
    for row in range(X.shape[0]):
        own = X.indices[X.indptr[row] : X.indptr[row + 1]].tolist()
        others = rng.integers(0, FILLERS, len(own)).tolist()
        pairs = zip(own, others, strict=True)
        yield " ".join(f"{plain[word]} {fillers[other]}" for word, other in pairs)


def corpus_of(tree: LatentTree, documents: int) -> Corpus:
    """A corpus of sampled documents, with titles, dates, groups and texts."""
    X = sampled(tree, documents)
    return Corpus(
        X,
        tree.words,
        titles=(text[:60] for text in texts_of(X, tree.words)),
        dates=(f"{1990 + row % 30}-{1 + row % 12:02}" for row in range(documents)),
        groups=(f"group {row % 12}" for row in range(documents)),
        texts=texts_of(X, tree.words),
    )


class Served:
    """A server in a process of its own."""

    def __init__(self, model: Path, corpus: Path) -> None:
        begin = time.perf_counter()
        command = (sys.executable, "-m", "hlta", "serve", model, corpus, "--port", "0")
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.seconds = time.perf_counter() - begin
        if not self.address:
            sys.exit("The server did not start")

    def memory(self) -> dict[str, float]:
        """Gigabytes: the most it ever took, and what it holds now beside mapped files."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        kilobytes = {line.split(":")[0]: line.split()[1] for line in lines if "kB" in line}
        return {name: int(kilobytes[name]) / 1e6 for name in ("VmHWM", "RssAnon")}

    def ask(self, what: str, *parts: tuple[str, str]) -> float:
        """Milliseconds until an answer is there."""
        begin = time.perf_counter()
        with urlopen(f"{self.address}{what}?{urlencode(parts)}", timeout=MOST_SECONDS) as answer:
            json.load(answer)
        return 1000 * (time.perf_counter() - begin)

    def end(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.wait()


def questions(tree: LatentTree, topics: list[str], k: int) -> dict[str, list[tuple[str, str]]]:
    """Questions by what they ask, others for each `k`."""
    words = [word.replace("-", " ") for word in tree.words]
    word, other = words[k], words[-1 - k]
    return {
        "a word": [("with", f"text:{word.split()[0]}")],
        "a rarer word": [("with", f"text:{other.split()[0]}")],
        "two words": [("with", f"text:{word.split()[0]} {words[k + 20].split()[0]}")],
        "a prefix": [("with", f"text:{word[:3]}*")],
        "a phrase": [("with", f'text:"{word} e"'), ("or", f'text:"{other}"')],
        "a topic": [("with", f"topic:{topics[k]}")],
        "a month, whose near-copies are folded": [("with", f"date:{1990 + k}-{1 + k:02}")],
        "a topic, a word, a year": [
            ("with", f"topic:{topics[k]}"),
            ("with", f"text:{other.split()[0]}"),
            ("with", f"date:{1990 + k}..{2000 + k}"),
        ],
    }


def measure(served: Served, model: HLTA, rounds: int) -> None:
    """Ask each question, and for the beginning of each list."""
    topics = [topic.id for topic in model.topics_]
    found: dict[str, list[tuple[float, float]]] = {}
    for k in range(rounds):
        for name, clauses in questions(model.tree_, topics, k).items():
            count = served.ask("found", *clauses)
            order = "relevant" if clauses[0][1].startswith("text") else "typical"
            part = (("from", "0"), ("to", "50"), ("fold", "1"))  # as the page asks
            listed = served.ask("rows", *clauses, ("order", order), *part)
            found.setdefault(name, []).append((count, listed))
    for name, times in found.items():
        counts, lists = zip(*times, strict=True)
        print(
            f"{name}: counted in {statistics.median(counts):.0f} ms (at most {max(counts):.0f}), "
            f"its list {statistics.median(lists):.0f} ms later (at most {max(lists):.0f})"
        )


def first_picture(address: str, folder: Path, rounds: int) -> None:
    """Open the page several times, in turn with an empty one."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("This part of the benchmark needs Chromium: run scripts/browser")
    empty = folder / "empty.html"
    empty.write_text(EMPTY, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        nothing, times = [], []
        for _ in range(rounds):
            nothing.append(opened(browser, empty.as_uri(), "h1").heading)
            times.append(opened(browser, address, "html[data-ready]"))
        browser.close()
    heading, ready = (statistics.median(column) for column in zip(*times, strict=True))
    print(
        f"empty page {statistics.median(nothing):.2f} s, first picture {heading:.2f} s, "
        f"the documents of the page there {ready:.2f} s"
    )


def main() -> None:
    """Make documents, and serve them twice: first nothing is computed yet, then all is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, help="a model, or the folder that hlta fit wrote")
    parser.add_argument("--documents", type=int, default=1_000_000, help="(default: 1000000)")
    parser.add_argument("--folder", type=Path, help="where to keep the corpus (default: nowhere)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: 5)")
    chosen = parser.parse_args()
    model = HLTA.load(chosen.model)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if chosen.folder is None else chosen.folder
        folder.mkdir(exist_ok=True)
        own, corpus = folder / "model.hlta", folder / "corpus"
        model.save(own)
        if not corpus.exists():
            corpus_of(model.tree_, chosen.documents).save(corpus)
        served = Served(own, corpus)
        print(f"started in {served.seconds:.0f} s, {served.memory()['VmHWM']:.1f} GB at most")
        served.end()
        size = sum(file.stat().st_size for file in Path(f"{own}.served").iterdir())
        served = Served(own, corpus)
        print(f"started again in {served.seconds:.1f} s; kept: {size / 1e9:.2f} GB")
        measure(served, model, chosen.rounds)
        memory = served.memory()
        print(f"memory: {memory['RssAnon']:.1f} GB beside mapped files")
        first_picture(served.address, folder, chosen.rounds)
        served.end()


if __name__ == "__main__":
    main()
