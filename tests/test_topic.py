"""One topic: its label, its walk, its dictionary."""

from __future__ import annotations

import pytest

from hlta import Keyword, Topic


def topic(*words: str, name: str = "Z2-1", parent: Topic | None = None) -> Topic:
    return Topic(name, 2, 0.5, [Keyword(word, 0.9, 0.1, 0.2) for word in words], parent)


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("images image pixel pixels visual", "images pixel visual"),
        ("study studies studied x y", "study x y"),
        ("general generate generic x", "general generate generic"),
        ("gun guns can cancer", "gun can cancer"),
        ("neuron neurons neuronal", "neuron neurons neuronal"),  # there are no others
        ("use user using", "use using user"),
        ("the theorem them", "the theorem them"),
    ],
)
def test_labels_skip_inflections(words: str, label: str) -> None:
    assert topic(*words.split()).label_words(3) == label.split()


def test_a_walk_visits_parents_first() -> None:
    root = topic("a", name="Z3-1")
    for k in (1, 2):
        child = topic("b", name=f"Z2-{k}", parent=root)
        root.children.append(child)
    assert [one.id for one in root] == ["Z3-1", "Z2-1", "Z2-2"]
    plain = root.to_dict()
    assert plain["id"] == "Z3-1"
    assert [child["id"] for child in plain["children"]] == ["Z2-1", "Z2-2"]
    assert plain["keywords"] == [
        {"word": "a", "p_topic": 0.9, "p_background": 0.1, "mutual_information": 0.2}
    ]


def test_a_line_says_what_that_of_the_topic_above_does_not() -> None:
    root = topic("a", "b", "c", "d", "e", "f", name="Z3-1")
    assert topic("a", "g", "b", "h", "c", "i", parent=root).named() == ("a g", "h i")
    assert topic("a", "b", "c", "d", "e", parent=root).named() == ("a b", "c d e")


def test_distinct_words_are_those_that_no_topic_above_has() -> None:
    root = topic("images", "pixel", "study", name="Z3-1")
    child = topic("camera", "pixel", "image", "lens", "cameras", parent=root)
    assert root.distinct_words == root.words
    assert child.distinct_words == ["camera", "lens", "cameras"]
    below = topic("shutter", "lenses", "studies", "pixels", "film", name="Z1-1", parent=child)
    assert below.distinct_words == ["shutter", "film"]
    assert topic("pixel", "image", parent=root).distinct_words == []
