"""The front page: what the corpus is about, in five seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, Corpus
from tests.pages import column, document_shown, texts, topic_shown
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

CARD = ".cards > li >> nth=0"


@pytest.fixture
def front(visit: Any, page_file: Path) -> Any:
    return visit(page_file)


def test_a_sentence_tells_what_the_corpus_is(front: Any, demo: Any) -> None:
    model, corpus = demo
    lead = front.inner_text(".lead")
    years = sorted(date[:4] for date in corpus.dates)
    groups = len(set(corpus.groups))
    assert lead.startswith(f"{len(corpus):,} documents from {years[0]} to {years[-1]}")
    assert f"in {groups} groups" in lead
    clear = [root for root in model.topics_.roots if not root.is_vague]
    largest = sorted(clear, key=lambda root: -root.main_documents)
    titles = [f"“{root.title}”" for root in largest]
    assert f"mostly about {titles[0]}, {titles[1]} and {titles[2]}." in lead


def test_cards_have_the_figures_of_topics(front: Any, demo: Any) -> None:
    model, corpus = demo
    shares, main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))
    shown = front.eval_on_selector_all(".card", "all => all.map(card => card.dataset.topic)")
    assert len(shown) >= 8
    for topic in (model.topics_[name] for name in shown):
        k = column(model, topic.id)
        mainly, on = int(main[:, k].sum()), int((shares[:, k] >= 0.2).sum())
        assert (mainly, on) == (topic.main_documents, topic.documents)
        card = front.text_content(f".card[data-topic='{topic.id}'] .figures")
        size = f"{topic.size:.1%}" if topic.size < 0.0995 else f"{topic.size:.0%}"
        assert card == f"{mainly:,} documents mainly, {on:,} in part · mean share {size}"


def test_figures_are_explained_to_mouse_keyboard_and_finger(
    visit: Any, page_file: Path, demo: Any
) -> None:
    figures = ".card .explained >> nth=0"
    told = re.compile(
        r"the part of its words that is about it\. .* over all documents; .* have none\.$",
        re.DOTALL,
    )
    page = visit(page_file)
    page.hover(figures)
    assert told.search(page.inner_text(".tip"))
    page.hover(".lead")
    assert page.query_selector(".tip") is None
    page.focus(figures)
    assert told.search(page.inner_text(".tip"))
    page.keyboard.press("Escape")
    assert page.query_selector(".tip") is None
    page.click("text=How to read this page")
    assert "that with the largest share, from the root topics down" in page.inner_text(
        ".cards + .more"
    )
    phone = visit(
        page_file,
        f"#topic={demo[0].topics_.roots[0].id}",
        viewport={"width": 390, "height": 844},
        has_touch=True,
    )
    phone.tap(".switches >> text=Details")
    phone.tap("#details .facts .explained")
    assert told.search(phone.inner_text(".tip"))


def test_a_card_opens_its_topic_and_its_documents(front: Any, demo: Any) -> None:
    model, corpus = demo
    title = texts(front, f"{CARD} >> .typical button >> nth=0")
    front.click(f"{CARD} >> .typical button >> nth=0")
    assert corpus.titles[document_shown(front)] in title
    front.go_back()
    front.click(f"{CARD} >> button >> nth=0")
    assert topic_shown(front) == model.topics_.roots[0].id


def test_words_of_a_card_are_not_in_its_title(front: Any) -> None:
    for card in front.query_selector_all(".card"):
        title = re.findall(r"\w+", card.query_selector("button").inner_text().lower())
        words = card.query_selector(".terms")
        assert words is not None
        assert all(word not in title for word in words.inner_text().split(" · "))


def test_all_documents_and_those_on_no_topic_are_a_click_away(front: Any, demo: Any) -> None:
    model, corpus = demo
    none = int((model.transform(corpus).max(axis=1) < 0.2).sum())
    assert none
    front.click(f"text=Documents on no topic ({none:,})")
    assert "with=none" in front.url
    front.go_back()
    front.click(f"text=Browse all {len(corpus):,} documents")
    assert "with=all" in front.url


def written(folder: Path, model: HLTA, corpus: Corpus | None) -> Path:
    model.topics_.to_html(folder / "index.html", corpus=corpus)
    return folder / "index.html"


def test_one_document_without_dates_or_groups(visit: Any, tmp_path: Path) -> None:
    X = planted(24, 2).sample(300, seed=0)
    words = [f"word{k}" for k in range(24)]
    model = HLTA(samples=1).fit(Corpus(X, words))
    page = visit(written(tmp_path, model, Corpus(X[:1], words)))
    assert page.inner_text(".lead").startswith("1 document, ")
    assert page.is_visible("text=Read the document")
    page = visit(written(tmp_path, model, None))
    assert page.inner_text(".lead").startswith(f"{len(model.topics_)} topics, ")
    assert page.query_selector(".ways") is None
    assert np.all([card.inner_text() for card in page.query_selector_all(".card")])


def test_on_a_phone_nothing_is_wider_than_the_page(visit: Any, page_file: Path) -> None:
    page = visit(page_file, viewport={"width": 390, "height": 844}, has_touch=True)
    page.click(".switches >> text=Details")
    assert page.evaluate("document.querySelector('#details').scrollWidth") <= 390
    beyond = page.eval_on_selector_all(
        ".card .spark",
        """all => all.map(e => e.getBoundingClientRect().right
            - e.closest('.card').getBoundingClientRect().right)""",
    )
    assert max(beyond) <= 0.5
    heights = page.eval_on_selector_all(".card button", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 44
