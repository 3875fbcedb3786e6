"""What the page shows of a topic: the figures that Python gives."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import TopicTree
from tests.pages import (
    branches,
    column,
    documents_counted,
    go_to,
    listed,
    rows,
    texts,
)
from tests.trees import FACETS


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


def test_the_heading_says_all_that_is_chosen(shown: Shown) -> None:
    page, topic, _ = shown
    go_to(page, f"#topic={topic.id}&least=0.5&with=text:model&or=text:data")
    page.wait_for_selector("#details h2 >> text=≥")
    assert page.inner_text("#details h2") == f"{topic.title} ≥ 50% and (“model” or “data”)"


def test_facets_are_listed_with_the_words_that_set_them_apart(visit: Any, tmp_path: Path) -> None:
    TopicTree.from_tree(FACETS).to_html(tmp_path / "facets.html")
    page = visit(tmp_path / "facets.html", "#topic=Z1-1")
    page.click("#details .more summary")
    shown = [text.split() for text in texts(page, "[aria-label='Facets'] li")]
    assert shown == [["space", "orbit", "nasa", "moon", "30%"], ["bike", "ride", "dod", "20%"]]
    title = page.get_attribute("[aria-label='Facets'] li span span", "title")
    assert title == "Expected in 80% here, and 2.0% in the rest of the topic"


def test_documents_are_in_the_order_that_is_chosen(shown: Shown, demo: Any) -> None:
    model, corpus = demo
    typical = model.representative_documents(shown.topic.id, corpus, 12)
    titles = [corpus.titles[int(k)] for k in typical.rows]
    pairs = zip(listed(shown.page, 12), titles, strict=True)
    assert all(name == title for name, title in pairs if not re.search(r"[$\\]", title))
    shown.page.select_option(".documents select", label="Largest share")
    assert "order=share" in shown.page.url
    shares = [float(share.rstrip("%")) for share in texts(shown.page, ".result .p")]
    assert shares == sorted(shares, reverse=True)


def test_a_topic_has_documents_mainly_in_part_and_from_a_threshold_on(shown: Shown) -> None:
    mainly, on = shown.topic.main_documents, int((shown.share >= 0.2).sum())
    assert 0 < mainly < on
    assert documents_counted(shown.page).startswith(f"{on:,} documents")
    assert f"{mainly:,} documents mainly, {on:,} in part" in shown.page.inner_text(
        "#details .facts"
    )
    shown.page.click(".of-topic summary")
    shown.page.click("text=/^Mainly/")
    assert documents_counted(shown.page).startswith(f"{mainly:,} documents")
    assert "main=1" in shown.page.url
    shown.page.click(".of-topic summary")
    shown.page.click("text=/^In part/")
    assert documents_counted(shown.page).startswith(f"{on:,} documents")
    assert "main=1" not in shown.page.url
    shown.page.click(".of-topic summary")
    for least in (0.05, 0.5):
        shown.page.locator(".of-topic input[type=range]").fill(f"{100 * least:.0f}")
        document = f"{(shown.share >= least).sum():,} document"
        assert documents_counted(shown.page).startswith(document)
        assert f"least={least}" in shown.page.url
