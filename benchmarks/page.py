"""The size of the page that `hlta` writes, and how fast a browser opens it.

    python -m benchmarks.page [--documents 20000] [--words 1600] [--rounds 7]

The documents are sampled from a planted tree of 1,600 words and about 500 topics, with titles and
texts made of their words. Times are medians in headless Chromium, next to an empty page that opens
in turn with it: "first picture" is when the heading appears, "documents there" when all data are
loaded. Then texts are searched; the first search includes the preparation of the texts.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hlta import Corpus, LatentTree, TopicTree
from hlta.explorer.container import unpack
from hlta.tree.state_order import order_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WORDS = 70  # per document
FILLERS = 60  # other words per text
EMPTY = "<!doctype html><title>Empty</title><h1>Empty</h1>"
QUERIES = ["etain", "a", "in*", '"word1 word2"', "-etain rhl*", "word3 OR word4"]
SEARCH = """queries => queries.map(query => {
    const field = document.querySelector("input[type=search]");
    field.value = query;
    const begin = performance.now();
    field.dispatchEvent(new Event("focus"));
    return (performance.now() - begin) / 1000;
})"""
_DOCUMENTS = re.compile(r'id="documents">([^<]*)<')


class Held(NamedTuple):
    """What a page holds: the number of its documents, and of their topics in all."""

    documents: int
    topics: int


class Opened(NamedTuple):
    """Seconds until the heading appears, until the page is ready, and of searches of its texts."""

    heading: float
    ready: float
    first_search: float = 0.0
    search: float = 0.0


def corpus_of(tree: LatentTree, documents: int) -> Corpus:
    """Documents as long as abstracts; texts have each of their words twice, with others between."""
    X = tree.sample(documents, seed=1).tocoo()
    rng = np.random.default_rng(0)
    kept = rng.random(X.nnz) < WORDS * documents / X.nnz
    X = csr_array((X.data[kept], (X.row[kept], X.col[kept])), shape=X.shape)
    fillers = np.array(["".join(rng.choice(list("etaoinsrhl"), 5)) for _ in range(4000)])
    texts = []
    for row in range(documents):
        own = [tree.words[k] for k in X.indices[X.indptr[row] : X.indptr[row + 1]]]
        words = np.array([*own, *own, *rng.choice(fillers, FILLERS)])
        texts.append(" ".join(rng.permutation(words).tolist()))
    return Corpus(
        X,
        tree.words,
        titles=[text[:60] for text in texts],
        dates=[str(1990 + row % 30) for row in range(documents)],
        groups=[f"group {row % 12}" for row in range(documents)],
        texts=texts,
    )


def held(page: str) -> Held:
    """Count the documents in the data of a page, which may be fewer than those of the corpus."""
    data = _DOCUMENTS.search(page)
    if data is None:
        sys.exit("The page holds no documents")
    _, arrays = unpack(data[1])
    return Held(len(arrays["words.start"]) - 1, len(arrays["topics"]))


def opened(browser: Browser, address: str, ready: str) -> Opened:
    """Open an address in a new tab, and wait for the selector `ready`."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    begin = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("h1")
    heading = time.perf_counter() - begin
    page.wait_for_selector(ready)
    all_there = time.perf_counter() - begin
    searches = [0.0] if ready == "h1" else page.evaluate(SEARCH, QUERIES)
    page.close()
    return Opened(heading, all_there, searches[0], max(searches[1:], default=0.0))


def measure(file: Path, empty: Path, chromium: str, rounds: int) -> tuple[float, Opened]:
    """Median seconds of the empty page, and of the page, opened in turn."""
    from playwright.sync_api import sync_playwright

    nothing, times = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(rounds):
            nothing.append(opened(browser, empty.as_uri(), "h1").heading)
            times.append(opened(browser, file.as_uri(), "html[data-ready]"))
        browser.close()
    medians = Opened(*(statistics.median(column) for column in zip(*times, strict=True)))
    return statistics.median(nothing), medians


def main() -> None:
    """Write a page, and open it several times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=20_000, help="(default: 20000)")
    parser.add_argument("--words", type=int, default=1600, help="in the tree (default: 1600)")
    parser.add_argument("--rounds", type=int, default=7, help="(default: 7)")
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("This benchmark needs Chromium: run scripts/browser")
    tree = order_states(planted(chosen.words, 0))
    topics = TopicTree.from_tree(tree, lowest_level=1)
    corpus = corpus_of(tree, chosen.documents)
    per_document = len(corpus.documents.indices) / chosen.documents
    with tempfile.TemporaryDirectory() as folder:
        file, empty = Path(folder) / "index.html", Path(folder) / "empty.html"
        empty.write_text(EMPTY, encoding="utf-8")
        begin = time.perf_counter()
        topics.to_html(file, corpus=corpus)
        seconds = time.perf_counter() - begin
        page = held(file.read_text(encoding="utf-8"))
        print(
            f"{len(topics)} topics; {page.documents:,} of {chosen.documents:,} documents, with "
            f"{per_document:.0f} words and {page.topics / page.documents:.0f} topics per document: "
            f"{file.stat().st_size / 1e6:.1f} MB, written in {seconds:.1f} s"
        )
        nothing, times = measure(file, empty, chromium, chosen.rounds)
        print(
            f"empty page {nothing:.2f} s, first picture {times.heading:.2f} s, "
            f"documents there {times.ready:.2f} s, first search {times.first_search:.2f} s, slowest of "
            f"others {times.search:.2f} s"
        )


if __name__ == "__main__":
    main()
