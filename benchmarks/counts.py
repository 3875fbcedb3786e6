"""Whether the numbers of documents that the page shows, as a file and served, are correct.

    python -m benchmarks.counts [--corpora demo posts] [--folder FOLDER] [--questions 200]

Words, phrases and prefixes are drawn from the documents and searched for. The correct numbers come from
a scan of all texts, in lower case and without accents. Then topics, main topics, groups and years are
drawn, and their documents counted in Python. Two or three of all these are combined: both, either but not
a third, or one or not another. The page that is one file holds at most 50,000 documents; for larger
corpora, only the served page is compared.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import numpy as np

from benchmarks.corpora import posts
from benchmarks.prepared import ABSTRACTS, DATA, DEMO
from benchmarks.serving import serving
from hlta import HLTA, Corpus, read_corpus
from hlta.options import IN_PART
from tests.pages import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray
    from playwright.sync_api import Browser

    Questions = dict[str, NDArray[np.bool_]]  # documents by the terms in the page's address

HELD = 50_000  # documents of a page that is one file
AT_ONCE = (
    150  # questions to a page: browsers slow down one that changes its address more than 200 times
)


def of_posts() -> Corpus:
    """The posts, with their newsgroups as groups."""
    found = posts()
    return Corpus.from_texts(found.texts, groups=found.classes["groups"].tolist())


CORPORA: dict[str, Callable[[], Corpus]] = {
    "demo": lambda: read_corpus(DEMO),
    "AI abstracts": lambda: read_corpus(
        DATA / "ai-abstracts.jsonl.xz", text="abstract", group="venue", date="year"
    ),
    "posts": of_posts,
    "arXiv": lambda: read_corpus(ABSTRACTS, text="abstract", group="primary_cat"),
    "arXiv and AI": lambda: read_corpus(
        [ABSTRACTS, DATA / "ai-abstracts.jsonl.xz"], text="abstract"
    ),
}


def plain(text: str) -> list[str]:
    """The words of a text, in lower case and without accents."""
    parts = unicodedata.normalize("NFD", text.lower())
    letters = "".join(c for c in parts if not unicodedata.category(c).startswith("M"))
    return re.findall(r"[^\W_]+", letters.replace("\u03c2", "\u03c3"))


def searches(corpus: Corpus, count: int, rng: np.random.Generator) -> Questions:
    """Words, phrases and prefixes of the documents, and the documents that have them."""
    assert corpus.texts is not None
    heads = (corpus.titles or [""] * len(corpus), corpus.ids or [""] * len(corpus))
    words = [plain(text) for text in corpus.texts]
    whole = [
        " | ".join(f" {' '.join(part)} " for part in (own, plain(title), plain(name)))
        for own, title, name in zip(words, *heads, strict=True)
    ]
    found: Questions = {}
    while len(found) < count:
        own = words[rng.integers(len(words))]
        length = int(rng.integers(1, 5))
        if len(own) < length:
            continue
        begin = int(rng.integers(len(own) - length + 1))
        phrase = " ".join(own[begin : begin + length])
        if not phrase.isascii() or len(phrase) < 2:
            continue
        query, wanted = f'"{phrase}"', f" {phrase} "
        if length == 1 and len(found) % 3 == 0:  # a prefix
            query, wanted = f"{phrase[:4]}*", f" {phrase[:4]}"
        found[f"text:{query}"] = np.array([wanted in text for text in whole])
    return found


def figures(model: HLTA, corpus: Corpus, count: int, rng: np.random.Generator) -> Questions:
    """Topics, main topics, groups and years, and the documents that each has."""
    shares, main = model.transform(corpus) >= IN_PART, model.main_table(corpus)
    kinds: list[dict[str, NDArray[Any]]] = [
        {f"topic:{topic.id}": shares[:, k] for k, topic in enumerate(model.topics_)},
        {
            f"main:{topic.id}": (main[f"topic_{topic.level}"] == topic.id)
            .fill_null(False)
            .to_numpy()
            for topic in model.topics_
        },
    ]
    for kind, values in (("group", corpus.groups), ("date", corpus.dates)):
        names = np.array([value[:4] if kind == "date" else value for value in values or ()])
        if len(names):
            kinds.append({f"{kind}:{name}": names == name for name in set(names.tolist()) - {""}})
    found: Questions = {}
    while len(found) < min(count, sum(map(len, kinds)) // 2):
        some = list(kinds[rng.integers(len(kinds))].items())
        term, documents = some[rng.integers(len(some))]
        found[term] = documents
    return found


def combined(terms: Questions, count: int, rng: np.random.Generator) -> Questions:
    """Two or three of the terms at a time, as an address has them."""
    found: Questions = {}
    every = list(terms)
    while len(found) < count:
        a, b, c = (every[k] for k in rng.integers(len(every), size=3))
        x, y, z = (quote(term) for term in (a, b, c))
        found |= {
            f"with={x}&with={y}": terms[a] & terms[b],
            f"with={x}&or={y}&without={z}": (terms[a] | terms[b]) & ~terms[c],
            f"with={x}&or=not:{y}": terms[a] | ~terms[b],
        }
    return found


class Shown(NamedTuple):
    """A number in the page; or a lower bound, if a page holds only the beginnings of long texts."""

    number: int
    at_least: bool

    def is_true(self, number: int) -> bool:
        """Whether it agrees with the correct number."""
        return 0 <= self.number <= number if self.at_least else self.number == number


def shown(browser: Browser, address: str, questions: Questions) -> Iterator[Shown]:
    """What the page at an address shows for each question."""
    every = list(questions)
    for begin in range(0, len(every), AT_ONCE):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        for chip, _ in page.evaluate(TOLD, every[begin : begin + AT_ONCE]):
            found = re.match(r"(at least )?([\d,]+) of ", chip)
            number = int(found[2].replace(",", "")) if found else -1
            yield Shown(number, at_least=found is not None and found[1] is not None)
        page.close()


def compare(name: str, corpus: Corpus, count: int, chromium: str, folder: Path) -> None:
    """Print how many numbers are correct in the page that is one file, and in the served one."""
    from playwright.sync_api import sync_playwright

    model, rng = HLTA(random_state=0).fit(corpus), np.random.default_rng(1)
    model.save(folder / "model.hlta")
    corpus.save(folder / "documents", overwrite=True)
    model.topics_.to_html(folder / "index.html", corpus=corpus)
    typed, counted = searches(corpus, count, rng), figures(model, corpus, count, rng)
    kinds = {
        kind: {f"with={quote(term)}": documents for term, documents in terms.items()}
        for kind, terms in (("searches", typed), ("figures", counted))
    } | {"combined": combined(typed | counted, count, rng)}
    with (
        sync_playwright() as playwright,
        serving(folder / "model.hlta", folder / "documents") as server,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pages = {"served": server.address}
        if len(corpus) <= HELD:
            pages["page"] = (folder / "index.html").as_uri()
        for kind, questions in kinds.items():
            for place, address in pages.items():
                every = list(shown(browser, address, questions))
                pairs = zip(questions.items(), every, strict=True)
                false = [
                    (asked, int(documents.sum()), figure)
                    for (asked, documents), figure in pairs
                    if not figure.is_true(int(documents.sum()))
                ]
                right = f"{len(questions) - len(false)} of {len(questions)}"
                if bounds := sum(figure.at_least for figure in every):
                    right += f", {bounds} of them bounds"
                print(f"| {name} | {len(corpus):,} | {place} | {kind} | {right} |", flush=True)
                for asked, true, figure in false[:10]:
                    print(f"  {asked}: {true:,}, and not {figure.number:,}")
        browser.close()


def main() -> None:
    """Compare the numbers of each corpus."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpora", nargs="*", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--folder", type=Path, help="another one: a folder or a file of documents")
    parser.add_argument("--questions", type=int, default=200, help="of a kind (default: 200)")
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("This benchmark needs Chromium: run scripts/browser")
    every = {name: CORPORA[name] for name in chosen.corpora}
    if chosen.folder is not None:
        every[chosen.folder.name] = lambda: read_corpus(chosen.folder)
    print("| corpus | documents | place | kind | true |\n|---|---|---|---|---|")
    for name, read in every.items():
        with tempfile.TemporaryDirectory() as folder:
            compare(name, read(), chosen.questions, chromium, Path(folder))


if __name__ == "__main__":
    main()
