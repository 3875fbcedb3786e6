"""What the page shows of a document: its topics, and which of its words are about them."""

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from scipy.sparse import csr_array, vstack

from hlta import HLTA, Corpus, Topic
from tests.pages import (
    FIRST_TOPIC,
    box_of,
    column,
    listed,
    page_of_tree,
    percent,
    rest,
    rows,
    scroll_to_row,
    texts,
)
from tests.synthetic import planted
from tests.there import there

ROOT: Final = 1  # whose words are looked at
LEAST: Final = 0.05  # the smallest share that is listed

FIGURES = ".figures-of summary"  # a click there opens them
LISTED = """branches => [...branches.querySelectorAll(".belongs")].map(topic => [
  topic.querySelector(".label").firstChild.textContent,
  topic.closest("ul").parentElement.querySelector(":scope > .belongs .label")
    ?.firstChild.textContent ?? "",
  topic.querySelector(".p").textContent,
  topic.classList.contains("main"),
])"""


def above(topic: Topic, listed: set[str]) -> str:
    """The title of the nearest topic above one that is listed, or ""."""
    up = topic.parent
    while up is not None and up.id not in listed:
        up = up.parent
    return "" if up is None else up.title


def of_word(cell: str) -> float:
    """The part of a word that a percentage tells."""
    return float(cell.strip("<%")) / 100


def test_a_document_has_a_tree_of_topics(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    shares = model.transform(corpus)
    main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))[1]
    document = int(np.argmax((shares >= LEAST).sum(axis=1) * main.any(axis=1)))
    page = visit(page_file, f"#document={document + 1}")
    assert page.inner_text("#details h2") == corpus.titles[document]
    page.click(FIGURES)
    shown = page.query_selector(".figures-of > .branches").evaluate(LISTED)
    every = list(zip(model.topics_, shares[document], main[document], strict=True))
    listed = {topic.id for topic, share, _ in every if share >= LEAST}
    shown_ = [one for one in every if one[1] >= LEAST]
    expected = [[t.title, above(t, listed), percent(p), bool(main)] for t, p, main in shown_]
    assert len(expected) > 2
    assert sorted(shown) == sorted(expected)
    roots = [of_word(share) for _, up, share, _ in shown if not up]
    assert roots == sorted(roots, reverse=True)
    assert page.inner_text(".belongs.main .soft >> nth=0").strip() == "main topic"


def test_shares_and_parts_are_those_of_python(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[ROOT]
    shares = model.transform(corpus)[:, column(model, topic.id)]
    for document in np.argsort(-shares)[[3, 110]].tolist():
        page = visit(page_file, f"#topic={topic.id}&document={document + 1}")
        page.click(FIGURES)
        assert page.inner_text(".belongs[aria-pressed=true] .p") == percent(shares[document])
        expected = dict(model.why(topic, corpus.take([document])).words)
        found = {word: of_word(part) for word, part in rows(page, ".parts li")}
        assert found == pytest.approx(expected, abs=0.0101)
        parts = list(found.values())
        assert parts == sorted(parts, reverse=True)
        assert np.mean(parts) == pytest.approx(shares[document], abs=0.006)
        *first, last = list(found)[:5]
        on = "On" if shares[document] >= 0.2 else "Not on"
        joined = "because of" if shares[document] >= 0.2 else ", in spite of"
        said = f"{on} {topic.title} {joined} {', '.join(first)} and {last}.".replace(" ,", ",")
        assert page.inner_text(".why") == said


def apart(text: str) -> str:
    """A text in lower case, with nothing but a space between words."""
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))


def marked(page: Any, where: str) -> set[str]:
    """The words that are underlined there."""
    return set(map(apart, texts(page, f"{where} mark.said")))


def test_the_words_about_a_topic_are_underlined(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    root = model.topics_.roots[ROOT]
    order = np.argsort(-model.transform(corpus)[:, column(model, root.id)])
    for document in order[[3, 100]].tolist():
        page = visit(page_file, f"#topic={root.id}&document={document + 1}")
        parts = dict(model.why(root, corpus.take([document])).words)
        present = {apart(word) for word, part in parts.items() if part > 0.105}
        silent = {apart(word) for word, part in parts.items() if part < 0.095}
        text = apart(f"{page.inner_text('#details h2')} {page.inner_text('#details .text')}")
        underlined = marked(page, "#details h2") | marked(page, "#details .text")
        beyond = marked(page, "#details .beyond")
        in_text = {w for w in present if f" {w} " in f" {text} "}
        in_text = {w for w in in_text if not any(f" {w}" in phrase for phrase in present)}
        assert len(in_text) >= 3
        assert in_text <= underlined
        assert not in_text & beyond
        assert {word for word in present if word.split()[0] not in text} <= beyond
        assert not silent & (underlined | beyond)


def lowest_main(model: HLTA, corpus: Corpus, document: int) -> Topic | None:
    """The topic that a document is mainly on, down to where none has most of the one above."""
    shares = model.transform(corpus)[document]
    main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))[1][document]
    share = {t.id: s for t, s in zip(model.topics_, shares, strict=True)}
    is_main = {t.id: bool(m) for t, m in zip(model.topics_, main, strict=True)}
    found, among = None, list(model.topics_.roots)
    while below := [t for t in among if is_main[t.id]]:
        if found is not None and share[below[0].id] <= share[found.id] / 2:
            break
        found, among = below[0], list(below[0].children)
    return found


def test_a_search_leads_to_the_main_topic(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file, "#with=text:algebra&or=text:galax*")
    asked = set()
    for _ in range(8):
        page.keyboard.press("j")
        document = int(page.url.split("document=")[1]) - 1
        topic = there(lowest_main(model, corpus, document))
        assert page.inner_text(".why a") == topic.title
        assert page.inner_text(".topics-of [aria-pressed=true]") == topic.title
        assert 1 <= len(texts(page, ".why b")) <= 5
        hits = {text.lower() for text in texts(page, "#details h2 .hit, #details .text .hit")}
        assert hits
        assert all(hit == "algebra" or hit.startswith("galax") for hit in hits)
        asked.add(topic.id)
    assert len(asked) > 1


def test_chips_of_topics_change_what_is_underlined(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    shares = model.transform(corpus)
    roots = [column(model, root.id) for root in model.topics_.roots]
    document = int(np.argmax((shares[:, roots] >= 0.2).sum(axis=1)))
    page = visit(page_file, f"#document={document + 1}")
    chips = texts(page, ".topics-of button")
    every = zip(model.topics_, shares[document], strict=True)
    assert set(chips) == {topic.title for topic, share in every if share >= 0.2}
    underlined = []
    for title in chips:
        page.click(f".topics-of button >> text={title!r}")
        assert page.inner_text(".why a") == title
        assert page.evaluate("document.activeElement.textContent") == title
        underlined.append(frozenset(marked(page, "#details .text")))
    assert len(set(underlined)) > 1


def test_a_list_of_either_topic_asks_about_its_own(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    one, other = model.topics_.roots[:2]
    shares = model.transform(corpus)
    document = int(np.argmax(shares[:, column(model, other.id)] - shares[:, column(model, one.id)]))
    either = f"with=topic:{one.id}&or=topic:{other.id}"
    page = visit(page_file, f"#{either}&document={document + 1}")
    assert page.inner_text(".why a") == other.title


def test_a_document_without_words_says_so_under_a_long_title(visit: Any, tmp_path: Path) -> None:
    tree = planted(24, 2)
    X = vstack([tree.sample(59, seed=1), csr_array((1, 24), dtype=int)])
    titles = [f"Title {k}" for k in range(59)] + ["endless " * 1250]
    about = {"titles": titles, "ids": [f"https://x.org/{k}" for k in range(60)]}
    page = visit(page_of_tree(tmp_path, tree, X, **about), "#document=60")
    assert page.get_attribute("#details a", "href") == "https://x.org/59"
    assert "contains no word of the vocabulary" in page.inner_text("#details .notice >> nth=0")
    assert page.query_selector("#details .why, #details .branches, .topics-of") is None
    short = box_of(page, "#details h2")["height"]
    page.click("text=Show all")
    assert box_of(page, "#details h2")["height"] > 10 * short
    page.click("text=Show less")
    assert box_of(page, "#details h2")["height"] == short < 160


def test_the_list_is_read_from_one_document_to_the_next(page: Any) -> None:
    page.click(FIRST_TOPIC)
    names = listed(page, 20)
    scroll_to_row(page, 12)
    place = page.eval_on_selector("#details", "e => e.scrollTop")
    page.click("[data-at='12'] .title")

    def shown() -> tuple[str, str]:
        return page.inner_text("#details h2"), page.inner_text(".beside .soft").split(" of ")[0]

    page.click("[aria-label='Next document']")
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    assert shown() == (names[15], "16")
    for key in ("k", "ArrowLeft", "k"):
        page.keyboard.press(key)
    assert shown() == (names[12], "13")
    page.focus("#details .text .said >> nth=0")
    page.keyboard.press("ArrowRight")  # the next word, and not the next document
    said = "[...document.querySelectorAll('#details .text .said')]"
    assert page.evaluate(f"{said}.indexOf(document.activeElement)") == 1
    assert page.inner_text(".tip")
    assert shown() == (names[12], "13")
    page.click("#details .back")
    assert page.eval_on_selector("#details", "e => e.scrollTop") == place


def test_j_opens_the_first_document_and_escape_closes_it(page: Any) -> None:
    page.keyboard.press("j")
    assert "document=" not in page.url  # nothing is listed
    page.click(FIRST_TOPIC)
    (first,) = listed(page, 1)
    page.keyboard.press("j")
    assert page.inner_text("#details h2") == first
    page.focus("#details .text .said >> nth=0")
    page.wait_for_selector(".tip")
    page.keyboard.press("Escape")  # what is said of the word goes first
    page.wait_for_selector(".tip", state="detached")
    assert "document=" in page.url
    page.keyboard.press("Escape")
    assert "document=" not in page.url
    assert listed(page, 1) == [first]


def test_a_shared_document_has_a_place_in_the_list(page: Any, visit: Any, page_file: Path) -> None:
    page.click(FIRST_TOPIC)
    page.wait_for_selector(".result .title >> nth=1")
    rest(page)
    page.click(".result .title >> nth=1")
    page.wait_for_selector(".beside")
    place = page.inner_text(".beside")
    assert "\n2 of " in place
    again = visit(page_file, "#" + page.url.split("#")[1])
    again.wait_for_selector(".beside")
    assert again.inner_text(".beside") == place
