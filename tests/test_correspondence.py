"""Which topics correspond: a model and itself, the reverse, other names, moves, documents, halves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import DocumentsError, LatentTree, OptionError, TopicTree
from tests.synthetic import planted

if TYPE_CHECKING:
    from hlta.topics import Comparison

N_WORDS = 60


def topics_of(tree: LatentTree) -> TopicTree:
    return TopicTree.from_tree(tree, lowest_level=1)


def pairs_of(found: Comparison) -> dict[str, str]:
    return {pair.first.id: pair.second.id for pair in found.pairs}


def themes(*groups: list[int]) -> LatentTree:
    """Six topics of three words each, under as many others as there are groups, linked in a row."""
    n = 18
    tops = range(n + 6, n + 6 + len(groups))
    above = {topic: top for top, group in zip(tops, groups, strict=True) for topic in group}
    parent = [n + k // 3 for k in range(n)] + [above[k] for k in range(6)]
    parent += [-1, *tops[:-1]]
    level = [0] * n + [1] * 6 + [2] * len(groups)
    chance = [[0.05 + 0.01 * (k % 3), 0.5 + 0.1 * (k % 3)] for k in range(n)]
    chance += [[0.1, 0.7]] * 6 + [[0.3, 0.3], *[[0.2, 0.4]] * (len(groups) - 1)]
    return LatentTree([f"w{k}" for k in range(n)], parent, level, chance)


# ---- by words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_model_corresponds_to_itself(seed: int) -> None:
    tree = planted(N_WORDS, seed)
    p = tree.posteriors(tree.sample(100, seed=seed)).dense()
    topics = topics_of(tree)
    p = p[:, [tree.latent_names.index(topic.id) for topic in topics]]
    for memberships in (None, (p, p)):
        found = topics.compare(topics, memberships=memberships, least=1.0 - 1e-9)
        assert pairs_of(found) == {topic.id: topic.id for topic in topics}
        assert all(pair.is_same and pair.gained == pair.lost == () for pair in found.pairs)
        assert found.only_first == found.only_second == found.joined == found.split == []
        assert found.words_only_first == found.words_only_second == set()


@pytest.mark.parametrize("seed", range(3))
def test_the_reverse_comparison_is_the_reverse(seed: int) -> None:
    first, second = (topics_of(planted(N_WORDS, k)) for k in (seed, seed + 50))
    found, reverse = first.compare(second), second.compare(first)
    assert found.pairs
    assert found.joined + found.split
    seen = {
        (p.second.id, p.first.id, round(p.similarity, 9), p.lost, p.gained, p.moved)
        for p in found.pairs
    }
    assert seen == {
        (p.first.id, p.second.id, round(p.similarity, 9), p.gained, p.lost, p.moved)
        for p in reverse.pairs
    }
    for one, other in (
        (found.only_first, reverse.only_second),
        (found.only_second, reverse.only_first),
        (found.joined, reverse.split),
        (found.split, reverse.joined),
    ):
        assert [u.topic.id for u in one] == [u.topic.id for u in other]
        assert [u.similarity for u in one] == pytest.approx([u.similarity for u in other])


def test_topics_that_are_less_alike_than_asked_do_not_correspond() -> None:
    first, second = topics_of(planted(N_WORDS, 0)), topics_of(planted(N_WORDS, 50))
    similarity = [pair.similarity for pair in first.compare(second).pairs]
    assert similarity == sorted(similarity)  # those that changed most come first
    middle = float(np.median(similarity))
    found = first.compare(second, least=middle)
    assert min(pair.similarity for pair in found.pairs) >= middle
    assert len(found.pairs) + len(found.only_first) + len(found.joined) == len(first)
    assert len(found.pairs) + len(found.only_second) + len(found.split) == len(second)
    assert all(one.similarity < middle for one in found.only_first + found.only_second)
    assert all(one.similarity >= middle for one in found.joined + found.split)


def test_words_that_one_model_does_not_know_are_lost() -> None:
    tree = themes([0, 1, 2], [3, 4, 5])
    words = [f"new{k}" if k in {0, 3, 4, 5} else word for k, word in enumerate(tree.words)]
    other = LatentTree(words, tree.parent, tree.level, tree.probability)
    found = topics_of(tree).compare(topics_of(other))
    pair = next(pair for pair in found.pairs if pair.first.id == "Z1-1")
    assert (set(pair.lost), set(pair.gained)) == ({"w0"}, {"new0"})
    kept = topics_of(tree)["Z1-1"].keywords
    total = sum(keyword.mutual_information for keyword in kept)
    expected = sum(k.mutual_information for k in kept if k.word != "w0") / total
    assert pair.by_words == pair.similarity == pytest.approx(expected)
    assert [one.topic.id for one in found.only_first] == ["Z1-2"]
    assert found.only_first[0].nearest is None
    assert found.words_only_first == {"w0", "w3", "w4", "w5"}
    assert found.words_only_second == {"new0", "new3", "new4", "new5"}


# ---- moves ---------------------------------------------------------------------------------------


def test_a_topic_under_another_one_has_moved() -> None:
    before, after = themes([0, 1, 2], [3, 4, 5]), themes([0, 1], [2, 3, 4, 5])
    found = topics_of(before).compare(topics_of(after))
    assert {pair.first.id for pair in found.pairs if pair.moved} == {"Z1-3"}
    moved = next(pair for pair in found.pairs if pair.moved)
    assert moved.by_words > 0.99
    assert not moved.is_same


# ---- by documents --------------------------------------------------------------------------------


def test_with_documents_both_count() -> None:
    trees = planted(N_WORDS, 0), planted(N_WORDS, 50)
    topics = [topics_of(tree) for tree in trees]
    X = trees[0].sample(200, seed=0)
    p = [
        tree.posteriors(X).dense()[:, [tree.latent_names.index(one.id) for one in chosen]]
        for tree, chosen in zip(trees, topics, strict=True)
    ]
    found = topics[0].compare(topics[1], memberships=(p[0], p[1]))
    assert found.pairs
    columns = [{one.id: k for k, one in enumerate(chosen)} for chosen in topics]
    for pair in found.pairs:
        one, other = p[0][:, columns[0][pair.first.id]], p[1][:, columns[1][pair.second.id]]
        assert pair.by_documents == pytest.approx(np.corrcoef(one, other)[0, 1] ** 2)
        assert pair.similarity**2 == pytest.approx(pair.by_words * (pair.by_documents or 0.0))


def test_models_without_a_common_word_are_compared_by_documents_alone() -> None:
    tree = themes([0, 1, 2], [3, 4, 5])
    foreign = LatentTree([f"mot{k}" for k in range(18)], tree.parent, tree.level, tree.probability)
    topics, others = topics_of(tree), topics_of(foreign)
    with pytest.raises(OptionError, match="no word in common; compare them by documents"):
        topics.compare(others)
    order = [tree.latent_names.index(topic.id) for topic in topics]
    p = tree.posteriors(tree.sample(100, seed=1)).dense()[:, order]
    found = topics.compare(others, memberships=(p, p))
    assert pairs_of(found) == {topic.id: topic.id for topic in topics}


# ---- learned models ------------------------------------------------------------------------------


# ---- mistakes ------------------------------------------------------------------------------------

P = np.random.default_rng(0).random((5, 8))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"least": 1.5}, OptionError, "least=1.5"),
        ({"memberships": (P, P[:, :7])}, DocumentsError, "second memberships"),
        ({"memberships": (2 * P, P)}, DocumentsError, "first memberships"),
        ({"memberships": (np.nan * P, P)}, DocumentsError, "first memberships"),
        ({"memberships": (P[0], P)}, DocumentsError, "first memberships"),
        ({"memberships": (P, P[:4])}, DocumentsError, "of 5 and 4 documents"),
        ({"memberships": (P, 0 * P)}, DocumentsError, "are the same to the second model"),
        ({"memberships": (P[:0], P[:0])}, DocumentsError, "are the same to the first model"),
    ],
)
def test_mistakes_are_explained(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    topics = topics_of(themes([0, 1, 2], [3, 4, 5]))
    with pytest.raises(error, match=message):
        topics.compare(topics, **arguments)


def test_other_things_than_topics_are_refused() -> None:
    topics = topics_of(themes([0, 1, 2], [3, 4, 5]))
    for other in (topics.model, topics.flat([]), TopicTree(topics.roots)):
        with pytest.raises(OptionError):
            topics.compare(other)  # type: ignore[arg-type]
