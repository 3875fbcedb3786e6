"""How large the page is, and how fast it opens: `python -m benchmarks.page [--documents 20000]`.

Documents from a planted tree of 1,600 words and some 500 topics, with titles and texts of those words.
Times are medians in headless Chromium, beside an empty page that opens in turn with it.
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
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from hlta import Corpus, TopicTree
from hlta.explorer.container import unpacked
from hlta.tree.state_order import order_states
from tests.synthetic import planted

WORDS = 70  # a document


def corpus_of(tree: Any, documents: int) -> Corpus:
    """Documents as long as abstracts; texts of their words, each two times, and others between them."""
    X = tree.sample(documents, seed=1).tocoo()
    rng = np.random.default_rng(0)
    kept = rng.random(X.nnz) < WORDS * documents / X.nnz
    X = csr_array((X.data[kept], (X.row[kept], X.col[kept])), shape=X.shape)
    fillers = np.array(["".join(rng.choice(list("etaoinsrhl"), 5)) for _ in range(4000)])
    texts = []
    for row in range(documents):
        own = [tree.words[k] for k in X.indices[X.indptr[row] : X.indptr[row + 1]]]
        words = np.array([*own, *own, *rng.choice(fillers, 60)])
        texts.append(" ".join(rng.permutation(words).tolist()))
    return Corpus(
        X,
        tree.words,
        titles=[text[:60] for text in texts],
        dates=[str(1990 + row % 30) for row in range(documents)],
        groups=[f"group {row % 12}" for row in range(documents)],
        texts=[text[:1000] for text in texts],
    )


def opened(browser: Any, address: str, ready: str) -> tuple[float, float]:
    """Seconds to the first picture, and until all is there."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    begin = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("h1")
    first = time.perf_counter() - begin
    page.wait_for_selector(ready)
    last = time.perf_counter() - begin
    page.close()
    return first, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=1600)
    parser.add_argument("--rounds", type=int, default=7)
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("needs Chromium: scripts/browser")
    from playwright.sync_api import sync_playwright

    tree = order_states(planted(chosen.words, 0))
    topics = TopicTree.from_tree(tree, lowest_level=1)
    corpus = corpus_of(tree, chosen.documents)
    per_document = len(corpus.documents.indices) / chosen.documents
    with tempfile.TemporaryDirectory() as folder:
        file, empty = Path(folder) / "index.html", Path(folder) / "empty.html"
        empty.write_text("<!doctype html><title>Empty</title><h1>Empty</h1>", encoding="utf-8")
        begin = time.perf_counter()
        topics.to_html(file, corpus=corpus)
        made = time.perf_counter() - begin
        data = re.search(r'id="documents">([^<]*)<', file.read_text(encoding="utf-8"))
        assert data is not None
        _, arrays = unpacked(data[1])
        held = len(arrays["words.start"]) - 1
        print(
            f"{len(topics)} topics, {held:,} of {chosen.documents:,} "
            f"documents of {per_document:.0f} words and {len(arrays['topics']) / held:.0f} topics: "
            f"{file.stat().st_size / 1e6:.1f} MB, written in {made:.1f} s"
        )
        times = []
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for _ in range(chosen.rounds):
                nothing, _ = opened(browser, empty.as_uri(), "h1")
                times.append((nothing, *opened(browser, file.as_uri(), "html[data-ready]")))
            browser.close()
        nothing, first, last = (statistics.median(column) for column in zip(*times, strict=True))
        print(
            f"empty page {nothing:.2f} s, first picture {first:.2f} s, documents there {last:.2f} s"
        )


if __name__ == "__main__":
    main()
