"""Titles of topics: telling phrases, spelled as in the documents, unlike those beside and above."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, Keyword, Topic, TopicTree, read_corpus
from hlta.documents.given_matrices import as_documents
from hlta.options import IN_PART
from hlta.text.fillers import PRIOR_DOCUMENTS
from hlta.topics.contrast import title_weights, word_contrast
from hlta.topics.spelling import Spelling
from hlta.topics.titles import _keywords_in, _mutual_information, _plain, _Sample, find_titles
from tests.conftest import DEMO
from tests.oracles import information
from tests.synthetic import planted

PHYSICS = [
    "cold Bose-Einstein condensates of trapped atoms in lasers",
    "the Bose-Einstein distribution of cold atoms",
    "lasers, trapped atoms and Bose-Einstein statistics",
]
LEARNING = ["we train deep nets on images of faces", "labelled images for deep nets"]
LEARNING += ["deep nets learn labelled faces from images"]
MARKETS = ["the quarterly stock market report", "banks and the stock market"]
MARKETS += ["stock market prices of banks"]
TEXTS = (PHYSICS + LEARNING + MARKETS) * 20


Fit = tuple[HLTA, Corpus]
Rows = dict[str, set[int]]  # of each word, phrase or topic, the documents with it


@pytest.fixture(scope="module")
def demo() -> Fit:
    """The demo without phrases among its words."""
    corpus = read_corpus(DEMO, text="abstract")
    return HLTA(samples=5).fit(corpus), corpus


def information_of(*numbers: int, count: int) -> float:
    """Of two events, from the numbers of documents with both, the one and the other."""
    return float(information(*(np.array(number / count) for number in numbers)))


@given(st.integers(3, 30), st.data())
def test_information_is_that_of_the_table(count: int, data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(1, count - 1)) for _ in range(2))
    both = data.draw(st.integers(max(0, one + other - count), min(one, other)))
    found = _mutual_information(np.array([float(both)]), np.array([one]), float(other), count)
    assert found[0] == pytest.approx(information_of(both, one, other, count=count), abs=1e-7)


def test_titles_are_phrases_in_the_spelling_of_the_documents_in_any_order() -> None:
    order = np.random.default_rng(0).permutation(len(TEXTS))
    one, other = (
        {topic.id: topic.title for topic in HLTA(samples=1).fit(Corpus.from_texts(texts)).topics_}
        for texts in (TEXTS, [TEXTS[k] for k in order])
    )
    assert one == other
    assert {"trapped atoms", "deep nets", "quarterly stock market report"} < {*one.values()}
    assert any(title.startswith("Bose-Einstein ") for title in one.values())


@pytest.fixture(scope="module", name="having")
def documents_with_each_word_and_phrase(demo: Fit) -> Rows:
    corpus = demo[1]
    found: Rows = {}
    assert corpus.phrases is not None
    assert corpus.phrases.rows.tolist() == list(range(len(corpus)))
    for names, documents in (
        (corpus.words, corpus.documents),
        (corpus.phrases.names, corpus.phrases.documents),
    ):
        for row, document in enumerate(documents.to_csr()):
            for number in document.indices:
                found.setdefault(_plain(names[number]), set()).add(row)
    return found


@pytest.fixture(scope="module")
def members(demo: Fit) -> Rows:
    """By topic, the documents whose main topic it is; without any, those that are on it."""
    model, corpus = demo
    shares, main = model.topics_.shares().with_flags(corpus.aligned(model.tree_.words))
    pairs = zip(shares.T, main.T, strict=True)
    rows = [np.flatnonzero(m if m.any() else on >= IN_PART) for on, m in pairs]
    return {topic.id: set(own.tolist()) for topic, own in zip(model.topics_, rows, strict=True)}


def test_the_first_part_is_a_phrase_of_a_fifth_of_the_documents_or_around_a_keyword(
    demo: Fit, having: Rows, members: Rows
) -> None:
    phrases = 0
    for topic in demo[0].topics_:
        first, own = _plain(topic.title.split(", ")[0]), members[topic.id]
        if not own or first not in having:  # a word that is spelled as the compound it is a part of
            continue
        share = len(having[first] & own) / len(own)
        words = {*map(_plain, topic.words)}
        phrases += first not in words
        around = (len(having[word] & own) / len(own) for word in {*first.split()} & words)
        assert first in words or share >= IN_PART or share > min(around) / 2, topic.title
        assert any(word in topic.title.lower() for word in topic.words)
    assert phrases > 5


def test_the_second_part_names_further_documents_and_says_more_with_the_first(
    demo: Fit, having: Rows, members: Rows
) -> None:
    model, corpus = demo
    count, pairs = len(corpus), 0
    for root in model.topics_.roots:
        first, *second = map(_plain, root.title.split(", "))
        own = members[root.id]

        def shared(rows: set[int], own: set[int] = own) -> float:
            return information_of(len(rows & own), len(rows), len(own), count=count)

        if second and {first, second[0]} <= having.keys():
            pairs += 1
            assert (having[second[0]] - having[first]) & own
            assert shared(having[first] | having[second[0]]) > shared(having[first])
    assert pairs > 5


def test_a_keyword_is_written_in_the_phrase_that_most_documents_with_it_have(
    demo: Fit, having: Rows, members: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spelling, "of", lambda _, part: part)
    model, corpus = demo
    counts = model._fitted.annotations.counts  # with which the main topics are found
    titles = find_titles(model.tree_, model.topics_.roots, corpus, counts=counts)
    phrases = 0
    for topic in model.topics_:
        for part in titles[topic.id].split(", "):
            with_word = having[_plain(part)] & members[topic.id]
            around = [name for name in having if part in name.split() and name != part]
            both = [len(having[name] & with_word) for name in around]
            assert 2 * max(both, default=0) <= len(with_word), (titles[topic.id], around)
            phrases += " " in part
    assert phrases > 5


def test_no_title_is_that_of_a_sibling_or_of_a_topic_above(demo: Fit) -> None:
    model, corpus = demo
    topics = TopicTree.from_tree(model.tree_, lowest_level=1)
    titles = find_titles(model.tree_, topics.roots, corpus)
    assert set(titles) == {topic.id for topic in topics}
    for topic in topics:
        beside = topics.roots if topic.parent is None else topic.parent.children
        near = [other for other in beside if other is not topic]
        above = topic
        while above.parent is not None:
            above = above.parent
            near.append(above)
        assert titles[topic.id] not in {titles[other.id] for other in near}
        assert titles[topic.id].strip()


def test_without_phrases_titles_are_keywords_and_no_phrase_says_a_word_twice_in_a_row() -> None:
    model = HLTA(samples=1).fit(planted(60).sample(800, seed=0))
    for topic in model.topics_:
        first, second = topic.title.split(", ")
        assert {first, second} <= set(topic.words)
    root = model.topics_.roots[0]
    assert TopicTree.from_tree(model.tree_)[root.id].title == root.title
    phrases = ("copyright copyright", "copyright notice", "day to day")
    assert _keywords_in(phrases, {"copyright": 0, "day": 1}).sum(axis=1).tolist() == [0, 1, 1]


def test_titles_of_siblings_differ_as_spelled(demo: Fit, monkeypatch: Any) -> None:
    spelled = "one compound"
    monkeypatch.setattr(Spelling, "of", lambda _, part: spelled if " " in part else part)
    model, corpus = demo
    titles = find_titles(model.tree_, model.topics_.roots, corpus)
    assert spelled in titles.values()
    for siblings in (model.topics_.roots, *(topic.children for topic in model.topics_)):
        assert len({titles[topic.id] for topic in siblings}) == len(siblings)


@pytest.mark.parametrize(
    ("phrase", "texts", "expected"),
    [
        ("monte carlo", ["a Monte Carlo run", "a Monte\nCarlo", "monte carlo x"], "Monte Carlo"),
        ("deep nets", ["Deep nets win. Deep nets lose", "deep nets", "see deep nets"], "deep nets"),
        ("deep nets", ["Deep nets win", "So: Deep nets", "(Deep nets)"], "deep nets"),
        ("http server", ["HTTP server up", "So: HTTP server"], "HTTP server"),
        ("oscar wilde", ["Oscar Wilde said", "So: Oscar Wilde", "(Oscar Wilde)"], "Oscar Wilde"),
        ("oscar wilde plays", ["Oscar Wilde plays", "So: Oscar Wilde plays"], "Oscar Wilde plays"),
        ("tao te ching", ["Tao-Te-Ching", "So. Tao-Te-Ching"], "Tao-Te-Ching"),
        ("tools for gtk", ["Tools for GTK", "So: Tools for GTK"], "tools for GTK"),
        ("peer to peer", ["a peer-to-peer net", "a peer-to-peer", "peer to peer"], "peer-to-peer"),
        ("peer-to-peer", ["a peer-to-peer net", "a peer-to-peer", "peer to peer"], "peer-to-peer"),
        ("deep net", ["a deep netting", "a deep net", "the deep nets", "the deep net"], "deep net"),
        ("shot rule", ["a few-shot rule", "Few-shot rule", "zero-shot rule"], "few-shot rule"),
        ("shot rule", ["a few-shot rule", "a one-shot rule", "a zero-shot rule"], "shot rule"),
        ("art net", ["a state-of-the-art net", "an art net", "no art net"], "art net"),
        ("deep net", ["a deep net-based way", "a deep net", "the deep net"], "deep net"),
        ("unknown", ["deep nets learn", "trees"], "unknown"),
        ("kabul", ["the way to Kabul", "Kabul fell", "in Kabul"], "Kabul"),
        ("nets", ["Nets learn", "deep nets", "Nets win"], "nets"),
        ("ray", ["an X-ray source", "the X-ray light", "a ray"], "X-ray"),
        ("net", ["a HorNET, the HorNET and a net", "HorNET or net"], "net"),
        ("deep nets", ["\u0130stanbul has Deep Nets", "of \u0130zmir Deep Nets"], "Deep Nets"),
    ],
)
def test_a_phrase_is_spelled_as_in_sentences(phrase: str, texts: list[str], expected: str) -> None:
    corpus = Corpus.from_texts(texts * 3, min_df=1, max_df=1.0)
    assert Spelling(corpus).of(phrase) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("", ("images, pixel:", "layer")),
        ("pixel, layer", ("pixel, layer:", "images")),
        ("Pixel, layer", ("Pixel, layer:", "images")),
        ("Pixel shader", ("Pixel shader:", "images layer")),
        ("images, pixel-layer", ("images, pixel-layer", "")),
    ],
)
def test_what_is_in_the_title_is_not_said_again(title: str, expected: tuple[str, str]) -> None:
    keywords = [Keyword(word, 0.6, 0.1, 0.2) for word in ("images", "pixel", "layer")]
    topic = Topic("Z2-1", level=2, size=0.25, keywords=keywords, parent=None, title=title)
    assert topic.named() == expected
    assert str(topic) == f"[0.25] {' '.join(expected)}".rstrip()


def test_vague_topics_have_a_phrase_or_first_keywords(demo: Fit, monkeypatch: Any) -> None:
    monkeypatch.setattr(Spelling, "of", lambda _, part: part)
    monkeypatch.setattr(_Sample, "write_in_phrases", lambda *given: given[1])
    model, corpus = demo
    topics = TopicTree.from_tree(model.tree_)
    subjects = find_titles(model.tree_, topics.roots, corpus)
    for topic in topics:
        topic.is_vague = True
    titles = find_titles(model.tree_, topics.roots, corpus)
    taken = {title.casefold() for title in titles.values()}
    phrases = 0
    for topic in topics:
        parts = titles[topic.id].casefold().split(", ")
        if set(parts) <= set(topic.words):
            continue
        phrases += 1
        assert len(parts) == 1 or parts[0] in taken, "a phrase stands alone, if it is free"
        assert parts[0] in subjects[topic.id].casefold()
    assert 0 < phrases < 0.6 * len(topics)


def slow_contrast(X: np.ndarray) -> np.ndarray:
    """Word by word, the other words alone, pair by pair of documents."""
    n = len(X)
    weight = np.log(n / np.maximum(X.sum(axis=0), 1))
    vectors = X * weight
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    out = []
    for word in range(X.shape[1]):
        others = np.delete(vectors, word, axis=1)
        having, mean = others[X[:, word] > 0], others.mean(axis=0)
        products = having @ having.T
        pairs = products.sum() - np.trace(products)
        pairs += 2 * PRIOR_DOCUMENTS * (having @ mean).sum() + PRIOR_DOCUMENTS**2 * mean @ mean
        along = (having @ mean).sum() + PRIOR_DOCUMENTS * mean @ mean
        most = max(pairs * (mean @ mean), np.finfo(float).tiny)
        out.append(np.clip(1 - along**2 / most, 0, 1))
    return np.array(out)


@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(2, 12))
def test_contrast_is_that_of_pairs_of_documents(seed: int, n: int, words: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((n, words)) < rng.random(words)).astype(float)
    names = [f"w{k}" for k in range(words)]
    found = word_contrast(as_documents(X), names)
    assert found == pytest.approx(slow_contrast(X), abs=1e-6)
    order = rng.permutation(n)
    assert word_contrast(as_documents(X[order]), names) == pytest.approx(found, abs=2e-6)


def test_subjects_have_contrast_and_style_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so they have in a sample of the documents."""
    rng = np.random.default_rng(0)
    own = np.repeat(np.eye(4), 12, axis=1)[rng.integers(4, size=600)] * 0.5  # of each subject
    X = rng.random((600, 54)) < np.hstack((own, np.full((600, 6), 0.3)))
    given = as_documents(X.astype(int)), [f"w{k}" for k in range(54)]
    found = word_contrast(*given)
    assert found[:-6].min() > 0.4
    assert found[-6:].max() < 0.05
    order, by_weight = (np.argsort(one, kind="stable") for one in (found, title_weights(found)))
    np.testing.assert_array_equal(by_weight, order)
    assert title_weights(np.zeros(3)).min() > 0.0
    monkeypatch.setattr("hlta.topics.contrast.SUFFICIENT", 300)
    of_sample = word_contrast(*given)
    assert (of_sample != found).any()
    assert of_sample == pytest.approx(found, abs=0.15)
