"""What the page shows of a document: its topics, and the evidence for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree, read_corpus
from hlta.tree.state_order import order_states
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    box_of,
    branches,
    column,
    document_shown,
    listed,
    rows,
    scroll_to_row,
    texts,
    topic_shown,
)
from tests.strategies import many_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta import LatentTree, Topic

ROOT: Final = 1  # whose evidence is looked at


LISTED = """branches => [...branches.querySelectorAll(".belongs")].map(topic => [
  topic.querySelector(".label").textContent,
  topic.closest("ul").parentElement.querySelector(":scope > .belongs .label")?.textContent ?? "",
])"""


def named(topic: Topic) -> str:
    """Its title, and what marks it as weak or of style."""
    return f"{topic.title} {topic.mark}".rstrip()


def above(topic: Topic, listed: set[str]) -> str:
    """The name of the nearest topic above one that is listed, or ""."""
    up = topic.parent
    while up is not None and up.id not in listed:
        up = up.parent
    return "" if up is None else named(up)


def test_a_document_lists_its_topics_as_a_tree(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    titles = texts(page, ".documents .title")
    likely = model.transform(corpus.take([corpus.titles.index(title) for title in titles]))
    with_both = (likely >= 0.5).any(axis=1) & ((likely >= 0.1) & (likely < 0.5)).any(axis=1)
    page.click(f".documents .title >> nth={np.argmax(with_both)}")
    document = document_shown(page)
    assert page.inner_text("#details h2") == corpus.titles[document]
    probability = model.transform(corpus.take([document]))[0]
    for place, least, most in ((0, 0.5, 2.0), (1, 0.1, 0.5)):
        on = [
            topic for topic, p in zip(model.topics_, probability, strict=True) if least <= p < most
        ]
        listed = {topic.id for topic in on}
        trees = page.query_selector_all("#details > .branches, #details > .more > .branches")
        assert sorted(map(tuple, trees[place].evaluate(LISTED))) == sorted(
            (named(topic), above(topic, listed)) for topic in on
        )


class Evidence:
    """What the words of a document say of a topic, by inference in Python."""

    def __init__(self, tree: LatentTree, topic: str, present: Iterable[int]) -> None:
        self.tree, self.latent = tree, tree.latent_names.index(topic)
        self.X = np.zeros((1, tree.n_words))
        self.X[0, list(present)] = 1
        self.every = np.arange(tree.n_words)

    def odds(self, unknown: Any) -> float:
        """The odds that the document is on the topic if nothing is known of some words."""
        parameters = self.tree.parameters
        is_on = parameters.is_on[self.latent]
        word = parameters.word.copy()
        word[unknown] = np.where(word[unknown] > 0, 0.5, 0.0)  # as likely in every state: no news
        tree = self.tree.with_probability(parameters._replace(word=word))
        states = tree.posteriors(self.X).states()[0, self.latent]
        return float(states[is_on].sum() / states[~is_on].sum())

    def of(self, words: Any) -> float:
        """The factor of the odds by which words change them, if all others are known."""
        return self.odds([]) / self.odds(words)

    def alone(self, word: int) -> float:
        """The factor of a word if nothing else is known."""
        return self.odds(self.every != word) / self.odds(self.every)


def factor(shown: str) -> float:
    sign, times, *millions = shown.split()
    number = float(times.replace(",", "")) * (1e6 if millions else 1)
    return number if sign == "×" else 1 / number


def check_evidence(page: Any, evidence: Evidence, within: str) -> None:
    """The factors of a topic are those of Python."""
    table = rows(page, f"{within} .evidence li")
    assert len(table) > 5
    for name, _, alone, in_context in table:
        word = evidence.tree.words.index(name.removeprefix("no "))
        assert bool(evidence.X[0, word]) != name.startswith("no ")
        assert factor(alone) == pytest.approx(evidence.alone(word), rel=0.06)
        rest = evidence.of([word])
        if in_context == "–":  # what would be shown as a factor of 1.0
            assert rest == pytest.approx(1, rel=0.06)
        else:
            assert factor(in_context) == pytest.approx(rest, rel=0.06)
            assert in_context not in {"× 1.0", "÷ 1.0"}


def check_verdict(page: Any, evidence: Evidence, within: str) -> None:
    """The factors of all words together are those of Python."""
    present, absent = map(factor, texts(page, f"{within} > p > .figure b"))
    assert present == pytest.approx(evidence.of(evidence.X[0] == 1), rel=0.06)
    assert absent == pytest.approx(evidence.of(evidence.X[0] == 0), rel=0.06)


def test_evidence_is_the_exact_likelihood_ratio(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[ROOT].id
    document = int(np.argsort(model.transform(corpus)[:, column(model, topic)])[-200])
    words = corpus.documents.indices[slice(*corpus.documents.indptr[document : document + 2])]
    page = visit(page_file, f"#topic={topic}&document={document + 1}")
    evidence = Evidence(model.tree_, topic, words.tolist())
    check_evidence(page, evidence, ".reasons")
    check_verdict(page, evidence, "#details")


def test_a_model_of_four_states_is_computed_as_in_python(visit: Any, tmp_path: Path) -> None:
    tree = order_states(many_states(planted(60, 3), 4, most=4, strength=1.5))
    X = tree.sample(300, 1)
    topics = TopicTree.from_tree(tree)
    topics.to_html(tmp_path / "index.html", corpus=Corpus(X, tree.words))
    posterior = tree.posteriors(X).dense()
    for topic in (topics.roots[0], topics.roots[0].children[-1]):
        chances = posterior[:, tree.latent_names.index(topic.id)]
        document = int(np.abs(chances - 0.7).argmin())
        page = visit(tmp_path / "index.html", f"#topic={topic.id}&document={document + 1}")
        expected = {}
        for other in topics:
            p = posterior[document, tree.latent_names.index(other.id)]
            if p >= 0.1:
                expected[other.title] = pytest.approx(p, abs=0.00501)
        shown = {label: float(p.lstrip("<>")) for label, _, p in rows(page, ".belongs > summary")}
        assert shown == expected
        evidence = Evidence(tree, topic.id, X[[document]].indices)
        check_evidence(page, evidence, ".reasons")
        check_verdict(page, evidence, "#details")
        page.eval_on_selector_all(
            ".belongs",
            "(all, title) => all.find(e => e.innerText.includes(title)).open = true",
            topic.title,
        )
        page.wait_for_selector(".belongs[open] .why .evidence")
        check_evidence(page, evidence, ".belongs[open] .why")
        check_verdict(page, evidence, ".belongs[open] .why")


def apart(text: str) -> str:
    """A text in lower case, with nothing but a space between words."""
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))


def marked(page: Any, where: str) -> set[str]:
    """The words that are underlined there."""
    return set(map(apart, texts(page, f"{where} mark.said")))


def test_the_words_that_speak_are_underlined_where_they_stand(
    visit: Any, page_file: Path, demo: Any
) -> None:
    model, corpus = demo
    root = model.topics_.roots[ROOT].id
    order = np.argsort(-model.transform(corpus)[:, column(model, root)])
    for document in order[[3, 30, 150]].tolist():
        page = visit(page_file, f"#topic={root}&document={document + 1}")
        says = [row[0] for row in rows(page, ".reasons .evidence li")]
        present = {apart(word) for word in says if not word.startswith("no ")}
        text = apart(f"{page.inner_text('#details h2')} {page.inner_text('#details .text')}")
        underlined = marked(page, "#details h2") | marked(page, "#details .text")
        beyond = marked(page, "#details .beyond")
        in_text = {
            word
            for word in present
            if f" {word} " in f" {text} " and not any(f" {word}" in phrase for phrase in present)
        }
        assert len(in_text) >= 3
        assert in_text <= underlined
        assert not in_text & beyond
        assert {word for word in present if word.split()[0] not in text} <= beyond


@pytest.fixture(scope="module")
def inflected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose texts have words in the plural, as if the model had been told base forms; of
    the words, every third is beyond the text, and the last document has none.
    """
    X = planted(30, 3).sample(300, seed=1).tolil()
    X[[297, 298], :] = np.arange(30) < 20
    X[299] = 0
    X = X.tocsr()
    words = [f"thing{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(30)]
    here = [[words[k] for k in row.indices if k % 3] for row in X]
    corpus = Corpus(
        X,
        words,
        titles=[f"Title {k}" for k in range(299)] + ["endless " * 1250],
        texts=[" and ".join(f"{word.title()}s" for word in some) + " …" for some in here],
    )
    file = tmp_path_factory.mktemp("inflected") / "index.html"
    HLTA(samples=1).fit(corpus).topics_.to_html(file, corpus=corpus)
    return file


def test_words_are_found_in_other_forms_and_the_rest_is_told(visit: Any, inflected: Path) -> None:
    page = visit(inflected, "#document=298")
    text = page.inner_text("#details .text").lower()
    underlined, beyond = marked(page, "#details .text"), marked(page, "#details .beyond")
    assert underlined
    assert all(word in text.replace(" …", "").split(" and ") for word in underlined)
    assert beyond
    assert not any(word in text for word in beyond)
    assert "beyond the text that this page holds" in page.inner_text("#details .beyond")


def test_a_document_without_words_says_so(visit: Any, inflected: Path) -> None:
    page = visit(inflected, "#document=300")
    assert "contains no word of the vocabulary" in page.inner_text("#details .notice >> nth=0")
    assert page.query_selector("#details .reasons") is None


def test_a_document_that_the_model_hardly_knows_is_on_no_topic(visit: Any, tmp_path: Path) -> None:
    X = planted(24, 2).sample(200, seed=1)
    words, coverage = [f"word{k}" for k in range(24)], np.ones(200)
    model = HLTA(samples=1).fit(Corpus(X, words, coverage=coverage))
    row = int(model.transform(X).sum(axis=1).argmax())
    for name, share in (("known", 1.0), ("unknown", 0.1)):
        coverage[row] = share
        corpus = Corpus(X, words, coverage=coverage)
        model.topics_.to_html(tmp_path / f"{name}.html", corpus=corpus)
    known = visit(tmp_path / "known.html", f"#document={row + 1}")
    assert known.query_selector("#details .branches")
    unknown = visit(tmp_path / "unknown.html", f"#document={row + 1}")
    assert unknown.inner_text("#details .notice >> nth=0").startswith(
        "The model knows too few words"
    )
    assert "on no topic" in unknown.inner_text("#details .notice >> nth=1")
    assert unknown.query_selector("#details .branches, .why-head, .said") is None


def test_a_heading_breaks_like_text(visit: Any, page_file: Path, demo: Any) -> None:
    topic = max(demo[0].topics_, key=lambda topic: len(topic.title)).id
    page = visit(page_file, f"#topic={topic}", viewport={"width": 390, "height": 844})
    page.click(FIRST_DOCUMENT)
    why, *title, mark = page.eval_on_selector(
        ".why-head h3",
        """heading => {
            const range = document.createRange();
            const [why, link, mark] = heading.childNodes;
            return [why, link, mark].flatMap(part => {
                range.selectNodeContents(part);
                return [...range.getClientRects()].map(line => line.bottom);
            });
        }""",
    )
    assert abs(why - min(title)) < 6  # the title begins on the line of "Why"
    assert abs(mark - max(title)) < 6  # and "?" ends its last line


def test_a_long_title_is_shown_in_part(visit: Any, inflected: Path) -> None:
    page = visit(inflected, "#document=300")
    short = box_of(page, "#details h2")["height"]
    assert short < 160
    page.click("text=Show all")
    assert box_of(page, "#details h2")["height"] > 10 * short
    page.click("text=Show less")
    assert box_of(page, "#details h2")["height"] == short


def test_similar_documents_lead_on_and_copies_are_told(visit: Any, inflected: Path) -> None:
    page = visit(inflected, "#document=298")
    page.click("#details summary:has-text('of this document')")
    assert "Title 298" in page.inner_text("#details .more[open] .list")
    names = texts(page, ".similar .title")
    assert 0 < len(names) <= 6
    assert len(set(names)) == len(names)
    assert "Title 298" not in names
    assert all("shares thing" in told for told in texts(page, ".similar .soft"))
    page.click(".similar .title >> nth=0")
    assert page.inner_text("#details h2") == names[0]


def test_the_list_is_read_from_one_document_to_the_next(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    names = listed(page, 20)
    scroll_to_row(page, 12)
    place = page.eval_on_selector("#details", "e => e.scrollTop")
    page.click("[data-at='12'] .title")

    def shown() -> tuple[str, str]:
        return page.inner_text("#details h2"), page.inner_text(".beside .soft").split(" of ")[0]

    page.click("[aria-label='Next document']")
    assert shown() == (names[13], "14")
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    assert shown() == (names[15], "16")
    for key in ("k", "ArrowLeft", "k"):
        page.keyboard.press(key)
    assert shown() == (names[12], "13")
    page.click("#details .back")
    assert page.eval_on_selector("#details", "e => e.scrollTop") == place


def test_odds_are_told_in_words_and_figures_are_shown_if_wanted(
    visit: Any, page_file: Path, demo: Any
) -> None:
    topic = demo[0].topics_.roots[ROOT].id
    page = visit(page_file, f"#topic={topic}")
    page.click(FIRST_DOCUMENT)
    page.hover("#details .text .said >> nth=0")
    assert re.search(r"“.*” speaks .* the topic: it makes the odds", page.inner_text(".tip"))
    page.keyboard.press("Escape")
    assert page.query_selector(".tip") is None
    page.focus("#details .text .said >> nth=0")
    page.keyboard.press("ArrowRight")  # the next word, and not the next document
    said = "[...document.querySelectorAll('#details .text .said')]"
    assert page.evaluate(f"{said}.indexOf(document.activeElement)") == 1
    assert page.inner_text(".tip")
    assert page.inner_text(".beside .soft").startswith("1 of")
    assert not page.is_visible("#details .figure >> nth=0")
    page.check("text=Show figures")
    assert page.is_visible("#details .figure >> nth=0")
    page.reload()
    page.wait_for_selector("#details .text")
    assert page.is_visible("#details .figure >> nth=0")


def test_another_topic_is_marked_in_the_text(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = branches(model.topics_)[ROOT]
    other = topic.children[0]
    both = model.transform(corpus)[:, [column(model, topic.id), column(model, other.id)]]
    document = int(both.min(axis=1).argmax())
    page = visit(page_file, f"#topic={topic.id}&document={document + 1}")
    assert page.inner_text(".why-head h3") == f"Why {topic.title}?"
    page.click(f"#details > .branches .label:text-is('{named(other)}')")
    page.click(".belongs[open] >> text=Mark in the text")
    assert page.inner_text(".why-head h3") == f"Why {other.title}?"
    page.click("[aria-label='Next document']")
    assert page.inner_text(".why-head h3") == f"Why {topic.title}?"


def test_on_a_phone_the_way_back_stays_in_sight(visit: Any, page_file: Path, demo: Any) -> None:
    topic = demo[0].topics_.roots[ROOT].id
    page = visit(page_file, f"#topic={topic}", viewport={"width": 390, "height": 844})
    page.click(FIRST_DOCUMENT)
    page.eval_on_selector("#details", "e => e.scrollTo(0, 900)")
    boxes = page.eval_on_selector_all(
        ".reader-way button", "all => all.map(e => e.getBoundingClientRect().toJSON())"
    )
    assert boxes
    for box in boxes:
        assert box["height"] >= 44
        assert box["y"] < 250
    page.click("#details .back")
    assert topic_shown(page) == topic


def test_a_document_links_to_its_file(visit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "some # documents"
    folder.mkdir()
    for k in range(40):
        words = "cat dog horse" if k % 2 else "stock bond market"
        (folder / f"100% {k}?.txt").write_text(f"{words} {words} number {k % 5}", encoding="utf-8")
    corpus = read_corpus(folder, min_df=2)
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "index.html"
    HLTA().fit(corpus).topics_.to_html(file, corpus=corpus, source=folder)
    page = visit(file, "#document=1")
    link = page.query_selector("#details a")
    target = page.evaluate("e => decodeURIComponent(new URL(e.href).pathname)", link)
    assert Path(target).is_file()
    assert corpus.ids is not None
    assert corpus.ids[0] == Path(target).name
