"""How fast `hlta serve` begins, answers and opens, and its memory, as the documents grow.

    python -m benchmarks.serving [--documents 50000 1000000] [--rounds 5] [--keep FOLDER]

A model is learned from the abstracts of `hlta demo`, and documents are drawn from it, with titles, dates,
groups and texts made up of their words. The first start computes the topics of all documents and an index
of their texts; later ones read what is kept. A server is reached when it shows its progress, and ready
when it answers questions. Memory is the peak of anonymous memory until then, and the amount after all
questions; mapped files, such as documents and index, are in the system's page cache and do not count.
Times of answers include the transfer to the client; figures are medians of different searches of a kind.
With Chromium, the page is opened as well: "first picture" is when its heading appears. The documents that
a search finds are counted, then listed by relevance; then their words are counted, and documents and
topics by date.
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
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np

from benchmarks.page import corpus_of, opened
from benchmarks.prepared import DEMO
from benchmarks.timing import memory
from hlta import HLTA, Corpus, read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMON, RARE = 0.2, 0.002  # shares of the documents that have a word


class Serving(NamedTuple):
    """A server that answers."""

    address: str
    process: int
    reached: float  # seconds until it could be reached
    seconds: float  # until it answered questions
    peak: float  # of memory until then

    def times(self) -> str:
        """How long it took to begin."""
        return f"reached after {self.reached:.1f} s, ready after {self.seconds:.1f} s, {self.peak:.2f} GB"

    def answer(self, question: str) -> tuple[float, Any]:
        """How long the answer to a question takes, and the answer."""
        began = time.perf_counter()
        with urlopen(self.address + question) as answer:
            found = json.load(answer)
        return time.perf_counter() - began, found


def answers(address: str) -> bool:
    """Whether a server is prepared."""
    try:
        urlopen(address).close()
    except HTTPError:
        return False
    return True


@contextmanager
def serving(model: Path, corpus: Path) -> Iterator[Serving]:
    """A server while it runs."""
    began, reached, peak = time.perf_counter(), 0.0, 0.0
    command = [sys.executable, "-m", "hlta", "serve", str(model), str(corpus), "--port", "0", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        while not answers(address):
            reached = reached or time.perf_counter() - began
            peak = max(peak, memory(process.pid) / 1e6)
            time.sleep(0.05)
        seconds = time.perf_counter() - began
        try:
            yield Serving(address, process.pid, reached or seconds, seconds, peak)
        finally:
            process.terminate()


def questions(corpus: Corpus, rounds: int) -> dict[str, list[str]]:
    """Searches of several kinds, different ones of each, because a server caches its last answers."""
    frequency = corpus.documents.document_frequency / len(corpus)
    plain = np.array([k for k, word in enumerate(corpus.words) if word.isalpha()])

    def near(share: float) -> list[str]:
        order = plain[np.argsort(np.abs(frequency[plain] - share), kind="stable")]
        return [corpus.words[k] for k in order[: rounds + 1]]

    common = near(COMMON)
    pairs = [f"{one} {other}" for one, other in pairwise(common)]
    return {
        "a common word": common[:rounds],
        "a rare word": near(RARE)[:rounds],
        "two common words": pairs,
        "a phrase": [f'"{pair}"' for pair in pairs],
        "a prefix of two letters": list(dict.fromkeys(f"{word[:2]}*" for word in common)),
        "a prefix of one letter": list(dict.fromkeys(f"{word[0]}*" for word in common)),
    }


def made(count: int, folder: Path) -> tuple[Path, Path]:
    """The files of the model, and of `count` documents drawn from it."""
    model, corpus = folder / "model.hlta", folder / f"documents-{count}"
    if not model.exists():
        HLTA(random_state=0).fit(read_corpus(DEMO)).save(model)
    if not corpus.exists():
        corpus_of(HLTA.load(model).tree_, count).save(corpus)
    return model, corpus


def measure(count: int, rounds: int, folder: Path) -> None:
    """Print the figures for so many documents."""
    model, corpus = made(count, folder)
    store = model.with_name(f"{model.name}.served")
    store.unlink(missing_ok=True)
    print(f"\n{count:,} documents\n\n| what | counted | then listed | words | by date |")
    print("|---|---|---|---|---|")
    with serving(model, corpus) as server:
        kept = store.stat().st_size / 1e6
        print(f"| first start | {server.times()}, {kept:.0f} MB kept |")
    with serving(model, corpus) as server:
        print(f"| next start | {server.times()} |", flush=True)
        for kind, queries in questions(Corpus.load(corpus), rounds).items():
            terms = [f"with={quote(f'text:{query}')}" for query in queries]
            counted = [server.answer(f"found?{term}") for term in terms]
            lists = [
                server.answer(f"rows?{term}&order=relevant&fold=&from=0&to=50") for term in terms
            ]
            words = [server.answer(f"words?{term}") for term in terms]
            years = [server.answer(f"divided?by=date&{term}") for term in terms]
            documents = statistics.median(found["documents"] for _, found in counted)
            times = (
                f"{1e3 * statistics.median(seconds for seconds, _ in answers):.0f} ms"
                for answers in (counted, lists, words, years)
            )
            print(f"| {kind}: {documents:,.0f} documents | {' | '.join(times)} |")
        if (chromium := shutil.which("chromium")) is not None:
            print(f"| the page | {_page(server.address, chromium, rounds)} |")
        print(
            f"| memory after all this | {memory(server.process) / 1e6:.2f} GB |",
            flush=True,
        )


def _page(address: str, chromium: str, rounds: int) -> str:
    """When a browser shows the page, and when it is ready."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        times = [opened(browser, address, "html[data-ready]") for _ in range(rounds)]
        browser.close()
    heading, ready = (statistics.median(column) for column in list(zip(*times, strict=True))[:2])
    return f"first picture {heading:.2f} s, ready {ready:.2f} s"


def main() -> None:
    """Measure each number of documents."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, nargs="+", default=[50_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5, help="(default: 5)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for documents and model")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for count in chosen.documents:
            measure(count, chosen.rounds, folder)


if __name__ == "__main__":
    main()
