"""Folding: which topics a shorter tree leaves out, and what becomes of those below."""

from __future__ import annotations

from hlta import Keyword, Topic, TopicTree

STRONG, FEW = 0.5, 0.1


def topic(
    name: str,
    words: str,
    parent: Topic | None = None,
    *,
    size: float = 0.2,
    stability: float = STRONG,
    contrast: float | None = None,
) -> Topic:
    keywords = [Keyword(word, 0.9, 0.1, 0.2) for word in words.split()]
    found = Topic(name, 2, size, keywords, parent, stability=stability, contrast=contrast)
    if parent is not None:
        parent.children.append(found)
    return found


def ids(tree: TopicTree) -> list[str]:
    return [found.id for found in tree]


def test_weak_topics_and_topics_of_style_go() -> None:
    root = topic("A", "a b c d e", size=0.5)
    topic("B", "f g h", root)
    topic("C", "i j k", root, stability=FEW)
    topic("D", "l m n", root, contrast=0.4)
    topic("E", "o p q", root, contrast=0.6)
    style = topic("F", "r s t", contrast=0.1)
    assert ids(TopicTree([root, style]).folded()) == ["A", "B", "E"]
    assert ids(TopicTree([root, style])) == ["A", "B", "C", "D", "E", "F"]
    assert [child.id for child in root.children] == ["B", "C", "D", "E"]


def test_a_weak_topic_stays_for_one_below_it() -> None:
    root = topic("A", "a b c d e", stability=FEW)
    weak = topic("B", "f g h", root, stability=FEW)
    topic("C", "f g i", weak, size=0.1)
    topic("D", "h j k", weak, size=0.1, stability=FEW)
    found = TopicTree([root]).folded()
    assert ids(found) == ["A", "B", "C"]
    assert found["C"].parent is found["B"]
    assert found["B"].parent is found["A"]


def test_a_topic_that_repeats_the_one_above_goes_and_those_below_it_move_up() -> None:
    root = topic("A", "a b c d e", size=0.5)
    same = topic("B", "b a c d f", root, size=0.48)
    topic("C", "g h i", same)
    topic("D", "a b c d e", root, size=0.3)
    found = TopicTree([root]).folded()
    assert ids(found) == ["A", "C", "D"]
    assert found["C"].parent is found["A"]


def test_pinned_topics_stay() -> None:
    root = topic("A", "a b c d e", size=0.5)
    for name, words in (("B", "a b c d e"), ("C", "f g h")):
        topic(name, words, root, size=0.49, stability=FEW, contrast=0.1).pinned = True
    assert ids(TopicTree([root]).folded()) == ["A", "B", "C"]


def test_if_all_would_go_all_stay() -> None:
    roots = [topic("A", "a b c", stability=FEW), topic("B", "d e f", contrast=0.0)]
    assert ids(TopicTree(roots).folded()) == ["A", "B"]


def test_lines_leave_out_what_repeats_the_line_above_unless_ids_are_shown() -> None:
    root = topic("A", "a b c d e", size=0.5)
    same = topic("B", "b a c d f", root, size=0.48)
    topic("C", "g h i", same, stability=FEW)
    tree = TopicTree([root])
    lines = tree.to_text().splitlines()
    assert [line[:10] for line in lines] == ["[0.50] a b", "    [0.20]"]
    assert [line.split()[0] for line in tree.to_text(ids=True).splitlines()] == ["A", "B", "C"]
