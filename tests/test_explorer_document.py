"""What the page shows of a document: its topics, and the evidence for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree, read_corpus
from hlta.tree.state_order import order_states
from tests.pages import (
    FIRST_DOCUMENT,
    FIRST_TOPIC,
    column,
    document_shown,
    rows,
    texts,
    topic_shown,
)
from tests.strategies import many_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta import LatentTree

ROOT: Final = 1  # whose evidence is looked at


def test_a_document_lists_its_topics(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file)
    page.click(FIRST_TOPIC)
    chosen = topic_shown(page)
    page.click(FIRST_DOCUMENT)
    document = document_shown(page)
    assert page.inner_text("#details h2") == corpus.titles[document]
    p = model.transform(corpus.take([document]))[0]
    on = [topic for topic, p_topic in zip(model.topics_, p, strict=True) if p_topic >= 0.1]
    listed = page.eval_on_selector_all(
        "details.belongs > summary", "all => all.map(e => e.innerText.trim().split('\\n')[0])"
    )
    assert chosen in {topic.id for topic in on}
    assert sorted(listed) == sorted(topic.title for topic in on)


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


def check_evidence(page: Any, evidence: Evidence) -> None:
    """The factors of the topic that is open are those of Python."""
    table = rows(page, "details.belongs[open] .evidence li")
    assert len(table) > 5
    for name, _, alone, in_context in table:
        word = evidence.tree.words.index(name.removeprefix("no "))
        assert bool(evidence.X[0, word]) != name.startswith("no ")
        assert factor(in_context) == pytest.approx(evidence.of([word]), rel=0.06)
        assert factor(alone) == pytest.approx(evidence.alone(word), rel=0.06)
    present, absent = map(factor, texts(page, "details.belongs[open] .why > p b"))
    assert present == pytest.approx(evidence.of(evidence.X[0] == 1), rel=0.06)
    assert absent == pytest.approx(evidence.of(evidence.X[0] == 0), rel=0.06)


def test_evidence_is_the_exact_likelihood_ratio(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[ROOT].id
    document = int(np.argsort(model.transform(corpus)[:, column(model, topic)])[-200])
    words = corpus.documents.indices[slice(*corpus.documents.indptr[document : document + 2])]
    page = visit(page_file, f"#topic={topic}&document={document + 1}")
    check_evidence(page, Evidence(model.tree_, topic, words.tolist()))


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
            if p >= 0.1 or other is topic:
                expected[other.title] = pytest.approx(p, abs=0.00501)
        shown = {
            label: float(p.lstrip("<>")) for label, _, p in rows(page, "details.belongs > summary")
        }
        assert shown == expected
        check_evidence(page, Evidence(tree, topic.id, X[[document]].indices))


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
