"""What the page saves, and pages of topics alone, of a sample and within another page."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from hlta import HLTA, Corpus
from hlta.explorer.container import unpack
from hlta.explorer.serve.copies import with_any_copy
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    document_shown,
    documents_counted,
    saved,
    texts,
    topic_shown,
)
from tests.synthetic import planted


def from_menu(page: Any, item: str) -> tuple[str, bytes]:
    """The file that an item of the menu saves."""
    page.click(".menu summary")
    return saved(page, lambda: page.click(f"text={item}"))


def table_in(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


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


def test_near_copies_are_listed_and_saved(visit: Any, tmp_path: Path) -> None:
    X = planted(60, 3).sample(200, seed=2)
    one, other = np.argsort(X.sum(axis=1))[-2:].tolist()  # whose words are enough to tell
    copied = sparse.vstack([X, X[[one, other, other]]])
    titles = [f"Title {k}" for k in range(203)]
    fields = {name: [f"{name} {k % 3}" for k in range(203)] for name in ("row", "share")}
    corpus = Corpus(copied, [f"word{k}" for k in range(60)], titles=titles, fields=fields)
    expected = np.flatnonzero(with_any_copy(corpus.aligned(corpus.words))).tolist()
    assert {one, other, 200, 201, 202} <= set(expected)
    assert len(expected) < 100
    file = tmp_path / "index.html"
    HLTA(samples=1).fit(corpus).topics_.to_html(file, corpus=corpus)
    page = visit(file)
    page.click("text=Browse all")
    page.click(".found >> text=near-copies")
    assert documents_counted(page).startswith(f"{len(expected)} documents, ")
    (folded,) = re.findall(r", (\d+) of them near-copies", documents_counted(page))
    shown = sum(int(n) for n in re.findall(r"\+ (\d+) near-cop", page.inner_text(".results")))
    assert 3 <= shown <= int(folded)  # of the rows in sight
    page.click(".result-tools .menu summary")
    _, data = saved(page, lambda: page.click("[aria-label='Save these documents as CSV']"))
    table = {int(row["row"]) - 1: row for row in table_in(data)}
    assert sorted(table) == expected
    for k, row in table.items():  # columns of such names do not take the place of others
        assert (row["row 2"], row["share 2"]) == (f"row {k % 3}", f"share {k % 3}")


# ---- other pages ---------------------------------------------------------------------------------


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
    return list(unpack(packed[1])[0]["rows"])


def test_topics_alone_have_no_documents(visit: Any, tmp_path: Path, demo: Any) -> None:
    file = tmp_path / "topics.html"
    demo[0].topics_.to_html(file)
    page = visit(file)
    assert "documents" not in page.inner_text("header")
    page.click(FIRST_TOPIC)
    assert page.query_selector(".documents") is None
    assert texts(page, "[role=tab]") == ["Differences"]


def test_a_sample_says_so_and_keeps_the_numbers(visit: Any, sample_file: Path, demo: Any) -> None:
    page = visit(sample_file)
    assert f"500 of the {len(demo[1]):,}" in page.inner_text("#details .notice")
    page.click(FIRST_TOPIC)
    assert " of them in this page" in documents_counted(page)
    page.click(FIRST_DOCUMENT)
    assert page.inner_text("#details h2") == demo[1].titles[document_shown(page)]
    missing = min(set(range(1, len(demo[1]) + 1)) - set(numbers_in(sample_file)))
    outside = visit(sample_file, f"#document={missing}")
    assert "does not include" in outside.inner_text("#details")


def test_it_works_in_a_frame_with_no_address(visit: Any, page_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "frame.html"
    source = page_file.read_text(encoding="utf-8")
    inner = source.replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<!doctype html><html data-ready><iframe srcdoc="{inner}" width=1200 height=800>'
    file.write_text(frame, encoding="utf-8")
    page = visit(file)
    frame = page.frame_locator("iframe")
    frame.locator("[role=treeitem] .label").first.click()
    assert topic_shown(page.frames[1]).startswith("Z")
