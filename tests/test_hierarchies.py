"""Measures of hierarchies: by hand, and as plain loops over sets of documents."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import DocumentsError, OptionError, TopicTree
from hlta.evaluate import HierarchyMeasures, WordList, hierarchy_measures, read_word_lists
from tests.examples import HIERARCHY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = ["a", "b", "c", "d"]
X = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
"""D(a) = 3, D(b) = 2, D(c) = 2, D(d) = 0; D(a, b) = 2, D(a, c) = 1, D(b, c) = 1."""


def measured(*topics: WordList, n_words: int = 10) -> HierarchyMeasures:
    return hierarchy_measures(topics, X, NAMES, n_words=n_words)


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
        scores = []
        for v in one:
            for w in other:
                if v in other and w in one:
                    scores.append(-1.0)
                elif v not in other and w not in one:
                    scores.append(score(v, w))
        return scores

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
        figures[2].append(
            mean([unique_share([words(one) for one in f]) for f in families if len(f) > 1])
        )
        figures[3].append(mean([unique_share(pair) for pair in others]))
    return [mean(values) for values in figures]


@pytest.mark.parametrize("seed", range(30))
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


def test_by_hand() -> None:
    root, other = WordList(["a", "b"]), WordList(["d"])
    first = WordList(["a", "c"], parent=root)
    second = WordList(["c"], parent=root)
    last = WordList(["b", "c"], parent=first)
    found = measured(root, other, first, second, last)
    # NPMI of words in 2 of 5 documents each, and both in one.
    b_c = log((1 / 5) / (2 / 5 * 2 / 5)) / -log(1 / 5)
    a_c = log((1 / 5) / (3 / 5 * 2 / 5)) / -log(1 / 5)
    a_b = log((2 / 5) / (3 / 5 * 2 / 5)) / -log(2 / 5)
    # root and first: b with c, and a with itself; root and second: a and b with c.
    upper = (b_c - 1 + a_c + b_c) / 4
    # first and last: a with b, and c with itself.
    lower = (a_b - 1) / 2
    assert found.parent_child_coherence == pytest.approx((upper + lower) / 2)
    assert found.parent_child_diversity == pytest.approx(((2 / 4 + 3 / 3) / 2 + 2 / 4) / 2)
    # a, b and d among the root topics; only a of a, c and c below.
    assert found.sibling_diversity == pytest.approx((1 + 1 / 3) / 2)
    # No topic of the second layer is not below root, and other has no children.
    assert np.isnan(found.parent_non_child_diversity)


def test_topics_that_are_not_children_share_words() -> None:
    roots = [WordList(["a", "b"]), WordList(["c"])]
    below = [WordList(["a"], parent=roots[0]), WordList(["b", "c"], parent=roots[1])]
    assert measured(*roots, *below).parent_non_child_diversity == pytest.approx((2 / 4 + 1) / 2)


def test_a_copy_of_the_topic_above_is_worst() -> None:
    root = WordList(["a", "b"])
    found = measured(root, *(WordList(["a", "b"], parent=root) for _ in range(2)))
    assert found[:3] == (-1.0, 0.0, 0.0)


def test_the_first_words_count_once() -> None:
    root = WordList(["a", "a", "b", "c"])
    child = WordList(["c", "c", "b"], parent=root)
    assert measured(root, child, n_words=1).parent_child_diversity == 1.0
    assert measured(root, child, n_words=2).parent_child_diversity == pytest.approx(0.5)
    assert measured(root, child).parent_child_diversity == pytest.approx(1 / 5)


def test_words_in_no_document_do_not_count_in_coherence() -> None:
    root = WordList(["a", "d", "zebra"])
    with_them = measured(root, WordList(["b", "d", "gnu"], parent=root))
    root = WordList(["a"])
    without = measured(root, WordList(["b"], parent=root))
    assert with_them.parent_child_coherence == without.parent_child_coherence
    root = WordList(["d"])
    none = measured(root, WordList(["a"], parent=root))
    assert np.isnan(none.parent_child_coherence)
    assert none.parent_child_diversity == 1.0


def test_root_topics_alone_have_siblings() -> None:
    found = measured(WordList(["a", "b"]), WordList(["b", "c", "d"]))
    assert found.sibling_diversity == pytest.approx(3 / 5)
    assert np.isnan([found[0], found[1], found[3]]).all()
    assert np.isnan(measured(WordList(["a"]))).all()
    assert np.isnan(measured()).all()


def test_topics_without_words_are_left_out() -> None:
    root = WordList(["a"])
    none = WordList([], parent=root)
    some = [WordList(["b"], parent=root), WordList(["b"], parent=root)]
    below = WordList(["a"], parent=none)
    np.testing.assert_equal(measured(root, none, *some, below), measured(root, *some))


def test_our_topics_are_those_of_their_file(tmp_path: Path) -> None:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    documents = HIERARCHY.sample(200, seed=1)
    found = hierarchy_measures(topics, documents, HIERARCHY.words)
    assert np.isfinite(found).all()
    topics.to_json(tmp_path / "topics.json")
    lists = read_word_lists(tmp_path / "topics.json")
    assert hierarchy_measures(lists, documents, HIERARCHY.words) == found
    # Without the topics above them, those of a level are root topics.
    level = hierarchy_measures(topics.level(1), documents, HIERARCHY.words)
    assert np.isfinite(level).tolist() == [False, False, True, False]


@pytest.mark.parametrize("n_words", [0, -1, 1.5, True, None, "10"])
def test_numbers_of_words_out_of_range_are_refused(n_words: Any) -> None:
    with pytest.raises(OptionError, match=f"n_words={n_words!r}: use a whole number, 1 or more"):
        measured(WordList(["a"]), n_words=n_words)


def test_documents_have_a_column_per_word() -> None:
    with pytest.raises(DocumentsError, match="columns"):
        hierarchy_measures([WordList(["a"])], X, NAMES[:2])
