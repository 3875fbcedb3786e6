"""What the page saves: topics, documents and pictures."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import FIRST_TOPIC, saved, topic_shown

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def page(visit: Any, page_file: Path) -> Any:
    return visit(page_file, accept_downloads=True)


def from_menu(page: Any, item: str) -> tuple[str, bytes]:
    """The file that an item of the menu saves."""
    page.click(".menu summary")
    return saved(page, lambda: page.click(f"text={item}"))


def table_in(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_topics_as_json_are_those_of_python(page: Any, demo: Any) -> None:
    name, data = from_menu(page, "Topics as JSON")
    assert name == "topics.json"
    ours, theirs = demo[0].topics_.to_dict()["topics"], json.loads(data)["topics"]
    assert [topic["id"] for topic in theirs] == [topic["id"] for topic in ours]
    for topic, other in zip(theirs, ours, strict=True):
        assert topic["keywords"][0]["p_topic"] == pytest.approx(
            other["keywords"][0]["p_topic"], rel=1e-5
        )
        for count in ("documents", "main_documents"):
            assert topic[count] == other[count] > 0


def test_topics_as_csv_are_all_there(page: Any, demo: Any) -> None:
    name, data = from_menu(page, "Topics as CSV")
    assert name == "topics.csv"
    ours, theirs = table_in(demo[0].topics_.to_csv().encode()), table_in(data)
    assert theirs[0].keys() == ours[0].keys()
    for own, other in zip(ours, theirs, strict=True):
        for name, value in own.items():
            if name in {"size", "stability", "contrast", "word_stability"}:  # the page rounds them
                figures = [[float(one) for one in row[name].split()] for row in (own, other)]
                assert figures[0] == pytest.approx(figures[1], abs=0.011), name
            else:
                assert value == other[name], name


def test_documents_of_a_topic_are_the_same_as_csv_and_json(page: Any) -> None:
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    page.click(".result-tools .menu summary")
    name, data = saved(page, lambda: page.click("[aria-label='Save these documents as CSV']"))
    assert name == f"documents-{topic}.csv"
    table = table_in(data)
    assert {row["topic"] for row in table} == {topic}
    assert min(float(row["share"]) for row in table) >= 0.2
    page.click(".result-tools .menu summary")
    name, data = saved(page, lambda: page.click("[aria-label='Save these documents as JSON']"))
    assert name == f"documents-{topic}.json"
    documents = json.loads(data)["documents"]
    assert [document["title"] for document in documents] == [row["title"] for row in table]
