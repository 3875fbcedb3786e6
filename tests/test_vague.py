"""Vague topics: which they are, where they stand, and what lists leave out."""

from __future__ import annotations

import pytest

from hlta import Keyword, Topic, TopicTree
from hlta.topics.topics_of_tree import mark_vague

STRONG, FEW = 0.5, 0.1  # stability
LITTLE, MUCH = 0.9, 1.1  # contrast


def topic(
    name: str,
    words: str,
    parent: Topic | None = None,
    *,
    size: float = 0.2,
    stability: float | None = STRONG,
    contrast: float | None = None,
) -> Topic:
    keywords = [Keyword(word, 0.9, 0.1, 0.2) for word in words.split()]
    found = Topic(name, 2, size, keywords, parent, stability=stability, contrast=contrast)
    if parent is not None:
        parent.children.append(found)
    return found


def marked(*roots: Topic) -> TopicTree:
    found = list(roots)
    mark_vague(found)
    return TopicTree(found)


def ids(tree: TopicTree) -> list[str]:
    return [found.id for found in tree]


def vague(tree: TopicTree) -> list[str]:
    return [found.id for found in tree if found.is_vague]


def lines(tree: TopicTree, *, whole: bool = False) -> list[str]:
    return [line.split()[0] for line in tree.to_text(ids=True, whole=whole).splitlines()]


def test_vague_topics_have_little_stability_and_little_contrast_and_come_last() -> None:
    root = topic("A", "a b c d e", size=0.5, contrast=MUCH)
    other = topic("F", "r s t", stability=FEW, contrast=LITTLE)
    topic("B", "f g h", root, stability=FEW, contrast=LITTLE)
    topic("C", "i j k", root, stability=FEW, contrast=MUCH)
    topic("D", "l m n", root, contrast=LITTLE)
    topic("E", "o p q", root, stability=FEW)
    topic("G", "u v w", root, stability=None, contrast=LITTLE)
    topic("H", "x y z", root, stability=FEW, contrast=LITTLE).pinned = True
    tree = marked(other, root)
    assert vague(tree) == ["B", "F"]
    assert lines(tree.flat([tree["F"], tree["A"]])) == ["F", "A"]  # a flat list folds none
    assert ids(tree) == ["A", "C", "D", "E", "G", "H", "B", "F"]
    assert lines(tree) == ["A", "C", "D", "E", "G", "H"]
    assert lines(tree, whole=True) == ids(tree)
    assert [child["id"] for child in tree.to_dict()["topics"][0]["children"]] == list("CDEGHB")
    assert [entry["id"] for entry in tree.to_dict()["topics"] if entry.get("vague")] == ["F"]


def test_a_topic_is_not_vague_if_one_below_it_is_not() -> None:
    root = topic("A", "a b c d e", stability=FEW, contrast=LITTLE)
    above = topic("B", "f g h", root, stability=FEW, contrast=LITTLE)
    topic("C", "f g i", above, size=0.1, contrast=LITTLE)
    topic("D", "h j k", above, size=0.1, stability=FEW, contrast=LITTLE)
    below = topic("E", "x y z", root, stability=FEW, contrast=LITTLE)
    topic("F", "x y", below, size=0.1, stability=FEW, contrast=LITTLE)
    tree = marked(root)
    assert vague(tree) == ["D", "E", "F"]
    assert lines(tree) == ["A", "B", "C"]


def test_if_all_would_be_vague_none_is() -> None:
    roots = [
        topic("A", "a b c", stability=FEW, contrast=LITTLE),
        topic("B", "d", stability=0.0, contrast=0.0),
    ]
    topic("C", "a b", roots[0], stability=FEW, contrast=LITTLE, size=0.1)
    tree = marked(*roots)
    assert not vague(tree)
    assert lines(tree) == ["A", "C", "B"]


@pytest.mark.parametrize(("count", "told"), [(1, "1 vague topic is"), (2, "2 vague topics are")])
def test_printed_topics_tell_how_many_are_set_aside(count: int, told: str) -> None:
    roots = [topic(name, name, stability=FEW, contrast=LITTLE) for name in "bc"[:count]]
    tree = marked(topic("A", "a"), *roots)
    assert str(tree).splitlines()[1:] == [
        f"({told} set aside; to_text(whole=True) shows all topics)"
    ]
    assert "set aside" not in str(marked(topic("A", "a")))
