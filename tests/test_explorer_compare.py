"""Two sets of documents beside each other in the page: how they differ, and where each figure leads."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import Topic
from tests.pages import column, go_to, reload, texts
from tests.there import there

TOPICS, WORDS = (f"#picture svg[aria-label^='{name}']" for name in ("Shares of topics", "Words of"))


class Pair(NamedTuple):
    """A page of two topics, and which documents are on each."""

    page: Any
    topics: list[Topic]
    on: list[NDArray[np.bool_]]
    corpus: Any


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


def sides(page: Any) -> list[str]:
    return texts(page, ".side-name")


def test_regions_are_pythons_and_select_their_documents(pair: Pair) -> None:
    page, (one, other), (a, b), _ = pair
    expected = [int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum())]
    title = page.inner_text("#picture h2")
    assert title.startswith(f"{expected[0]} document")
    assert all(f"“{topic.title}”" in title for topic in (one, other))
    assert regions(page) == expected
    page.click(".regions .count >> nth=1")
    assert clauses(page) == [f"with topic:{one.id}", f"without topic:{other.id}"]
    assert regions(page) == expected  # the comparison stays of all documents
    page.click(".regions .count >> nth=0")
    assert clauses(page) == [f"with topic:{one.id}", f"with topic:{other.id}"]


def test_words_have_shares_and_lead_to_documents(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topics = model.topics_.roots[:2]
    shares = model.transform(corpus)
    on = [shares[:, column(model, topic.id)] >= 0.2 for topic in topics]
    page = visit(page_file, f"#compare={topics[0].id}&compare={topics[1].id}&view=differences")
    present = corpus.documents.to_csr().toarray() > 0
    for k, side in enumerate((".side:not(.second)", ".side.second")):
        words = texts(page, f"{side} .contrast .name")
        assert len(words) >= 3
        parts = texts(page, f"{side} .contrast .share")
        times = texts(page, f"{side} .contrast .often")
        for word, shown, factor in zip(words, parts, times, strict=True):
            having = present[:, corpus.words.index(word)]
            here, elsewhere = having[on[k]].mean(), having[on[1 - k]].mean()
            assert float(shown.strip("<%")) == pytest.approx(100 * here, abs=0.51)
            assert here > elsewhere
            if factor != "only here":
                assert float(factor.strip("×")) == pytest.approx(here / elsewhere, rel=0.06)
    frequent = sum(
        sum(present[chosen, k].sum() for chosen in on) >= 3 for k in range(len(corpus.words))
    )
    assert len(page.query_selector_all(f"{WORDS} circle")) == frequent
    labels = page.eval_on_selector_all(
        f"{WORDS} .mark-of-chart", "all => all.map(e => e.getAttribute('aria-label'))"
    )
    assert len(labels) > 10
    for label in labels:
        word, *figures = there(
            re.match(r"(.+?): <?([\d.]+)% of .+?, <?([\d.]+)% of ", label)
        ).groups()
        having = present[:, corpus.words.index(word)]
        for percentage, chosen in zip(figures, on, strict=True):
            assert float(percentage) == pytest.approx(100 * having[chosen].mean(), abs=0.51)
    page.click(f"{WORDS} .mark-of-chart >> nth=0")
    page.wait_for_selector(".occurrence")
    assert clauses(page)[-1] == f"with word:{labels[0].partition(':')[0]}"
    page.go_back()
    word = page.inner_text(".side.second .contrast .name >> nth=0")
    page.click(".side.second .contrast .name >> nth=0")
    assert clauses(page) == [f"with topic:{topics[1].id}", f"with word:{word}"]


def test_topics_are_shares_of_both_sets(visit: Any, small_file: Path, small: Any) -> None:
    model, corpus = small
    on = model.transform(corpus) >= 0.2
    groups = np.array(corpus.groups)
    page = visit(small_file, "#view=differences")
    assert set(sides(page)) == {"a", "b"}  # the largest groups, as long as nobody chose
    title = {topic.title: on[:, k] for k, topic in enumerate(model.topics_)}
    labels = page.eval_on_selector_all(
        f"{TOPICS} .mark-of-chart", "all => all.map(e => e.getAttribute('aria-label'))"
    )
    assert len(labels) > 2
    for label in labels:
        name = re.match("“(.+?)”: ", label)
        found = re.findall(r"\b([ab]) ([\d.]+)% of (\d+) documents", label)
        assert name is not None
        assert len(found) == 2
        for group, share, documents in found:
            inside = groups == group
            assert int(documents) == inside.sum()
            mean = 100 * title[name[1]][inside].mean()
            assert float(share) == pytest.approx(mean, abs=0.51)
    page.click("#picture svg .mark-of-chart >> nth=0")
    assert "topic=" in page.url


def test_any_set_can_be_compared_with_any_other(visit: Any, small_file: Path, small: Any) -> None:
    corpus = small[1]
    page = visit(small_file, "#view=differences")

    def choose(k: int, text: str) -> None:
        page.fill(f"[name=side-{k}]", text)
        page.keyboard.press("Enter")

    choose(0, "2003")
    choose(1, "all else")
    assert sides(page) == ["2003", "all else"]
    inside = sum(date.startswith("2003") for date in corpus.dates)
    assert texts(page, ".side > .count") == [f"{inside} documents", f"{900 - inside} documents"]
    choose(1, "word1 OR word2")
    assert sides(page)[1] == "“word1” or “word2”"
    reload(page)  # it is in the address
    assert sides(page) == ["2003", "“word1” or “word2”"]
    page.click("[aria-label='Swap the two sets']")
    assert sides(page) == ["“word1” or “word2”", "2003"]
    choose(0, small[0].topics_.roots[0].title.upper())
    assert sides(page)[0] == small[0].topics_.roots[0].title


def test_what_is_chosen_is_compared_with_all_else_or_another(
    visit: Any, small_file: Path, small: Any
) -> None:
    page = visit(small_file, "#with=group%3Aa&with=date%3A2001..2003")
    page.click("text=Compare with…")
    assert page.inner_text("[role=tab][aria-selected=true]") == "Differences"
    assert sides(page) == ["a and 2001–2003", "all else"]
    page.fill("[name=side-1]", "b")
    page.keyboard.press("Enter")
    assert sides(page) == ["a and 2001–2003", "b"]
    assert clauses(page) == ["with group:a", "with date:2001..2003"]  # the working set stays
    one, other = small[0].topics_.roots[:2]
    go_to(page, f"topic={one.id}")
    page.click("text=Compare with…")
    assert sides(page) == [one.title, "all else"]
    page.click(f"[role=treeitem][aria-label^='{other.title}'] .label")
    page.click("text=Compare with…")
    assert sides(page) == [one.title, other.title]


def test_the_focus_stays_where_it_was_when_a_view_is_drawn_anew(pair: Pair) -> None:
    page, focused = pair.page, "document.activeElement.getAttribute('aria-label')"
    swap = "Swap the two sets"
    page.focus(f"[aria-label='{swap}']")
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == swap
    page.focus(".chart .both-words button")  # it leads to documents, and the words are others then
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement !== document.body")
    page.focus("text=Clear")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement !== document.body")
