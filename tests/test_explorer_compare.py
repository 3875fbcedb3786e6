"""Topics beside each other in the page: what they share, and where each figure leads."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from tests.pages import rows, texts

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta import Topic


class Pair(NamedTuple):
    """A page of two topics, and which documents are on each."""

    page: Any
    topics: list[Topic]
    on: list[NDArray[np.bool_]]
    corpus: Any


@pytest.fixture(scope="module")
def small_file(small: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    model, corpus = small
    file = tmp_path_factory.mktemp("compare") / "index.html"
    model.topics_.to_html(file, corpus=corpus)
    return file


@pytest.fixture
def pair(visit: Any, small_file: Path, small: Any) -> Pair:
    model, corpus = small
    on_each = model.transform(corpus).T >= 0.2

    def smallest_region(pair: tuple[int, int]) -> int:
        a, b = on_each[list(pair)]
        return int(min((a & b).sum(), (a & ~b).sum(), (~a & b).sum()))

    chosen = max(combinations(range(len(on_each)), 2), key=smallest_region)
    assert smallest_region(chosen) > 0
    topics, on = [list(model.topics_)[k] for k in chosen], [on_each[k] for k in chosen]
    address = "&".join(f"compare={topic.id}" for topic in topics)
    return Pair(visit(small_file, f"#{address}&view=differences"), topics, on, corpus)


def regions(page: Any) -> list[int]:
    return [int(text.split()[0].replace(",", "")) for text in texts(page, ".regions .count")]


def clauses(page: Any) -> list[str]:
    """What the working set is made of, by the address."""
    found: list[str] = page.evaluate(
        "[...new URLSearchParams(location.hash.slice(1))]"
        ".filter(([name]) => name.startsWith('with')).map(([name, value]) => `${name} ${value}`)"
    )
    return found


def test_regions_are_pythons_and_select_their_documents(pair: Pair) -> None:
    page, (one, other), (a, b), _ = pair
    expected = {
        (True, True): int((a & b).sum()),
        (True, False): int((a & ~b).sum()),
        (False, True): int((~a & b).sum()),
    }
    title = page.inner_text(".compare h2")
    assert title.startswith(f"{expected[True, True]} document")
    assert all(f"“{topic.title}”" in title for topic in (one, other))
    shown = regions(page)
    assert shown[0] == expected[True, True]
    assert shown[1:] == sorted(list(expected.values())[1:], reverse=True)
    only = shown.index(expected[True, False])
    page.click(f".regions .count >> nth={only}")
    assert clauses(page) == [f"with topic:{one.id}", f"without topic:{other.id}"]
    assert regions(page) == shown  # the comparison stays of all documents
    page.click(".regions .count >> nth=0")
    assert clauses(page) == [f"with topic:{one.id}", f"with topic:{other.id}"]


def test_words_are_shares_of_documents_and_lead_to_them(pair: Pair) -> None:
    page, topics, on, corpus = pair
    documents = corpus.documents
    having = np.repeat(np.arange(len(documents)), np.diff(documents.indptr))
    present = np.zeros(documents.shape, dtype=bool)
    present[having, documents.indices] = True
    table = rows(page, ".compared-words tbody tr")
    assert len(table) > 8
    for left, word, right in table:
        at = corpus.words.index(word)
        for shown, among in zip((left, right), on, strict=True):
            share = present[among, at].mean()
            assert float(shown.strip("<%")) == pytest.approx(100 * share, abs=0.51)
    page.click(".compared-words tbody tr:first-child td:last-child button")
    assert clauses(page) == [f"with topic:{topics[1].id}", f"with word:{table[0][1]}"]


def test_topics_are_swapped_and_removed(pair: Pair) -> None:
    page, topics, _, _ = pair
    names = ".compared .told > .link:first-child"
    page.click(".compared [aria-label^=Swap]")
    assert texts(page, names) == [topic.title for topic in reversed(topics)]
    page.click(".compared [aria-label^=Remove] >> nth=0")
    assert texts(page, names) == [topics[0].title]
    page.click(".proposed button >> nth=0")
    for _ in range(2):
        page.click(".compared [aria-label^=Remove] >> nth=0")
    assert page.inner_text("#picture h2") != ""


def test_points_lead_to_their_documents(pair: Pair) -> None:
    page, topics, _, _ = pair
    page.locator(".compare figure >> nth=0").locator(".point").nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    first, second = clauses(page)
    assert first == f"with topic:{topics[0].id}"
    assert re.fullmatch(r"with date:\d{4}(-\d\d)?", second)
    page.locator(".compare figure >> nth=1").locator(".point circle").nth(0).click(force=True)
    assert any(clause.startswith("with group:") for clause in clauses(page))
