"""Measures of topics: by hand, and as plain loops over sets of documents; topics of other tools."""

import gzip
import json
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from hlta import DocumentsError, FormatError, OptionError, TopicTree
from hlta.evaluate import (
    WordList,
    WordVectors,
    agreement,
    hierarchy_measures,
    read_vectors,
    read_word_lists,
    topic_coherence,
    topic_compactness,
    topic_diversity,
    topic_npmi,
    topic_stability,
)
from hlta.evaluate.word_lists import as_read
from tests.examples import HIERARCHY

X = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
"""D(a) = 3, D(b) = 2, D(c) = 2, D(d) = 0; D(a, b) = 2, D(a, c) = 1, D(b, c) = 1."""
A, B, C = (WordList(list(words)) for words in ("abc", "bcd", "xyz"))


# ---- coherence -----------------------------------------------------------------------------------


def test_coherence_by_hand() -> None:
    expected = np.log(3 / 3) + np.log(2 / 3) + np.log(2 / 2)
    topics = [A, WordList(list("aabac"))]  # repeated words count once
    assert topic_coherence(topics, X, "abcd", n_words=3) == pytest.approx([expected] * 2)
    assert topic_coherence(topics, X, "abcd", n_words=2) == pytest.approx([0.0] * 2)
    turned = topic_coherence([A], X[:, ::-1], "dcba", n_words=3)
    assert turned == pytest.approx([expected])
    assert np.isnan(topic_coherence([A], X, "abcd")).all()  # of fewer than ten words


def test_npmi_by_hand() -> None:
    p = {"a": 3 / 5, "b": 2 / 5, "c": 2 / 5}
    pairs = {("a", "b"): 2 / 5, ("a", "c"): 1 / 5, ("b", "c"): 1 / 5}
    expected = np.mean([np.log(q / (p[u] * p[v])) / -np.log(q) for (u, v), q in pairs.items()])
    scores = topic_npmi([A, WordList(["a"])], X, "abcd", n_words=3)
    assert scores[0] == pytest.approx(expected)
    assert np.isnan(scores[1])
    assert topic_npmi([A], np.ones((4, 3)), "abc", n_words=3) == pytest.approx([1.0])


def test_topics_with_words_that_no_document_has_are_not_scored() -> None:
    names = [["a", "zebra"], ["zebra", "a"], ["zebra", "gnu"], ["a", "d"], ["a", "b"]]
    topics = [WordList(words) for words in names]
    for score in (topic_coherence, topic_npmi):
        scored = np.isfinite(score(topics, X, "abcd", n_words=2))
        np.testing.assert_array_equal(scored, [False, False, False, False, True])
        with pytest.raises(OptionError, match="n_words=1: use a whole number, 2 or more"):
            score(topics, X, "abcd", n_words=1)


def test_compactness_is_the_mean_cosine_of_pairs() -> None:
    unit = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], dtype=np.float32)
    vectors = WordVectors({"a": 0, "b": 1, "c": 2}, unit)
    topics = [WordList(["a", "absent", "b", "a", "c", "other"]), WordList(["absent", "a"])]
    compactness = topic_compactness(topics, vectors)
    assert compactness.scores[0] == pytest.approx((0.6 + 0.0 + 0.8) / 3, rel=1e-6)
    assert np.isnan(compactness.scores[1])
    assert 0.0 < compactness.covered < 1.0
    assert topic_compactness([], vectors).covered == 0.0
    with pytest.raises(OptionError, match="n_words=1"):
        topic_compactness(topics, vectors, n_words=1)


def test_diversity_and_stability_by_hand() -> None:
    assert topic_diversity([A, B, C], n_words=3) == pytest.approx(7 / 9)
    assert topic_diversity([A, B, C], n_words=1) == 1.0
    assert np.isnan(topic_diversity([]))
    assert topic_stability([[A, C], [C, A]]) == 1.0
    # A finds B (1/2), C itself; B finds A, C itself.
    assert topic_stability([[A, C], [B, C]]) == pytest.approx((0.5 + 1 + 0.5 + 1) / 4)
    assert topic_stability([[A], [C]]) == 0.0
    twice = WordList(list("aabbc"))  # repeated words count once
    assert topic_diversity([twice], n_words=2) == 1.0
    assert topic_stability([[A], [twice]], n_words=3) == 1.0
    few: list[list[list[WordList]]] = [[], [[A]], [[A], []]]
    for runs in few:
        with pytest.raises(OptionError, match="two runs or more"):
            topic_stability(runs)


def mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return sum(known) / len(known) if known else float("nan")


def slow_measures(
    topics: Sequence[WordList], documents: Any, names: Sequence[str], n_words: int
) -> list[float]:
    """The four figures, pair by pair."""
    holding: dict[str, set[int]] = {
        word: {d for d in range(len(documents)) if documents[d, k]} for k, word in enumerate(names)
    }

    def words(topic: WordList) -> list[str]:
        return list(dict.fromkeys(topic.words))[:n_words]

    def depth(topic: WordList) -> int:
        return 0 if topic.parent is None else 1 + depth(topic.parent)

    def score(v: str, w: str) -> float:
        n, both = len(documents), len(holding[v] & holding[w])
        if both in {0, n}:
            return 1.0 if both else -1.0
        return log(both * n / (len(holding[v]) * len(holding[w]))) / -log(both / n)

    def unique_share(lists: Sequence[Sequence[str]]) -> float:
        every = [word for one in lists for word in one]
        return sum(every.count(word) == 1 for word in every) / len(every)

    def coherence(one: Sequence[str], other: Sequence[str]) -> list[float]:
        one, other = ([word for word in words if holding.get(word)] for words in (one, other))
        pairs = [(v, w) for v in one for w in other if (v in other) == (w in one)]
        return [-1.0 if v in other else score(v, w) for v, w in pairs]

    kept = [t for t in topics if words(t) and (t.parent is None or words(t.parent))]
    figures: list[list[float]] = [[], [], [], []]
    for layer in range(1 + max(map(depth, topics))):
        here = [topic for topic in kept if depth(topic) == layer]
        parents = [topic for topic in topics if any(below.parent is topic for below in here)]
        families = [[one for one in here if one.parent is parent] for parent in parents]
        if layer == 0:
            families = [here]
        pairs = [(p, c) for p in parents for c in here]
        below = [(words(p), words(c)) for p, c in pairs if c.parent is p]
        others = [(words(p), words(c)) for p, c in pairs if c.parent is not p]
        figures[0].append(mean([s for pair in below for s in coherence(*pair)]))
        figures[1].append(mean([unique_share(pair) for pair in below]))
        several = [[words(one) for one in family] for family in families if len(family) > 1]
        figures[2].append(mean([unique_share(family) for family in several]))
        figures[3].append(mean([unique_share(pair) for pair in others]))
    return [mean(values) for values in figures]


@pytest.mark.parametrize("seed", range(15))
def test_figures_are_those_of_plain_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"w{k}" for k in range(12)]
    documents = rng.random((9, len(names))) < rng.random(len(names))  # some words in none, or all
    topics: list[WordList] = []
    for _ in range(int(rng.integers(1, 14))):
        above = None if not topics or rng.random() < 0.2 else topics[rng.integers(len(topics))]
        chosen = rng.choice([*names, "unknown"], size=rng.integers(7)).tolist()
        topics.append(WordList(chosen, parent=above))
    rng.shuffle(topics)
    n_words = int(rng.integers(1, 6))
    found = hierarchy_measures(topics, documents, names, n_words=n_words)
    expected = slow_measures(topics, documents, names, n_words)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_our_topics_are_those_of_their_file(tmp_path: Path) -> None:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    documents = HIERARCHY.sample(200, seed=1)
    found = hierarchy_measures(topics, documents, HIERARCHY.words)
    assert np.isfinite(found).all()
    topics.to_json(tmp_path / "topics.json")
    lists = read_word_lists(tmp_path / "topics.json")
    assert lists == [WordList(topic.words, topic.level) for topic in topics]
    assert hierarchy_measures(lists, documents, HIERARCHY.words) == found
    # Without the topics above them, those of a level are root topics.
    level = hierarchy_measures(topics.level(1), documents, HIERARCHY.words)
    assert np.isfinite(level).tolist() == [False, False, True, False]
    with pytest.raises(OptionError, match="n_words=0"):
        hierarchy_measures([A], X, "abcd", n_words=0)
    with pytest.raises(DocumentsError, match="columns"):
        hierarchy_measures([A], X, "ab")


# ---- topics of other tools, from JSON ------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([["a", "b"]], ["ab"]),
        ({"topics": [["a", "b"], ["c"]]}, ["ab", "c"]),
        ([{"words": ["a", "b"]}], ["ab"]),
        ([{"keywords": [{"word": "a", "weight": 0.3}, "b"]}], ["ab"]),
    ],
)
def test_every_form_of_lists_is_read(tmp_path: Path, data: Any, words: list[str]) -> None:
    (tmp_path / "lists.json").write_text("\ufeff" + json.dumps(data), encoding="utf-8")
    assert read_word_lists(tmp_path / "lists.json") == [WordList(list(one)) for one in words]
    assert read_word_lists(str(tmp_path / "lists.json"))


def test_lists_know_their_level_and_those_above_and_words_are_compared_as_texts_have_them(
    tmp_path: Path,
) -> None:
    below = {"words": ["b"], "level": 2, "children": [["c"]]}
    lists = [{"words": ["a"], "children": [below, ["d"]]}, ["e"]]
    (tmp_path / "lists.json").write_text(json.dumps(lists))
    a, b, c, d, e = read_word_lists(tmp_path / "lists.json")
    assert [one.words for one in (a, b, c, d, e)] == [["a"], ["b"], ["c"], ["d"], ["e"]]
    assert b.level == 2
    assert (a.parent, e.parent) == (None, None)
    assert b.parent is d.parent is a
    assert c.parent is b
    assert as_read("Machine_Learning ") == "machine-learning"
    assert as_read("neural  net") == "neural-net"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1", r"lists.json' is not valid JSON: .*line 1"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "holds no topics"),
        ("[[]]", r"\[\] is not a topic; give a list of words"),
        ('[["a", 1]]', "is not a topic"),
        ('[["a", " "]]', "is not a topic"),
        ('[{"words": ["a"], "level": 1.5}]', "is not a topic"),
        ('[{"words": ["a"], "children": "b"}]', "is not a topic"),
    ],
)
def test_what_holds_no_lists_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "lists.json").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_word_lists(tmp_path / "lists.json")


def test_figures_are_those_of_their_definitions() -> None:
    rng = np.random.default_rng(1)
    p, classes = rng.random((120, 5)) ** 3, rng.integers(0, 4, 120)
    main = rng.integers(-1, 5, 120)
    found = agreement(p, classes.tolist(), main=main.tolist())
    assert list(found.by_class) == ["0", "1", "2", "3"]
    assert found.by_class["0"].documents == (classes == 0).sum()
    for kind in range(4):
        best = max(f1_score(classes == kind, main == topic) for topic in range(5))
        assert found.by_class[str(kind)].f1 == pytest.approx(best)
    largest = [np.bincount(classes[main == topic]).max() for topic in range(-1, 5) if topic in main]
    assert found.purity == pytest.approx(sum(largest) / 120)
    assert agreement(sparse.csr_array(p), classes.tolist(), main=main) == found
    some = [str(kind) if k % 3 else ("", None)[k % 2] for k, kind in enumerate(classes)]
    known = np.arange(120) % 3 > 0
    expected = agreement(p[known], classes[known], main=main[known])
    assert agreement(p, some, main=main) == expected  # those without a class are left out


@pytest.mark.parametrize(
    ("classes", "main", "message"),
    [
        (["a", "b"], [0], "main has 1 entries for 2 documents"),
        (["a", "b"], [0, 2], "main must hold positions of the 2 topics"),
        (["a", "b"], [-2, 0], "main must hold positions of the 2 topics"),
        (["a", "b"], [0.5, 0.0], "main must hold positions of the 2 topics"),
        (["a"], [0, 0], "classes has 1 entries for 2 documents"),
        ([None, ""], [0, 0], "no document has a class"),
    ],
)
def test_odd_classes_are_refused(classes: Any, main: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        agreement([[0.5, 0.2], [0.1, 0.3]], classes, main=main)


# ---- files of word vectors -----------------------------------------------------------------------


WORDS = ["deep", "größe", "net", "other"]
WRITTEN = np.random.default_rng(0).normal(size=(4, 7)).astype("<f4")


def binary() -> bytes:
    rows = [w.encode() + b" " + v.tobytes() + b"\n" for w, v in zip(WORDS, WRITTEN, strict=True)]
    return b"4 7\n" + b"".join(rows)


def text(*, head: bool) -> bytes:
    rows = [f"{w} {' '.join(map(str, v))}\n" for w, v in zip(WORDS, WRITTEN, strict=True)]
    return ("4 7\n" * head + "".join(rows)).encode()


@pytest.mark.parametrize(
    "data",
    [
        binary(),
        text(head=True),
        text(head=False),
        b"\xef\xbb\xbf" + text(head=True),
        text(head=True).replace(b" ", b"\t").replace(b"4\t7", b"4 7"),
    ],
)
def test_every_format_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "v.gz").write_bytes(gzip.compress(data))
    vectors = read_vectors(tmp_path / "v.gz", ["net", "deep", "größe", "absent"])
    assert set(vectors.number) == {"net", "deep", "größe"}
    assert vectors.vectors.dtype == np.float32
    unit = WRITTEN / np.linalg.norm(WRITTEN, axis=1, keepdims=True)
    for row, word in enumerate(WORDS[:3]):
        np.testing.assert_allclose(vectors.vectors[vectors.number[word]], unit[row], rtol=1e-5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (binary()[:-12], r"announces 4 words but only 3 can be read"),
        (text(head=True).replace(b"net ", b"net x "), r"line 4: 'net' is not followed by 7"),
        (text(head=True).rsplit(b"\n", 2)[0] + b"\n", r"announces 4 words but has 3"),
        (text(head=False).replace(b"net ", b"net nan ").replace(b"\n", b" \n"), "is not followed"),
        (b"1 7\nnet " + np.full(7, np.inf, "<f4").tobytes(), "'net' holds NaN or infinite values"),
        (b"PK\x03\x04whatever", r"is a zip archive; unpack it"),
        (b"9" * 5000 + b" 2\n", r"holds no word vectors"),
        (b"nothing\n", r"holds no word vectors"),
        (b"", r"holds no word vectors"),
        (b"2 3\nab 1 2 3\ncd 1 2 3\n", r"vectors for none of the 2 words"),
        (gzip.compress(binary())[:-30], "is damaged"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / ("v.gz" if data[:2] == b"\x1f\x8b" else "v.bin")
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_vectors(path, ["net", "größe"])


def test_numbers_of_any_size_are_scaled(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("net 3e38 0 0\nab 0 -1e308 0\nno 0 0 0\nlow 0 0 1e-320\n")
    vectors = read_vectors(tmp_path / "v.txt", ["net", "ab", "no", "low"])
    expected = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_array_equal(vectors.vectors, expected)
    assert vectors.vectors.dtype == np.float32
