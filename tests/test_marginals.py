"""P(word | latent) and mutual information against the joint distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import xlogy

from hlta.tree import given_on
from hlta.tree.given_on import latents_given_on, words_given_on
from hlta.tree.marginals import mutual_information, word_marginals
from tests.oracles import Floats, enumerate_joint, enumerate_states
from tests.strategies import random_tree, trees, trees_of_many_states

if TYPE_CHECKING:
    from hlta import LatentTree


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
    st.one_of(
        trees(max_latents=5, max_words=6, probability=st.floats(0.01, 0.99)),
        trees_of_many_states(most=6, strengths=(0.5, 1.0, 2.0), max_words=5),
    )
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


@given(
    st.lists(st.tuples(*[st.floats(0.001, 0.999)] * 2), min_size=2, max_size=6), st.integers(0, 3)
)
def test_information_is_that_of_the_joint_table(
    columns: list[tuple[float, float]], padding: int
) -> None:
    event, weight = np.array(columns).T
    prior = weight / weight.sum()
    joint = np.stack((1.0 - event, event), axis=1) * prior[:, None]
    # States that the variable lacks count for nothing.
    event, prior = np.pad(event, (0, padding)), np.pad(prior, (0, padding))
    information = mutual_information(event[None], prior[None])
    assert information == pytest.approx([table_information(joint)], abs=1e-12)
    assert information[0] >= 0.0


# ---- what follows from topics that are on --------------------------------------------------------


MODERATE = st.floats(0.01, 0.99)


def enumerated(tree: LatentTree) -> tuple[Floats, Floats]:
    """P(word | v on) and P(u on | v on), v by words and v by u."""
    states, log_probability = enumerate_states(tree)
    n, latent = tree.n_words, np.arange(tree.n_latents)
    on = tree.parameters.is_on[latent, states].astype(np.float64)
    weight = on * np.exp(log_probability)[:, None]
    above = tree.parent[:n] - n
    words = tree.parameters.word[np.arange(n), states[:, above]]
    size = weight.sum(axis=0)[:, None]
    return weight.T @ words / size, weight.T @ on / size


def check(tree: LatentTree) -> None:
    chosen = np.arange(tree.n_latents)[::-1]
    words, latents = enumerated(tree)
    np.testing.assert_allclose(words_given_on(tree, chosen), words[chosen], rtol=1e-8)
    np.testing.assert_allclose(latents_given_on(tree, chosen), latents[chosen], rtol=1e-8)


@settings(max_examples=40)
@given(trees(max_latents=6, max_words=8, probability=MODERATE))
def test_binary_variables(tree: LatentTree) -> None:
    check(tree)


@settings(max_examples=40)
@given(trees_of_many_states(most=5, strengths=(0.5, 1.0, 2.0), max_words=6))
def test_variables_of_many_states(tree: LatentTree) -> None:
    check(tree)


def test_a_few_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = random_tree(3, 40, 20)
    whole = words_given_on(tree, np.arange(20))
    monkeypatch.setattr(given_on, "_AT_ONCE", 3 * tree.n_nodes * 2)
    np.testing.assert_array_equal(words_given_on(tree, np.arange(20)), whole)
    assert words_given_on(tree, np.arange(0)).shape == (0, 40)
