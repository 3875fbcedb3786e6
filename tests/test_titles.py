"""Titles of topics: telling phrases, spelled as in the documents, unlike those beside and above."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, FormatError, Keyword, Topic, TopicTree, load, read_corpus
from hlta.options import IN_PART
from hlta.topics.spelling import Spelling
from hlta.topics.titles import Part, _mutual_information, _plain, _unsaid, find_titles
from tests.conftest import DEMO
from tests.model_files import change_file
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

PHYSICS = [
    "cold Bose-Einstein condensates of trapped atoms in lasers",
    "the Bose-Einstein distribution of cold atoms",
    "lasers, trapped atoms and Bose-Einstein statistics",
]
LEARNING = [
    "we train deep nets on images of faces",
    "labelled images for deep nets",
    "deep nets learn labelled faces from images",
]
MARKETS = [
    "the quarterly stock market report",
    "banks and the stock market",
    "stock market prices of banks",
]
TEXTS = (PHYSICS + LEARNING + MARKETS) * 20


@pytest.fixture(scope="module")
def demo() -> tuple[HLTA, Corpus]:
    corpus = read_corpus(DEMO, text="abstract")
    return HLTA(samples=20).fit(corpus), corpus


def slow_information(both: float, one: float, other: float, count: int) -> float:
    """Cell by cell of the two-by-two table."""
    if both * count <= one * other:
        return 0.0
    cells = {
        (1, 1): both,
        (1, 0): one - both,
        (0, 1): other - both,
        (0, 0): count - one - other + both,
    }
    total = 0.0
    for (a, b), joint in cells.items():
        independent = (one if a else count - one) * (other if b else count - other) / count**2
        if joint > 0:
            total += joint / count * log(joint / count / independent)
    return total


@given(st.integers(3, 30), st.data())
def test_information_is_that_of_the_table(count: int, data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(1, count - 1)) for _ in range(2))
    both = data.draw(st.integers(max(0, one + other - count), min(one, other)))
    found = _mutual_information(np.array([float(both)]), np.array([one]), float(other), count)
    assert found[0] == pytest.approx(slow_information(both, one, other, count), abs=1e-7)


def test_titles_are_phrases_in_the_spelling_of_the_documents() -> None:
    corpus = Corpus.from_texts(TEXTS)
    titles = {topic.title for topic in HLTA(samples=1).fit(corpus).topics_}
    assert {"trapped atoms", "deep nets", "quarterly stock market report"} < titles
    assert any(title.startswith("Bose-Einstein ") for title in titles)


Presence = dict[str, set[int]]


@pytest.fixture(scope="module", name="having")
def documents_with_each_word_and_phrase(demo: tuple[HLTA, Corpus]) -> Presence:
    corpus, found = demo[1], Presence()
    assert corpus.phrases is not None
    assert corpus.phrases.rows.tolist() == list(range(len(corpus)))
    for names, documents in (
        (corpus.words, corpus.documents),
        (corpus.phrases.names, corpus.phrases.documents),
    ):
        for row, document in enumerate(documents.to_csr()):
            for number in document.indices:
                found.setdefault(names[number], set()).add(row)
    return {_plain(name): rows for name, rows in found.items()}


def members(model: HLTA, corpus: Corpus, topic: Topic) -> set[int]:
    """The documents whose main topic it is; without any, those that are on it."""
    level = model.topics_.level(topic.level)
    place = [one.id for one in level].index(topic.id)
    main = set(np.flatnonzero(model.predict(corpus, topics=level) == place).tolist())
    on = model.transform(corpus, topics=[topic])[:, 0] >= IN_PART
    return main or set(np.flatnonzero(on).tolist())


def information(having: set[int], own: set[int], count: int) -> float:
    return slow_information(len(having & own), len(having), len(own), count)


def test_the_first_part_is_a_phrase_of_a_fifth_of_the_documents_or_a_keyword(
    demo: tuple[HLTA, Corpus], having: Presence
) -> None:
    model, corpus = demo
    shares, phrases = [], 0
    for topic in model.topics_:
        first = _plain(topic.title.split(", ")[0])
        own = members(model, corpus, topic)
        if not own:
            continue
        share = len(having[first] & own) / len(own)
        shares.append(share)
        if first not in map(_plain, topic.words):
            phrases += 1
            assert share >= IN_PART, topic.title
        assert any(word in topic.title.lower() for word in topic.words)
        usual = [len(having[_plain(word)] & own) / len(own) for word in topic.words]
        assert share >= min(IN_PART, max(usual)), topic.title
    assert len(shares) > 20
    assert phrases > 5
    assert np.median(shares) >= 0.3


def test_the_second_part_names_further_documents_and_says_more_with_the_first(
    demo: tuple[HLTA, Corpus], having: Presence
) -> None:
    model, corpus = demo
    pairs = 0
    for root in model.topics_.roots:
        first, *second = map(_plain, root.title.split(", "))
        own = members(model, corpus, root)
        alone = information(having[first], own, len(corpus))
        others = [
            _plain(word)
            for word in root.words
            if not Part(word, 0, 1).shares_word(Part(first, 0, 1))
        ]
        if not second:
            assert all(
                information(having[first] | having[w], own, len(corpus)) <= alone for w in others
            )
            continue
        pairs += 1
        assert (having[second[0]] - having[first]) & own
        assert information(having[first] | having[second[0]], own, len(corpus)) > alone
    assert pairs > 5


def test_no_title_is_that_of_a_sibling_or_of_a_topic_above(demo: tuple[HLTA, Corpus]) -> None:
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


def test_phrases_of_siblings_give_way_to_other_phrases() -> None:
    said = ["neural networks", "data", "state of the art"]
    alike, other, keyword = (
        Part("neural-network", 0.4, 1),
        Part("wireless networks", 0.2, 1),
        Part("data", 0.0, 1),
    )
    assert _unsaid([alike, other, keyword], said) == [other, keyword]
    assert _unsaid([alike, keyword], said) == [keyword]
    assert _unsaid([alike], said) == [alike]
    assert _unsaid([other, keyword], said) == [other, keyword]
    assert _unsaid([other, Part("neural-networks", 0.0, 1)], said) == [other]
    assert _unsaid([other], ["wireless -", ""]) == [other]
    assert _unsaid([alike, other], []) == [alike, other]


def test_documents_whose_phrases_were_not_noted_have_titles_of_keywords(
    demo: tuple[HLTA, Corpus],
) -> None:
    model, corpus = demo
    assert corpus.phrases is not None
    none = replace(
        corpus.phrases, rows=corpus.phrases.rows[:0], documents=corpus.phrases.documents[:0]
    )
    some = Corpus(corpus.documents, corpus.words, phrases=none)
    titles = find_titles(model.tree_, model.topics_.roots, some)
    assert titles == find_titles(model.tree_, model.topics_.roots)


def test_titles_are_found_beside_those_that_are_given(demo: tuple[HLTA, Corpus]) -> None:
    model, corpus = demo
    roots = model.topics_.roots
    usual = find_titles(model.tree_, roots, corpus)
    topic, last = next(
        (topic, siblings[-1])
        for siblings in [roots, *(above.children for above in model.topics_)]
        for topic in siblings[:-1]
        if " " in usual[topic.id].split(", ")[0]
    )
    phrase = usual[topic.id].split(", ")[0]
    given = {last.id: f"{phrase.upper()}s, or -"}
    found = find_titles(model.tree_, roots, corpus, given=given)
    assert phrase not in found[topic.id]
    assert found[last.id] == given[last.id]


def test_without_phrases_titles_are_keywords() -> None:
    model = HLTA(samples=1).fit(planted(60).sample(800, seed=0))
    for topic in model.topics_:
        first, second = topic.title.split(", ")
        assert {first, second} <= set(topic.words)
    assert TopicTree.from_tree(model.tree_).roots[0].title == model.topics_.roots[0].title


def test_titles_are_kept_in_files_and_lists(demo: tuple[HLTA, Corpus], tmp_path: Path) -> None:
    model = demo[0]
    model.save(tmp_path / "model.hlta")
    again = load(tmp_path / "model.hlta")
    assert isinstance(again, HLTA)
    assert [topic.title for topic in again.topics_] == [topic.title for topic in model.topics_]
    lowest = [topic.title for topic in model.topics_.level(1)]
    assert lowest == [topic.title for topic in again.topics_.level(1)]
    flat = model.topics_.flat(model.topics_.cut(5))
    assert [topic.title for topic in flat] == [topic.title for topic in model.topics_.cut(5)]


@pytest.mark.parametrize("titles", [["a"], {"Z1-1": 3}])
def test_titles_that_are_none_are_damage(titles: object, tmp_path: Path) -> None:
    path = tmp_path / "model.hlta"
    model = HLTA(samples=1).fit(planted(30).sample(200, seed=0))
    model.save(path)
    change_file(path, {"titles": titles})
    with pytest.raises(FormatError, match="damaged"):
        HLTA.load(path)


# ---- spelling ------------------------------------------------------------------------------------


def spelled(phrase: str, texts: list[str]) -> str:
    return Spelling(Corpus.from_texts(texts, min_df=1, max_df=1.0)).of(phrase)


@pytest.mark.parametrize(
    ("phrase", "texts", "expected"),
    [
        (
            "monte carlo",
            ["a Monte Carlo run", "the Monte\nCarlo way", "monte carlo x"],
            "Monte Carlo",
        ),
        ("deep nets", ["Deep nets win. Deep nets lose", "deep nets", "see deep nets"], "deep nets"),
        ("deep nets", ["Deep nets win", "So: Deep nets", "(Deep nets)"], "deep nets"),
        ("http server", ["HTTP server up", "So: HTTP server"], "HTTP server"),
        (
            "peer to peer",
            ["a peer-to-peer net", "any peer-to-peer", "peer to peer"],
            "peer-to-peer",
        ),
        (
            "peer-to-peer",
            ["a peer-to-peer net", "any peer-to-peer", "peer to peer"],
            "peer-to-peer",
        ),
        ("deep net", ["a deep netting", "a deep net", "the deep nets", "the deep net"], "deep net"),
        ("unknown", ["deep nets learn", "trees"], "unknown"),
    ],
)
def test_a_phrase_is_spelled_as_within_sentences(
    phrase: str, texts: list[str], expected: str
) -> None:
    assert spelled(phrase, texts * 3) == expected


def test_chinese_phrases_have_no_spaces() -> None:
    texts = [
        "机器 学习 方法",
        "机器 学习 模型",
        "机器 学习 数据",
        "夸克 物质 理论",
        "夸克 物质 模型",
    ] * 6
    pytest.importorskip("rjieba")
    corpus = Corpus.from_texts(texts, tokenizer="chinese", min_df=1, max_df=1.0)
    titles = [topic.title for topic in HLTA(samples=1).fit(corpus).topics_]
    assert titles
    assert not any(" " in part for title in titles for part in title.split(", "))


# ---- how a topic is shown ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("", ("images pixel", "layer")),
        ("pixel, layer", ("pixel layer", "images")),
        ("Pixel shader", ("Pixel shader:", "images layer")),
        ("images, pixel-layer", ("images, pixel-layer", "")),
    ],
)
def test_what_is_in_the_title_is_not_said_again(title: str, expected: tuple[str, str]) -> None:
    keywords = [Keyword(word, 0.6, 0.1, 0.2) for word in ("images", "pixel", "layer")]
    topic = Topic("Z2-1", level=2, size=0.25, keywords=keywords, parent=None, title=title)
    assert topic.named() == expected
    assert str(topic) == f"[0.25] {' '.join(expected)}".rstrip()


def test_the_order_of_documents_changes_no_title(demo: tuple[HLTA, Corpus]) -> None:
    corpus = demo[1]
    order = np.random.default_rng(0).permutation(len(corpus))
    texts = list(corpus.texts or ())
    other = HLTA(samples=1).fit([texts[k] for k in order])
    same = HLTA(samples=1).fit(texts)
    assert {topic.id: topic.title for topic in other.topics_} == {
        topic.id: topic.title for topic in same.topics_
    }


def test_vague_topics_have_a_telling_phrase_or_their_first_keywords(
    demo: tuple[HLTA, Corpus],
) -> None:
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
