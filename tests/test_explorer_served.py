"""The page that `hlta serve` gives, in a browser: lists and figures of all documents."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from hlta import HLTA, Corpus, Monitor, TopicTree
from hlta.explorer.container import pack, unpack
from hlta.explorer.page import page_markup
from hlta.explorer.serve.archive import Archive
from hlta.explorer.serve.preparation import Preparation
from hlta.explorer.serve.server import Server
from hlta.explorer.serve.terms import read_clauses, read_term
from tests.examples import HIERARCHY
from tests.legible import needs_axe, pale_texts, serious
from tests.pages import (
    FIRST_TOPIC,
    Pages,
    documents_counted,
    go_to,
    rest,
    saved,
    saved_documents,
    texts,
)
from tests.served import archive_of

DOCUMENTS, ON_PAGE = 700, 60
X = np.random.default_rng(0).random((DOCUMENTS, 8)) < 0.4
SILENT = "The server does not answer; is `hlta serve` still running?"


class Served(NamedTuple):
    """A server, and a page of it in a browser."""

    archive: Archive
    open: Callable[..., Any]


@contextmanager
def running(page: str, archive: Archive) -> Iterator[str]:
    """The address of a server."""
    with Server(0) as server, server.in_background():
        server.give(page, archive)
        yield server.address


@pytest.fixture(scope="module", autouse=True)
def unfolded() -> Iterator[None]:
    """Lists of one document after the other: among so few words, most documents are copies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.explorer.serve.archive._MOST_FOLDED", 0)
        yield


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Archive]]:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    names = [f"title {'odd' if k % 2 else 'even'} {k + 1}" for k in range(DOCUMENTS)]
    corpus = Corpus(X, HIERARCHY.words, titles=names, texts=[text_of(k) for k in range(DOCUMENTS)])
    with ExitStack() as ending:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hlta.explorer.page_data.MOST_TEXT", 100 * ON_PAGE)
            folder = tmp_path_factory.mktemp("served")
            archive = ending.enter_context(archive_of(folder, HIERARCHY, topics, corpus, ON_PAGE))
        yield markup(archive), archive


def markup(archive: Archive) -> str:
    header = archive.page.header | {"title": "Served", "documents": len(archive)}
    packed, documents = pack(header, archive.page.arrays), archive.store.blocks["documents"]
    data = {"topics": packed, "documents": documents, "served": ""}
    return page_markup("Served", data, served=True)


@pytest.fixture
def served(visit: Callable[..., Any], parts: tuple[str, Archive]) -> Iterator[Served]:
    """Opens the page of a server."""
    with running(*parts) as address:
        yield Served(parts[1], partial(visit, address))


def text_of(row: int) -> str:
    """A text of 70 words, of which a page that holds little of each has the first ones."""
    return f"begin {'word ' * 67}end{row % 4} ."


def row_of(label: str) -> int:
    found = re.search(r"(\d+)$", label)
    assert found is not None
    return int(found[1])


def test_a_search_counts_lists_and_saves_all_documents(served: Served) -> None:
    page = served.open()
    page.fill("input[type=search]", "odd")
    page.wait_for_selector(".hits >> text=350 documents")
    page.keyboard.press("Enter")
    page.wait_for_selector(".result .title")
    assert documents_counted(page) == "350 documents"
    assert page.inner_text(".working .status") == "350 of 700 documents"
    rows = [row_of(title) for title in texts(page, ".result .title")]
    assert rows == [2 * k + 2 for k in range(len(rows))]
    assert len(rows) > 3
    _, content = saved_documents(page, "JSON")
    every = [entry["row"] for entry in json.loads(content)["documents"]]
    assert every == list(range(2, 701, 2))
    page.eval_on_selector("#details", "panel => panel.scrollTop = 1e9")  # rows come as one scrolls
    page.wait_for_selector(".result .title >> text=title odd 700")
    assert page.get_attribute("[data-at='349']", "aria-setsize") == "350"


@needs_axe
@pytest.mark.parametrize("state", ["", "#with=text:odd&context=1", "#with=topic:Z1-1"])
def test_everybody_can_read_it(served: Served, state: str) -> None:
    page = served.open(state)
    if state:
        page.wait_for_selector(".result .title, .occurrence")
    rest(page)
    assert serious(page) == []
    lines, pale = pale_texts(page)
    assert (lines > 10, pale) == (True, {})


@needs_axe
def test_an_address_that_was_opened_too_early_becomes_the_page(
    pages: Pages, parts: tuple[str, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    monkeypatch.setattr("hlta.explorer.serve.server._REFRESH", 60)  # while it is looked at
    with Server(0) as server, server.in_background(), pages.take() as page:
        server.preparation = preparation = Preparation(Monitor(), "Served", topics)
        with preparation.stage("indexing texts", 2000):
            preparation.advance(1000)
            page.goto(f"{server.address}#with=text:odd")
            assert "Indexing texts: 1,000 of 2,000" in page.inner_text("label")
            assert page.evaluate("document.querySelector('progress').position") == 0.5
            assert serious(page) == []
            assert pale_texts(page)[1] == {}
            monkeypatch.setattr("hlta.explorer.serve.server._REFRESH", 1)
            page.reload()
        server.give(*parts)
        page.wait_for_selector("html[data-ready]")


def test_figures_of_topics_are_those_of_all_documents(served: Served) -> None:
    page = served.open()
    every = served.archive.found(())
    mainly, on = int(every.main[0]), int(every.on[0])
    assert 0 < mainly < on
    assert page.inner_text("[role=treeitem] .count >> nth=0") == str(on)
    page.click(FIRST_TOPIC)
    page.wait_for_selector(".result .title")
    assert documents_counted(page) == f"{on} documents"
    both = f"{mainly} documents mainly, {on} in part"
    assert page.inner_text("#details .facts").startswith(both)
    page.click(".of-topic summary")
    page.click(f"text=Mainly ({mainly})")
    page.wait_for_selector(f".documents .found >> text={mainly} documents")
    named = page.get_attribute("[role=treeitem][aria-selected=true]", "aria-label")
    assert f"{mainly} documents mainly, {mainly} in part of {mainly} selected documents" in named


def test_a_document_that_is_not_on_the_page_opens(served: Served) -> None:
    included = unpack(served.archive.block(np.arange(3)))[0]["rows"]
    page = served.open("#with=text:title&order=corpus")
    page.wait_for_selector(".result .title")
    for row in included:
        page.click(f".result .title >> text=/ {row}$/")
        page.wait_for_selector(f"#details h2 >> text=/ {row}$/")
        assert f"Its {X[row - 1].sum()} word" in page.text_content(".figures-of")
        on = page.query_selector_all(".belongs:not(.little)")
        assert len(on) == len(served.archive.topics_of(row - 1)) > 0
        page.go_back()
        page.wait_for_selector(".result .title")
    go_to(page, "document=701")
    page.wait_for_selector(".notice >> text=the corpus has documents 1 to 700")
    page.click("#details button >> text=Back")
    page.wait_for_selector(FIRST_TOPIC)


def test_texts_that_the_page_holds_in_part_are_found_and_read_whole(served: Served) -> None:
    page = served.open("#with=text:end2")
    page.wait_for_selector(".result .title")
    assert documents_counted(page) == "175 documents"
    assert page.inner_text(".working .status") == "175 of 700 documents"
    held = served.archive.store.arrays["map.rows"]
    row = int(held[held % 4 == 2][0])
    go_to(page, f"document={row + 1}")
    page.wait_for_selector("#details .text >> text=end2")
    assert page.inner_text("#details .text") == text_of(row)
    assert "The text goes on" not in page.inner_text("#details")
    page.wait_for_selector("h3 >> text=Similar documents")


def test_one_reads_from_document_to_document_of_the_list(served: Served) -> None:
    page = served.open("#with=text:odd&order=corpus")
    page.wait_for_selector(".result .title")
    page.click(".result .title >> nth=0")
    for number in range(1, 52):  # farther than the part of the list that came first
        page.wait_for_selector(f".beside >> text=/^‹{number} of 350›$/")
        assert row_of(page.inner_text("#details h2")) == 2 * number
        assert page.is_disabled("[aria-label='Previous document']") == (number == 1)
        page.keyboard.press("j")
    page.click("[aria-label='Previous document']")
    page.wait_for_selector(".beside >> text=/51 of 350/")
    page.click("#details .back")
    page.wait_for_selector(".result .title")


def test_copies_are_folded_into_the_first(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlta.explorer.serve.archive._MOST_FOLDED", DOCUMENTS)
    monkeypatch.setattr("hlta.explorer.serve.copies._ENOUGH", 1)
    page = served.open("#with=text:even&order=corpus")
    page.wait_for_selector(".result .title")
    clauses = read_clauses([("with", "text:even")])
    entries = served.archive.entries(clauses, "corpus", None)
    assert len(entries.rows) < 200
    folded = 350 - len(entries.rows)
    assert documents_counted(page) == f"350 documents, {folded} of them near-copies"
    first = int(entries.rows[0])
    copies = entries.copies_of(first).tolist()
    assert len(copies) > 1
    page.click(f".result[data-at='0'] >> text=+ {len(copies)} near-copies")
    page.wait_for_selector(".result.copy")
    titles = [page.inner_text(f".result[data-at='{k}'] .title") for k in range(3)]
    assert [row_of(title) - 1 for title in titles] == [first, *copies[:2]]
    page.click("text=Fold")
    page.wait_for_selector(".result.copy", state="detached")
    page.click(".result .title >> nth=1")
    page.wait_for_selector(f".beside >> text=/2 of {len(entries.rows)}/")
    page.go_back()
    page.click(".found >> text=near-copies")  # documents with copies are a set
    even, copied = (served.archive.having(read_term(term)) for term in ("text:even", "copies"))
    page.wait_for_selector(f".status >> text=/^{(even & copied).sum()} of /")
    assert "with near-copies" in page.inner_text(".working")


def test_figures_of_the_set_before_are_no_longer_shown(served: Served) -> None:
    page = served.open("#with=text:odd")
    page.wait_for_selector(".facts >> text=50%")
    waiting: list[Any] = []
    page.route("**/found*", lambda route: waiting.append(route))  # noqa: PLW0108
    go_to(page, "with=text:end2")
    page.wait_for_selector("#details h2 >> text=end2")
    assert page.locator(".facts").count() == 0
    assert set(texts(page, "#tree .count")) == {"…"}
    for route in waiting:
        route.continue_()
    page.wait_for_selector(".facts >> text=25%")
    assert "…" not in texts(page, "#tree .count")


def test_what_is_missing_of_a_set_says_why(served: Served) -> None:
    page = served.open()
    page.route("**/words*", lambda route: route.abort())
    go_to(page, "with=text:end2")
    page.wait_for_selector(f".portrait .notice >> text={SILENT}")
    page.unroute("**/words*")
    go_to(page, "with=text:end3")
    page.wait_for_selector(".portrait h2 >> text=end3")
    page.wait_for_selector(".portrait .notice", state="detached")
    page.route("**/rows*", lambda route: route.abort())
    go_to(page, "with=text:end1")
    page.wait_for_selector(f".result-head >> text={SILENT}")
    page.unroute("**/rows*")
    page.click(".result-head >> text=Try again")
    page.wait_for_selector(".result .title")


def test_the_server_is_asked_the_same_once(served: Served) -> None:
    page = served.open("#view=differences")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    go_to(page, "with=text:end2&view=differences")
    page.wait_for_selector(".both-words")
    page.wait_for_selector(".result .title")
    assert any("/found?" in url for url in asked)
    assert len(set(asked)) == len(asked)


def test_occurrences_are_those_of_all_documents(served: Served) -> None:
    page = served.open("#with=text:end2&context=1")
    page.wait_for_selector(".found >> text=175 occurrences in 175 documents")
    lines = texts(page, ".occurrence .line")
    assert len(lines) > 10
    assert all(re.fullmatch(r"(word )+end2 \.", line) for line in lines)
    page.click(".occurrence button >> nth=0")
    page.wait_for_selector(".beside >> text=/^‹1 of 175›$/")
    page.go_back()
    page.wait_for_selector(".occurrence")
    page.select_option("[aria-label=Order]", label="Main topic")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    topics = texts(page, ".occurrence > .soft")
    assert len(topics) == 100
    assert 1 < len(set(topics)) == 1 + sum(one != other for one, other in pairwise(topics))
    page.click(".occurrence button >> nth=3")
    page.wait_for_selector("#details .text mark >> text=end2")
    page.go_back()
    page.wait_for_selector(".occurrence")
    go_to(page, "with=text:word&context=1")
    page.wait_for_selector(f".found >> text={67 * DOCUMENTS:,} occurrences in 700 documents")


def test_texts_that_were_not_asked_for_are_not_counted(served: Served) -> None:
    page = served.open()

    def lengthen(route: Any) -> None:
        response = route.fetch()
        route.fulfill(json=response.json() | {"entries": 4210}, response=response)

    page.route("**/rows?*", lengthen)
    go_to(page, "with=text:end2&context=1")
    page.wait_for_selector(".found >> text=175 occurrences in the first 175 of 4,210 documents")


def test_answers_about_what_is_no_longer_selected_are_not_shown(served: Served) -> None:
    page = served.open()
    held: list[Any] = []  # which are never answered
    page.route("**/rows?*end2*", lambda route: held.append(route))  # noqa: PLW0108
    go_to(page, "with=text:end2&context=1")
    page.wait_for_selector(".found >> text=Loading texts")
    with page.expect_event("requestfailed"):
        go_to(page, "with=text:end1&context=1")
    page.wait_for_selector(".found >> text=175 occurrences in 175 documents")
    assert all("end1" in line for line in texts(page, ".occurrence mark"))
    assert len(held) == 1


def test_it_is_said_plainly_when_the_server_has_ended(served: Served) -> None:
    page = served.open("#with=text:odd")
    page.wait_for_selector(".result .title")
    page.context.set_offline(True)
    page.click(".result-tools summary")
    page.click("[aria-label='Save these documents as CSV']")
    page.wait_for_selector(f".documents .found >> text={SILENT}")
    go_to(page, "with=text:end2")
    page.wait_for_selector(f".working .status >> text={SILENT}")
    page.wait_for_selector(f".documents .found >> text={SILENT}")
    page.click(".listing >> text=In context")
    page.wait_for_selector(f".documents .found >> text={SILENT}")
    go_to(page, "document=699")
    page.wait_for_selector(f"#details >> text={SILENT}")


def test_a_page_that_is_saved_has_no_server(served: Served) -> None:
    page = served.open()
    page.click("summary >> text=Edits")
    _, content = saved(page, lambda: page.click("text=Save page with names"))
    assert b'id="served"' not in content
    assert b'id="documents"' in content


STATES = (
    "view=differences&with=group:b&with=text:text",
    "view=differences&compare=with%3Dgroup%253Aa&compare=with%3Dgroup%253Ab",
    "view=differences&compare={0}&compare={1}&with=word:{2}",
    "view=differences&compare={1}&with=text:text&or=not:topic:{0}",
    "view=changes&with=group:a",
    "view=changes&topic={0}&with=text:text&with=group:b",
)


def test_a_sample_is_told_of_as_all_documents_are(
    small: tuple[HLTA, Corpus], small_file: Path, visit: Callable[..., Any], tmp_path: Path
) -> None:
    """The page that holds few documents, served, says what the page that holds all of them says."""
    model, corpus = small
    topics = model.topics_
    one, other = (root.id for root in topics.roots[:2])
    with (
        archive_of(tmp_path, model.tree_, topics, corpus, ON_PAGE) as archive,
        running(markup(archive), archive) as address,
    ):
        for state in STATES:
            view = f"#{state.format(one, other, model.tree_.words[0])}"
            said = []
            for place in (address, small_file):
                page = visit(place, view)
                page.wait_for_selector("#picture h2")
                page.wait_for_selector("[aria-label=When], [aria-label=Topics]")
                page.wait_for_function("!document.body.innerText.includes('Counting …')")
                parts = ("Keywords", "When", "Where", "Topics", "Also on")
                aspects = [texts(page, f".portrait [aria-label='{part}']") for part in parts]
                said.append([page.inner_text("#picture"), aspects])
            assert said[0] == said[1], view
            assert len(said[0][0]) > 200
