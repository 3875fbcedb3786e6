"""What the page shows of a topic: the figures that Python gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from hlta import TopicTree
from tests.pages import column, documents_counted, rows, texts
from tests.trees import flat_tree

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class Shown(NamedTuple):
    """A page that shows a topic, and P(topic | document) for every document."""

    page: Any
    topic: Any
    p: NDArray[np.float64]


@pytest.fixture
def shown(visit: Any, page_file: Path, demo: Any) -> Shown:
    model, corpus = demo
    topic = max(model.topics_.roots[0].children, key=lambda child: child.size)
    p = model.transform(corpus)[:, column(model, topic.id)]
    return Shown(visit(page_file, f"#topic={topic.id}"), topic, p)


def test_keywords_have_their_probabilities(shown: Shown) -> None:
    assert shown.topic.id in shown.page.inner_text("#details")
    table = rows(shown.page, "table.words tbody tr")
    assert [row[0] for row in table] == shown.topic.words
    for row, keyword in zip(table, shown.topic.keywords, strict=True):
        for cell, p in ((row[1], keyword.p_topic), (row[2], keyword.p_background)):
            if cell == "<0.1%":
                assert p < 0.001
            else:
                assert float(cell.rstrip("%")) / 100 == pytest.approx(p, abs=0.006)


def test_bars_are_as_long_as_the_probabilities(shown: Shown) -> None:
    widths = shown.page.eval_on_selector_all(
        "table.words .inside", "all => all.map(e => e.getBoundingClientRect().width)"
    )
    p = [keyword.p_topic for keyword in shown.topic.keywords]
    np.testing.assert_allclose(np.array(widths) / max(widths), np.array(p) / max(p), atol=0.02)


def test_facets_are_listed_with_the_words_that_set_them_apart(visit: Any, tmp_path: Path) -> None:
    words = ("car", "price", "buy", "bike", "ride", "dod", "space", "orbit", "nasa", "moon")
    off, sales = [0.02] * 10, [0.8] * 3 + [0.02] * 7
    motorbikes = [0.5] * 3 + [0.8, 0.7, 0.6] + [0.02] * 4
    space = [0.4] * 3 + [0.02] * 3 + [0.8, 0.7, 0.6, 0.5]
    states = ((0.6, off), (0.2, sales), (0.08, motorbikes), (0.12, space))
    file = tmp_path / "facets.html"
    TopicTree.from_tree(flat_tree(words, states)).to_html(file)
    page = visit(file, "#topic=Z1-1")
    shown = [text.split() for text in texts(page, "[aria-label='Facets'] li")]
    assert shown == [["space", "orbit", "nasa", "moon", "12%"], ["bike", "ride", "dod", "8.0%"]]
    title = page.get_attribute("[aria-label='Facets'] li span span", "title")
    assert title == "80% here, 2.0% in the rest of the topic"


def test_documents_begin_with_the_most_probable(shown: Shown, demo: Any) -> None:
    titles = texts(shown.page, ".documents .title")
    likeliest = np.flatnonzero(shown.p > shown.p.max() - 1e-6)
    assert titles[0] in {demo[1].titles[int(k)] for k in likeliest}
    assert len(titles) == 20


def test_documents_are_those_on_the_topic(shown: Shown) -> None:
    assert f"of {(shown.p >= 0.4999).sum():,} documents" in documents_counted(shown.page)
    shown.page.click(".pages >> text=Next")
    assert documents_counted(shown.page).startswith("21–40")


def test_a_slider_sets_the_threshold(shown: Shown) -> None:
    shown.page.locator(".documents input[type=range]").fill("90")
    assert f"of {(shown.p >= 0.8999).sum():,} documents" in documents_counted(shown.page)


def test_narrow_documents_are_those_of_python(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    narrow = model.narrow_topics(corpus)
    page = visit(page_file, f"#topic={narrow.ids[3]}")
    page.click("text=/^Narrow/")
    p = narrow.memberships[:, [3]].toarray()
    assert f"of {(p >= 0.4999).sum():,} document" in documents_counted(page)


@pytest.mark.parametrize("view", ["groups", "time"])
def test_shares_of_groups_and_years(visit: Any, page_file: Path, demo: Any, view: str) -> None:
    model, corpus = demo
    topic = model.topics_.roots[1].id
    page = visit(page_file, f"#topic={topic}&view={view}")
    page.click("#picture details summary")
    table = rows(page, "#picture tbody tr")
    p = model.transform(corpus)[:, column(model, topic)]
    groups = list(corpus.groups) if view == "groups" else [date[:4] for date in corpus.dates]
    if view == "groups":
        assert {row[0] for row in table} == set(groups)
    else:
        years = range(int(min(groups)), int(max(groups)) + 1)
        assert [row[0] for row in table] == [str(year) for year in years]
    for name, documents, share, *_ in table:
        inside = np.array(groups) == name
        assert int(documents.replace(",", "")) == inside.sum()
        if inside.any():
            expected = pytest.approx(p[inside].mean(), abs=0.006)
            assert float(share.strip("<%")) / 100 == expected
