"""Odd documents, models, addresses and browsers: every view of the page stands them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import LatentTree
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    box_of,
    expand,
    open_anew,
    page_of_tree,
    topic_shown,
)
from tests.synthetic import planted

pytestmark = pytest.mark.filterwarnings("ignore:.*write dates as")  # some dates are odd on purpose
N = 300
DRAWN = ".map-sheet canvas, .picture svg[role], .sides"
ODD: dict[str, dict[str, list[str]]] = {
    "nothing but words": {},
    "one date, combining letters": {
        "dates": ["2001-02-03"] * N,
        "titles": ["Z̸̢͎͝a̷͇͘l̵̰̈g̶̱̈́o̴" * 9, "ก็็็็็็็็", "👩‍👩‍👧‍👦🏳️‍🌈"] * (N // 3),
        "texts": ["e\u0301" * 500] * N,
    },
    "one date of many, one group": {
        "dates": ["2001-02-03", *[""] * (N - 1)],
        "groups": ["all of them"] * N,
    },
    "years 1 and 9999, a group each": {
        "dates": [*["0001-01-01", "9999-12-31", "1999", "2001"] * (N // 4)],
        "groups": [f"group {k}" for k in range(N)],
    },
    "long names": {
        "titles": ["endless " * 1250] * N,
        "groups": [f"{'very ' * 400}{k % 3}" for k in range(N)],
        "texts": [("unbroken" * 400)] * N,
    },
    "from right to left": {
        "titles": [f"שלום עולם {k} (א) مرحبا بالعالم" for k in range(N)],
        "groups": ["مجموعة", "קבוצה", "\u202egroup"] * (N // 3),
        "texts": ["هذا نص word1 وهذا word2 ايضا"] * N,
    },
}


def look_round(page: Any) -> None:
    """Look at every picture, with nothing selected, and with a topic and a document."""
    for step in (None, FIRST_TOPIC, FIRST_DOCUMENT):
        if step:
            page.click(step)
        for tab in page.query_selector_all("[role=tab]:visible"):
            tab.click()
            box = box_of(page, DRAWN)
            assert box["height"] > 50
            assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    page.click("#details .back")
    page.click(".topic-tools >> text=Compare with…")
    assert page.is_visible(".sides")


@pytest.mark.parametrize("kind", ODD)
def test_odd_documents(visit: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    tree = planted(36, 3)
    page = visit(page_of_tree(tmp_path, tree, tree.sample(N, seed=1), **ODD[kind]))
    look_round(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


@pytest.mark.parametrize("count", [1, 60])
def test_one_document_or_copies_of_it(
    visit: Callable[..., Any], tmp_path: Path, count: int
) -> None:
    of = {name: ["2001-02-03"] * count for name in ("dates", "groups", "titles")}
    X = np.ones((count, 36), dtype=int)
    page = visit(page_of_tree(tmp_path, planted(36, 3), X, **of))
    assert page.is_visible("text=Read the document") == (count == 1)
    assert f"Map of {count} document" in page.get_attribute(".map-sheet canvas", "aria-label")
    look_round(page)


def test_many_topics_and_groups(visit: Callable[..., Any], tmp_path: Path) -> None:
    tree = planted(1000, 3)
    groups = [f"group {k}" for k in range(N)]
    assert len(tree.latent_names) > 300
    look_round(visit(page_of_tree(tmp_path, tree, tree.sample(N, seed=1), groups=groups)))


def test_fifteen_levels(visit: Callable[..., Any], tmp_path: Path) -> None:
    levels = 15
    latents = np.arange(2 * levels, 3 * levels)
    tree = LatentTree(
        words=tuple(f"word{k}" for k in range(2 * levels)),
        parent=np.array([*np.repeat(latents, 2), *latents[1:], -1]),
        level=np.array([0] * (2 * levels) + list(range(1, levels + 1))),
        probability=np.array(
            [[0.05, 0.8]] * (2 * levels) + [[0.1, 0.8]] * (levels - 1) + [[0.3, 0.3]]
        ),
    )
    page = visit(page_of_tree(tmp_path, tree, tree.sample(N, seed=1)))
    look_round(page)
    expand(page)
    assert page.query_selector("[aria-level='15']")


DAMAGED = (
    "#",
    "#%",
    "#%E0%A4%A",
    "#topic=Z3-1%00&document=1e999&least=7&main=2&order=odd&view=odd&colour=odd",
    "#document=-1&compare=&compare=Z9-999&view=compare",
    "#document=99999999999999999999",
    "#with=&without=&or=text:model&with=topic:&with=area:1,2,3&with=area:a,b,c,d,e,f&with=date:..",
    "#with=date:9999..0001&with=group:%F0%9F%98%80&with=topic:Z9-999@0.5&with=word:%22",
    "#with=area:" + ",".join(["1e308"] * 600),
    "#" + "with=text:model&" * 300 + "context=1&order=left",
    "#with=text:" + "(*%22" * 500,
    "#model=another&topic=constructor&with=__proto__:1&view=__proto__",
)


def test_damaged_addresses(page: Any, page_file: Path) -> None:
    for address in DAMAGED:
        open_anew(page, page_file.as_uri() + address)
        for tab in page.query_selector_all("[role=tab]:visible"):
            tab.click()
            assert box_of(page, DRAWN)["height"] > 20, address
        if page.is_visible(".working .clear"):
            page.click(".working .clear")
    open_anew(page, page_file.as_uri())
    page.click(FIRST_TOPIC)
    assert topic_shown(page)
