"""Names as people write them: in any direction, of any length."""

from pathlib import Path
from typing import Any

import pytest

from hlta import HLTA, Corpus
from tests.pages import box_of, page_in
from tests.synthetic import planted

LAW = "القانون"
LONG = f"g{'x' * 200}"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with Arabic topics and groups, and a long group."""
    X = planted(24, 2).sample(400, seed=1)
    corpus = Corpus(
        X,
        [f"{LAW}{k}" for k in range(24)],
        titles=[f"Title {k}" for k in range(400)],
        groups=[(LAW, LONG, f"{LAW}\n\u202enorth")[k % 3] for k in range(400)],
        dates=[str(2001 + (X[[k]].sum() > X.sum() / 400)) for k in range(400)],
    )
    model = HLTA(samples=1).fit(corpus)
    return page_in(tmp_path_factory.mktemp("names"), (model, corpus), LAW)


# Where letters of a text stand on the page, from left to right.
PLACES = """([selector, letters]) => {
    const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        [...node.data].forEach((letter, at) => {
            if (!letters.includes(letter)) return;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const {x, y} = range.getBoundingClientRect();
            found.push([Math.round(y / 12), x, letter]);
        });
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , letter]) => letter).join("");
}"""


def test_names_from_right_to_left_do_not_turn_a_sentence(visit: Any, file: Path) -> None:
    page = visit(file)
    quotes = page.evaluate(PLACES, [".lead", "“”"])
    assert len(quotes) >= 4
    assert quotes == "“”" * (len(quotes) // 2)
    page = visit(file, "#document=3")
    written = page.evaluate(PLACES, [".facts", "·,"])
    assert written == "·,·"  # the date, both groups with a comma, and the number


def test_a_long_name_is_clipped_and_shown_on_demand(visit: Any, file: Path) -> None:
    for address, place in (("#document=2", ".facts"), ("#with=all&order=corpus", ".result")):
        page = visit(file, address)
        name = f"{place} .long"
        box = box_of(page, name)
        width = box_of(page, "#details")["width"]
        assert width / 3 < box["width"] < width
        assert (page.inner_text(name), box["height"] < 30) == (LONG, True)
        page.focus(name)
        page.keyboard.press("Enter")
        assert box_of(page, name)["height"] > 2 * box["height"]
        assert box_of(page, name)["width"] < width
        page.keyboard.press("Enter")
        assert box_of(page, name)["height"] == box["height"]
