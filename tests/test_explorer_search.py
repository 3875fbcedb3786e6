"""Search in the page: texts, topics, words and titles; and the working set that it narrows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import documents_counted, texts

if TYPE_CHECKING:
    from pathlib import Path

FIELD = ".search input"


@pytest.fixture
def page(visit: Any, page_file: Path) -> Any:
    return visit(page_file)


def test_a_key_begins_a_search_and_enter_opens_a_hit(page: Any, demo: Any) -> None:
    word = demo[0].topics_.roots[1].words[0]
    page.keyboard.press("/")
    page.keyboard.type(word[:-1])
    page.wait_for_selector(".hits [role=option]")
    hits = page.inner_text(".hits")
    assert word in hits
    for kind in ("Documents", "Topics", "Words"):
        assert kind in hits
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute(FIELD, "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    page.keyboard.press("Enter")
    assert word in page.inner_text("#details")


def having(corpus: Any, word: str) -> int:
    """How many documents have a word in title, text or vocabulary."""
    pattern = re.compile(rf"(?<![^\W_]){word}(?![^\W_])", re.IGNORECASE)
    columns = [k for k, known in enumerate(corpus.words) if re.fullmatch(word, known)]
    known = corpus.documents.to_csr()[:, columns].sum(axis=1)
    return sum(
        bool(pattern.search(title) or pattern.search(text) or known[k])
        for k, (title, text) in enumerate(zip(corpus.titles, corpus.texts, strict=True))
    )


def test_all_documents_with_a_word_are_found_and_counted(page: Any, demo: Any) -> None:
    for word in ("Telescope", "galaxy", "schrodinger"):
        page.fill(FIELD, word)
        page.keyboard.press("Enter")
        expected = having(demo[1], "schr[oö]dinger" if word[0] == "s" else word.lower())
        assert documents_counted(page).startswith(f"{expected:,} document")
        assert f"{expected:,} of {len(demo[1]):,}" in page.inner_text(".told")
        page.click(".working >> text=Clear")


def test_a_query_is_kept_as_a_chip_and_can_be_turned_round(page: Any, demo: Any) -> None:
    page.fill(FIELD, "galaxy")
    page.keyboard.press("Enter")
    found = having(demo[1], "galaxy")
    page.click(".chip summary")
    page.click(".chip >> text=Leave these out")
    assert page.inner_text(".chip summary").startswith("not “galaxy”")
    assert documents_counted(page).startswith(f"{len(demo[1]) - found:,} documents")
    page.go_back()
    assert documents_counted(page).startswith(f"{found:,} documents")
    page.click(".chip .remove")
    assert page.query_selector(".documents") is None


def test_an_address_brings_the_working_set_back(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, "#with=text:galaxy&or=text:telescope&without=nonsense&order=newest")
    either = sum(
        bool(
            re.search(r"(?<![^\W_])(galaxy|telescope)(?![^\W_])", f"{title} {text}", re.IGNORECASE)
        )
        for title, text in zip(demo[1].titles, demo[1].texts, strict=True)
    )
    assert int(documents_counted(page).split()[0]) >= either > 0
    assert "1 part of the address could not be read" in page.inner_text(".told")
    dates = [text[:10] for text in texts(page, ".result > .soft")]
    assert dates == sorted(dates, reverse=True)


def test_a_search_without_hits_says_so_and_is_left_by_escape(page: Any) -> None:
    page.keyboard.press("/")
    page.fill(FIELD, "zzzzqqq")
    page.wait_for_selector(".hits >> text=0 documents")
    page.keyboard.press("Escape")
    assert page.get_attribute(FIELD, "aria-expanded") == "false"
