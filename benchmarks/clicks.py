"""What people come for, done on the page of the demo: how many clicks, fields and scrolls it takes.

    python -m benchmarks.clicks [--chromium PATH]

Each task begins on the front page at 1440 x 900 and ends with a check of its answer against the model
in Python, so that a task that cannot be done ends the program. "before" quotes a review of the page
as it was before it worked on sets of documents; where it gives no figure, it says what was missing.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import hlta
from benchmarks.hand import SEEN, Hand
from hlta import HLTA, Corpus, read_corpus
from hlta.options import IN_PART

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hlta import Topic

DEMO = Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz"
SEARCH = ".search input"
FOUND = ".documents .found"
FIRST = ".documents .title"
GROUP = "cs.LG"
PHRASE = "black hole"
IMPOSSIBLE = "not possible"


class Demo(NamedTuple):
    """What the page shows, as Python knows it."""

    corpus: Corpus
    topics: list[Topic]  # two root topics, which have documents in common
    on: list[NDArray[np.bool_]]  # which documents are on each of them
    of_any: NDArray[np.bool_]  # which are on some topic


class Task(NamedTuple):
    """Something to do on the page."""

    name: str
    before: str
    do: Callable[[Hand, Demo], None]


def demo_of(model: HLTA, corpus: Corpus) -> Demo:
    """The topics that the tasks are about, and who is on them."""
    on = model.transform(corpus) >= IN_PART
    number = {topic.id: k for k, topic in enumerate(model.topics_)}
    first, *others = model.topics_.roots[:8]
    of = {topic.id: on[:, number[topic.id]] for topic in (first, *others)}
    other = max(others, key=lambda topic: int((of[first.id] & of[topic.id]).sum()))
    return Demo(corpus, [first, other], [of[first.id], of[other.id]], np.asarray(on.any(axis=1)))


def row(topic: Topic) -> str:
    """A topic in the tree."""
    return f'[role=treeitem][aria-label^="{topic.title}"] .label'


def counted(hand: Hand, selector: str = FOUND) -> int:
    """The number with which a text begins."""
    text = hand.page.locator(selector).first.inner_text()
    number = re.match(r"[\d,]+", text)
    if number is None:
        raise AssertionError(f"{text!r} does not begin with a number")
    return int(number[0].replace(",", ""))


def check(is_there: object, expected: object) -> None:
    """End the program if the answer is another one."""
    if is_there != expected:
        raise AssertionError(f"the page says {is_there!r}, not {expected!r}")


def having(corpus: Corpus, words: str) -> int:
    """How many documents have consecutive words in title or text, or as a phrase of the vocabulary."""
    pattern = re.compile(rf"(?<![^\W_]){words}(?![^\W_])".replace(" ", r"[\W_]+"), re.IGNORECASE)
    phrase = corpus.words.index(words.replace(" ", "-"))
    known = corpus.documents.to_csr()[:, [phrase]].toarray().ravel()
    both = zip(corpus.titles or (), corpus.texts or (), strict=True)
    found = [bool(pattern.search(title) or pattern.search(text)) for title, text in both]
    return int((known.astype(bool) | found).sum())


# ---- tasks -------------------------------------------------------------------------------------


def find_documents(hand: Hand, demo: Demo) -> None:
    """All documents with a phrase."""
    hand.type(SEARCH, f'"{PHRASE}"')
    check(counted(hand), having(demo.corpus, PHRASE))


def find_one(hand: Hand, demo: Demo) -> None:
    """One document, by a part of its title."""
    title = list(demo.corpus.titles or ())[50]
    hand.type(SEARCH, title[:30], end="")
    hand.click(".hits [aria-label=Titles] [role=option]")
    check(hand.page.inner_text("#details h2"), title)


def typical_documents(hand: Hand, demo: Demo) -> None:
    """The documents on a topic, the most typical first."""
    hand.click(row(demo.topics[0]))
    check(counted(hand), int(demo.on[0].sum()))
    check(hand.page.input_value(".documents select"), "typical")


def reasons(hand: Hand, demo: Demo) -> None:
    """Why a document is on a topic: seen without scrolling."""
    hand.click(row(demo.topics[0]))
    hand.click(FIRST)
    check(hand.page.inner_text(".why"), f"Why {demo.topics[0].title}?")
    marks = hand.page.locator("#details .text .said")
    check(marks.first.evaluate("e => e.getBoundingClientRect().bottom < innerHeight"), True)


def comparison(hand: Hand, demo: Demo) -> None:
    """What two topics share."""
    both = int((demo.on[0] & demo.on[1]).sum())
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools >> text=Compare")
    hand.click(f'.proposed >> text="{demo.topics[1].title}"')
    check(hand.page.inner_text(".compare h2").startswith(f"{both:,} document"), True)


def intersection(hand: Hand, demo: Demo) -> None:
    """The documents on two topics at once."""
    comparison(hand, demo)
    hand.click(".regions .count")
    check(counted(hand), int((demo.on[0] & demo.on[1]).sum()))


def difference(hand: Hand, demo: Demo) -> None:
    """The documents on one topic that are not on another."""
    hand.click(row(demo.topics[0]))
    hand.click("text=But not on")
    hand.click(f'.but-not button >> text="{demo.topics[1].title}"')
    check(counted(hand), int((demo.on[0] & ~demo.on[1]).sum()))


def rename(hand: Hand, demo: Demo) -> None:
    """A name of one's own, which stays."""
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools >> text=Rename")
    hand.type("#details .form input", "Zebras")
    hand.page.reload()
    hand.page.wait_for_selector("html[data-ready]")
    check(hand.page.inner_text("#details h2"), "Zebras")


def note(hand: Hand, demo: Demo) -> None:
    """A note on a topic."""
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools >> text=Note")
    hand.type("#details textarea", "Look again", end="")
    hand.click("text=Save the note")
    check(hand.page.inner_text("#details .own-note"), "Look again")


def pin(hand: Hand, demo: Demo) -> None:
    """A topic pinned."""
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools >> text=Pin")
    check(hand.page.locator("#tree .mark[title=Pinned]").count(), 1)


def outliers(hand: Hand, demo: Demo) -> None:
    """The documents on no topic."""
    hand.click("text=Documents on no topic")
    check(counted(hand), int((~demo.of_any).sum()))


def all_documents(hand: Hand, demo: Demo) -> None:
    """All documents, as a list."""
    hand.click("text=Browse all")
    check(counted(hand), len(demo.corpus))


def topics_of_group(hand: Hand, demo: Demo) -> None:
    """How many of a group's documents are on each topic."""
    inside = [group == GROUP for group in demo.corpus.groups or ()]
    hand.type(SEARCH, GROUP, end="")
    hand.click(".hits [aria-label=Groups] [role=option]")
    check(counted(hand), sum(inside))
    told = hand.page.locator(f"{row(demo.topics[0])} >> xpath=.. >> .count").inner_text()
    check(told, f"{int(demo.on[0][inside].sum()):,}")


def topics_plotted(hand: Hand, demo: Demo) -> None:
    """Two chosen topics over time, in one chart."""
    comparison(hand, demo)
    hand.click("role=tab[name='Over time']")
    names = hand.page.locator("#picture thead th").all_text_contents()[2::2]
    check(names, [f"“{topic.title}”" for topic in demo.topics])


def export(hand: Hand, demo: Demo) -> None:
    """What a search found, as a table."""
    hand.type(SEARCH, f'"{PHRASE}"')
    hand.click(".result-tools .menu summary")
    data = hand.save(lambda: hand.click("[aria-label='Save these documents as CSV']"))
    saved = list(csv.DictReader(io.StringIO(data.decode())))
    check(len(saved), counted(hand))
    check(len(saved), having(demo.corpus, PHRASE))


def export_some(hand: Hand, _: Demo) -> None:
    """Two documents of a list, as a table."""
    hand.click("text=Browse all")
    chosen = []
    for at in (0, 1):
        chosen.append(hand.page.locator(f"[data-at='{at}'] .title").inner_text())
        hand.click(f"[data-at='{at}'] input[type=checkbox]")
    hand.click(".result-tools .menu summary")
    data = hand.save(lambda: hand.click("[aria-label='Save these documents as CSV']"))
    check([row["title"] for row in csv.DictReader(io.StringIO(data.decode()))], chosen)


def share(hand: Hand, demo: Demo) -> None:
    """A link that keeps threshold, main topic, query and order."""
    hand.click(row(demo.topics[0]))
    hand.click(".chip summary")
    hand.click(".chip >> text=/^Mainly/")
    hand.click(".chip summary")
    hand.slide(".chip input[type=range]", "50")
    hand.type(SEARCH, "model")
    hand.choose(".documents select", "newest")
    there = (counted(hand), hand.page.locator(FIRST).first.inner_text())
    hand.click("text=Copy link")
    link = hand.page.evaluate("navigator.clipboard.readText()")
    hand.page.goto("about:blank")
    hand.page.goto(link)
    hand.page.wait_for_selector("html[data-ready]")
    check((counted(hand), hand.page.locator(FIRST).first.inner_text()), there)
    check(hand.page.input_value(".documents select"), "newest")
    check(", mainly ≥ 50%" in hand.page.inner_text(".chip summary"), True)


def foreign_link(hand: Hand, _: Demo) -> None:
    """A link to a topic that the page does not have."""
    hand.page.goto(f"{hand.page.url.split('#')[0]}#topic=Z9-999")
    notice = hand.page.locator("#details .notice").first.inner_text()
    check(notice.startswith("This page has no topic Z9-999."), True)


def back(hand: Hand, demo: Demo) -> None:
    """A document far down the list, and back to where it is."""
    hand.click(row(demo.topics[0]))
    hand.scrolls += 1
    hand.page.locator("#details").evaluate("e => { e.scrollTop = 3000 }")
    hand.page.wait_for_selector("[data-at='20']")
    hand.click("[data-at='20'] .title")
    hand.click("#details .back")
    check(hand.page.locator("[data-at='20'] .title").evaluate(SEEN), True)


def on_the_map(hand: Hand, demo: Demo) -> None:
    """The documents in a part of the map."""
    hand.click("[aria-label='Outline documents to select them']")
    hand.drag(".map-sheet canvas", [(0.1, 0.1), (0.5, 0.1), (0.5, 0.9), (0.1, 0.9), (0.1, 0.1)])
    found = counted(hand)
    check(0 < found < len(demo.corpus), True)
    check(hand.page.inner_text(".chip summary"), "an area of the map")


def similar(hand: Hand, demo: Demo) -> None:
    """A document like one that was found, and back."""
    hand.click(row(demo.topics[0]))
    hand.click(FIRST)
    name = hand.page.inner_text("#details h2")
    hand.click("#details section:has(> h3:text('Similar documents')) button")
    check(hand.page.inner_text("#details h2") != name, True)


TASKS = [
    Task("find all documents with a phrase", "7 of 316 titles, no list", find_documents),
    Task("find a document by its title", "possible", find_one),
    Task("see the typical documents on a topic", "the likeliest, not typical", typical_documents),
    Task("read why a document is on a topic", "1,248 to 2,792 px down", reasons),
    Task("compare two topics", IMPOSSIBLE, comparison),
    Task("list the documents on both", IMPOSSIBLE, intersection),
    Task("list the documents on one, but not the other", IMPOSSIBLE, difference),
    Task("rename a topic", IMPOSSIBLE, rename),
    Task("note something on a topic", IMPOSSIBLE, note),
    Task("pin a topic", IMPOSSIBLE, pin),
    Task("list the documents on no topic", IMPOSSIBLE, outliers),
    Task("list all documents", IMPOSSIBLE, all_documents),
    Task("see a group's topics", IMPOSSIBLE, topics_of_group),
    Task("choose which topics to plot", IMPOSSIBLE, topics_plotted),
    Task("export what a search found", IMPOSSIBLE, export),
    Task("export two documents of a list", IMPOSSIBLE, export_some),
    Task(
        "share a narrowed list, ordered",
        "loses threshold, narrow topic, place and query",
        share,
    ),
    Task("open a link to another model's topic", "shows the overview, silently", foreign_link),
    Task("come back to a place in a list", "loses the place", back),
    Task("list the documents in a part of the map", IMPOSSIBLE, on_the_map),
    Task("find documents like one", IMPOSSIBLE, similar),
]


def taken(browser: Any, file: Path, demo: Demo, task: Task, kind: type[Hand] = Hand) -> str:
    """What a task takes a kind of hand, from the front page on."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    hand = kind(page)
    task.do(hand, demo)
    context.close()
    return hand.told


def main() -> None:
    """Do every task, and print a table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser")
    options = parser.parse_args()
    corpus = read_corpus(
        DEMO, text="abstract", group="category", mail="keep", ngrams=2, stop_words="english"
    )
    model = HLTA().fit(corpus)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "index.html"
        model.topics_.to_html(file, corpus=corpus, title="Demo")
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        demo = demo_of(model, corpus)
        print("| task | before | now |\n|---|---|---|")
        for task in TASKS:
            now = taken(browser, file, demo, task)
            print(f"| {task.name} | {task.before} | {now} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
