"""Search in the page: topics, words and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import FIRST_TOPIC, topic_shown

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
    for kind in ("Topics", "Words", "Documents"):
        assert kind in hits
    page.keyboard.press("ArrowDown")
    active = page.get_attribute(FIELD, "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    page.keyboard.press("Enter")
    assert word in page.inner_text("#details")


def test_documents_are_found_by_their_titles(page: Any, demo: Any) -> None:
    title = demo[1].titles[50]
    page.fill(FIELD, title[:40])
    page.wait_for_selector(".hits [role=group][aria-label=Documents]")
    page.keyboard.press("Enter")
    assert page.inner_text("#details h2") == title


def test_topics_are_found_by_several_words(page: Any) -> None:
    page.fill(FIELD, "magnetic field")
    page.wait_for_selector(".hits [role=group][aria-label=Topics]")


def test_an_empty_search_finds_nothing(page: Any) -> None:
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    page.fill(FIELD, "magnetic field")
    page.wait_for_selector(".hits [role=option]")
    page.fill(FIELD, "")
    page.keyboard.press("Enter")
    assert topic_shown(page) == topic


def test_enter_does_not_wait_for_the_list(page: Any) -> None:
    page.focus(FIELD)
    page.keyboard.type("theorem")
    page.keyboard.press("Enter")
    assert "theorem" in page.inner_text("#details table.words")


def test_a_search_without_hits_says_so_and_is_left_by_escape(page: Any) -> None:
    page.keyboard.press("/")
    page.fill(FIELD, "zzzzqqq")
    page.wait_for_selector("text=Nothing found")
    page.keyboard.press("Escape")
    assert page.get_attribute(FIELD, "aria-expanded") == "false"
