"""What the page saves, and pages of topics alone and of a sample."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import page_data
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    document_shown,
    documents_counted,
    page_of_tree,
    saved,
    saved_documents,
    table_in,
    texts,
    topic_shown,
)
from tests.synthetic import planted
from tests.there import there


def from_menu(page: Any, item: str) -> tuple[str, bytes]:
    """The file that an item of the menu saves."""
    page.click(".menu summary")
    return saved(page, lambda: page.click(f"text={item}"))


def test_topics_as_json_and_csv_are_those_of_python(page: Any, demo: Any) -> None:
    name, data = from_menu(page, "Topics as JSON")
    assert name == "topics.json"
    ours, theirs = demo[0].topics_.to_dict()["topics"], json.loads(data)["topics"]
    assert [topic["id"] for topic in theirs] == [topic["id"] for topic in ours]
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
    name, data = saved_documents(page, "CSV")
    assert name == f"documents-{topic}.csv"
    table = table_in(data)
    assert {row["topic"] for row in table} == {topic}
    assert min(float(row["share"]) for row in table) >= 0.2
    name, data = saved_documents(page, "JSON")
    assert name == f"documents-{topic}.json"
    documents = json.loads(data)["documents"]
    assert [document["title"] for document in documents] == [row["title"] for row in table]


def test_fields_do_not_take_the_place_of_other_columns(visit: Any, tmp_path: Path) -> None:
    tree = planted(24, 2)
    fields = {name: [f"{name} {k % 3}" for k in range(60)] for name in ("row", "share")}
    page = visit(page_of_tree(tmp_path, tree, tree.sample(60, seed=2), fields=fields))
    page.click("text=Browse all")
    table = {int(row["row"]) - 1: row for row in table_in(saved_documents(page, "CSV")[1])}
    assert sorted(table) == list(range(60))
    for k, row in table.items():
        assert (row["row 2"], row["share 2"]) == (f"row {k % 3}", f"share {k % 3}")


# ---- other pages ---------------------------------------------------------------------------------


def test_topics_alone_have_no_documents(visit: Any, tmp_path: Path, demo: Any) -> None:
    file = tmp_path / "topics.html"
    demo[0].topics_.to_html(file)
    page = visit(file)
    assert "documents" not in page.inner_text("header")
    page.click(FIRST_TOPIC)
    assert page.query_selector(".documents") is None
    assert texts(page, "[role=tab]") == ["Differences"]


def test_a_sample_says_so_and_keeps_the_numbers(visit: Any, tmp_path: Path, demo: Any) -> None:
    model, corpus = demo
    file = tmp_path / "sample.html"
    model.topics_.to_html(file, corpus=corpus, most_documents=500)
    page = visit(file)
    assert f"500 of the {len(corpus):,}" in page.inner_text("#details .notice")
    page.click(FIRST_TOPIC)
    assert " of them in this page" in documents_counted(page)
    page.click(FIRST_DOCUMENT)
    assert page.inner_text("#details h2") == corpus.titles[document_shown(page)]
    missing = min({*range(1, len(corpus) + 1)} - {*there(page_data(file)[1])["rows"]})
    outside = visit(file, f"#document={missing}")
    assert "does not include" in outside.inner_text("#details")
