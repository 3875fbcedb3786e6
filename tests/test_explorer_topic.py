"""What the page shows of a topic: the figures that Python gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from hlta import TopicTree
from tests.pages import branches, column, documents_counted, listed, rows, texts
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
    topic = max(branches(model.topics_)[0].children, key=lambda child: child.size)
    p = model.transform(corpus)[:, column(model, topic.id)]
    return Shown(visit(page_file, f"#topic={topic.id}"), topic, p)


def test_keywords_have_their_probabilities(shown: Shown) -> None:
    shown.page.click("#details .more summary")
    assert shown.topic.id in shown.page.inner_text("#details .more")
    table = rows(shown.page, "table.words tbody tr")
    assert [row[0] for row in table] == shown.topic.words
    for row, keyword in zip(table, shown.topic.keywords, strict=True):
        for cell, p in ((row[1], keyword.p_topic), (row[2], keyword.p_background)):
            if cell == "<0.1%":
                assert p < 0.001
            else:
                assert float(cell.rstrip("%")) / 100 == pytest.approx(p, abs=0.006)


def test_bars_are_as_long_as_the_probabilities(shown: Shown) -> None:
    shown.page.click("#details .more summary")
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
    page.click("#details .more summary")
    shown = [text.split() for text in texts(page, "[aria-label='Facets'] li")]
    assert shown == [["space", "orbit", "nasa", "moon", "12%"], ["bike", "ride", "dod", "8.0%"]]
    title = page.get_attribute("[aria-label='Facets'] li span span", "title")
    assert title == "80% here, 2.0% in the rest of the topic"


def test_documents_begin_with_the_most_typical(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    typical = model.representative_documents(shown.topic.id, corpus, 12)
    assert listed(shown.page, 12) == [corpus.titles[int(k)] for k in typical.rows]


def test_documents_can_begin_with_the_most_probable(shown: Shown, demo: Any) -> None:
    shown.page.select_option(".documents select", "likely")
    likeliest = np.flatnonzero(shown.p > shown.p.max() - 1e-6)
    assert listed(shown.page, 1)[0] in {demo[1].titles[int(k)] for k in likeliest}
    assert "order=likely" in shown.page.url


def test_documents_are_those_on_the_topic(shown: Shown) -> None:
    on = f"{(shown.p >= 0.5).sum():,} documents"
    assert documents_counted(shown.page).startswith(on)
    assert on in shown.page.inner_text("#details .facts")


def test_a_slider_sets_the_threshold(shown: Shown) -> None:
    shown.page.click(".of-topic summary")
    shown.page.locator(".of-topic input[type=range]").fill("90")
    on = f"{(shown.p >= 0.8999).sum():,} documents"
    assert documents_counted(shown.page).startswith(on)
    assert "least=0.9" in shown.page.url


def test_narrow_documents_are_those_of_python(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    narrow = model.narrow_topics(corpus)
    page = visit(page_file, f"#topic={narrow.ids[3]}")
    page.click(".of-topic summary")
    page.click("text=/^By its own words alone/")
    p = narrow.memberships[:, [3]].toarray()
    assert documents_counted(page).startswith(f"{(p >= 0.5).sum():,} document")


def test_two_topics_can_be_intersected(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    other = model.topics_.roots[1]
    shown.page.click(".of-topic summary")
    shown.page.click("text=Keep, and choose another topic")
    shown.page.click("text=Collapse all")
    shown.page.click("[role=treeitem] >> nth=1")
    on = model.transform(corpus)[:, column(model, other.id)] >= 0.5
    both = int(((shown.p >= 0.5) & on).sum())
    assert documents_counted(shown.page).startswith(f"{both:,} document")


def test_a_keyword_leads_to_the_documents_with_it(shown: Shown, demo: Any) -> None:
    _, corpus = demo
    word = shown.topic.words[0]
    shown.page.click(f"[aria-label='Documents with {word}']")
    present = corpus.documents.to_csr()[:, [corpus.words.index(word)]].toarray().ravel() > 0
    both = int((present & (shown.p >= 0.5)).sum())
    assert documents_counted(shown.page).startswith(f"{both:,} document")


def test_the_tree_counts_the_working_set(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    root = model.topics_.roots[1]
    on = model.transform(corpus)[:, column(model, root.id)] >= 0.5
    both = int(((shown.p >= 0.5) & on).sum())
    shown.page.click("text=Collapse all")
    named = shown.page.get_attribute("[role=treeitem] >> nth=1", "aria-label")
    assert f"{both:,} of {(shown.p >= 0.5).sum():,} selected documents" in named


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
