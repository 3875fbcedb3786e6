"""Vague topics, and facets: states that differ in kind; what lists show and leave out."""

from typing import Any

import numpy as np
import pytest

from hlta import Keyword, Topic, TopicTree
from hlta.topics.topics_of_tree import MOST_FACETS, mark_vague
from tests.trees import FACETS, flat_tree

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
    roots = [topic("A", "a b c", stability=FEW, contrast=LITTLE)]
    roots.append(topic("B", "d", stability=0, contrast=0))
    topic("C", "a b", roots[0], stability=FEW, contrast=LITTLE, size=0.1)
    tree = marked(*roots)
    assert not vague(tree)
    assert lines(tree) == ["A", "C", "B"]


def test_printed_topics_tell_how_many_are_set_aside() -> None:
    for count, shown in enumerate(
        ("topic names no subject and is", "topics name no subject and are"), 1
    ):
        roots = [topic(name, name, stability=FEW, contrast=LITTLE) for name in "bc"[:count]]
        line = f"({count} vague {shown} set aside; to_text(whole=True) shows all)"
        assert str(marked(topic("A", "a"), *roots)).splitlines()[1:] == [line]
    assert "set aside" not in str(marked(topic("A", "a")))


WORDS = FACETS.words
BACKGROUND, SALES, MOTORBIKES, SPACE = FACETS.parameters.word.T.tolist()
WEAK = [0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
MARKED = [0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8]


def topic_of(*states: tuple[float, list[float]], background: int = 1, words: Any = WORDS) -> Any:
    """The topic of a tree with one latent variable, by size and P(word) of each of its states."""
    (topic,) = TopicTree.from_tree(flat_tree(words, states, background))
    return topic


def test_states_that_differ_in_kind_are_facets_by_size() -> None:
    (topic,) = TopicTree.from_tree(FACETS)
    space, motorbikes = topic.facets
    assert topic.size == pytest.approx(0.4)
    assert space.size == pytest.approx(0.3)
    assert space.words == ["space", "orbit", "nasa", "moon"]
    assert motorbikes.words == ["bike", "ride", "dod"]
    first = motorbikes.keywords[0]  # against the rest of the topic
    assert (first.p_topic, first.p_background) == pytest.approx((0.8, 0.02))
    line = TopicTree([topic]).to_text(n_words=2)
    assert line.endswith(" (space orbit nasa; bike ride dod)")
    assert [facet["size"] for facet in topic.to_dict()["facets"]] == pytest.approx([0.3, 0.2])


def test_states_of_the_background_are_no_facets() -> None:
    states = ((0.4, BACKGROUND), (0.2, MOTORBIKES), (0.2, SALES), (0.2, SPACE))
    topic = topic_of(*states, background=2)
    assert topic.size == pytest.approx(0.4)
    assert [facet.words[0] for facet in topic.facets] == ["car", "space"]


@pytest.mark.parametrize(
    "states",
    [
        ((0.7, BACKGROUND), (0.3, MOTORBIKES)),
        ((0.5, BACKGROUND), (0.3, WEAK), (0.2, MARKED)),
        ((0.5, BACKGROUND), (0.49, MOTORBIKES), (0.01, SPACE)),
        ((0.5, BACKGROUND), (0.3, [p / 10 for p in MARKED]), (0.2, [p / 9 for p in SPACE])),
    ],
    ids=["a single state", "degrees", "a rare state beside another", "rare words"],
)
def test_a_topic_of_one_kind_has_no_facets(states: tuple[tuple[float, list[float]], ...]) -> None:
    assert topic_of(*states).facets == []


def test_words_that_avoid_the_topic_are_not_among_its_first_words() -> None:
    """They are the most informative here, and no state of the topic raises them."""
    avoiding = [0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.02, 0.02, 0.02]
    strong = [0.01, 0.01, 0.6, 0.6, 0.6, 0.6, 0.5, 0.02, 0.02, 0.02]
    weak = [0.02, 0.02, 0.3, 0.3, 0.3, 0.3, 0.2, 0.02, 0.02, 0.02]
    assert topic_of((0.5, avoiding), (0.2, strong), (0.3, weak)).facets == []


NEARLY_SPACE = [p * 0.9 for p in SPACE]
TWICE = ((0.5, BACKGROUND), (0.39, SALES), (0.06, SPACE), (0.05, NEARLY_SPACE))


def test_facets_that_begin_alike_are_one_however_many_keywords_are_kept() -> None:
    assert [facet.words[0] for facet in topic_of(*TWICE).facets] == ["car", "space"]
    apart = topic_of(*TWICE[:3], (0.05, MOTORBIKES))
    assert [facet.words[0] for facet in apart.facets] == ["space", "bike"]
    for most in (1, 2, None):
        (topic,) = TopicTree.from_tree(flat_tree(WORDS, TWICE), n_keywords=most)
        assert [facet.size for facet in topic.facets] == pytest.approx([0.39 / 0.5, 0.06 / 0.5])
        assert [len(facet.keywords) for facet in topic.facets] == [most or 3, most or 4]


def test_only_the_largest_facets_are_listed() -> None:
    """Of six kinds of documents, each with three words of its own."""
    words = [f"{kind}{number}" for kind in "abcdef" for number in range(3)]
    kinds = [np.where(np.arange(18) // 3 == kind, 0.9, 0.02).tolist() for kind in range(6)]
    sizes = [0.05, 0.06, 0.07, 0.08, 0.09, 0.1]
    states = [(0.55, [0.02] * 18), *zip(sizes, kinds, strict=True)]
    found = topic_of(*states, words=tuple(words)).facets
    assert [facet.size for facet in found] == pytest.approx([size / 0.45 for size in sizes[:1:-1]])
    assert len(found) == MOST_FACETS
    assert [facet.words[0][0] for facet in found] == list("fedc")
