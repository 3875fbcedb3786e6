"""What people come for can be done on the page, with the mouse and with keys alone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import HLTA, Corpus, Topic
from hlta.options import IN_PART
from tests.hands import Hand, Keys
from tests.pages import holding, open_anew, page_in, reload, table_in

SEARCH = ".search input"
FIRST = ".documents .title"
GROUP = "cs.LG"
PHRASE = "black hole"
WORD = "fairness"
DOUBLED = (10, 20, 30)  # documents that are there twice


class Demo(NamedTuple):
    """What the page shows, as Python knows it."""

    corpus: Corpus
    topics: list[Topic]  # two root topics, which have documents in common
    on: list[NDArray[np.bool_]]  # which documents are on each of them
    of_any: NDArray[np.bool_]  # which are on some topic


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


def counted(hand: Hand) -> int:
    """The number of documents that the list begins with."""
    text = hand.page.locator(".documents .found").first.inner_text()
    number = re.match(r"[\d,]+", text)
    assert number, text
    return int(number[0].replace(",", ""))


def find_one(hand: Hand, demo: Demo) -> None:
    """One document, by a part of its title."""
    title = list(demo.corpus.titles or ())[50]
    hand.type(SEARCH, title[:30], end="")
    hand.click(".hits [aria-label=Titles] [role=option]")
    assert hand.page.inner_text("#details h2") == title


def reasons(hand: Hand, demo: Demo) -> None:
    """The most typical document on a topic, why it is on it, without scrolling, and one like it."""
    hand.click(row(demo.topics[0]))
    assert counted(hand) == int(demo.on[0].sum())
    assert hand.page.input_value(".documents select") == "typical"
    hand.click(FIRST)
    assert hand.page.inner_text(".why").startswith(f"On {demo.topics[0].title} because of ")
    mark = hand.page.locator("#details .text .said").first
    assert mark.evaluate("e => e.getBoundingClientRect().bottom < innerHeight")
    name = hand.page.inner_text("#details h2")
    hand.click("#details section:has(> h3:text('Similar documents')) button")
    assert hand.page.inner_text("#details h2") != name


def comparison(hand: Hand, demo: Demo) -> None:
    """What two topics share."""
    both = int((demo.on[0] & demo.on[1]).sum())
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools >> text=Compare with…")
    hand.type("[name=side-1]", demo.topics[1].title)
    assert hand.page.inner_text("#picture h2").startswith(f"{both:,} document")


def intersection(hand: Hand, demo: Demo) -> None:
    """The documents on two topics at once."""
    comparison(hand, demo)
    hand.click(".regions .count")
    assert counted(hand) == int((demo.on[0] & demo.on[1]).sum())


def difference(hand: Hand, demo: Demo) -> None:
    """The documents on one topic that are not on another."""
    hand.click(row(demo.topics[0]))
    hand.click(f"[aria-label='Leave out documents on {demo.topics[1].title}']")
    assert counted(hand) == int((demo.on[0] & ~demo.on[1]).sum())


def names_and_notes(hand: Hand, demo: Demo) -> None:
    """A name of one's own, a note and a pin, which stay."""
    hand.click(row(demo.topics[0]))
    hand.click(".topic-tools summary")
    hand.click(".topic-tools >> text=Rename")
    hand.type("#details .form input", "Zebras")
    hand.click(".topic-tools summary")
    hand.click(".topic-tools >> text=Note")
    hand.type("#details textarea", "Look again", end="")
    hand.click("text=Save the note")
    hand.click(".topic-tools summary")
    hand.click(".topic-tools >> text=Pin")
    reload(hand.page)
    assert hand.page.inner_text("#details h2") == "Zebras"
    assert hand.page.inner_text("#details .own-note") == "Look again"
    assert hand.page.locator("#tree .mark[title=Pinned]").count() == 1


def outliers(hand: Hand, demo: Demo) -> None:
    """The documents on no topic."""
    hand.click("text=Documents on no topic")
    assert counted(hand) == int((~demo.of_any).sum())


def topics_of_group(hand: Hand, demo: Demo) -> None:
    """How many of a group's documents are on each topic."""
    inside = [group == GROUP for group in demo.corpus.groups or ()]
    hand.type(SEARCH, GROUP, end="")
    hand.click(".hits [aria-label=Groups] [role=option]")
    assert counted(hand) == sum(inside)
    shown = hand.page.locator(f"{row(demo.topics[0])} >> xpath=.. >> .count").inner_text()
    assert shown == f"{int(demo.on[0][inside].sum()):,}"


def topics_plotted(hand: Hand, demo: Demo) -> None:
    """Two chosen topics over time, in one chart."""
    comparison(hand, demo)
    hand.click("role=tab[name='Changes']")
    names = hand.page.locator("#picture thead th").all_text_contents()[2::2]
    assert names == [f"“{topic.title}”" for topic in demo.topics]


def export(hand: Hand, demo: Demo) -> None:
    """What a search found, as a table."""
    hand.type(SEARCH, f'"{PHRASE}"')
    hand.click(".result-tools .menu summary")
    data = hand.save(lambda: hand.click("[aria-label='Save these documents as CSV']"))
    assert len(table_in(data)) == counted(hand) == holding(demo.corpus, PHRASE).sum()


def export_some(hand: Hand, _: Demo) -> None:
    """Two documents of different lists, as a table."""
    hand.click("text=Browse all")
    title = hand.page.locator("[data-at='0'] .title")
    tagged = {title.inner_text()}
    hand.click("[data-at='0'] input[type=checkbox]")
    hand.type(SEARCH, f'"{PHRASE}"')
    hand.click("[data-at='0'] .title")
    tagged.add(hand.page.inner_text("#details h2"))
    hand.page.keyboard.press("t")
    hand.click(".reader-way .back")
    hand.click(".result-tools .menu summary")
    data = hand.save(lambda: hand.click("text=2 tagged documents as CSV"))
    assert {row["title"] for row in table_in(data)} == tagged


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
    open_anew(hand.page, link)
    assert (counted(hand), hand.page.locator(FIRST).first.inner_text()) == there
    assert hand.page.input_value(".documents select") == "newest"
    assert ", mainly ≥ 50%" in hand.page.inner_text(".chip summary")


def on_the_map(hand: Hand, demo: Demo) -> None:
    """The documents in a part of the map."""
    hand.click("[aria-label='Outline documents to select them']")
    hand.drag(".map-sheet canvas", [(0.1, 0.1), (0.5, 0.1), (0.5, 0.9), (0.1, 0.9), (0.1, 0.1)])
    found = counted(hand)
    assert 0 < found < len(demo.corpus)
    assert hand.page.inner_text(".chip summary") == "an area of the map"


def read_three(hand: Hand, demo: Demo) -> None:
    """Three of the documents with a phrase, one after the other."""
    hand.type(SEARCH, f'"{PHRASE}"')
    hand.click(FIRST)
    names = {hand.page.inner_text("#details h2")}
    for _ in range(2):
        hand.click("[aria-label='Next document']")
        names.add(hand.page.inner_text("#details h2"))
        assert hand.page.locator("#details .text mark").count()
    assert len(names) == 3
    assert names <= set(demo.corpus.titles or ())


def in_context(hand: Hand, demo: Demo) -> None:
    """Who says a word, and how: every place where it is."""
    hand.type(SEARCH, WORD)
    hand.click(".documents >> text=In context")
    both = zip(demo.corpus.titles or (), demo.corpus.texts or (), strict=True)
    said = re.findall(rf"(?<![^\W_]){WORD}(?![^\W_])", str(list(both)), re.IGNORECASE)
    assert hand.page.inner_text(".result-head b") == f"{len(said)} occurrences"
    hand.click(".occurrence button")
    assert hand.page.locator("#details .text mark:not(.said)").first.inner_text().lower() == WORD


def near_copies(hand: Hand, demo: Demo) -> None:
    """All documents, and those that are copies."""
    hand.click("text=Browse all")
    assert counted(hand) == len(demo.corpus)
    hand.click(".result-head >> text=near-copies")
    assert counted(hand) == 2 * len(DOUBLED)


# How many acts each takes with a mouse; what is typed into a field counts once.
TASKS: dict[Callable[[Hand, Demo], None], int] = {
    find_one: 2,
    reasons: 3,
    read_three: 4,
    in_context: 3,
    near_copies: 2,
    intersection: 4,
    difference: 2,
    names_and_notes: 10,
    outliers: 1,
    topics_of_group: 2,
    topics_plotted: 4,
    export: 3,
    export_some: 7,
    share: 8,
    on_the_map: 2,
}


@pytest.fixture(scope="module")
def known(demo: tuple[HLTA, Corpus]) -> Demo:
    model, corpus = demo
    return demo_of(model, corpus.take([*range(len(corpus)), *DOUBLED]))


@pytest.fixture(scope="module")
def doubled(
    demo: tuple[HLTA, Corpus], known: Demo, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The page, with some documents twice."""
    return page_in(tmp_path_factory.mktemp("doubled"), (demo[0], known.corpus))


@pytest.mark.parametrize("kind", [Hand, Keys])
@pytest.mark.parametrize("task", TASKS)
def test_a_task_can_be_done(
    visit: Callable[..., Any],
    doubled: Path,
    known: Demo,
    task: Callable[[Hand, Demo], None],
    kind: type[Hand],
) -> None:
    clipboard = ["clipboard-read", "clipboard-write"]
    hand = kind(visit(doubled, permissions=clipboard, reduced_motion="reduce"))
    task(hand, known)
    assert kind is Keys or hand.acts == TASKS[task]
