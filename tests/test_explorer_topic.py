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
    """A page that shows a topic, and its share of every document."""

    page: Any
    topic: Any
    share: NDArray[np.float64]


@pytest.fixture
def shown(visit: Any, page_file: Path, demo: Any) -> Shown:
    model, corpus = demo
    below = [child for root in branches(model.topics_) for child in root.children]
    topic = max(below, key=lambda child: child.documents or 0)
    share = model.transform(corpus)[:, column(model, topic.id)]
    return Shown(visit(page_file, f"#topic={topic.id}"), topic, share)


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
    assert shown == [["space", "orbit", "nasa", "moon", "30%"], ["bike", "ride", "dod", "20%"]]
    title = page.get_attribute("[aria-label='Facets'] li span span", "title")
    assert title == "Expected in 80% here, and 2.0% in the rest of the topic"


def test_documents_begin_with_the_most_typical(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    typical = model.representative_documents(shown.topic.id, corpus, 12)
    assert listed(shown.page, 12) == [corpus.titles[int(k)] for k in typical.rows]


def test_documents_can_begin_with_the_largest_share(shown: Shown, demo: Any) -> None:
    shown.page.select_option(".documents select", label="Largest share")
    largest = np.flatnonzero(shown.share > shown.share.max() - 1e-4)
    assert listed(shown.page, 1)[0] in {demo[1].titles[int(k)] for k in largest}
    assert "order=share" in shown.page.url
    told = [float(share.rstrip("%")) for share in texts(shown.page, ".result .p")]
    assert told == sorted(told, reverse=True)
    assert told[0] == pytest.approx(100 * shown.share.max(), abs=0.51)


def test_documents_are_those_on_the_topic(shown: Shown) -> None:
    on = int((shown.share >= 0.2).sum())
    assert documents_counted(shown.page).startswith(f"{on:,} documents")
    mainly = shown.topic.main_documents
    both = f"{mainly:,} documents mainly, {on:,} in part"
    assert both in shown.page.inner_text("#details .facts")


def test_a_slider_sets_the_threshold(shown: Shown) -> None:
    shown.page.click(".of-topic summary")
    slider = shown.page.locator(".of-topic input[type=range]")
    assert slider.get_attribute("min") == "5"
    for least in (0.05, 0.5):
        slider.fill(f"{100 * least:.0f}")
        on = f"{(shown.share >= least).sum():,} document"
        assert documents_counted(shown.page).startswith(on)
        assert f"least={least}" in shown.page.url


def test_a_topic_has_documents_mainly_and_in_part(shown: Shown) -> None:
    mainly, on = shown.topic.main_documents, shown.topic.documents
    assert 0 < mainly < on
    shown.page.click(".of-topic summary")
    assert texts(shown.page, ".of-topic .items button")[:2] == [
        f"Mainly ({mainly:,})",
        f"In part ({on:,})",
    ]
    shown.page.click("text=/^Mainly/")
    assert documents_counted(shown.page).startswith(f"{mainly:,} documents")
    assert "main=1" in shown.page.url
    assert shown.page.inner_text(".of-topic summary") == f"{shown.topic.title}, mainly"
    shown.page.click(".of-topic summary")
    shown.page.click("text=/^In part/")
    assert documents_counted(shown.page).startswith(f"{on:,} documents")
    assert "main=1" not in shown.page.url


def test_documents_mainly_on_a_topic_have_a_term(visit: Any, page_file: Path, demo: Any) -> None:
    root = demo[0].topics_.roots[1]
    page = visit(page_file, f"#with=main:{root.id}")
    assert documents_counted(page).startswith(f"{root.main_documents:,} documents")
    assert page.inner_text("#details h2") == f"{root.title}, mainly"
    old = visit(page_file, f"#with=narrow:{root.id}")
    assert "1 part of the address could not be read." in old.inner_text(".working .told")


def test_two_topics_can_be_intersected(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    other = model.topics_.roots[1]
    shown.page.click(".of-topic summary")
    shown.page.click("text=Keep, and choose another topic")
    shown.page.click("text=Collapse all")
    shown.page.click("[role=treeitem] >> nth=1")
    on = model.transform(corpus)[:, column(model, other.id)] >= 0.2
    both = int(((shown.share >= 0.2) & on).sum())
    assert documents_counted(shown.page).startswith(f"{both:,} document")


def test_a_keyword_leads_to_the_documents_with_it(shown: Shown, demo: Any) -> None:
    _, corpus = demo
    word = shown.topic.words[0]
    shown.page.click(f"[aria-label='Documents with {word}']")
    present = corpus.documents.to_csr()[:, [corpus.words.index(word)]].toarray().ravel() > 0
    both = int((present & (shown.share >= 0.2)).sum())
    assert documents_counted(shown.page).startswith(f"{both:,} document")


def test_the_tree_counts_the_working_set(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    root = shown.topic.parent
    place = model.topics_.roots.index(root)
    shares, main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))
    k, on = column(model, root.id), shown.share >= 0.2
    both, mainly = int((on & (shares[:, k] >= 0.2)).sum()), int((on & main[:, k]).sum())
    shown.page.click("text=Collapse all")
    named = shown.page.get_attribute(f"[role=treeitem] >> nth={place}", "aria-label")
    documents = f"{mainly:,} document{'' if mainly == 1 else 's'} mainly, {both:,} in part"
    assert f"{documents} of {on.sum():,} selected documents, mean share" in named
    assert shown.page.inner_text(f"[role=treeitem] >> nth={place} >> .count").rstrip("?~") == str(
        both
    )


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
            expected = pytest.approx(p[inside].mean(), abs=0.0051)
            assert float(share.strip("<%")) / 100 == expected
