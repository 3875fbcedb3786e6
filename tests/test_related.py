"""Which topics occur together, and words with topics: by enumeration, and information by tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import xlogy

from hlta import LatentTree
from hlta.topics import related as related_module
from hlta.topics.related import (
    Joint,
    joint_in_documents,
    joint_in_model,
    linked_topics,
    pair_information,
    related_topics,
)
from hlta.tree import given_on
from hlta.tree.given_on import latents_given_on, words_given_on
from hlta.tree.marginals import mutual_information, word_marginals
from tests.oracles import Floats, enumerate_joint, enumerate_states, information
from tests.strategies import many_states, ordinary, random_tree, trees, trees_of_many_states


def enumerated(tree: LatentTree) -> Floats:
    """P(both on) of every pair of latent variables, from all combinations of their states."""
    states, log_probability = enumerate_states(tree)
    on = tree.parameters.is_on[np.arange(tree.n_latents), states].astype(np.float64)
    both: Floats = (on * np.exp(log_probability)[:, None]).T @ on
    return both


def of_pairs(both: Floats) -> Joint:
    """From the probabilities of all pairs."""
    return Joint(np.diag(both), lambda begin, end: both[begin:end])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [2, 3, 5])
def test_pairs_of_topics_in_the_model(most: int, seed: int) -> None:
    tree = random_tree(seed, 12, 6)
    tree = tree if most == 2 else many_states(tree, seed, most=most)
    n, m = tree.n_words, tree.n_latents
    chosen = np.arange(n, n + m)[::-2]
    expected = enumerated(tree)[np.ix_(chosen - n, chosen - n)]
    joint = joint_in_model(tree, chosen)
    both = np.vstack([joint.rows(0, 2), joint.rows(2, m)])
    np.testing.assert_allclose(joint.share, np.diag(expected), rtol=1e-9)
    np.testing.assert_allclose(both, expected, rtol=1e-9)


def test_the_most_related_topics_that_are_not_of_the_family_are_named() -> None:
    # 0 has children 1 and 2, 1 has child 3; 4 is a root with child 5.
    both = np.full((6, 6), 0.2)
    np.fill_diagonal(both, 0.25)
    related = related_topics(of_pairs(both), [-1, 0, 0, 1, -1, 4], 9)
    names = [{other for other, _ in row} for row in related]
    assert names == [{5}, {4, 5}, {3, 4, 5}, {2, 4, 5}, {1, 2, 3}, {0, 1, 2, 3}]
    p, parent = np.full(6, 0.5), [-1, -1, -1, 0, 1, 2]
    both = np.outer(p, p)
    np.fill_diagonal(both, p)
    both[3, 4] = both[4, 3] = 0.3
    both[3, 5] = both[5, 3] = 0.4
    weaker, stronger = pair_information(both, p, p)[3, 4:].tolist()
    assert 0.0 < weaker < stronger
    assert related_topics(of_pairs(both), parent, 9)[3] == [(5, stronger), (4, weaker)]
    assert related_topics(of_pairs(both), parent, 1)[3] == [(5, stronger)]
    assert related_topics(of_pairs(both), parent, 9, least=weaker)[3] == [(5, stronger)]


def test_pairs_in_documents_a_few_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    P = np.array([[0.5, 0.0, 1.0], [0.25, 1.0, 0.0]])
    joint = joint_in_documents(csr_array(P))
    both = np.vstack([joint.rows(0, 1), joint.rows(1, 3)])
    np.testing.assert_allclose(both, P.T @ P / 2)
    np.testing.assert_allclose(joint.share, P.mean(axis=0))
    on = (np.random.default_rng(0).random((300, 9)) < 0.4).astype(float)
    parent = [-1, 0, 0, 1, -1, 4, 4, 5, 7]
    joint = of_pairs(on.T @ on / 300)
    at_once = related_topics(joint, parent, 4)
    asked: list[int] = []

    def noted(begin: int, end: int) -> Floats:
        asked.append(end - begin)
        return joint.rows(begin, end)

    monkeypatch.setattr(related_module, "_AT_ONCE", 20)
    assert related_topics(joint._replace(rows=noted), parent, 4) == at_once
    assert asked == [2, 2, 2, 2, 1]


@pytest.mark.parametrize("seed", range(6))
def test_links_between_chosen_topics_have_the_information_of_being_on(seed: int) -> None:
    tree = many_states(random_tree(seed, 12, 6), seed, most=2 + seed % 5)
    nodes = np.random.default_rng(seed).permutation(np.arange(12, 18))[:5]
    links = {(nodes[up], nodes[k]): shared for up, k, shared in linked_topics(tree, nodes)}
    assert set(links) == {(tree.parent[v], v) for v in nodes if tree.parent[v] in nodes}
    both = enumerated(tree)
    for (up, child), shared in links.items():
        p, q = (np.array(both[v - 12, v - 12]) for v in (up, child))
        on = np.array(both[up - 12, child - 12])
        expected = information(on, p, q, include_negative=True)
        assert shared == pytest.approx(float(expected), rel=1e-7, abs=1e-12)


def below(tree: LatentTree, latent: int) -> set[int]:
    """Words that a path of descending levels leads down to."""
    words: set[int] = set()
    for child in tree.children[latent].tolist():
        if child < tree.n_words:
            words.add(child)
        elif tree.level[child] < tree.level[latent]:
            words |= below(tree, child)
    return words


@settings(max_examples=60)
@given(
    trees(max_latents=5, max_words=6, probability=ordinary)
    | trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=5)
)
def test_marginals_given_every_state_are_those_of_the_joint(tree: LatentTree) -> None:
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    beliefs = enumerate_joint(tree, every)
    joint = np.exp(beliefs.log_likelihood)[:, None, None] * beliefs.states(tree)
    present = np.einsum("dvk,dw->vwk", joint, every)  # P(v = k, word)
    prior = joint.sum(axis=0)
    table = word_marginals(tree)
    for v, count in enumerate(tree.parameters.states.tolist()):
        entries = slice(table.start[v], table.start[v + 1])
        words = table.word[entries]
        assert set(words.tolist()) == below(tree, v + tree.n_words)
        assert not table.states[entries, count:].any()
        expected = present[v, words, :count] / prior[v, :count]
        np.testing.assert_allclose(table.states[entries, :count], expected, rtol=1e-7)
        is_on = tree.parameters.is_on[v]
        parts = np.stack((~is_on, is_on), axis=1).astype(np.float64)
        together, share = present[v, words] @ parts, prior[v] @ parts
        np.testing.assert_allclose(table.given[entries], together / share, rtol=1e-7)
        cells = np.stack((share - together, together), axis=2)
        shared = [table_information(cell) for cell in cells]
        np.testing.assert_allclose(table.information[entries], shared, rtol=1e-6, atol=1e-12)
        assert (np.diff(table.information[entries]) <= 0.0).all()


def table_information(joint: Floats) -> float:
    """The mutual information of the rows and the columns of a table of probabilities."""
    alone = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    return float((xlogy(joint, joint) - xlogy(joint, alone)).sum())


PAIRS = st.lists(st.tuples(*[st.floats(0.001, 0.999)] * 2), min_size=2, max_size=6)


@given(PAIRS, st.integers(0, 3))
def test_information_is_that_of_a_table(columns: list[tuple[float, float]], padding: int) -> None:
    event, weight = np.array(columns).T
    prior = weight / weight.sum()
    joint = np.stack((1.0 - event, event), axis=1) * prior[:, None]
    # States that the variable lacks count for nothing.
    event, prior = np.pad(event, (0, padding)), np.pad(prior, (0, padding))
    information = mutual_information(event[None], prior[None])
    assert information == pytest.approx([table_information(joint)], abs=1e-12)
    assert information[0] >= 0.0


def enumerated_words(tree: LatentTree) -> tuple[Floats, Floats]:
    """P(word | v on) and P(u on | v on), v by words and v by u."""
    states, log_probability = enumerate_states(tree)
    n, latent = tree.n_words, np.arange(tree.n_latents)
    on = tree.parameters.is_on[latent, states].astype(np.float64)
    weight = on * np.exp(log_probability)[:, None]
    above = tree.parent[:n] - n
    words = tree.parameters.word[np.arange(n), states[:, above]]
    size = weight.sum(axis=0)[:, None]
    return weight.T @ words / size, weight.T @ on / size


@settings(max_examples=80)
@given(
    trees(max_latents=6, max_words=8, probability=ordinary)
    | trees_of_many_states(most=5, strengths=(0.5, 1.0, 2.0), max_words=6)
)
def test_what_follows_is_enumerated(tree: LatentTree) -> None:
    chosen = np.arange(tree.n_latents)[::-1]
    words, latents = enumerated_words(tree)
    np.testing.assert_allclose(words_given_on(tree, chosen), words[chosen], rtol=1e-8)
    np.testing.assert_allclose(latents_given_on(tree, chosen), latents[chosen], rtol=1e-8)


def test_a_few_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = random_tree(3, 40, 20)
    whole = words_given_on(tree, np.arange(20))
    monkeypatch.setattr(given_on, "_AT_ONCE", 3 * tree.n_nodes * 2)
    np.testing.assert_array_equal(words_given_on(tree, np.arange(20)), whole)
    assert words_given_on(tree, np.arange(0)).shape == (0, 40)
