"""What the page shows of a document: its topics, and the evidence for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from hlta import HLTA, TopicTree, read_corpus
from tests.pages import FIRST_DOCUMENT, FIRST_TOPIC, column, document_shown, rows, topic_shown

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    assert sorted(listed) == sorted(" ".join(topic.label_words(4)) for topic in on)


class Evidence:
    """What the words of a document say of a topic, by inference of the model."""

    def __init__(self, model: HLTA, topic: str, words: Iterable[int]) -> None:
        self.model, self.column, self.words = model, column(model, topic), frozenset(words)
        self.base = model.score_samples(self.matrix(self.words))[0]
        whole = TopicTree.from_tree(model.tree_, n_keywords=None)
        self.keywords = {keyword.word: keyword for keyword in whole[topic].keywords}

    def matrix(self, words: frozenset[int]) -> Any:
        X = np.zeros((1, self.model.tree_.n_words))
        X[0, sorted(words)] = 1
        return X

    def mass(self, words: frozenset[int]) -> Any:
        """P(words), shared out to the topic and the background, in units of P(document)."""
        X = self.matrix(words)
        p = self.model.transform(X)[0, self.column]
        return np.exp(self.model.score_samples(X)[0] - self.base) * np.array([p, 1 - p])

    def given_the_rest(self, word: int) -> float:
        """The odds of the topic over those with the word left open: both with and without it."""
        present, absent = self.mass(self.words | {word}), self.mass(self.words - {word})
        own = present if word in self.words else absent
        left_open = present + absent
        return float((own[0] / own[1]) / (left_open[0] / left_open[1]))

    def alone(self, word: int) -> float | None:
        """The likelihood ratio of the word by itself, if it stands below the topic."""
        keyword = self.keywords.get(self.model.tree_.words[word])
        if keyword is None:
            return None
        if word in self.words:
            return keyword.p_topic / keyword.p_background
        return (1 - keyword.p_topic) / (1 - keyword.p_background)


def factor(shown: str) -> float:
    sign, times = shown.split()
    number = float(times.replace(",", ""))
    return number if sign == "×" else 1 / number


def test_evidence_is_the_exact_likelihood_ratio(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[ROOT].id
    document = int(np.argsort(model.transform(corpus)[:, column(model, topic)])[-200])
    words = corpus.documents.indices[slice(*corpus.documents.indptr[document : document + 2])]
    evidence = Evidence(model, topic, words.tolist())
    page = visit(page_file, f"#topic={topic}&document={document + 1}")
    table = rows(page, "details.belongs[open] .evidence li")
    assert len(table) > 5
    compared_alone = 0
    for name, _, alone, ratio in table:
        word = model.tree_.words.index(name.removeprefix("no "))
        assert (word in evidence.words) != name.startswith("no ")
        assert factor(ratio) == pytest.approx(evidence.given_the_rest(word), rel=0.06)
        expected = evidence.alone(word)
        if expected is not None:
            assert factor(alone) == pytest.approx(expected, rel=0.06)
            compared_alone += 1
    assert compared_alone > 0


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
