"""Trees changed by hand, with other roots, orders or levels, against sums over all states."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta import LatentTree
from hlta.errors import TreeError
from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.reshaping import (
    is_below,
    members,
    merge_latents,
    move_below,
    reroot,
    split_latent,
    top_above,
    topic_above,
    without_word,
)
from hlta.tree.state_order import DECIDING_WORDS, order_states
from tests.oracles import Floats, enumerate_joint, enumerate_states
from tests.strategies import many_states, ordinary, random_tree, trees, trees_of_many_states
from tests.trees import small_tree


@st.composite
def linked_at_the_top(draw: st.DrawFn) -> LatentTree:
    """Trees as they are learned: only latent variables of the top level hang on their like."""
    of_many = trees_of_many_states(most=4, strengths=(0.5, 1.5))
    tree = draw(trees(probability=st.floats(0.02, 0.98)) | of_many)
    latents = np.arange(tree.n_words, tree.n_nodes)
    linked = latents[(tree.parent[latents] >= 0)]
    linked = linked[tree.level[linked] == tree.level[tree.parent[linked]]]
    assume((tree.level[linked] == tree.level.max()).all())
    return tree


class Everything:
    """Every combination of states of the latent variables, and P(word) of each word in it."""

    def __init__(self, tree: LatentTree) -> None:
        self.tree = tree
        self.states, log_probability = enumerate_states(tree)
        self.probability = np.exp(log_probability)

    def indicator(self, node: int) -> Floats:
        """P(node = k | combination), (combinations, K)."""
        n, most = self.tree.n_words, self.tree.parameters.most_states
        if node >= n:
            return np.asarray(np.eye(most)[self.states[:, node - n]])
        present = self.tree.parameters.word[node][self.states[:, self.tree.parent[node] - n]]
        others = [np.zeros_like(present)] * (most - 2)
        return np.column_stack((1.0 - present, present, *others))

    def conditional(self, of: Floats, given_: Floats) -> Floats:
        both: Floats = given_.T @ (self.probability[:, None] * of)
        total = both.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(both, total, out=np.zeros_like(both), where=total > 0))


def table_of(tree: LatentTree, node: int) -> Floats:
    if node >= tree.n_words:
        return np.asarray(tree.parameters.latent[node - tree.n_words])
    present = tree.parameters.word[node]
    rows = np.zeros((len(present), len(present)))
    rows[:, 1], rows[:, 0] = present, np.where(present > 0, 1 - present, 0)
    return rows


@settings(max_examples=50)
@given(linked_at_the_top(), st.data())
def test_what_moves_keeps_its_relation_to_its_parent(tree: LatentTree, data: st.DataObject) -> None:
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    places: list[int | None] = [
        v for v in range(tree.n_words, tree.n_nodes) if not is_below(tree, v, node)
    ]
    if node >= tree.n_words and topic_above(tree, node) >= 0:
        places.append(None)
    assume(places)
    assume(topic_above(tree, node) < 0 or len(members(tree, topic_above(tree, node))) > 1)
    below = data.draw(st.sampled_from(places))
    other = move_below(tree, node, below)
    if below is None:
        assert topic_above(other, node) < 0
        assert other.level[node] == tree.level.max()
    else:
        assert topic_above(other, node) == below
        assert other.level[below] > other.level[node]
    roots = {v for v in range(tree.n_words, tree.n_nodes) if topic_above(tree, v) < 0}
    expected_roots = roots - {node} if below is not None else roots | {node}
    found = {v for v in range(tree.n_words, tree.n_nodes) if topic_above(other, v) < 0}
    assert found == expected_roots
    np.testing.assert_allclose(other.marginals, tree.marginals, rtol=1e-8)
    full = Everything(tree)
    for v in range(tree.n_nodes):
        up = int(other.parent[v])
        if up < 0:
            continue
        expected = full.conditional(full.indicator(v), full.indicator(up))
        np.testing.assert_allclose(table_of(other, v), expected, rtol=1e-7, atol=1e-11)


def joined_state(tree: LatentTree, into: int, other: int, a: int, b: int) -> int:
    """The state of the joined variable, by its definition."""
    p, n = tree.parameters, tree.n_words
    on_a, on_b = p.is_on[into - n, a], p.is_on[other - n, b]
    if p.states[[into - n, other - n]].max() == 2:
        return int(on_a or on_b)
    if on_b and not on_a:
        return int(p.states[into - n]) + b - int(p.background[other - n])
    return a


@settings(max_examples=50)
@given(linked_at_the_top(), st.data())
def test_a_joined_variable_is_on_where_either_was(tree: LatentTree, data: st.DataObject) -> None:
    n = tree.n_words
    pairs = [
        (a, b)
        for a, b in product(range(n, tree.n_nodes), repeat=2)
        if a != b
        and tree.level[b] <= tree.level[a]
        and not is_below(tree, a, b)
        and (topic_above(tree, b) in (-1, a) or len(members(tree, topic_above(tree, b))) > 1)
    ]
    assume(pairs)
    into, other = data.draw(st.sampled_from(pairs))
    result = merge_latents(tree, into, other)
    full = Everything(tree)
    of_both = [joined_state(tree, into, other, *s) for s in full.states[:, [into - n, other - n]]]
    most = max(result.parameters.most_states, tree.parameters.most_states)
    merged = np.eye(most)[of_both]

    def indicator(name: str) -> Floats:
        node = tree.names.index(name)
        return widened(merged if node == into else full.indicator(node))

    def widened(table: Floats, rows: int | None = None) -> Floats:
        missing = 0 if rows is None else rows - len(table)
        return np.pad(table, ((0, missing), (0, most - table.shape[1])))

    assert set(result.names) == set(tree.names) - {tree.names[other]}
    for v in range(result.n_nodes):
        up = int(result.parent[v])
        name = result.names[v]
        shares = full.probability @ indicator(name)
        if up < 0:
            found = widened(result.parameters.latent[v - result.n_words])[0]
            np.testing.assert_allclose(found, shares, rtol=1e-8, atol=1e-11)
            continue
        old = tree.names.index(name)
        if topic_above(result, v) >= 0:
            wanted = topic_above(tree, old)
            wanted = into if wanted == other else wanted
            assert result.names[up] == tree.names[wanted]
        expected = full.conditional(indicator(name), indicator(result.names[up]))
        table = widened(table_of(result, v), most)
        np.testing.assert_allclose(table, expected, rtol=1e-7, atol=1e-11)
    on = result.marginals[result.names.index(tree.names[into])]
    either = tree.parameters.is_on[into - n][full.states[:, into - n]]
    either |= tree.parameters.is_on[other - n][full.states[:, other - n]]
    np.testing.assert_allclose(on, full.probability @ either, rtol=1e-8)


@settings(max_examples=50)
@given(linked_at_the_top(), st.data())
def test_without_a_word_the_others_are_as_before(tree: LatentTree, data: st.DataObject) -> None:
    words = [w for w in range(tree.n_words) if len(tree.children[tree.parent[w]]) > 1]
    assume(words)
    word = data.draw(st.sampled_from(words))
    other = without_word(tree, word)
    assert other.words == tree.words[:word] + tree.words[word + 1 :]
    documents = np.random.default_rng(0).integers(0, 2, (4, tree.n_words))
    both = np.concatenate((documents, documents))
    both[:4, word], both[4:, word] = 0, 1
    expected = np.logaddexp(*np.split(enumerate_joint(tree, both).log_likelihood, 2))
    found = other.log_likelihood(np.delete(documents, word, axis=1))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@settings(max_examples=50)
@given(linked_at_the_top(), st.data())
def test_a_copy_takes_children_and_is_alike(tree: LatentTree, data: st.DataObject) -> None:
    nodes = [v for v in range(tree.n_words, tree.n_nodes) if len(members(tree, v)) > 1]
    assume(nodes)
    node = data.draw(st.sampled_from(nodes))
    apart = data.draw(st.sets(st.sampled_from(members(tree, node)), min_size=1))
    assume(len(apart) < len(members(tree, node)))
    other = split_latent(tree, node, "new", sorted(apart))
    new = other.n_nodes - 1
    assert other.names[new] == "new"
    assert set(members(other, new)) == apart
    assert set(members(other, node)) == set(members(tree, node)) - apart
    assert topic_above(other, new) == topic_above(tree, node)
    np.testing.assert_allclose(other.marginals[:-1], tree.marginals, rtol=1e-9)
    np.testing.assert_allclose(other.marginals[-1], tree.marginals[node], rtol=1e-9)


def test_a_change_keeps_the_bits_of_others_and_raises_levels_where_needed() -> None:
    before = small_tree()
    after = move_below(before, 0, 8)
    same = [v for v in range(before.n_nodes) if v != 0]
    np.testing.assert_array_equal(after.parent[same], before.parent[same])
    np.testing.assert_array_equal(after.probability[same], before.probability[same])
    probability = np.full((9, 2), (0.2, 0.7))
    probability[6] = 0.4
    parent = [6, 6, 7, 7, 8, 8, -1, 6, 7]
    tree = LatentTree("abcdef", parent, [0] * 6 + [1] * 3, probability, allow_irregular=True)
    low, high, third = (tree.names.index(name) for name in ("Z1-1", "Z1-2", "Z1-3"))
    other = move_below(tree, low, high)
    assert other.level[[low, high, third]].tolist() == [1, 2, 2]
    assert [top_above(other, v) for v in (low, high, third)] == [high, high, third]


@settings(max_examples=60)
@given(trees(probability=ordinary) | trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0)))
def test_any_top_level_latent_variable_can_be_the_root(tree: LatentTree) -> None:
    documents = np.random.default_rng(0).integers(0, 2, (5, tree.n_words))
    for latent in tree.levels[-1]:
        other = reroot(tree, int(latent))
        assert other.root == latent
        found, expected = (one.log_likelihood(documents) for one in (other, tree))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(other.marginals, tree.marginals, rtol=1e-9)
        np.testing.assert_allclose(other.state_marginals, tree.state_marginals, rtol=1e-9)
        found, expected = (one.posteriors(documents).states() for one in (other, tree))
        np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_words_in_another_order_have_other_columns_and_other_words_are_refused() -> None:
    tree = many_states(random_tree(0, 30, 10), 0, most=3)
    order = np.random.default_rng(0).permutation(30)
    other = tree.with_words([tree.words[i] for i in order])
    documents = tree.sample(50, seed=0)
    found = other.log_likelihood(documents[:, order])
    np.testing.assert_allclose(found, tree.log_likelihood(documents), rtol=1e-12)
    assert other != tree
    assert other.with_words(tree.words) == tree
    for words, message in (
        ("abcdefx", "'x' is not a word"),
        ("abcdefgg", "7 distinct words given, but the tree has 7; give each of them once"),
    ):
        with pytest.raises(TreeError, match=message):
            small_tree().with_words(list(words))


ordinary_trees = trees(max_latents=5, max_words=6, probability=ordinary)

trees_with_states = trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=6)


def top_words(tree: LatentTree, v: int, count: int) -> NDArray[np.int64]:
    """The entries of the words below a latent variable that its states tell apart best."""
    table = word_marginals(tree)
    entries = np.arange(table.start[v], table.start[v + 1])
    prior = np.tile(tree.state_marginals[v], (len(entries), 1))
    information = mutual_information(table.states[entries], prior)
    return entries[np.lexsort((table.word[entries], -information))][:count]


@settings(max_examples=60)
@given(ordinary_trees | trees_with_states)
def test_states_ascend_with_the_top_words_of_the_same_distribution(tree: LatentTree) -> None:
    ordered = order_states(tree)
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    found, expected = ordered.log_likelihood(every), tree.log_likelihood(every)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    table = word_marginals(ordered)
    for v, count in enumerate(tree.parameters.states.tolist()):
        top = top_words(ordered, v, DECIDING_WORDS)
        assert (np.diff(table.states[top, :count].sum(axis=0)) >= -1e-9).all()
    np.testing.assert_array_equal(ordered.parameters.states, tree.parameters.states)


@settings(max_examples=60)
@given(trees_with_states, st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4))
def test_background_states_make_the_size(tree: LatentTree, sizes: list[float]) -> None:
    size = np.array(sizes)[: tree.n_latents]
    ordered = order_states(tree, size)
    found = ordered.marginals[tree.n_words :]
    for v, count in enumerate(tree.parameters.states.tolist()):
        share = ordered.state_marginals[v, :count]
        possible = np.array([share[first:].sum() for first in range(1, count)])
        above = tree.parent[tree.n_words + v]
        is_below = above >= 0 and tree.level[tree.n_words + v] < tree.level[above]
        most = 1.1 * found[above - tree.n_words] if is_below else np.inf
        allowed = possible[possible <= max(most, possible.min()) - 1e-9]
        assert found[v] <= max(most, possible.min()) + 1e-9
        if len(allowed):
            assert abs(found[v] - size[v]) <= np.abs(allowed - size[v]).min() + 1e-9
    assert (order_states(tree).parameters.background == 1).all()
