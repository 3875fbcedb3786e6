"""Topics are read off a tree exactly: words, sizes, hierarchy, order of states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Keyword, LatentTree, OptionError, Topic, TopicTree
from hlta.tree.marginals import word_marginals
from hlta.tree.state_order import DECIDING_WORDS, order_states
from tests.oracles import enumerate_joint
from tests.strategies import trees

if TYPE_CHECKING:
    from pathlib import Path

HIERARCHY = LatentTree(
    words=tuple("abcdefgh"),
    # Two top-level latents (12 the root, 13 linked to it), each over two of level 1.
    parent=[8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, -1, 12],
    level=[0] * 8 + [1] * 4 + [2] * 2,
    probability=[
        *([[0.1, 0.9], [0.1, 0.6], [0.1, 0.8], [0.05, 0.7]]),
        *([[0.9, 0.1], [0.6, 0.1], [0.02, 0.5], [0.02, 0.4]]),
        *([[0.1, 0.8], [0.1, 0.7], [0.9, 0.2], [0.1, 0.6], [0.3, 0.3], [0.1, 0.4]]),
    ],
)


def below(tree: LatentTree, latent: int) -> set[int]:
    """Words that a path of descending levels leads down to."""
    found: set[int] = set()
    for child in tree.children[latent].tolist():
        if child < tree.n_words:
            found.add(child)
        elif tree.level[child] < tree.level[latent]:
            found |= below(tree, child)
    return found


@settings(max_examples=40, deadline=None)
@given(trees(max_latents=5, max_words=6))
def test_marginals_are_those_of_the_joint(tree: LatentTree) -> None:
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    beliefs = enumerate_joint(tree, every)
    weight = np.exp(beliefs.log_likelihood)
    posterior = beliefs.posterior(tree)
    table = word_marginals(tree)
    for v in range(tree.n_latents):
        entries = slice(table.start[v], table.start[v + 1])
        words = table.word[entries]
        assert set(words.tolist()) == below(tree, v + tree.n_words)
        assert (np.diff(table.information[entries]) <= 0.0).all()
        on = weight * posterior[:, v]
        off = weight * (1.0 - posterior[:, v])
        for word, given_latent in zip(words, table.given[entries], strict=True):
            present = every[:, word] == 1
            if on.sum() > 1e-6 and off.sum() > 1e-6:
                expected = [off[present].sum() / off.sum(), on[present].sum() / on.sum()]
                np.testing.assert_allclose(given_latent, expected, rtol=1e-6, atol=1e-9)


def test_information_is_that_of_the_joint_table() -> None:
    table = word_marginals(HIERARCHY)
    v = 0  # latent 8, with words a and b
    p = HIERARCHY.marginals[8]
    a = 0
    entry = table.start[v] + int(
        np.flatnonzero(table.word[table.start[v] : table.start[v + 1]] == a)[0]
    )
    given_off, given_on = HIERARCHY.probability[a]
    joint = np.array([[1 - given_off, given_off], [1 - given_on, given_on]]) * [[1 - p], [p]]
    alone = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    assert table.information[entry] == pytest.approx((joint * np.log(joint / alone)).sum())


@settings(max_examples=40, deadline=None)
@given(trees(max_latents=5, max_words=6, probability=st.floats(0.01, 0.99)))
def test_state_one_is_the_topic(tree: LatentTree) -> None:
    ordered = order_states(tree)
    table = word_marginals(ordered)
    for v in range(tree.n_latents):
        top = slice(table.start[v], min(table.start[v + 1], table.start[v] + DECIDING_WORDS))
        rise = table.given[top, 1].sum() - table.given[top, 0].sum()
        assert rise >= -1e-9
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    np.testing.assert_allclose(
        ordered.log_likelihood(every), tree.log_likelihood(every), rtol=1e-6, atol=1e-6
    )


def test_swapping_twice_is_the_same() -> None:
    some = np.array([9, 12])
    swapped = HIERARCHY.swap_states(some)
    assert swapped.probability[12, 0] == pytest.approx(0.7)
    np.testing.assert_allclose(swapped.probability[9], [0.3, 0.9])
    np.testing.assert_allclose(swapped.swap_states(some).probability, HIERARCHY.probability)


def test_the_hierarchy() -> None:
    tree = order_states(HIERARCHY)
    topics = TopicTree.from_tree(tree)
    assert [topic.id for topic in topics.roots] == ["Z2-1", "Z2-2"]
    assert len(topics) == 2
    with_pairs = TopicTree.from_tree(tree, lowest_level=1)
    assert len(with_pairs) == 6
    root = with_pairs["Z2-1"]
    assert {child.id for child in root.children} == {"Z1-1", "Z1-2"}
    assert all(child.parent is root for child in root.children)
    sizes = [child.size for child in root.children]
    assert sizes == sorted(sizes, reverse=True)
    assert root.size == pytest.approx(0.3)
    assert set(root.words) == set("abcd")
    assert next(topic.id for topic in with_pairs) == "Z2-1"
    assert "Z1-3" in with_pairs
    assert root in with_pairs
    with pytest.raises(KeyError, match="no topic 'Z9-1'; ids look like 'Z2-1'"):
        with_pairs["Z9-1"]


def test_words_that_avoid_a_topic_come_last() -> None:
    tree = LatentTree(
        ("a", "b", "c", "d"),
        [4, 4, 4, 4, -1],
        [0, 0, 0, 0, 1],
        [[0.9, 0.1], [0.1, 0.9], [0.1, 0.8], [0.2, 0.7], [0.3, 0.3]],
    )
    topic = TopicTree.from_tree(order_states(tree)).roots[0]
    assert topic.words == ["b", "c", "d", "a"]
    information = [keyword.mutual_information for keyword in topic.keywords]
    assert information[0] == pytest.approx(information[3])
    assert TopicTree.from_tree(tree, n_keywords=2).roots[0].words == ["b", "c"]


def test_a_low_tree_shows_its_top() -> None:
    flat = LatentTree(("a", "b", "c"), [3, 3, 3, -1], [0, 0, 0, 1], [[0.1, 0.6]] * 3 + [[0.2, 0.2]])
    assert [topic.id for topic in TopicTree.from_tree(flat)] == ["Z1-1"]


def test_printing() -> None:
    topics = TopicTree.from_tree(order_states(HIERARCHY), lowest_level=1)
    lines = str(topics).splitlines()
    assert lines[0].startswith("[0.30] ")
    assert lines[1].startswith("    [0.")
    assert topics.to_text(depth=1, n_words=2, ids=True).splitlines()[0].startswith("Z2-1 [0.30] ")
    assert len(topics.to_text(depth=1).splitlines()) == 2
    assert repr(topics) == "TopicTree(6 topics, per level 4/2)"
    with pytest.raises(OptionError, match="depth=0"):
        topics.to_text(depth=0)


def test_json_holds_everything(tmp_path: Path) -> None:
    topics = TopicTree.from_tree(order_states(HIERARCHY), lowest_level=1, n_keywords=None)
    path = tmp_path / "topics.json"
    text = topics.to_json(path, indent=2)
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read == json.loads(text)
    assert read["format"] == "hlta-topics"
    first = read["topics"][0]
    assert first["id"] == "Z2-1"
    assert {child["id"] for child in first["children"]} == {"Z1-1", "Z1-2"}
    keyword = topics["Z2-1"].keywords[0]
    assert first["keywords"][0] == {
        "word": keyword.word,
        "p_topic": keyword.p_topic,
        "p_background": keyword.p_background,
        "mutual_information": keyword.mutual_information,
    }


@pytest.mark.parametrize("wrong", [{"lowest_level": 0}, {"n_keywords": 0}])
def test_odd_options_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="use a whole number"):
        TopicTree.from_tree(HIERARCHY, **wrong)


def test_labels_pass_over_forms_of_the_same_word() -> None:
    def label(*words: str) -> list[str]:
        keywords = [Keyword(word, 0.9, 0.1, 0.2) for word in words]
        return Topic("Z", 2, 0.5, keywords, None).label_words(3)

    assert label("images", "image", "pixel", "pixels", "visual") == ["images", "pixel", "visual"]
    assert label("study", "studies", "studied", "x", "y") == ["study", "x", "y"]
    assert label("general", "generate", "generic", "x") == ["general", "generate", "generic"]
    assert label("gun", "guns", "can", "cancer") == ["gun", "can", "cancer"]
    assert label("neuron", "neurons", "neuronal") == ["neuron", "neurons", "neuronal"]  # no others
    assert label("use", "user", "using") == ["use", "using", "user"]
    assert label("the", "theorem", "them") == ["the", "theorem", "them"]
