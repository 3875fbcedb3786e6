"""Pages of topics alone, of a sample of the documents, and within another page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from hlta.explorer.container import unpacked
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    document_shown,
    documents_counted,
    texts,
    topic_shown,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def sample_file(demo: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with 500 of the documents."""
    model, corpus = demo
    file = tmp_path_factory.mktemp("sample") / "sample.html"
    model.topics_.to_html(file, corpus=corpus, most_documents=500)
    return file


def numbers_in(file: Path) -> list[int]:
    """The numbers of the documents in a page, from 1."""
    packed = re.search(r'id="documents">([^<]*)<', file.read_text(encoding="utf-8"))
    assert packed is not None
    return list(unpacked(packed[1])[0]["rows"])


def test_topics_alone_have_no_documents(visit: Any, tmp_path: Path, demo: Any) -> None:
    file = tmp_path / "topics.html"
    demo[0].topics_.to_html(file)
    page = visit(file)
    assert "documents" not in page.inner_text("header")
    page.click(FIRST_TOPIC)
    assert page.query_selector(".documents") is None
    assert texts(page, "[role=tab]") == ["Areas", "Tree diagram", "Compare"]


def test_a_sample_says_so_and_its_documents_keep_their_numbers(
    visit: Any, sample_file: Path, demo: Any
) -> None:
    page = visit(sample_file)
    assert f"500 of the {len(demo[1]):,}" in page.inner_text("#details .notice")
    page.click(FIRST_TOPIC)
    assert "among the 500" in documents_counted(page)
    page.click(FIRST_DOCUMENT)
    assert page.inner_text("#details h2") == demo[1].titles[document_shown(page)]
    missing = min(set(range(1, len(demo[1]) + 1)) - set(numbers_in(sample_file)))
    outside = visit(sample_file, f"#document={missing}")
    assert "does not include" in outside.inner_text("#details")


def test_it_works_in_a_frame_without_an_address(
    visit: Any, page_file: Path, tmp_path: Path
) -> None:
    file = tmp_path / "frame.html"
    source = page_file.read_text(encoding="utf-8")
    inner = source.replace("&", "&amp;").replace('"', "&quot;")
    file.write_text(
        f'<!doctype html><html data-ready><iframe srcdoc="{inner}" width=1200 height=800>',
        encoding="utf-8",
    )
    page = visit(file)
    frame = page.frame_locator("iframe")
    frame.locator(".cards button").first.click()
    assert topic_shown(page.frames[1]).startswith("Z")
