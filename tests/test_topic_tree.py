"""Topics are read off a tree exactly: hierarchy, keywords, text, JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from hlta import Keyword, LatentTree, OptionError, Topic, TopicTree
from hlta.topics.annotations import Annotations
from hlta.tree.state_order import order_states
from tests.examples import FLAT, HIERARCHY
from tests.synthetic import planted


@pytest.fixture
def topics() -> TopicTree:
    return TopicTree.from_tree(order_states(HIERARCHY), lowest_level=1)


def test_topics_have_those_of_the_tree_below_them(topics: TopicTree) -> None:
    assert len(topics) == 6
    root = topics["Z2-1"]
    assert next(iter(topics)) is root in topics
    assert {child.id for child in root.children} == {"Z1-1", "Z1-2"}
    assert all(child.parent is root for child in root.children)
    assert root.size == pytest.approx(0.3)
    assert set(root.words) == set("abcd")
    with pytest.raises(KeyError, match=r"^there is no topic 'Z9-1'; ") as refused:
        topics["Z9-1"]
    assert isinstance(refused.value, OptionError)
    above = TopicTree.from_tree(order_states(HIERARCHY))  # the lowest level is left out
    assert [topic.id for topic in above] == ["Z2-1", "Z2-2"]
    assert [topic.id for topic in TopicTree.from_tree(FLAT)] == ["Z1-1"]


def test_words_that_avoid_a_topic_come_last() -> None:
    tree = LatentTree(
        words=("a", "b", "c", "d"),
        parent=np.array([4, 4, 4, 4, -1]),
        level=np.array([0, 0, 0, 0, 1]),
        probability=np.array([[0.9, 0.1], [0.1, 0.9], [0.1, 0.8], [0.2, 0.7], [0.3, 0.3]]),
    )
    topic = TopicTree.from_tree(order_states(tree)).roots[0]
    assert topic.words == ["b", "c", "d", "a"]
    information = [keyword.mutual_information for keyword in topic.keywords]
    assert information[0] == pytest.approx(information[3])
    assert TopicTree.from_tree(tree, n_keywords=2).roots[0].words == ["b", "c"]


def test_printing(topics: TopicTree) -> None:
    lines = str(topics).splitlines()
    assert lines[0].startswith("[0.30] ")
    assert lines[1].startswith("    [0.")
    assert topics.to_text(depth=1, n_words=2, ids=True).splitlines()[0].startswith("Z2-1 [0.30] ")
    assert len(topics.to_text(depth=1).splitlines()) == 2
    assert repr(topics) == "TopicTree(6 topics, per level 4/2)"
    with pytest.raises(OptionError, match="depth=0"):
        topics.to_text(depth=0)
    assert pytest.importorskip("IPython.lib.pretty").pretty(topics) == str(topics)


def test_json_holds_everything(tmp_path: Path) -> None:
    topics = TopicTree.from_tree(order_states(HIERARCHY), lowest_level=1, n_keywords=None)
    path = tmp_path / "topics.json"
    text = topics.to_json(path, indent=2)
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read == json.loads(text) == topics.to_dict()
    assert read["format"] == "hlta-topics"
    assert read["version"] == 1
    first = read["topics"][0]
    assert first["id"] == "Z2-1"
    assert {child["id"] for child in first["children"]} == {"Z1-1", "Z1-2"}
    keyword = topics["Z2-1"].keywords[0]
    kept = ("word", "p_topic", "p_background", "mutual_information")
    assert first["keywords"][0] == {name: getattr(keyword, name) for name in kept}


def test_the_contrast_of_topics_is_relative_to_that_of_the_median_word() -> None:
    tree = planted(60)
    first = TopicTree.from_tree(tree, lowest_level=1).roots[0]
    first = first.children[0] if first.children else first
    contrast = np.full(tree.n_words, 0.4)
    contrast[[tree.words.index(word) for word in first.words]] = 0.1
    found = TopicTree.from_tree(tree, lowest_level=1, annotations=Annotations(contrast=contrast))
    assert found[first.id].contrast == pytest.approx(0.25)


def test_what_cannot_be_shown_is_refused(topics: TopicTree) -> None:
    with pytest.raises(OptionError, match="lowest_level=0: use a whole number"):
        TopicTree.from_tree(HIERARCHY, lowest_level=0)
    with pytest.raises(OptionError, match="n_keywords=0: use a whole number"):
        TopicTree.from_tree(HIERARCHY, n_keywords=0)
    with pytest.raises(OptionError, match="no model attached"):
        TopicTree(topics.roots).to_html()
    with pytest.raises(OptionError, match="most_documents=0"):
        topics.to_html(most_documents=0)


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
    one = topic(*words.split())
    assert one.label_words(3) == label.split()
    assert repr(one) == f"<Topic Z2-1 {one}>"


def test_a_line_says_what_that_of_the_topic_above_does_not() -> None:
    root = topic("a", "b", "c", "d", "e", "f", name="Z3-1")
    assert topic("a", "g", "b", "h", "c", "i", parent=root).named() == ("a, g:", "h i")
    assert topic("a", "b", "c", "d", "e", parent=root).named() == ("a, b:", "c d e")


def test_distinct_words_are_those_that_no_topic_above_has() -> None:
    root = topic("images", "pixel", "study", name="Z3-1")
    child = topic("camera", "pixel", "image", "lens", "cameras", parent=root)
    assert root.distinct_words == root.words
    assert child.distinct_words == ["camera", "lens", "cameras"]
    below = topic("shutter", "lenses", "studies", "pixels", "film", name="Z1-1", parent=child)
    assert below.distinct_words == ["shutter", "film"]
    assert topic("pixel", "image", parent=root).distinct_words == []
