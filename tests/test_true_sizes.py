"""Sizes of topics: within the topic above, and of documents with their words; against loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import xlogy

from hlta import HLTA, LatentTree, batch_em, stepwise_em
from hlta.algorithm.true_sizes import (
    LEAST_DOCUMENTS,
    LEAST_SHARES,
    less_hollow,
    with_true_sizes,
    within_parents,
)
from hlta.errors import OptionError
from hlta.tree.parameters import FLOOR
from tests.oracles import top_down
from tests.strategies import trees, trees_of_many_states
from tests.synthetic import planted
from tests.trees import below_a_small_topic, hollow

if TYPE_CHECKING:
    from tests.oracles import Floats

ordinary = st.floats(0.01, 0.99)
any_tree = st.one_of(trees(probability=ordinary), trees_of_many_states(most=5))


def states_of(tree: LatentTree) -> dict[int, list[float]]:
    """P(state) of each latent variable, by its node, from the root downwards."""
    n, p = tree.n_words, tree.parameters
    found: dict[int, list[float]] = {}
    for v in (n + latent for latent in top_down(tree)):
        up = int(tree.parent[v])
        above = [1.0] if up < 0 else found[up]
        found[v] = [
            sum(share * p.latent[v - n, j, k] for j, share in enumerate(above))
            for k in range(p.states[v - n])
        ]
    return found


def topic_sizes(tree: LatentTree) -> tuple[Floats, Floats]:
    """P(on) of each latent variable and of its parent, one state after another; the root's is 1."""
    n, p, state = tree.n_words, tree.parameters, states_of(tree)
    own, above = np.ones(tree.n_latents), np.ones(tree.n_latents)
    for v in state:
        up = int(tree.parent[v])
        if up >= 0:
            above[v - n] = sum(state[up][p.background[up - n] :])
        own[v - n] = sum(state[v][p.background[v - n] :])
    return own, above


def fullness(tree: LatentTree) -> dict[int, float]:
    """P(one of the keywords is present | on) of each latent variable, divided by what it must be."""
    n, p, state = tree.n_words, tree.parameters, states_of(tree)
    words: dict[int, list[tuple[bool, float, int]]] = {v: [] for v in state}
    for word in range(n):
        at, given = int(tree.parent[word]), list(p.word[word])
        while True:
            k = p.background[at - n]
            off, on = sum(state[at][:k]), sum(state[at][k:])
            both = [share * chance for share, chance in zip(state[at], given, strict=False)]
            there = np.array([[sum(both[:k])], [sum(both[k:])]])
            share = np.array([[off], [on]])
            joint = np.maximum(np.hstack((share - there, there)), 0.0)
            told = float(xlogy(joint, joint / np.maximum(share * joint.sum(axis=0), 1e-300)).sum())
            low, high = (there / share).ravel()
            assume(
                not np.isclose(low, high, rtol=1e-9)
            )  # rounding decides whether the word avoids it
            words[at].append((high <= low, -told, word))
            up = int(tree.parent[at])
            if up < 0 or tree.level[up] == tree.level[at]:
                break
            rows = p.latent[at - n]
            given = [
                sum(rows[j, k] * given[k] for k in range(p.states[at - n]))
                for j in range(p.states[up - n])
            ]
            at = up
    found = {}
    for v, entries in words.items():
        first = p.background[v - n]
        share, found[v] = np.array(state[v][first:]), np.inf
        for count, least in LEAST_SHARES.items():
            keywords = {word for avoids, _, word in sorted(entries)[:count] if not avoids}
            if keywords:
                absent = none_below(tree, v, keywords)[first:]
                present = 1.0 - float(share @ absent / share.sum())
                found[v] = min(found[v], present / least)
    return found


def none_below(tree: LatentTree, latent: int, words: set[int]) -> Floats:
    """P(none of the words is present | latent), child by child."""
    n, p = tree.n_words, tree.parameters
    absent = np.ones(p.states[latent - n])
    for child in np.flatnonzero(tree.parent == latent).tolist():
        if child in words:
            absent *= 1.0 - p.word[child][: len(absent)]
        elif child >= n and tree.level[child] < tree.level[latent]:
            rows = p.latent[child - n][: len(absent), : p.states[child - n]]
            absent *= rows @ none_below(tree, child, words)
    return absent


@settings(max_examples=200)
@given(any_tree)
def test_no_topic_is_larger_than_its_parent(tree: LatentTree) -> None:
    n = tree.n_words
    found = tree.with_probability(within_parents(tree.parameters, tree))
    own, above = topic_sizes(found)
    climbs = (tree.parent[n:] >= 0) & (tree.level[n:] < tree.level[tree.parent[n:]])
    # What is left outside the parent is at least a millionth of what there was.
    assert (own[climbs] <= above[climbs] + 1e-5).all()


@settings(max_examples=200)
@given(any_tree)
def test_only_what_is_outside_of_the_parent_shrinks(tree: LatentTree) -> None:
    before = tree.parameters
    after = within_parents(before, tree)
    is_on = before.is_on
    for v in range(tree.n_latents):
        up = int(tree.parent[v + tree.n_words]) - tree.n_words
        for j in range(after.latent.shape[1]):
            old, new = before.latent[v, j], after.latent[v, j]
            if up < 0 or is_on[up, j]:
                assert (new == old).all()
            elif old.any():
                assert new.sum() == pytest.approx(1.0)
                floors = FLOOR * is_on[v].sum()
                assert new[is_on[v]].sum() <= old[is_on[v]].sum() + floors
    assert (after.word == before.word).all()


@settings(max_examples=200)
@given(any_tree, st.sampled_from([20, 1000]), st.booleans())
def test_hollow_topics_shrink(tree: LatentTree, n_documents: int, only_roots: bool) -> None:
    before, n, full = tree.parameters, tree.n_words, fullness(tree)
    after = less_hollow(before, tree, n_documents, only_roots=only_roots)
    size, _ = topic_sizes(tree)
    for v, level in enumerate(tree.level[n:].tolist()):
        is_root = level == tree.level.max()
        count = size[v] * n_documents
        shrinks = level > 1 and count > LEAST_DOCUMENTS and (is_root or not only_roots)
        fill = min(1.0, full[v + n])
        power = 3.0 / fill**2 if is_root and fill > 0.0 else 1.0
        factor = max(fill**power, LEAST_DOCUMENTS / count) if shrinks else 1.0
        on = before.is_on[v]
        for old, new in zip(before.latent[v], after.latent[v], strict=True):
            assert new.sum() == pytest.approx(old.sum())
            assert new[on].sum() == pytest.approx(factor * old[on].sum(), abs=1e-9)
    assert (after.word == before.word).all()


@pytest.mark.parametrize("n_documents", [20, 100, 10_000])
def test_no_root_topic_shrinks_to_fewer_than_ten_documents(n_documents: int) -> None:
    table = [[0.01, 0.06]] * 6 + [[0.05, 0.5]] * 2 + [[0.3, 0.3]]
    parent, level = [6] * 3 + [7] * 3 + [8, 8, -1], [0] * 6 + [1, 1, 2]
    tree = LatentTree(tuple("abcdef"), parent, level, table, allow_irregular=True)
    parameters, before = tree.parameters, topic_sizes(tree)[0][-1] * n_documents
    for _ in range(50):
        parameters = less_hollow(parameters, tree, n_documents)
    after = topic_sizes(tree.with_probability(parameters))[0][-1] * n_documents
    assert after == pytest.approx(min(before, LEAST_DOCUMENTS))


@pytest.mark.parametrize(
    ("step", "steps", "change"),
    [
        (1, 50, "all"),
        (45, 50, "all"),
        (46, 50, "roots"),
        (48, 50, "roots"),
        (49, 50, "settled"),
        (50, 50, "settled"),
        (1, 1, "roots"),
        (18, 20, "all"),
        (19, 20, "settled"),
        (20, 20, "settled"),
        (2, 2, "settled"),
        (96, 100, "roots"),
        (97, 100, "settled"),
    ],
)
def test_what_changes_in_which_step(step: int, steps: int, change: str) -> None:
    tree = hollow()
    before = tree.parameters
    other = 0.9 * before.latent + 0.1 * before.latent[..., ::-1]
    after = before._replace(word=0.9 * before.word + 0.05, latent=other)
    found = with_true_sizes(before, after, tree, 1000, step, steps)
    expected = {
        "all": less_hollow(after, tree, 1000),
        "roots": less_hollow(after, tree, 1000, only_roots=True),
        "settled": before._replace(latent=np.concatenate((before.latent[:-1], other[-1:]))),
    }
    for name, parameters in expected.items():
        word, latent = within_parents(parameters, tree)[1:3]
        same = np.array_equal(found.word, word) and np.array_equal(found.latent, latent)
        assert same == (name == change)


def test_a_latent_variable_above_no_words_keeps_its_size() -> None:
    """It is a relay between root topics, which are its neighbours."""
    parent = [4, 4, 5, 5, 6, 6, -1]
    table = [[0.1, 0.4]] * 4 + [[0.2, 0.7]] * 2 + [[0.3, 0.3]]
    tree = LatentTree(tuple("abcd"), parent, [0] * 4 + [2] * 3, table, allow_irregular=True)
    after = less_hollow(tree.parameters, tree, 1000)
    assert (after.latent[2] == tree.parameters.latent[2]).all()
    assert (after.latent[0] != tree.parameters.latent[0]).any()


@pytest.mark.parametrize("learn", [batch_em, stepwise_em])
def test_em_gives_a_hollow_topic_to_documents_with_its_words(learn: object) -> None:
    tree = hollow()
    documents = tree.sample(4000, seed=0)
    shares = []
    for true_sizes in (False, True):
        found = learn(tree, documents, true_sizes=true_sizes).tree  # type: ignore[operator]
        on = found.posteriors(documents).dense()[:, 8] > 0.5
        shares.append((documents[on][:, 12:].sum(axis=1) > 0).mean())
    assert shares[0] < 0.5
    assert shares[1] > 0.9


def test_topics_that_are_small_enough_stay_as_they_are() -> None:
    tree = below_a_small_topic(0.05)
    assert (within_parents(tree.parameters, tree).latent == tree.parameters.latent).all()


@pytest.mark.parametrize("learn", [batch_em, stepwise_em])
def test_em_keeps_topics_within_their_parents(learn: object) -> None:
    loose = below_a_small_topic(0.4)
    documents = loose.sample(2000, seed=0)
    free = learn(loose, documents).tree  # type: ignore[operator]
    kept = learn(loose, documents, true_sizes=True).tree  # type: ignore[operator]
    assert (free.marginals[6:9] > 1.1 * free.marginals[9]).any()
    assert (kept.marginals[6:9] <= kept.marginals[9] + 1e-9).all()
    with pytest.raises(OptionError, match="true_sizes='yes'"):
        learn(loose, documents, true_sizes="yes")  # type: ignore[operator]


def test_learned_topics_are_within_their_parents() -> None:
    documents = planted(40).sample(1000, seed=0)
    topics = HLTA(samples=5, lowest_level=1, max_top_topics=3).fit(documents).topics_
    children = [topic for topic in topics if topic.parent]
    assert children
    assert all(topic.size <= topic.parent.size + 1e-9 for topic in children if topic.parent)


@pytest.mark.parametrize(("samples", "nested"), [(5, True), (1, False)])
def test_updates_learn_that_topics_are_within_their_parents(samples: int, nested: bool) -> None:
    model = HLTA(samples=samples).fit(planted(40).sample(1000, seed=0))
    assert model._statistics is not None
    assert model._statistics.nested is nested
